"""Turns the models in a folder from onnx text (.txt) into .onnx files.

usage: make_models.py FOLDER

A text without a header imports opset 18. A graph's `float[1000] w = {...}` gives
the elements 0, 1, 2 ... times 1/1024: weights that need not be spelled out.
"""

import pathlib
import re
import sys

import onnx.parser

HEADER = '<ir_version: 8, opset_import: ["" : 18]>\n'


def fill(match):
    count = 1
    for dim in match.group(2).split(","):
        count *= int(dim)
    values = ", ".join(repr(i / 1024) for i in range(count))
    return "%s[%s] %s = {%s}" % (match.group(1), match.group(2), match.group(3), values)


def main():
    for path in pathlib.Path(sys.argv[1]).glob("*.txt"):
        text = path.read_text()
        if not text.lstrip().startswith("<"):
            text = HEADER + text
        text = re.sub(r"(\w+)\[([\d,]+)\] (\w+) = \{\.\.\.\}", fill, text)
        model = onnx.parser.parse_model(text)
        path.with_suffix(".onnx").write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
