//===- Sha256.cpp - SHA-256 at the machine's speed -------------------------===//
#include "codegen/Sha256.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace llvm;

namespace onnxc {

#ifdef __x86_64__
static constexpr size_t blockBytes = 64;

alignas(16) static constexpr uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// Hashes whole blocks. The instructions keep a..h as ABEF and CDGH, and do two
/// rounds each.
__attribute__((target("sha,sse4.1"))) static void hashBlocks(uint32_t *state, const uint8_t *data,
                                                             size_t count) {
  const __m128i bigEndian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  auto *words = reinterpret_cast<__m128i *>(state);
  auto *constants = reinterpret_cast<const __m128i *>(roundConstants);
  __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; count; --count, data += blockBytes) {
    __m128i abefBefore = abef, cdghBefore = cdgh, message[4];
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; ++i) {
      __m128i &next = message[i % 4];
      if (i < 4) {
        next = _mm_shuffle_epi8(
            _mm_loadu_si128(reinterpret_cast<const __m128i *>(data) + i), bigEndian);
      } else {
        __m128i last = message[(i + 3) % 4];
        next = _mm_sha256msg1_epu32(next, message[(i + 1) % 4]);
        next = _mm_add_epi32(next, _mm_alignr_epi8(last, message[(i + 2) % 4], 4));
        next = _mm_sha256msg2_epu32(next, last);
      }
      __m128i sum = _mm_add_epi32(next, _mm_load_si128(constants + i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abefBefore);
    cdgh = _mm_add_epi32(cdgh, cdghBefore);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

Sha256::Sha256()
    : hasInstructions(__builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1")),
      state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {}

void Sha256::update(ArrayRef<char> chars) {
  ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(chars.data()), chars.size());
  if (!hasInstructions)
    return portable.update(bytes);
  size_t begun = bytesSeen % blockBytes;
  bytesSeen += bytes.size();
  if (begun) {
    size_t added = std::min(blockBytes - begun, bytes.size());
    llvm::copy(bytes.take_front(added), block + begun);
    bytes = bytes.drop_front(added);
    if (begun + added < blockBytes)
      return;
    hashBlocks(state, block, 1);
  }
  hashBlocks(state, bytes.data(), bytes.size() / blockBytes);
  llvm::copy(bytes.take_back(bytes.size() % blockBytes), block);
}

std::string Sha256::finish() {
  if (!hasInstructions)
    return toHex(portable.final(), /*LowerCase=*/true);
  // A one bit, zeros, and the number of bits in the last eight bytes.
  uint64_t bits = bytesSeen * 8;
  char end[2 * blockBytes] = {'\x80'};
  size_t size = blockBytes - bytesSeen % blockBytes;
  if (size < 9)
    size += blockBytes;
  support::endian::write64be(end + size - 8, bits);
  update(ArrayRef<char>(end, size));
  uint8_t digest[32];
  for (unsigned i = 0; i < 8; ++i)
    support::endian::write32be(digest + 4 * i, state[i]);
  return toHex(digest, /*LowerCase=*/true);
}
#else
Sha256::Sha256() : hasInstructions(false) {}

void Sha256::update(ArrayRef<char> bytes) {
  portable.update(ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
}

std::string Sha256::finish() { return toHex(portable.final(), /*LowerCase=*/true); }
#endif

} // namespace onnxc
