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


def judge(failures, names, paths, is_filtered):
    """Compare a run with its lists; print what differs, and return the exit code.

    `failures` is a dict from case to reason, `names` the cases that ran, `paths` the
    lists. Listed cases that did not run are a fault of the list, unless `is_filtered`.
    """
    if not names:
        print("no case was run")
        return 1
    lists = {case: path for path in paths for case in read(path)}
    wrong = [f"unexpected failure: {n}: {failures[n]}" for n in sorted(set(failures) - set(lists))]
    wrong += [f"unexpected pass, take it off {lists[n].name}: {n}"
              for n in sorted((set(lists) & set(names)) - set(failures))]
    if not is_filtered:
        wrong += [f"listed in {lists[n].name}, but no such case: {n}"
                  for n in sorted(set(lists) - set(names))]
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return 1 if wrong else 0


# What differs from case to case in a message, and what stands for it.
GENERAL = [
    (r"\berror: ", ""),
    (r"[\w.+-]*(/[\w.+-]+)+: ", ""),
    (r"[\w.+-]*(/[\w.+-]+)+", "PATH"),
    (r"node '[^']*' \((\w+)\): operator '\w+' \(([\w.]+) \d+\)", r"operator '\1' (\2)"),
    (r"node '[^']*' \((\w+)\)", r"\1"),
    (r"onnxc-run: output \"[^\"]*\": \d+ of \d+ elements differ.*", "elements differ"),
    (r"0x[0-9a-f]+", "ADDRESS"),
    (r"-?\d+\.\d+(e[+-]?\d+)?", "X"),
]


def general(reason):
    """A failure's message without what differs from case to case: places, names, numbers."""
    for pattern, replacement in GENERAL:
        reason = re.sub(pattern, replacement, reason)
    return reason.replace("[", "(").replace("]", ")").strip()[:160]
