"""The models that the tests compile: where they come from and what to feed them."""

import dataclasses
import importlib.util
import json
import pathlib

import numpy as np
import onnx

import fill
import inputs as zoo_inputs

HERE = pathlib.Path(__file__).resolve().parent
ZOO = json.loads((HERE / "zoo.json").read_text())["models"]


@dataclasses.dataclass(frozen=True)
class Windows:
    """An input that a model takes in windows along its last axis, of `step` samples
    after `context` from the window before. Its last output is the next `state`."""
    input: str
    state: str
    step: int
    context: int

    def each(self, inputs):
        """The windows' parts of the input, in order."""
        samples = inputs[self.input]
        for start in range(0, samples.shape[-1] - self.context, self.step):
            yield np.ascontiguousarray(samples[..., start:start + self.context + self.step])


@dataclasses.dataclass(frozen=True)
class Model:
    """`sizes` holds a dict of dims for each run of the one artifact."""
    name: str
    sizes: tuple
    slow: bool = False
    windows: object = None  # a Windows: run window by window


@dataclasses.dataclass(frozen=True)
class ZooModel(Model):
    """An exporter's graph with weights that fill.py makes."""

    def path(self, folder):
        full = folder / f"{self.name}.onnx"
        if not full.exists():
            folder.mkdir(parents=True, exist_ok=True)
            model = onnx.load(HERE / "shells" / f"{self.name}.onnx")
            _, crc = fill.fill(model)
            if f"{crc:08x}" != ZOO[self.name]["crc32"]:
                raise SystemExit(f"{self.name}: the weights' crc32 is {crc:08x}, "
                                 f"expected {ZOO[self.name]['crc32']}")
            partial = full.with_suffix(".partial")
            onnx.save(model, partial)
            partial.rename(full)
        return full

    def inputs(self, path, sizes):
        graph = onnx.load(path, load_external_data=False)
        return zoo_inputs.inputs(graph, ZOO[self.name], dims=sizes)


@dataclasses.dataclass(frozen=True)
class WheelModel(Model):
    """A trained model inside a Python package; `make` makes its inputs."""
    package: str = ""
    file: str = ""
    make: object = None

    def path(self, folder):
        spec = importlib.util.find_spec(self.package)
        if spec is None:
            raise SystemExit(f"the package {self.package} is not installed; "
                             "see scripts/requirements-models.txt")
        return pathlib.Path(spec.submodule_search_locations[0]) / self.file

    def inputs(self, path, sizes):
        return self.make(np.random.default_rng(0), **sizes)


def picture(rng, name, shape):
    """Soft patches with noise, in [0, 1]."""
    return {name: (0.5 + 0.2 * zoo_inputs.image(rng, shape)).clip(0, 1).astype(np.float32)}


def text_image(rng, batch, height, width):
    """Dark glyphs of 3x5 random blocks in lines on a white page, which the
    detector takes for text."""
    page = np.ones([batch, 3, height, width], np.float32)
    for top in range(8, height - 20, 36):
        for left in range(10, width - 14, 13):
            glyph = rng.integers(0, 2, [batch, 1, 5, 3]).repeat(4, axis=2).repeat(3, axis=3)
            page[..., top:top + 20, left:left + 9] -= 0.95 * glyph
    return {"x": ((page - 0.5) / 0.25).astype(np.float32)}


def file_bytes(rng, batch):
    return {"bytes": rng.integers(0, 257, [batch, 2048]).astype(np.int32)}


def photo(rng, batch, height, width):
    return picture(rng, "images", [batch, 3, height, width])


SPEECH = Windows("input", "state", step=512, context=64)


def speech(rng, batch, windows):
    """A chirp in noise at 16 kHz."""
    time = np.arange(windows * SPEECH.step + SPEECH.context) / 16000
    wave = 0.3 * np.sin(2 * np.pi * (200 + 300 * time) * time) * (time % 0.5 < 0.3)
    samples = (wave + 0.01 * rng.standard_normal([batch, len(time)])).astype(np.float32)
    return {"input": samples, "state": np.zeros([2, batch, 128], np.float32),
            "sr": np.array(16000, np.int64)}


def rapidocr(name, file, sizes):
    return WheelModel(name, sizes, package="rapidocr_onnxruntime", file=f"models/{file}.onnx",
                      make=text_image)


def image_sizes(*sizes):
    return tuple(dict(batch=b, height=h, width=w) for b, h, w in sizes)


MODELS = [
    ZooModel("mlp", ({"batch": 1}, {"batch": 7})),
    ZooModel("audio_conv1d", ({}, {"batch": 2, "samples": 8000})),
    ZooModel("lstm_classifier", ({}, {"batch": 3, "seq": 17})),
    ZooModel("gru_tagger", ({}, {"batch": 2, "seq": 31})),
    ZooModel("mobilenet_v3_large", ({}, {"batch": 2})),
    ZooModel("resnet50", ({}, {"batch": 2})),
    ZooModel("unet", ({},)),
    ZooModel("bert_base", ({"batch": 1, "seq": 16}, {"batch": 1, "seq": 128},
                           {"batch": 3, "seq": 40})),
    ZooModel("vit_b_16", ({},), slow=True),
    ZooModel("gpt2", ({"seq": 16}, {"seq": 64}), slow=True),
    rapidocr("rapidocr_cls", "ch_ppocr_mobile_v2.0_cls_infer",
             # Its last pool has no output pixel below 48 rows; onnxruntime, which
             # rounds the negative span towards zero, gives one.
             image_sizes((1, 48, 192), (6, 48, 192), (1, 64, 100))),
    rapidocr("rapidocr_det", "ch_PP-OCRv4_det_infer", image_sizes((1, 160, 320), (1, 224, 96))),
    rapidocr("rapidocr_rec", "ch_PP-OCRv4_rec_infer", image_sizes((1, 48, 320), (2, 48, 100))),
    WheelModel("magika", ({"batch": 1}, {"batch": 5}), package="magika",
               file="models/standard_v3_3/model.onnx", make=file_bytes),
    WheelModel("silero_vad_16k_op15", ({"batch": 1, "windows": 50},), package="silero_vad",
               file="data/silero_vad_16k_op15.onnx", make=speech, windows=SPEECH),
    WheelModel("silero_vad", ({"batch": 1, "windows": 50},), package="silero_vad",
               file="data/silero_vad.onnx", make=speech, windows=SPEECH),
    WheelModel("nudenet_320n", image_sizes((1, 320, 320), (2, 192, 256)), package="nudenet",
               file="320n.onnx", make=photo),
]
BY_NAME = {model.name: model for model in MODELS}
