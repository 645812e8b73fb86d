/* sha256.h - SHA-256 at the machine's speed (FIPS 180-4).
 *
 * For the check of side files, for the compiler and for onnxc-run. C11 and C++17.
 */
#ifndef ONNXC_RUNTIME_SHA256_H
#define ONNXC_RUNTIME_SHA256_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ONNXC_RT_SHA256_BLOCK = 64, ONNXC_RT_SHA256_HEX = 65 };

typedef struct onnxc_rt_sha256 {
  uint32_t state[8];
  uint64_t bytes_seen;
  int32_t has_instructions;             /* the CPU's, for this very hash */
  uint8_t block[ONNXC_RT_SHA256_BLOCK]; /* begun, not yet hashed */
} onnxc_rt_sha256;

/* `use_instructions`: 1; only tests turn them off. */
void onnxc_rt_sha256_begin(onnxc_rt_sha256 *hash, int32_t use_instructions);
void onnxc_rt_sha256_update(onnxc_rt_sha256 *hash, const void *bytes, uint64_t count);
/* Writes the digest as lower-case hex with a NUL; `hash` is used up. */
void onnxc_rt_sha256_finish(onnxc_rt_sha256 *hash, char hex[ONNXC_RT_SHA256_HEX]);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ONNXC_RUNTIME_SHA256_H */
