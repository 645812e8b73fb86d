"""Running onnxc, onnxc-run and test programs with limits on time and memory."""

import dataclasses
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time

EMULATORS = {"aarch64": ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]}
# A build with sanitizers needs more memory and address space; no limits apply.
SANITIZED = "ASAN_OPTIONS" in os.environ
TRIPLES = {"aarch64": "aarch64-linux-gnu", "x86_64": "x86_64-linux-gnu"}


@dataclasses.dataclass
class Result:
    """How a process ended; `code` is negative for a signal, None for a timeout."""
    code: int | None
    output: str
    seconds: float
    peak_bytes: int

    @property
    def crashed(self):
        """A signal, or what ends with code 1 as errors do: a sanitizer's report, or a fault
        of the compiler itself."""
        return (self.code is not None and self.code < 0) or any(
            sign in self.output for sign in ("Sanitizer", "runtime error:", "a bug of onnxc"))

    @property
    def failed(self):
        return self.code != 0 or self.crashed

    @property
    def hung(self):
        return self.code is None

    def how_it_failed(self):
        """One line for a reader."""
        if self.hung:
            return "timeout"
        if self.code is not None and self.code < 0:
            return f"crash: {signal.Signals(-self.code).name}"
        return first_error(self.output) or f"exit code {self.code} without a message"


def first_error(text):
    """The first line of a tool's output that says what is wrong, and what it announces."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line, following in zip(lines, [*lines[1:], ""]):
        if re.search(r"\berror\b|Sanitizer|runtime error", line):
            return f"{line} {following}" if line.endswith(":") else line
    return lines[0] if lines else ""


def limit_memory(bytes_or_none):
    def apply():
        os.setpgrp()
        if bytes_or_none and not SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (bytes_or_none, bytes_or_none))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return apply


def run(command, timeout=60, memory=None, env=None, cwd=None):
    """Run a command to its end, killing it and its children after `timeout` seconds."""
    with tempfile.TemporaryFile() as sink:
        start = time.monotonic()
        process = subprocess.Popen([str(c) for c in command], stdin=subprocess.DEVNULL, stdout=sink,
                                   stderr=subprocess.STDOUT, preexec_fn=limit_memory(memory),
                                   env=env, cwd=cwd)
        code, usage = wait(process, start + timeout)
        sink.seek(0)
        text = sink.read().decode(errors="replace")
        return Result(code, text, time.monotonic() - start, usage.ru_maxrss * 1024)


def wait(process, deadline):
    """Wait for a process with its resource usage; the code is None when time ran out."""
    timed_out, pause = False, 0.001
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return (None if timed_out else process.returncode), usage
        if not timed_out and time.monotonic() > deadline:
            os.killpg(process.pid, signal.SIGKILL)
            timed_out = True
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)


class Tools:
    """The compiler and the runner of one build, for one target."""

    def __init__(self, onnxc, runner, target="", flags=()):
        self.onnxc = pathlib.Path(onnxc).resolve()
        self.runner = pathlib.Path(runner).resolve()
        self.flags = list(flags)
        self.emulator = []
        if target:
            self.flags.append(f"--mtriple={TRIPLES[target]}")
            self.emulator = EMULATORS.get(target, [])

    def compile(self, model, output, *flags, timeout=60, memory=None):
        return run([self.onnxc, model, "-o", output, *self.flags, *flags], timeout, memory)

    def execute(self, library, *arguments, timeout=60, memory=None):
        return run([*self.emulator, self.runner, library, *arguments], timeout, memory)

    def compare(self, library, data_set, rtol, atol, timeout=60):
        """Run one test_data_set folder and compare with its outputs."""
        return self.execute(library, data_set, f"--rtol={rtol}", f"--atol={atol}", timeout=timeout)


def add_arguments(parser, build=None):
    """The options that every runner shares."""
    build = build or pathlib.Path(__file__).resolve().parents[2] / "build"
    parser.add_argument("--onnxc", type=pathlib.Path, default=build / "bin" / "onnxc")
    parser.add_argument("--runner", type=pathlib.Path,
                        help="onnxc-run, built for the target; default: beside onnxc")
    parser.add_argument("--target", choices=sorted(TRIPLES), default="",
                        help="compile for this target and run under its emulator")
    parser.add_argument("--onnxc-flag", action="append", default=[], metavar="FLAG",
                        help="passed on to onnxc")
    parser.add_argument("--jobs", "-j", type=int, default=2)


def from_arguments(args):
    suffix = f"-{args.target}" if EMULATORS.get(args.target) else ""
    runner = args.runner or args.onnxc.parent / f"onnxc-run{suffix}"
    tools = Tools(args.onnxc, runner, args.target, args.onnxc_flag)
    for tool in (tools.onnxc, tools.runner):
        if not tool.exists():
            raise SystemExit(f"{tool} does not exist; build it first")
    return tools
