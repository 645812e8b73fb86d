/* memory.c - memory for values whose size depends on the data. */
#include "internal.h"

void *onnxc_rt_alloc(onnxc_rt_context *context, int64_t bytes) {
  const onnxc_allocator *allocator = context->call->allocator;
  if (!allocator || !allocator->allocate || bytes < 0 || (uint64_t)bytes > SIZE_MAX)
    return 0;
  /* A pointer that is not NULL even for an empty tensor. */
  return allocator->allocate(allocator->context, bytes ? (size_t)bytes : 1,
                             ONNXC_ALIGNMENT);
}

void onnxc_rt_free(onnxc_rt_context *context, void *pointer) {
  const onnxc_allocator *allocator = context->call->allocator;
  if (pointer && allocator && allocator->release)
    allocator->release(allocator->context, pointer);
}
