#!/usr/bin/env python3
"""That what a document shows is what the tools print.

    documents.py [--update] --onnxc BUILD/bin/onnxc DOCUMENT ...

A fenced block behind the comment `<!-- file: NAME -->` is written to a file; one in
ONNX's text form, NAME.onnxtxt, also becomes the model NAME.onnx. A block behind
`<!-- run: COMMAND -->` is what the command prints. --update writes what is printed into
the document.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import onnx
import onnx.parser

BLOCK = re.compile(r"<!-- (?P<kind>file|run): (?P<what>.*?) -->\n(?P<open>```\w*\n)(?P<text>.*?)```\n",
                   re.DOTALL)


def write_file(folder, name, text):
    (folder / name).write_text(text)
    if name.endswith(".onnxtxt"):
        onnx.save(onnx.parser.parse_model(text), folder / name.replace(".onnxtxt", ".onnx"))


def run(folder, command, environment):
    result = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, text=True,
                            capture_output=True)
    if result.returncode != 0:
        raise SystemExit(f"'{command}' ended with {result.returncode}: {result.stderr}")
    return "".join(line.rstrip() + "\n" for line in result.stdout.strip("\n").split("\n"))


def check(path, environment, update):
    """How many blocks of a document are not what is printed."""
    document, wrong = path.read_text(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def show(match):
            nonlocal wrong
            if match["kind"] == "file":
                write_file(folder, match["what"], match["text"])
                return match[0]
            printed = run(folder, match["what"], environment)
            if printed != match["text"]:
                wrong += 1
                if not update:
                    sys.stdout.writelines(difflib.unified_diff(
                        match["text"].splitlines(True), printed.splitlines(True), str(path),
                        match["what"]))
            return match[0].replace(match["open"] + match["text"], match["open"] + printed)

        updated, count = BLOCK.subn(show, document)
    if count == 0:
        raise SystemExit(f"{path}: no block to check")
    if update and wrong:
        path.write_text(updated)
        wrong = 0
    print(f"{path}: {count} blocks, {wrong} wrong")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--onnxc", type=pathlib.Path, required=True)
    parser.add_argument("documents", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    tools = os.pathsep.join([str(args.onnxc.resolve().parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": tools}
    return 1 if sum(check(path, environment, args.update) for path in args.documents) else 0


if __name__ == "__main__":
    sys.exit(main())
