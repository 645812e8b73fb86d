//===- Sha256.h - SHA-256 at the machine's speed ------------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_SHA256_H
#define ONNXC_CODEGEN_SHA256_H

#include "runtime/sha256.h"
#include <string>
#include <string_view>

namespace onnxc {

/// Models and weights are large: LLVM's portable code took a quarter of the time
/// to compile them. The runtime has the code, for the check of side files.
class Sha256 {
public:
  /// `useInstructions`: only tests turn them off.
  explicit Sha256(bool useInstructions = true) { onnxc_rt_sha256_begin(&hash, useInstructions); }
  void update(std::string_view bytes) { onnxc_rt_sha256_update(&hash, bytes.data(), bytes.size()); }
  /// The digest as lower-case hex; the object is used up.
  std::string finish() {
    char hex[ONNXC_RT_SHA256_HEX];
    onnxc_rt_sha256_finish(&hash, hex);
    return hex;
  }

private:
  onnxc_rt_sha256 hash;
};

} // namespace onnxc

#endif // ONNXC_CODEGEN_SHA256_H
