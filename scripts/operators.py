#!/usr/bin/env python3
"""Writes docs/operators.md, the table of operators that onnxc compiles.

usage: operators.py [--check] ONNXC_OPT

The table is made of what the registered ops say of themselves (`onnxc-opt
--list-operators`); the `onnx` package says which operators there are besides. The
versions that the ops state must be the package's. With --check nothing is written: the
exit code is 1 when the file is not what would be written.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys

import onnx.defs

TABLE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "operators.md"

HEADER = """# Operators

Made by `scripts/operators.py` from the ops of the `onnx` dialect; do not edit. To write it again:

```
.venv/bin/python scripts/operators.py build/bin/onnxc-opt
```

A model may use any version of an operator from its first one on: older forms become the newest one
when the model is read (`compiler/import/OpsetUpgrade.cpp`). The versions are those of the domain that
define the operator anew. Tensors have elements of bool, of integers or of floats: of 2, 4 or 8 to 64 bits;
"number" stands for these but bool. What a single node cannot have is said when it is compiled, with the node's name.
"""


def read_supported(tool):
    """{(domain, name): (versions, operands, limits)} as the tool lists them."""
    lines = subprocess.run([tool, "--list-operators"], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    table = {}
    for line in lines:
        domain, name, versions, operands, limits = line.split("\t")
        table[domain, name] = ([int(v) for v in versions.split(", ")], operands, limits)
    return table


def read_defined():
    """{(domain, name): versions} of all operators that the onnx package defines."""
    table = collections.defaultdict(list)
    for schema in onnx.defs.get_all_schemas_with_history():
        table[schema.domain or "ai.onnx", schema.name].append(schema.since_version)
    return {key: sorted(versions) for key, versions in table.items()}


def check_versions(supported, defined):
    """What the ops say of versions that is not what the package says."""
    faults = []
    for key, (versions, operands, _) in sorted(supported.items()):
        if key not in defined:
            # onnx does not define the operators of com.microsoft.
            if key[0] != "com.microsoft":
                faults.append("%s (%s): no such operator" % (key[1], key[0]))
            continue
        # An operator that becomes others states its first version only.
        expected = defined[key] if operands or len(versions) > 1 else defined[key][:len(versions)]
        if versions != expected:
            faults.append("%s (%s): the versions are %s, stated are %s" % (
                key[1], key[0], expected, versions))
    return faults


def short(operands):
    """Operands with their types in a word."""
    def word(match):
        kinds = re.sub(r" (values|type)$", "", match.group(1))
        kinds = kinds.replace("floating-point", "float").replace("64-bit signless integer", "int64")
        kinds = kinds.replace("1-bit signless integer", "bool").replace("any type", "any")
        return "number" if "complex" in kinds else kinds
    text = re.sub(r"(?:variadic of )?tensor of ([^;]*)", word, operands)
    return text.replace("; ", ", ").replace("ONNX value", "any value")


def make_table(supported, defined):
    text = HEADER
    for domain in sorted({domain for domain, _ in supported}):
        text += "\n## %s\n\n| operator | versions | operands | limits |\n|---|---|---|---|\n" % domain
        for key in sorted(key for key in supported if key[0] == domain):
            versions, operands, limits = supported[key]
            becomes = "" if operands or key[1] == "Constant" else "becomes other operators"
            text += "| %s | %s%s | %s | %s |\n" % (
                key[1], ", ".join(str(v) for v in versions), " and later" if becomes else "",
                short(operands), limits or becomes)
    text += "\n## Not compiled yet\n\n"
    for domain in sorted({domain for domain, _ in defined}):
        missing = sorted(name for d, name in defined if d == domain and (d, name) not in supported)
        if missing:
            text += "- %s: %s\n" % (domain, ", ".join(missing))
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("tool")
    arguments = parser.parse_args()
    supported, defined = read_supported(arguments.tool), read_defined()
    faults = check_versions(supported, defined)
    for fault in faults:
        print("error: " + fault, file=sys.stderr)
    if faults:
        sys.exit(1)
    table = make_table(supported, defined)
    if not arguments.check:
        TABLE.write_text(table, encoding="utf-8")
    elif not TABLE.exists() or TABLE.read_text(encoding="utf-8") != table:
        sys.exit("error: %s is not current; run scripts/operators.py" % TABLE.name)


if __name__ == "__main__":
    main()
