/* onnxc_runtime.h - the contract between a compiled model and its host.
 *
 * Self-contained C11 and C++11. The compiler, the runtime, the generated
 * headers and the tools agree through this file and through nothing else: treat
 * a change as a schema change and raise ONNXC_ABI_VERSION.
 *
 * A model called NAME exports six symbols and no others:
 *
 *   NAME_model      read-only descriptor (onnxc_model); tools need only this
 *   NAME_model_ID   the same; ID is the model's id in 16 hex digits
 *   NAME_plan       sizes for given input shapes
 *   NAME_run        one inference
 *   NAME_init       prepares an instance (optional for the host)
 *   NAME_fini       ends it
 *
 * The generated header refers to the descriptor by NAME_model_ID and reaches all
 * else through it. So a program links and starts only with the library that its
 * header belongs to, and two models of one name in a program are a link error. A
 * program that opens a library itself (dlopen) asks for NAME_model, and compares
 * it with its header: NAME_check, or onnxc_check_model below.
 *
 * How to call a model:
 *
 *   1. Fill the input views (data, dims, rank, dtype, bytes), give each output
 *      view a `dims` array of the output's rank, and describe it all in an
 *      onnxc_call.
 *   2. NAME_plan(&call) checks the inputs, writes dims, dtype and `bytes` of the
 *      outputs, and `workspace_bytes`. Sizes that depend on the data are -1.
 *   3. Allocate outputs and workspace (aligned to ONNXC_ALIGNMENT).
 *   4. NAME_run(&call), as often as the shapes stay the same. Nothing is
 *      allocated, except through `allocator` where sizes depend on the data.
 *
 * The model keeps no state of its own: all memory belongs to the caller, and
 * any number of threads may run one model at once, each with its own call,
 * workspace and outputs. All data is little-endian.
 *
 * Memory: an output may not overlap an input, another output or the workspace,
 * and neither may the workspace and an input: run refuses it. Inputs may overlap.
 * Other threads must not write to any of it during a run; nothing but outputs
 * and workspace is written.
 *
 * Floating point: a run neither sets nor restores the caller's mode, and is made for
 * rounding to nearest. In another mode each operation rounds as the mode says, and
 * exp, sin and the like, which count on rounding to nearest, are right to some four
 * digits only; which memory is read and written does not change. With
 * flush-to-zero, denormals count as zero. The pool's workers take over the
 * caller's mode. Exceptions must stay masked (feenableexcept): lanes behind the
 * end of a tensor hold anything. Flags that are raised mean nothing.
 *
 * fork: a model may be used in the child, and so may a pool made before the fork,
 * which has lost its workers and runs all tasks on its caller. See onnxc_pool_api.
 */
#ifdef ONNXC_RUNTIME_H
#if ONNXC_ABI_VERSION != 2
#error "headers of models with different ABI versions: compile the models with one onnxc"
#endif
#else
#define ONNXC_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ONNXC_ABI_VERSION 2

/* Alignment in bytes of workspace, instance and weights. Inputs and outputs
 * need only the alignment of their elements. */
#define ONNXC_ALIGNMENT 64

/* ------------------------------------------------------------------ status */

typedef int32_t onnxc_status;
enum {
  ONNXC_OK = 0,
  ONNXC_INVALID_ARGUMENT = 1, /* null pointer, wrong count, wrong kind of value */
  ONNXC_TYPE_MISMATCH = 2,    /* element type differs from the model's */
  ONNXC_SHAPE_MISMATCH = 3,   /* rank or size differs, or sizes do not fit */
  ONNXC_BUFFER_TOO_SMALL = 4, /* tensor, workspace, weights, instance or pool memory */
  ONNXC_MISALIGNED = 5,       /* pointer below the required alignment */
  ONNXC_OUT_OF_RANGE = 6,     /* an index in the data is out of range */
  ONNXC_INVALID_VALUE = 7,    /* a value in the data is not allowed */
  ONNXC_OUT_OF_MEMORY = 8,    /* the allocator failed, or is needed and absent */
  ONNXC_UNSUPPORTED_CPU = 9,  /* the CPU lacks a feature the model was built for */
  ONNXC_UNSUPPORTED = 10,     /* not available here (threads, a device) */
  ONNXC_ABI_MISMATCH = 11,    /* host and model were built for different ABIs */
  ONNXC_INTERNAL_ERROR = 12,
  ONNXC_WRONG_MODEL = 13 /* a descriptor or side file of another model than expected */
};

/* ------------------------------------------------------------------ values */

/* Numbered as onnx.TensorProto.DataType. */
typedef int32_t onnxc_dtype;
enum {
  ONNXC_UNDEFINED = 0,
  ONNXC_FLOAT = 1,
  ONNXC_UINT8 = 2,
  ONNXC_INT8 = 3,
  ONNXC_UINT16 = 4,
  ONNXC_INT16 = 5,
  ONNXC_INT32 = 6,
  ONNXC_INT64 = 7,
  ONNXC_STRING = 8,   /* elements are onnxc_string */
  ONNXC_BOOL = 9,     /* one byte, 0 or 1 */
  ONNXC_FLOAT16 = 10, /* f16, bf16 and f8 travel as their bit patterns */
  ONNXC_DOUBLE = 11,
  ONNXC_UINT32 = 12,
  ONNXC_UINT64 = 13,
  ONNXC_COMPLEX64 = 14, /* real, imaginary */
  ONNXC_COMPLEX128 = 15,
  ONNXC_BFLOAT16 = 16,
  ONNXC_FLOAT8E4M3FN = 17,
  ONNXC_FLOAT8E4M3FNUZ = 18,
  ONNXC_FLOAT8E5M2 = 19,
  ONNXC_FLOAT8E5M2FNUZ = 20,
  ONNXC_UINT4 = 21, /* 4- and 2-bit types are packed as in ONNX: */
  ONNXC_INT4 = 22,  /* first element in the lowest bits */
  ONNXC_FLOAT4E2M1 = 23,
  ONNXC_FLOAT8E8M0 = 24,
  ONNXC_UINT2 = 25,
  ONNXC_INT2 = 26
};

typedef int32_t onnxc_kind;
enum {
  ONNXC_TENSOR = 0,           /* data: the elements, dense, row-major */
  ONNXC_SEQUENCE = 1,         /* data: onnxc_sequence* */
  ONNXC_OPTIONAL = 2,         /* data: onnxc_optional* of a tensor */
  ONNXC_OPTIONAL_SEQUENCE = 3 /* data: onnxc_optional* of a sequence */
};

typedef struct onnxc_string {
  const char *data; /* UTF-8, may hold NUL, not NUL-terminated */
  size_t length;
} onnxc_string;

/* A value at the model's border. */
typedef struct onnxc_view {
  void *data;
  int64_t *dims;  /* `rank` sizes; may be NULL for rank 0 */
  uint64_t bytes; /* input: size of the data; output: capacity of `data` */
  int32_t rank;
  onnxc_dtype dtype;
  onnxc_kind kind;
  int32_t reserved; /* 0 */
} onnxc_view;

typedef struct onnxc_sequence {
  int64_t length;
  onnxc_view *elements;
} onnxc_sequence;

typedef struct onnxc_optional {
  onnxc_view *value; /* NULL when there is none */
} onnxc_optional;

#ifdef __cplusplus
#define ONNXC_CAST(type, value) (static_cast<type>(value))
#define ONNXC_MUTABLE(pointer) (const_cast<void *>(pointer))
#else
#define ONNXC_CAST(type, value) ((type)(value))
#define ONNXC_MUTABLE(pointer) ((void *)(uintptr_t)(pointer))
#endif

/* Bits of one element; 0 for strings and unknown types (a string occupies
 * sizeof(onnxc_string) bytes). */
static inline uint32_t onnxc_dtype_bits(onnxc_dtype dtype) {
  switch (dtype) {
  case ONNXC_UINT2:
  case ONNXC_INT2: return 2;
  case ONNXC_UINT4:
  case ONNXC_INT4:
  case ONNXC_FLOAT4E2M1: return 4;
  case ONNXC_UINT8:
  case ONNXC_INT8:
  case ONNXC_BOOL:
  case ONNXC_FLOAT8E4M3FN:
  case ONNXC_FLOAT8E4M3FNUZ:
  case ONNXC_FLOAT8E5M2:
  case ONNXC_FLOAT8E5M2FNUZ:
  case ONNXC_FLOAT8E8M0: return 8;
  case ONNXC_UINT16:
  case ONNXC_INT16:
  case ONNXC_FLOAT16:
  case ONNXC_BFLOAT16: return 16;
  case ONNXC_FLOAT:
  case ONNXC_INT32:
  case ONNXC_UINT32: return 32;
  case ONNXC_DOUBLE:
  case ONNXC_INT64:
  case ONNXC_UINT64:
  case ONNXC_COMPLEX64: return 64;
  case ONNXC_COMPLEX128: return 128;
  default: return 0;
  }
}

/* Bytes of a dense tensor; 0 elements are 0 bytes. Returns -1 when a size is
 * negative (not known yet) or the product does not fit. */
static inline int64_t onnxc_tensor_bytes(onnxc_dtype dtype, const int64_t *dims, int32_t rank) {
  uint64_t bits = onnxc_dtype_bits(dtype);
  uint64_t elements = 1, most = UINT64_C(0x7fffffffffffffff) / 128u;
  int32_t i, empty = 0;
  if (dtype == ONNXC_STRING)
    bits = sizeof(onnxc_string) * 8;
  for (i = 0; i < rank; ++i) {
    if (dims[i] < 0)
      return -1;
    if (dims[i] == 0)
      empty = 1;
  }
  if (empty)
    return 0;
  for (i = 0; i < rank; ++i) {
    uint64_t size = ONNXC_CAST(uint64_t, dims[i]);
    if (elements > most / size)
      return -1;
    elements *= size;
  }
  return ONNXC_CAST(int64_t, (elements * bits + 7u) / 8u);
}

/* The view of a dense tensor; data and dims stay the caller's. */
static inline onnxc_view onnxc_tensor_view(onnxc_dtype dtype, const void *data, int64_t *dims,
                                           int32_t rank) {
  onnxc_view view;
  int64_t bytes = onnxc_tensor_bytes(dtype, dims, rank);
  view.data = ONNXC_MUTABLE(data);
  view.dims = dims;
  view.bytes = bytes < 0 ? 0 : ONNXC_CAST(uint64_t, bytes);
  view.rank = rank;
  view.dtype = dtype;
  view.kind = ONNXC_TENSOR;
  view.reserved = 0;
  return view;
}

/* ------------------------------------------------------------------- hooks */

/* Memory for values whose size depends on the data. What a call allocates and
 * does not release itself (its outputs above all) belongs to the caller
 * afterwards. May be called from the calling thread only.
 *
 * An output whose size depends on the data: plan writes -1 for each such dim and
 * 0 for `bytes`; run allocates and overwrites `data`, `bytes` and `dims`. A run
 * looks at no earlier block: release that before the next run with the same
 * view. An output without elements is a block too, never NULL. A run that fails
 * releases what it allocated and leaves the views alone. */
typedef struct onnxc_allocator {
  void *context;
  void *(*allocate)(void *context, size_t bytes, size_t alignment); /* NULL: failure */
  void (*release)(void *context, void *pointer);                    /* may be NULL: an arena */
} onnxc_allocator;

typedef void (*onnxc_task_fn)(void *args, int64_t task);

/* How a model runs tasks in parallel. Results are bit-equal for every hook and
 * every number of threads. */
typedef struct onnxc_threads {
  void *context;
  /* Runs fn(args, 0..count-1), each once, in any order, and returns when all
   * are done. Tasks are independent. Must be callable from several threads. */
  void (*parallel_for)(void *context, int64_t count, onnxc_task_fn fn, void *args);
  /* Optional. Runs `count` tasks that may wait for each other, so all at once,
   * and returns 0; or runs nothing and returns another value when it cannot.
   * Models made by this version never call it. */
  int32_t (*parallel_region)(void *context, int64_t count, onnxc_task_fn fn, void *args);
  int32_t concurrency; /* tasks that can run at once, the caller included */
  int32_t reserved;
} onnxc_threads;

/* Called around each kernel, on the calling thread. `name` is the kernel's,
 * `nodes` names the ONNX nodes in it; both live as long as the model. */
typedef struct onnxc_profiler {
  void *context;
  void (*begin)(void *context, const char *name, const char *nodes);
  void (*end)(void *context, const char *name, const char *nodes);
} onnxc_profiler;

/* -------------------------------------------------------------------- call */

typedef struct onnxc_call {
  uint32_t abi_version; /* ONNXC_ABI_VERSION */
  int32_t num_inputs;
  onnxc_view *inputs; /* in the descriptor's order; only read */
  onnxc_view *outputs;
  int32_t num_outputs;
  int32_t reserved; /* 0 */
  void *workspace;
  uint64_t workspace_bytes; /* written by plan, capacity for run */
  const void *weights;      /* the side file's bytes; NULL when they are embedded */
  uint64_t weights_bytes;
  /* From init; NULL is allowed, but then every run checks the CPU again. */
  void *instance;
  const onnxc_threads *threads;     /* NULL: serial */
  const onnxc_allocator *allocator; /* NULL: none */
  const onnxc_profiler *profiler;   /* NULL: none */
  /* Receives a NUL-terminated message on failure; may be NULL. */
  char *message;
  uint64_t message_bytes;
} onnxc_call;

/* -------------------------------------------------------------- descriptor */

typedef struct onnxc_symbol {
  const char *name;
  int64_t min;
  int64_t max; /* INT64_MAX: no bound */
} onnxc_symbol;

/* A size: a constant, a symbol, or an expression over symbols. */
typedef struct onnxc_dim {
  int64_t size;           /* -1 when not constant */
  int32_t symbol;         /* index into `symbols`, or -1 */
  int32_t data_dependent; /* 1: known only after the run */
  const char *text;       /* "3", "batch", "2*n+1" */
} onnxc_dim;

typedef struct onnxc_value {
  const char *name;
  const onnxc_dim *dims;
  int32_t rank;      /* of sequence elements too; -1 when it varies */
  onnxc_dtype dtype; /* of the elements */
  onnxc_kind kind;
  int32_t reserved;
} onnxc_value;

/* The thread pool that every model carries. A host that links several models
 * may use any model's pool for all of them.
 *
 * In a child that fork made, the workers of an older pool are missing: the hooks
 * run all tasks on their caller, and destroy stops nothing (it clears the hooks;
 * the memory is the child's own copy). A new pool may be made there. */
typedef struct onnxc_pool_api {
  /* Bytes that a pool of `threads` threads (the caller included) needs. */
  uint64_t (*bytes)(int32_t threads);
  /* Makes a pool in `memory` (aligned to ONNXC_ALIGNMENT, owned by the caller,
   * in use until destroy) and fills the hooks. Starts threads - 1 workers.
   * ONNXC_UNSUPPORTED when the program has no pthread_create: models refer to it
   * weakly, and a static program links it only when it is told to, with
   * -Wl,-u,pthread_create,-u,pthread_join. */
  onnxc_status (*create)(void *memory, uint64_t bytes, int32_t threads, onnxc_threads *out_threads);
  /* Stops and joins the workers. Must come before the model that made the pool
   * is unloaded, and after the last call that uses it. */
  void (*destroy)(onnxc_threads *threads);
} onnxc_pool_api;

typedef struct onnxc_model {
  uint32_t abi_version; /* check this before anything else */
  int32_t num_inputs;
  const char *name;
  const onnxc_value *inputs;
  const onnxc_value *outputs;
  const onnxc_symbol *symbols;
  int32_t num_outputs;
  int32_t num_symbols;

  uint64_t weights_bytes;     /* 0: the model has none */
  const void *weights;        /* NULL when they are in a side file */
  const char *weights_sha256; /* of the weights' bytes, lower-case hex */
  const char *weights_file;   /* name of the side file, NULL when embedded */

  /* What the CPU must have, checked by plan and run: bits of the compiler's, whose
   * names a call's message tells. */
  uint64_t required_cpu_features;
  const char *target_triple;
  const char *target_cpu;
  const char *target_features; /* LLVM's names */

  uint64_t instance_bytes;
  onnxc_status (*plan)(onnxc_call *call);
  onnxc_status (*run)(onnxc_call *call);
  /* Checks the CPU and fills `instance` (instance_bytes, aligned to
   * ONNXC_ALIGNMENT); the instance may be shared by all threads. */
  onnxc_status (*init)(void *instance, uint64_t bytes, char *message, uint64_t message_bytes);
  void (*fini)(void *instance);
  const onnxc_pool_api *pool;

  const char *compiler_version;
  const char *compiler_options;
  const char *model_sha256; /* of the .onnx file, without external data; lower-case hex */
  int64_t opset;            /* of the default domain */

  /* 16 hex digits from the model's file and signature and the ABI version: what a
   * generated header depends on. Not from the target: one header fits all. */
  const char *id;
  /* Are these bytes the side file that the model was compiled with? Their size and
   * SHA-256 are compared; run itself compares only the size. NULL without side file. */
  onnxc_status (*check_weights)(const void *weights, uint64_t bytes, char *message,
                                uint64_t message_bytes);
} onnxc_model;

/* --------------------------------------------------------------- the check */

/* Appends as much of `text` as fits before `end`, where the last NUL goes. */
static inline char *onnxc_append_text(char *next, char *end, const char *text) {
  if (!next)
    return next;
  while (next < end && *text)
    *next++ = *text++;
  *next = 0;
  return next;
}

static inline char *onnxc_append_number(char *next, char *end, uint32_t number) {
  char digits[12];
  int32_t i = 11;
  digits[i] = 0;
  do {
    digits[--i] = ONNXC_CAST(char, '0' + ONNXC_CAST(int, number % 10u));
    number /= 10u;
  } while (number);
  return onnxc_append_text(next, end, digits + i);
}

static inline int32_t onnxc_equal_text(const char *a, const char *b) {
  while (*a && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

/* Is `model` the one whose generated header has this id and SHA-256, and made for
 * the ABI of this header? Else a status, and a NUL-terminated message that says what
 * was found and expected; `message` may be NULL. `id` may be NULL: any model. */
/* NOLINTNEXTLINE(bugprone-easily-swappable-parameters) */
static inline onnxc_status onnxc_check_model(const onnxc_model *model, const char *id,
                                             const char *model_sha256, char *message,
                                             uint64_t message_bytes) {
  char *next = message_bytes ? message : NULL;
  char *end = next ? next + message_bytes - 1 : NULL;
  if (!model) {
    onnxc_append_text(next, end, "there is no descriptor (NULL)");
    return ONNXC_INVALID_ARGUMENT;
  }
  if (model->abi_version != ONNXC_ABI_VERSION) {
    next = onnxc_append_text(next, end,
                             "the library has another ABI version than this program (found ");
    next = onnxc_append_number(next, end, model->abi_version);
    next = onnxc_append_text(next, end, ", expected ");
    next = onnxc_append_number(next, end, ONNXC_ABI_VERSION);
    onnxc_append_text(next, end, "): compile model and program with one version of onnxc");
    return ONNXC_ABI_MISMATCH;
  }
  if (id && !onnxc_equal_text(model->id, id)) {
    next = onnxc_append_text(next, end,
                             "the library is of another model, or of other sizes, than "
                             "the header (found id ");
    next = onnxc_append_text(next, end, model->id);
    next = onnxc_append_text(next, end, ", expected ");
    next = onnxc_append_text(next, end, id);
    next = onnxc_append_text(next, end, "; sha256 of the model's file: found ");
    next = onnxc_append_text(next, end, model->model_sha256);
    next = onnxc_append_text(next, end, ", expected ");
    next = onnxc_append_text(next, end, model_sha256 ? model_sha256 : "any");
    onnxc_append_text(next, end, "): use the header that onnxc wrote beside the library");
    return ONNXC_WRONG_MODEL;
  }
  if (next)
    *next = 0;
  return ONNXC_OK;
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ONNXC_RUNTIME_H */
