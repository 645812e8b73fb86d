//===- Sha256.cpp - SHA-256 at the machine's speed -------------------------===//
#include "codegen/Sha256.h"
#include <algorithm>
#include <cstring>
#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace onnxc {

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

#ifdef __x86_64__
/// Hashes whole blocks. The instructions keep a..h as ABEF and CDGH, and do two
/// rounds each.
__attribute__((target("sha,sse4.1"))) static void
hashWithInstructions(uint32_t *state, const uint8_t *data, size_t count) {
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
        next = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i *>(data) + i),
                                bigEndian);
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
#endif

static uint32_t rotate(uint32_t word, int count) { return word >> count | word << (32 - count); }

/// Hashes whole blocks, as the standard writes it.
static void hashPortably(uint32_t *state, const uint8_t *data, size_t count) {
  for (; count; --count, data += blockBytes) {
    uint32_t message[64];
    for (int i = 0; i < 16; ++i)
      message[i] = uint32_t(data[4 * i]) << 24 | uint32_t(data[4 * i + 1]) << 16 |
                   uint32_t(data[4 * i + 2]) << 8 | data[4 * i + 3];
    for (int i = 16; i < 64; ++i) {
      uint32_t a = message[i - 15], b = message[i - 2];
      message[i] = message[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + message[i - 7] +
                   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    uint32_t s[8];
    std::copy_n(state, 8, s);
    for (int i = 0; i < 64; ++i) {
      uint32_t first = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + roundConstants[i] + message[i];
      uint32_t second = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
                        ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      std::copy_backward(s, s + 7, s + 8);
      s[4] += first;
      s[0] = first + second;
    }
    for (int i = 0; i < 8; ++i)
      state[i] += s[i];
  }
}

#ifdef __x86_64__
bool Sha256::cpuHasInstructions() {
  return __builtin_cpu_supports("sha") && __builtin_cpu_supports("sse4.1");
}
#else
bool Sha256::cpuHasInstructions() { return false; }
#endif

Sha256::Sha256(bool useInstructions)
    : hasInstructions(useInstructions && cpuHasInstructions()),
      state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {}

void Sha256::hashBlocks(const uint8_t *data, size_t count) {
#ifdef __x86_64__
  if (hasInstructions)
    return hashWithInstructions(state, data, count);
#endif
  hashPortably(state, data, count);
}

void Sha256::update(std::string_view bytes) {
  size_t begun = bytesSeen % blockBytes;
  bytesSeen += bytes.size();
  if (begun) {
    size_t added = std::min(blockBytes - begun, bytes.size());
    std::copy_n(bytes.data(), added, block + begun);
    bytes.remove_prefix(added);
    if (begun + added < blockBytes)
      return;
    hashBlocks(block, 1);
  }
  hashBlocks(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size() / blockBytes);
  bytes.remove_prefix(bytes.size() / blockBytes * blockBytes);
  std::copy_n(bytes.data(), bytes.size(), block);
}

std::string Sha256::finish() {
  // A one bit, zeros, and the number of bits in the last eight bytes.
  uint64_t bits = bytesSeen * 8;
  char end[2 * blockBytes] = {'\x80'};
  size_t size = blockBytes - bytesSeen % blockBytes;
  if (size < 9)
    size += blockBytes;
  for (int i = 0; i < 8; ++i)
    end[size - 1 - i] = static_cast<char>(bits >> 8 * i);
  update({end, size});
  std::string text;
  for (uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4)
      text += "0123456789abcdef"[word >> shift & 15];
  return text;
}

} // namespace onnxc
