/* context.c - what compiled code asks of its call: the hooks of the host. */
#include "internal.h"

void *onnxc_rt_alloc(onnxc_rt_context *context, int64_t bytes) {
  const onnxc_allocator *allocator = context->call->allocator;
  if (!allocator || !allocator->allocate || bytes < 0 || (uint64_t)bytes > SIZE_MAX)
    return 0;
  /* A pointer that is not NULL even for an empty tensor. */
  return allocator->allocate(allocator->context, bytes ? (size_t)bytes : 1, ONNXC_ALIGNMENT);
}

void onnxc_rt_free(onnxc_rt_context *context, void *pointer) {
  const onnxc_allocator *allocator = context->call->allocator;
  if (pointer && allocator && allocator->release)
    allocator->release(allocator->context, pointer);
}

/* The capacity is the power of two from FIRST_ROWS on, so the count alone says when
 * the block is full. */
void *onnxc_rt_grow(onnxc_rt_context *context, void **block, int64_t count, int64_t row_bytes) {
  enum { FIRST_ROWS = 4 };
  int64_t bytes;
  void *grown;
  if (count && (count < FIRST_ROWS || (count & (count - 1))))
    return *block;
  if (__builtin_mul_overflow(count ? 2 * count : FIRST_ROWS, row_bytes, &bytes))
    return 0;
  grown = onnxc_rt_alloc(context, bytes);
  if (!grown)
    return 0;
  if (count)
    __builtin_memcpy(grown, *block, (size_t)(count * row_bytes));
  onnxc_rt_free(context, *block);
  return *block = grown;
}

void onnxc_rt_parallel_for(onnxc_rt_context *context, int64_t count, onnxc_task_fn fn, void *args) {
  const onnxc_threads *threads = context->call->threads;
  int64_t task;
  if (count > 1 && threads && threads->parallel_for) {
    threads->parallel_for(threads->context, count, fn, args);
    return;
  }
  for (task = 0; task < count; ++task)
    fn(args, task);
}

void onnxc_rt_profile_begin(onnxc_rt_context *context, const char *name, const char *nodes) {
  const onnxc_profiler *profiler = context->call->profiler;
  if (profiler)
    profiler->begin(profiler->context, name, nodes);
}

void onnxc_rt_profile_end(onnxc_rt_context *context, const char *name, const char *nodes) {
  const onnxc_profiler *profiler = context->call->profiler;
  if (profiler)
    profiler->end(profiler->context, name, nodes);
}
