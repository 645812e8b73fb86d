//===- Sha256.h - SHA-256 at the machine's speed ------------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_SHA256_H
#define ONNXC_CODEGEN_SHA256_H

#include <cstdint>
#include <string>
#include <string_view>

namespace onnxc {

/// Models and weights are large: LLVM's portable code took a quarter of the time
/// to compile them. Where the CPU has instructions for it, they are used. Needs
/// nothing of LLVM, since onnxc-run checks side files with it.
class Sha256 {
public:
  /// `useInstructions`: only tests turn them off.
  explicit Sha256(bool useInstructions = true);
  void update(std::string_view bytes);
  /// The digest as lower-case hex; the object is used up.
  std::string finish();

private:
  static bool cpuHasInstructions();
  void hashBlocks(const uint8_t *data, size_t count);

  bool hasInstructions;
  uint32_t state[8];
  uint8_t block[64]; // begun, not yet hashed
  uint64_t bytesSeen = 0;
};

} // namespace onnxc

#endif // ONNXC_CODEGEN_SHA256_H
