/* embedded.h - the runtime's files, carried inside the compiler. */
#ifndef ONNXC_RUNTIME_EMBEDDED_H
#define ONNXC_RUNTIME_EMBEDDED_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct onnxc_embedded_runtime {
  const char *target; /* "x86_64-linux-gnu" */
  const char *bitcode, *bitcode_end;
  const char *archive, *archive_end;
} onnxc_embedded_runtime;

extern const onnxc_embedded_runtime onnxc_embedded_runtimes[];
extern const size_t onnxc_num_embedded_runtimes;

/* The texts of onnxc_runtime.h and of onnxc_model.hpp. */
extern const char onnxc_embedded_header[], onnxc_embedded_header_end[];
extern const char onnxc_embedded_wrapper[], onnxc_embedded_wrapper_end[];

#ifdef __cplusplus
}
#endif

#endif /* ONNXC_RUNTIME_EMBEDDED_H */
