#!/usr/bin/env python3
"""Run the ONNX backend cases: compile each, run each data set, compare.

    run_suite.py [--filter REGEX] [--jobs N] [--target aarch64] [--json FILE] [-v]

Fails when a case fails that known-failures.txt does not name, and when a case
passes that it does name. `--update` rewrites that list, with the reasons taken
from the tools' own messages; it keeps cases that --filter leaves out.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import extract_suite
import known_failures
import tools as toolbox

LIST_COMMENT = """ONNX backend cases that onnxc does not pass yet.
A case that passes although it is listed fails the test. To rewrite the list:
.venv/bin/python test/onnx/run_suite.py --update"""


def run_case(tools, case, folder, timeout):
    """Compile and run one case; return "" or what went wrong."""
    library = folder / f"{case.name}.so"
    result = tools.compile(case / "model.onnx", library, "--name=model", timeout=timeout)
    if result.failed:
        return "compile: " + result.how_it_failed()
    rtol, atol = (case / "tolerance.txt").read_text().split()
    reason = ""
    for data_set in sorted(case.glob("test_data_set_*")):
        result = tools.compare(library, data_set, rtol, atol, timeout)
        if result.failed:
            reason = "run: " + result.how_it_failed()
            break
    for artifact in folder.glob(f"{case.name}.*"):
        artifact.unlink()
    return reason


def run_all(tools, cases, jobs, timeout, verbose):
    """The failures, as a dict from case name to reason."""
    failures = {}
    with tempfile.TemporaryDirectory() as scratch, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(run_case, tools, case, pathlib.Path(scratch), timeout): case.name
                   for case in cases}
        for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
            name, reason = futures[future], future.result()
            if reason:
                failures[name] = reason
            if verbose:
                print(f"{'FAIL' if reason else 'pass'} {name} {reason}", flush=True)
            elif done % 200 == 0:
                print(f"{done} of {len(cases)} cases, {len(failures)} failures", flush=True)
    return failures


def update_list(path, known, everywhere, failures, names):
    """Rewrite the list for the cases that ran; without those that fail everywhere."""
    kept = {case: reason for case, reason in known.items() if case not in names}
    changed = {case: known.get(case) or known_failures.general(reason)
               for case, reason in failures.items() if case not in everywhere}
    known_failures.write(path, {**kept, **changed}, LIST_COMMENT)


def summary(failures, total):
    """How many passed, and the most frequent reasons of failure."""
    counts = collections.Counter(known_failures.general(r) for r in failures.values())
    for reason, count in counts.most_common(20):
        print(f"{count:5}  {reason}")
    print(f"{total - len(failures)} of {total} cases pass")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    toolbox.add_arguments(parser)
    parser.add_argument("--suite", type=pathlib.Path,
                        help="folder of the cases, written when missing; default: in the build folder")
    parser.add_argument("--filter", default="", help="only cases whose name this expression finds")
    parser.add_argument("--known-failures", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="rewrite the list of known failures")
    parser.add_argument("--fresh-reasons", action="store_true",
                        help="with --update: take all reasons anew, not just those of new failures")
    parser.add_argument("--json", type=pathlib.Path, help="write the results here")
    parser.add_argument("--timeout", type=float, default=30, help="seconds for a process")
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    args.suite = args.suite or args.onnxc.resolve().parent.parent / "onnx-suite"
    # A target's own list holds what fails beyond the list of all targets.
    args.everywhere = HERE / "known-failures.txt" if args.target else None
    args.known_failures = args.known_failures or HERE / (
        f"known-failures-{args.target}.txt" if args.target else "known-failures.txt")
    return args


def main():
    args = parse_arguments()
    tools = toolbox.from_arguments(args)
    extract_suite.extract(args.suite)
    cases = [p.parent for p in sorted(args.suite.glob("*/model.onnx"))
             if re.search(args.filter, p.parent.name)]
    names = {case.name for case in cases}
    failures = run_all(tools, cases, args.jobs, args.timeout, args.verbose)
    if args.json:
        args.json.write_text(json.dumps({n: failures.get(n, "pass") for n in sorted(names)}, indent=1))
    summary(failures, len(cases))
    if args.update:
        own = {} if args.fresh_reasons else known_failures.read(args.known_failures)
        everywhere = known_failures.read(args.everywhere) if args.everywhere else {}
        update_list(args.known_failures, own, everywhere, failures, names)
        return 0
    lists = [args.known_failures, *([args.everywhere] if args.everywhere else [])]
    return known_failures.judge(failures, names, lists, bool(args.filter))


if __name__ == "__main__":
    sys.exit(main())
