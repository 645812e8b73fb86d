#!/usr/bin/env python3
"""Run the fault cases: compile each, run each data set, judge as README.md says.

    run_cases.py [--filter REGEX] [--jobs N] [-v]

Fails when a case goes wrong that known-failures.txt does not name, and when a
case that it names passes. `--update` rewrites that list.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import known_failures
import tools as toolbox

PASSES = ("pass", "weak pass", "refused")
ERROR_SECONDS = 10
HOSTILE_MEMORY = 2 << 30
TOOL_ERROR = 2  # onnxc-run's exit code when a call is refused
LIST_COMMENT = """Fault cases that onnxc does not pass yet.
A case that passes although it is listed fails the test. To rewrite the list:
test/cases/run_cases.py --update"""


class Case:
    """One folder with model.onnx and case.json."""

    def __init__(self, folder):
        self.folder, self.name = folder, folder.name
        self.about = json.loads((folder / "case.json").read_text())
        self.data_sets = sorted(folder.glob("test_data_set_*"))
        self.wants_error = self.about["expect"] == "error"
        self.also_ok = self.about.get("also_ok", [])

    def memory(self):
        return HOSTILE_MEMORY if self.about["category"] == "H" else None


def ended_badly(result, seconds):
    """A crash or a hang, or "" for a process that ended by itself."""
    if result.hung or result.seconds > seconds:
        return f"hang: more than {seconds} seconds"
    if result.crashed:
        return f"crash: {result.how_it_failed()}"
    return ""


def judge_refusal(case, result):
    """The verdict on a tool that ended with an error where one is wanted or allowed."""
    if not result.output.strip():
        return "wrong: an error without a message"
    hint = case.about.get("error_hint", "")
    found = re.search(rf"(?<!\w){re.escape(hint)}(?!\w)", result.output, re.IGNORECASE)
    return "pass" if found else f"weak pass: the message does not mention {hint!r}"


def leaked(case, output, folder):
    """Whether bytes from outside the model's folder got into a file or a message."""
    secret = case.about.get("must_not_contain", "").encode()
    files = [p for p in folder.iterdir() if p.is_file()]
    return secret and any(secret in data for data in [output.encode(), *(p.read_bytes() for p in files)])


def judge_run(case, tools, library):
    """The verdict on a model that compiled."""
    if case.wants_error:
        for data_set in case.data_sets or [None]:
            arguments = [data_set] if data_set else []
            result = tools.execute(library, *arguments, timeout=ERROR_SECONDS)
            if bad := ended_badly(result, ERROR_SECONDS):
                return bad
            if result.code != 0:
                return judge_refusal(case, result)
        return "pass" if "values" in case.also_ok else "wrong: no error"
    for data_set in case.data_sets:
        shape_only = case.about.get("compare") == "none"
        rtol, atol = (0, "inf") if shape_only else (case.about["rtol"], case.about["atol"])
        result = tools.compare(library, data_set, rtol, atol)
        if bad := ended_badly(result, 60):
            return bad
        if result.code == TOOL_ERROR and "error" in case.also_ok:
            return "refused"
        if result.failed:
            return f"wrong: {data_set.name}: {result.how_it_failed()}"
    return "pass"


def judge(case, tools, folder):
    """A verdict: one of PASSES, or wrong, crash, hang; with a reason after a colon."""
    folder.mkdir()
    library = folder / "model.so"
    seconds = ERROR_SECONDS if case.wants_error else 60
    result = tools.compile(case.folder / "model.onnx", library, "--name=model",
                           timeout=seconds, memory=case.memory())
    if bad := ended_badly(result, seconds):
        return bad
    if leaked(case, result.output, folder):
        return "wrong: bytes from outside the model's folder came through"
    if result.code == 0:
        return judge_run(case, tools, library)
    if any(folder.iterdir()):
        return "wrong: files left behind after an error"
    if case.wants_error:
        return "wrong: the compiler refuses it" if case.about.get("stage") == "run" \
            and "error" not in case.also_ok else judge_refusal(case, result)
    if "error" in case.also_ok:
        return "refused"
    return f"compile: {result.how_it_failed()}"


def make_cases(folder):
    """Write the cases anew: it takes a second, and links survive no other way."""
    subprocess.run([sys.executable, HERE / "make_cases.py", folder], check=True,
                   stdout=subprocess.DEVNULL)
    return [Case(p.parent) for p in sorted(folder.glob("*/case.json"))]


def run_all(cases, tools, jobs, verbose):
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        folders = [pathlib.Path(scratch) / case.name for case in cases]
        verdicts = {}
        for case, verdict in zip(cases, pool.map(judge, cases, [tools] * len(cases), folders)):
            verdicts[case.name] = verdict
            if verbose:
                print(f"{case.name}: {verdict}", flush=True)
        return verdicts


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    toolbox.add_arguments(parser)
    parser.add_argument("--filter", default="", help="only cases whose name this expression finds")
    parser.add_argument("--known-failures", type=pathlib.Path, default=HERE / "known-failures.txt")
    parser.add_argument("--update", action="store_true", help="rewrite the list of known failures")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    tools = toolbox.from_arguments(args)
    folder = args.onnxc.resolve().parent.parent / "cases"
    cases = [c for c in make_cases(folder) if re.search(args.filter, c.name)]
    verdicts = run_all(cases, tools, args.jobs, args.verbose)
    counts = collections.Counter(v.split(":")[0] for v in verdicts.values())
    print(f"{len(cases)} cases:", ", ".join(f"{n} {kind}" for kind, n in counts.most_common()))

    failures = {n: v for n, v in verdicts.items() if v.split(":")[0] not in PASSES}
    if args.update:
        known = known_failures.read(args.known_failures)
        kept = {n: reason for n, reason in known.items() if n not in verdicts}
        fresh = {n: known_failures.general(v) for n, v in failures.items()}
        known_failures.write(args.known_failures, {**kept, **fresh}, LIST_COMMENT)
        return 0
    return known_failures.judge(failures, verdicts, [args.known_failures], bool(args.filter))


if __name__ == "__main__":
    sys.exit(main())
