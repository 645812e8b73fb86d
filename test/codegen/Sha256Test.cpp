//===- Sha256Test.cpp - The digest equals LLVM's ---------------------------===//
#include "codegen/Sha256.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace onnxc;

TEST(Sha256, KnownDigests) {
  EXPECT_EQ(Sha256().finish(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 hash;
  hash.update("abc");
  EXPECT_EQ(hash.finish(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

/// All sizes around one, two and three blocks, in two updates split anywhere.
TEST(Sha256, EverySizeAndSplit) {
  std::vector<char> bytes(200);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i * 7 + i / 3);
  for (size_t size = 0; size <= bytes.size(); ++size) {
    SHA256 portable;
    portable.update(StringRef(bytes.data(), size));
    std::string expected = toHex(portable.final(), /*LowerCase=*/true);
    for (size_t split = 0; split <= size; ++split) {
      for (bool useInstructions : {false, true}) {
        Sha256 hash(useInstructions);
        hash.update({bytes.data(), split});
        hash.update({bytes.data() + split, size - split});
        ASSERT_EQ(hash.finish(), expected) << size << " split at " << split;
      }
    }
  }
}
