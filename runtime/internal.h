/* internal.h - what the parts of the runtime share with each other and with
 * compiled models.
 *
 * The runtime is freestanding: no libc header except the compiler's own, no
 * libm, no mutable globals. A model keeps only what it uses of it. What gains
 * from the model's CPU or from inlining is bitcode; what only controls is
 * compiled once per target, since compiling it anew with each model took longer
 * than compiling a small model.
 */
#ifndef ONNXC_RUNTIME_INTERNAL_H
#define ONNXC_RUNTIME_INTERNAL_H

#include "onnxc_runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The views that irregular operators get are those of the border. */
typedef onnxc_view onnxc_rt_view;

/* State of one call, on run's stack; compiled code hands it on untouched. */
typedef struct onnxc_rt_context {
  onnxc_call *call;
} onnxc_rt_context;

/* Memory that init fills; its address range is the caller's. */
typedef struct onnxc_rt_instance {
  const onnxc_model *model;
} onnxc_rt_instance;

/* ---- made by the compiler for each model ---- */

extern const onnxc_model onnxc_rt_model;
onnxc_status onnxc_plan(const int64_t *symbols, int64_t *output_dims, int64_t *workspace_bytes,
                        onnxc_rt_context *context);
onnxc_status onnxc_body(const int64_t *symbols, void **inputs, void **outputs, int64_t *output_dims,
                        void *workspace, const void *weights, onnxc_rt_context *context);

/* ---- called by compiled code ---- */

/* How ScatterND and ScatterElements combine: one of their attributes. */
enum { ONNXC_RT_REPLACE = 0, ONNXC_RT_ADD, ONNXC_RT_MUL, ONNXC_RT_MIN, ONNXC_RT_MAX };

/* context.c: runs tasks 0 to count - 1 of a kernel on the caller's threads, between the
 * hooks of the profiler, which gets both names (NUL-terminated). */
void onnxc_rt_launch(onnxc_rt_context *context, const char *name, const char *nodes, int64_t count,
                     onnxc_task_fn fn, void *args);

/* status.c: writes "message (found X, expected Y)" into the caller's buffer and
 * returns `status`. */
onnxc_status onnxc_rt_fail(onnxc_rt_context *context, onnxc_status status, const char *message,
                           int64_t found, int64_t expected);
/* The same for a check that compares no numbers: "message". */
onnxc_status onnxc_rt_fail_text(onnxc_rt_context *context, onnxc_status status,
                                const char *message);
/* Puts "node: " in front of the message that a callee has written. */
onnxc_status onnxc_rt_fail_at(onnxc_rt_context *context, onnxc_status status, const char *node);

/* context.c: through the caller's allocator; NULL when there is none or it
 * fails. Releasing NULL is allowed. */
void *onnxc_rt_alloc(onnxc_rt_context *context, int64_t bytes);
void onnxc_rt_free(onnxc_rt_context *context, void *pointer);
/* Makes room for row `count` in *block, which holds rows 0 to count - 1 of
 * `row_bytes` bytes each: returns *block, moved when it was full, or NULL when the
 * hook fails (*block is then as before). Begin with count 0 and *block NULL. */
void *onnxc_rt_grow(onnxc_rt_context *context, void **block, int64_t count, int64_t row_bytes);

/* ---- what NAME_plan and so on call ---- */

onnxc_status onnxc_rt_entry_plan(onnxc_call *call);
onnxc_status onnxc_rt_entry_run(onnxc_call *call);
onnxc_status onnxc_rt_entry_init(void *instance, uint64_t bytes, char *message,
                                 uint64_t message_bytes);
void onnxc_rt_entry_fini(void *instance);
/* weights.c; only models with a side file have it. */
onnxc_status onnxc_rt_check_weights(const void *weights, uint64_t bytes, char *message,
                                    uint64_t message_bytes);
extern const onnxc_pool_api onnxc_rt_pool;

/* ---- inside the runtime ---- */

/* A message under construction; text that does not fit is cut. */
typedef struct onnxc_rt_text {
  char *next;
  char *end; /* where the terminating NUL must be at the latest */
} onnxc_rt_text;

/* status.c */
onnxc_rt_text onnxc_rt_text_begin(char *buffer, uint64_t bytes);
void onnxc_rt_text_string(onnxc_rt_text *text, const char *string);
void onnxc_rt_text_number(onnxc_rt_text *text, int64_t number);

/* cpu.c: the bits of `required` that this CPU, as the operating system lets
 * programs use it, does not have. */
uint64_t onnxc_rt_missing_cpu_features(uint64_t required);
void onnxc_rt_text_cpu_features(onnxc_rt_text *text, uint64_t bits);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ONNXC_RUNTIME_INTERNAL_H */
