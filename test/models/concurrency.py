#!/usr/bin/env python3
"""Several models in one program, each called from 4 threads at once.

Every result must equal the single serial call bit by bit: with the models'
own pools of 1, 2 and 3 threads, with one model's pool shared by all models,
and with a host's parallel_for that runs tasks one after another.
"""

import argparse
import concurrent.futures
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
import artifact
import models
import tools as toolbox

NAMES = ["mlp", "gru_tagger", "rapidocr_cls", "magika"]
CALLERS, CALLS = 4, 3


class Loaded:
    """A compiled model with its inputs and the serial call's outputs."""

    def __init__(self, entry, path, library):
        self.name = entry.name
        self.model = artifact.Model(library, entry.name)
        arrays = entry.inputs(path, entry.sizes[-1])
        self.inputs = [arrays[v.name.decode()] for v in self.model.inputs]
        self.wanted = self.run(None)

    def run(self, threads):
        return [output.tobytes() for output in self.model.run(self.inputs, threads)]


def load(name, tools, folder):
    entry = models.BY_NAME[name]
    path, library = entry.path(folder / "full"), folder / f"concurrency-{name}.so"
    result = tools.compile(path, library, f"--name={name}", timeout=600)
    if result.failed:
        raise SystemExit(f"{name}: {result.how_it_failed()}")
    return Loaded(entry, path, library)


def all_at_once(loaded, threads_of):
    """The names of models whose result differed; threads_of gives each model's hook."""
    with concurrent.futures.ThreadPoolExecutor(CALLERS * len(loaded)) as callers:
        calls = [(m, callers.submit(m.run, threads_of[m.name]))
                 for _ in range(CALLS) for m in loaded for _ in range(CALLERS)]
        return sorted({m.name for m, call in calls if call.result() != m.wanted})


def configurations(loaded):
    """Each way of giving threads to the models, with its name."""
    yield "no hook", {m.name: None for m in loaded}
    yield "a serial hook", {m.name: artifact.SerialHook() for m in loaded}
    for count in (1, 2, 3):
        pools = {m.name: artifact.Pool(m.model, count) for m in loaded}
        yield f"own pools of {count}", pools
        for pool in pools.values():
            pool.close()
        shared = artifact.Pool(loaded[0].model, count)
        yield f"one pool of {count} for all", {m.name: shared for m in loaded}
        shared.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    toolbox.add_arguments(parser)
    args = parser.parse_args()
    folder = args.onnxc.resolve().parent.parent / "models"
    folder.mkdir(parents=True, exist_ok=True)
    tools = toolbox.from_arguments(args)
    loaded = [load(name, tools, folder) for name in NAMES]
    failed = 0
    for title, threads_of in configurations(loaded):
        different = all_at_once(loaded, threads_of)
        print(f"{title}: {'differs: ' + ', '.join(different) if different else 'bit-equal'}",
              flush=True)
        failed += bool(different)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
