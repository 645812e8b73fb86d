"""Lists of tests that are known to fail, grouped by reason.

    # a comment
    [the reason of the cases below]
    test_one
    test_two
"""

import collections
import re


def read(path):
    """The cases of a list, as a dict from case to reason."""
    cases, reason = {}, ""
    if not path.exists():
        return cases
    for line in path.read_text().splitlines():
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            reason = line[1:-1]
        elif line and not line.startswith("#"):
            cases[line] = reason
    return cases


def write(path, cases, comment):
    """Write a list; cases is a dict from case to reason."""
    groups = collections.defaultdict(list)
    for case, reason in cases.items():
        groups[reason].append(case)
    lines = [f"# {line}" for line in comment.splitlines()]
    for reason in sorted(groups):
        lines += ["", f"[{reason}]", *sorted(groups[reason])]
    path.write_text("\n".join(lines) + "\n")


def general(reason):
    """A failure's message without what differs from case to case: places, names, numbers."""
    reason = re.sub(r"^.*?\berror: ", "", reason)
    reason = re.sub(r"^(\S*/)?onnxc(-run)?: ", "", reason)
    reason = re.sub(r"(/[\w.+-]+)+", "PATH", reason)
    reason = re.sub(r"0x[0-9a-f]+", "ADDRESS", reason)
    reason = re.sub(r"-?\d+\.\d+(e[+-]?\d+)?", "X", reason)
    return reason.replace("[", "(").replace("]", ")").strip()[:160]
