#!/usr/bin/env python3
"""Writes ReservedNames.inc: the names of libc's headers, which no model may have as its prefix.

The generated headers include some of these headers, and programs include others beside
them: a namespace or symbol of the same name would not compile. With --check, nothing is
written, and names of this system that the file lacks are an error.

    codegen/reserved_names.py [--check]
"""

import json
import pathlib
import subprocess
import sys

FILE = pathlib.Path(__file__).resolve().parent / "ReservedNames.inc"
HEADERS = """assert complex ctype errno fcntl fenv float inttypes iso646 limits locale math poll pthread
sched semaphore setjmp signal spawn stdarg stddef stdint stdio stdlib string strings sys/mman
sys/select sys/socket sys/stat sys/time sys/types sys/wait time uchar unistd wchar wctype""".split()
# musl has names that glibc has not.
COMPILERS = {"glibc": ["clang-22"], "musl": ["clang-22", "-nostdinc", "-isystem",
                                             "/usr/include/x86_64-linux-musl"]}
MACRO_LINE = "#define "


def run(command, source):
    return subprocess.run([*command, "-D_GNU_SOURCE", "-x", "c", "-std=gnu11", "-w", "-"],
                          input=source, text=True, check=True, capture_output=True).stdout


def declared(node, names):
    """Names of file scope in a tree of clang's; enumerators are among them."""
    for child in node.get("inner", []):
        name = child.get("name")
        if name and not child.get("isImplicit"):
            names.add(name)
        if child.get("kind") == "EnumDecl":
            declared(child, names)


def names_of(compiler):
    source = "".join(f"#include <{header}.h>\n" for header in HEADERS)
    macros = run([*compiler, "-E", "-dM"], source)
    names = {line[len(MACRO_LINE):].split()[0].split("(")[0] for line in macros.splitlines()}
    declared(json.loads(run([*compiler, "-fsyntax-only", "-Xclang", "-ast-dump=json"], source)),
             names)
    # Those that begin with _ and a capital or _ are reserved by rule.
    return {name for name in names if not (name[0] == "_" and (name[1:2].isupper()
                                                               or name[1:2] == "_"))}


def main():
    names = names_of(COMPILERS["glibc"])
    if pathlib.Path(COMPILERS["musl"][-1]).is_dir():
        names |= names_of(COMPILERS["musl"])
    if "--check" in sys.argv[1:]:
        known = set(FILE.read_text().replace('"', " ").split())
        missing = sorted(names - known)
        if missing:
            sys.exit(f"error: {FILE.name} lacks {' '.join(missing)}; run codegen/reserved_names.py")
        print(f"{len(names)} names of this system: all are reserved")
        return
    lines, line = [], '"'
    for name in sorted(names):
        if len(line) + len(name) + 2 > 100:
            lines.append(line + '"')
            line = '"'
        line += name + " "
    lines.append(line + '"')
    FILE.write_text("// Made by codegen/reserved_names.py.\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
