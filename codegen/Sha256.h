//===- Sha256.h - SHA-256 at the machine's speed ------------------*- C++ -*-===//
#ifndef ONNXC_CODEGEN_SHA256_H
#define ONNXC_CODEGEN_SHA256_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/SHA256.h"
#include <string>

namespace onnxc {

/// Models and weights are large: LLVM's portable code took a quarter of the time
/// to compile them. Where the CPU has instructions for it, they are used.
class Sha256 {
public:
  Sha256();
  void update(llvm::ArrayRef<char> bytes);
  /// The digest as lower-case hex; the object is used up.
  std::string finish();

private:
  bool hasInstructions;
  llvm::SHA256 portable; // when the CPU has none
  uint32_t state[8];
  uint8_t block[64]; // begun, not yet hashed
  uint64_t bytesSeen = 0;
};

} // namespace onnxc

#endif // ONNXC_CODEGEN_SHA256_H
