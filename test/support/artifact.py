"""Calling a compiled model from Python through its descriptor, with ctypes.

    model = Model("resnet50.so", "resnet50")
    outputs = model.run([array])
"""

import ctypes as c
import os

import numpy as np
import onnx

ALIGNMENT = 64
ABI_VERSION = 2
OUT_OF_MEMORY = 8
MESSAGE_BYTES = 512


class View(c.Structure):
    _fields_ = [("data", c.c_void_p), ("dims", c.POINTER(c.c_int64)), ("bytes", c.c_uint64),
                ("rank", c.c_int32), ("dtype", c.c_int32), ("kind", c.c_int32),
                ("reserved", c.c_int32)]


ALLOCATE = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_size_t, c.c_size_t)
RELEASE = c.CFUNCTYPE(None, c.c_void_p, c.c_void_p)
TASK = c.CFUNCTYPE(None, c.c_void_p, c.c_int64)
PARALLEL_FOR = c.CFUNCTYPE(None, c.c_void_p, c.c_int64, c.c_void_p, c.c_void_p)
PARALLEL_REGION = c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_int64, c.c_void_p, c.c_void_p)


class Allocator(c.Structure):
    _fields_ = [("context", c.c_void_p), ("allocate", ALLOCATE), ("release", RELEASE)]


class Threads(c.Structure):
    _fields_ = [("context", c.c_void_p), ("parallel_for", PARALLEL_FOR),
                ("parallel_region", PARALLEL_REGION), ("concurrency", c.c_int32),
                ("reserved", c.c_int32)]


class Call(c.Structure):
    _fields_ = [("abi_version", c.c_uint32), ("num_inputs", c.c_int32), ("inputs", c.POINTER(View)),
                ("outputs", c.POINTER(View)), ("num_outputs", c.c_int32), ("reserved", c.c_int32),
                ("workspace", c.c_void_p), ("workspace_bytes", c.c_uint64),
                ("weights", c.c_void_p), ("weights_bytes", c.c_uint64), ("instance", c.c_void_p),
                ("threads", c.POINTER(Threads)), ("allocator", c.POINTER(Allocator)),
                ("profiler", c.c_void_p), ("message", c.c_char_p), ("message_bytes", c.c_uint64)]


class Symbol(c.Structure):
    _fields_ = [("name", c.c_char_p), ("min", c.c_int64), ("max", c.c_int64)]


class Dim(c.Structure):
    _fields_ = [("size", c.c_int64), ("symbol", c.c_int32), ("data_dependent", c.c_int32),
                ("text", c.c_char_p)]


class Value(c.Structure):
    _fields_ = [("name", c.c_char_p), ("dims", c.POINTER(Dim)), ("rank", c.c_int32),
                ("dtype", c.c_int32), ("kind", c.c_int32), ("reserved", c.c_int32)]


class PoolApi(c.Structure):
    _fields_ = [("bytes", c.CFUNCTYPE(c.c_uint64, c.c_int32)),
                ("create", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_uint64, c.c_int32,
                                       c.POINTER(Threads))),
                ("destroy", c.CFUNCTYPE(None, c.POINTER(Threads)))]


class Descriptor(c.Structure):
    _fields_ = [("abi_version", c.c_uint32), ("num_inputs", c.c_int32), ("name", c.c_char_p),
                ("inputs", c.POINTER(Value)), ("outputs", c.POINTER(Value)),
                ("symbols", c.POINTER(Symbol)), ("num_outputs", c.c_int32),
                ("num_symbols", c.c_int32), ("weights_bytes", c.c_uint64),
                ("weights", c.c_void_p), ("weights_sha256", c.c_char_p),
                ("weights_file", c.c_char_p), ("required_cpu_features", c.c_uint64),
                ("target_triple", c.c_char_p), ("target_cpu", c.c_char_p),
                ("target_features", c.c_char_p), ("instance_bytes", c.c_uint64),
                ("plan", c.CFUNCTYPE(c.c_int32, c.POINTER(Call))),
                ("run", c.CFUNCTYPE(c.c_int32, c.POINTER(Call))),
                ("init", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_uint64, c.c_char_p, c.c_uint64)),
                ("fini", c.CFUNCTYPE(None, c.c_void_p)), ("pool", c.POINTER(PoolApi)),
                ("compiler_version", c.c_char_p), ("compiler_options", c.c_char_p),
                ("model_sha256", c.c_char_p), ("opset", c.c_int64), ("id", c.c_char_p),
                ("check_weights", c.CFUNCTYPE(c.c_int32, c.c_void_p, c.c_uint64, c.c_char_p,
                                              c.c_uint64))]


class ModelError(Exception):
    """A status other than ok, with the model's message."""

    def __init__(self, status, message):
        super().__init__(f"status {status}: {message}")
        self.status = status


class Buffer:
    """Aligned memory that lives as long as this object."""

    def __init__(self, size):
        self.memory = c.create_string_buffer(size + ALIGNMENT)
        start = c.addressof(self.memory)
        self.address = (start + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
        self.size = size


class PythonAllocator:
    """The allocator hook: buffers that live until the next call's end."""

    def __init__(self):
        self.buffers = {}
        self.hook = Allocator(None, ALLOCATE(self.allocate), RELEASE(self.release))

    def allocate(self, context, size, alignment):
        buffer = Buffer(max(size, 1))
        self.buffers[buffer.address] = buffer
        return buffer.address

    def release(self, context, pointer):
        self.buffers.pop(pointer, None)


class SerialHook:
    """A host's own parallel_for that runs tasks one after another, last first."""

    def __init__(self):
        self.hook = Threads(None, PARALLEL_FOR(self.run), PARALLEL_REGION(), 1, 0)

    @staticmethod
    def run(context, count, function, args):
        task = TASK(function)
        for index in reversed(range(count)):
            task(args, index)


class Pool:
    """The thread pool that a model carries."""

    def __init__(self, model, threads):
        self.api = model.descriptor.pool.contents
        self.memory = Buffer(self.api.bytes(threads))
        self.hook = Threads()
        status = self.api.create(self.memory.address, self.memory.size, threads, c.byref(self.hook))
        if status:
            raise ModelError(status, "cannot make a thread pool")

    def close(self):
        self.api.destroy(c.byref(self.hook))


# Elements that share bytes, the first in the lowest bits; numpy has a byte for each.
SHARED_BITS = {onnx.TensorProto.UINT4: 4, onnx.TensorProto.INT4: 4, onnx.TensorProto.FLOAT4E2M1: 4,
               onnx.TensorProto.UINT2: 2, onnx.TensorProto.INT2: 2}


def pack(array, bits):
    patterns = array.reshape(-1).view(np.uint8) & (2 ** bits - 1)
    patterns = np.pad(patterns, (0, -len(patterns) % (8 // bits))).reshape(-1, 8 // bits)
    return np.bitwise_or.reduce(patterns << np.arange(0, 8, bits, dtype=np.uint8), axis=1)


def unpack(data, shape, dtype, bits):
    fields = np.frombuffer(data, np.uint8)[:, None] >> np.arange(0, 8, bits, dtype=np.uint8)
    patterns = (fields & (2 ** bits - 1)).reshape(-1)[:int(np.prod(shape, dtype=np.int64))]
    if np.dtype(dtype).name.startswith("int"):
        sign = 1 << bits - 1
        return ((patterns ^ sign).astype(np.int8) - sign).astype(dtype).reshape(shape)
    return patterns.astype(np.uint8).view(dtype).reshape(shape)


def numpy_dtype(dtype):
    return np.dtype(onnx.helper.tensor_dtype_to_np_dtype(dtype))


class Model:
    """A compiled model. Tensors only; may be used by several threads at once."""

    def __init__(self, path, name, mode=os.RTLD_NOW | os.RTLD_LOCAL):
        self.loaded = c.CDLL(os.fspath(path), mode=mode)
        self.descriptor = Descriptor.in_dll(self.loaded, f"{name}_model")
        d = self.descriptor
        if d.abi_version != ABI_VERSION:
            raise ModelError(0, f"ABI version {d.abi_version}, expected {ABI_VERSION}")
        self.inputs = [d.inputs[i] for i in range(d.num_inputs)]
        self.outputs = [d.outputs[i] for i in range(d.num_outputs)]

    def run(self, arrays, threads=None):
        """One inference on arrays in the descriptor's order; `threads` is a Pool or hook."""
        return Inference(self, arrays, threads).run()


class Inference:
    """A planned call, which can be run again on the same inputs."""

    def __init__(self, model, arrays, threads=None):
        self.model = model
        self.arrays = [np.asarray(a, order="C") for a in arrays]
        self.keep = []
        self.allocator = PythonAllocator()
        self.message = c.create_string_buffer(MESSAGE_BYTES)
        self.inputs = (View * max(1, len(arrays)))(*[self.view_of(a) for a in self.arrays])
        self.outputs = (View * max(1, len(model.outputs)))(
            *[self.empty_view(v) for v in model.outputs])
        self.call = Call(
            abi_version=ABI_VERSION, num_inputs=len(arrays), inputs=self.inputs,
            outputs=self.outputs, num_outputs=len(model.outputs),
            allocator=c.pointer(self.allocator.hook),
            message=c.cast(self.message, c.c_char_p), message_bytes=MESSAGE_BYTES)
        if threads is not None:
            self.call.threads = c.pointer(threads.hook)
        self.check(model.descriptor.plan(c.byref(self.call)))
        self.workspace = Buffer(self.call.workspace_bytes)
        self.call.workspace = self.workspace.address
        self.buffers = [self.output_buffer(v) for v in self.outputs[:len(model.outputs)]]

    def dims_array(self, sizes):
        dims = (c.c_int64 * max(1, len(sizes)))(*sizes)
        self.keep.append(dims)
        return c.cast(dims, c.POINTER(c.c_int64))

    def view_of(self, array):
        dtype = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
        data = pack(array, SHARED_BITS[dtype]) if dtype in SHARED_BITS else array
        self.keep.append(data)
        return View(data.ctypes.data, self.dims_array(array.shape), data.nbytes, array.ndim, dtype)

    def empty_view(self, value):
        return View(None, self.dims_array([0] * max(0, value.rank)), 0, value.rank, value.dtype,
                    value.kind)

    def output_buffer(self, view):
        """Memory for an output whose size the plan knows."""
        if any(view.dims[i] < 0 for i in range(view.rank)):
            return None
        buffer = Buffer(max(1, view.bytes))
        view.data = buffer.address
        return buffer

    def check(self, status):
        if status:
            raise ModelError(status, self.message.value.decode(errors="replace"))

    def execute(self):
        """One run, without reading the outputs."""
        self.check(self.model.descriptor.run(c.byref(self.call)))

    def run(self):
        self.execute()
        return [self.array_of(v) for v in self.outputs[:len(self.model.outputs)]]

    @staticmethod
    def array_of(view):
        shape = [view.dims[i] for i in range(view.rank)]
        dtype = numpy_dtype(view.dtype)
        if view.dtype in SHARED_BITS:
            bits = SHARED_BITS[view.dtype]
            size = (int(np.prod(shape, dtype=np.int64)) * bits + 7) // 8
            return unpack(c.string_at(view.data, size) if size else b"", shape, dtype, bits)
        size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
        return np.frombuffer(c.string_at(view.data, size) if size else b"", dtype).reshape(shape)
