/* sha256.c - SHA-256, with the CPU's instructions where it has them. */
#include "sha256.h"
#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

#define BLOCK ((size_t)ONNXC_RT_SHA256_BLOCK)

_Alignas(16) static const uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#ifdef __x86_64__
/* Hashes whole blocks. The instructions keep a..h as ABEF and CDGH, and do two
 * rounds each. */
__attribute__((target("sha,ssse3,sse4.1"))) static void
hash_with_instructions(uint32_t *state, const uint8_t *data, size_t count) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i *words = (__m128i *)state;
  const __m128i *constants = (const __m128i *)round_constants;
  __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128(words), 0xb1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  __m128i feba, dchg;
  for (; count; --count, data += BLOCK) {
    __m128i abef_before = abef, cdgh_before = cdgh, message[4];
    int i;
#pragma clang loop unroll(full)
    for (i = 0; i < 16; ++i) {
      __m128i next = message[i % 4], sum;
      if (i < 4) {
        next = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)data + i), big_endian);
      } else {
        __m128i last = message[(i + 3) % 4];
        next = _mm_sha256msg1_epu32(next, message[(i + 1) % 4]);
        next = _mm_add_epi32(next, _mm_alignr_epi8(last, message[(i + 2) % 4], 4));
        next = _mm_sha256msg2_epu32(next, last);
      }
      message[i % 4] = next;
      sum = _mm_add_epi32(next, _mm_load_si128(constants + i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  feba = _mm_shuffle_epi32(abef, 0x1b);
  dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

static int32_t cpu_has_instructions(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1))
    return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA) != 0;
}
#else
static void hash_with_instructions(uint32_t *state, const uint8_t *data, size_t count) {
  (void)state, (void)data, (void)count;
}

static int32_t cpu_has_instructions(void) { return 0; }
#endif

static uint32_t rotate(uint32_t word, int count) { return word >> count | word << (32 - count); }

/* Hashes whole blocks, as the standard writes it. */
static void hash_portably(uint32_t *state, const uint8_t *data, size_t count) {
  for (; count; --count, data += BLOCK) {
    uint32_t message[64], s[8];
    int i, k;
    for (i = 0; i < 16; ++i)
      message[i] = (uint32_t)data[4 * i] << 24 | (uint32_t)data[4 * i + 1] << 16 |
                   (uint32_t)data[4 * i + 2] << 8 | data[4 * i + 3];
    for (i = 16; i < 64; ++i) {
      uint32_t a = message[i - 15], b = message[i - 2];
      message[i] = message[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + message[i - 7] +
                   (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    for (i = 0; i < 8; ++i)
      s[i] = state[i];
    for (i = 0; i < 64; ++i) {
      uint32_t first = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + round_constants[i] + message[i];
      uint32_t second = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) +
                        ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      for (k = 7; k > 0; --k)
        s[k] = s[k - 1];
      s[4] += first;
      s[0] = first + second;
    }
    for (i = 0; i < 8; ++i)
      state[i] += s[i];
  }
}

static void hash_blocks(onnxc_rt_sha256 *hash, const uint8_t *data, uint64_t count) {
  if (hash->has_instructions)
    hash_with_instructions(hash->state, data, (size_t)count);
  else
    hash_portably(hash->state, data, (size_t)count);
}

static void copy_bytes(uint8_t *to, const uint8_t *from, uint64_t count) {
  uint64_t i;
  for (i = 0; i < count; ++i)
    to[i] = from[i];
}

void onnxc_rt_sha256_begin(onnxc_rt_sha256 *hash, int32_t use_instructions) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  int i;
  for (i = 0; i < 8; ++i)
    hash->state[i] = start[i];
  hash->bytes_seen = 0;
  hash->has_instructions = use_instructions && cpu_has_instructions();
}

void onnxc_rt_sha256_update(onnxc_rt_sha256 *hash, const void *bytes, uint64_t count) {
  const uint8_t *data = (const uint8_t *)bytes;
  uint64_t begun = hash->bytes_seen % BLOCK;
  hash->bytes_seen += count;
  if (begun) {
    uint64_t added = BLOCK - begun < count ? BLOCK - begun : count;
    copy_bytes(hash->block + begun, data, added);
    data += added;
    count -= added;
    if (begun + added < BLOCK)
      return;
    hash_blocks(hash, hash->block, 1);
  }
  hash_blocks(hash, data, count / BLOCK);
  copy_bytes(hash->block, data + count / BLOCK * BLOCK, count % BLOCK);
}

void onnxc_rt_sha256_finish(onnxc_rt_sha256 *hash, char hex[ONNXC_RT_SHA256_HEX]) {
  /* A one bit, zeros, and the number of bits in the last eight bytes. */
  uint64_t bits = hash->bytes_seen * 8;
  uint8_t end[2 * ONNXC_RT_SHA256_BLOCK] = {0x80};
  uint64_t size = BLOCK - hash->bytes_seen % BLOCK;
  int i;
  if (size < 9)
    size += BLOCK;
  for (i = 0; i < 8; ++i)
    end[size - 1 - (uint64_t)i] = (uint8_t)(bits >> 8 * i);
  onnxc_rt_sha256_update(hash, end, size);
  for (i = 0; i < 64; ++i)
    hex[i] = "0123456789abcdef"[hash->state[i / 8] >> (28 - 4 * (i % 8)) & 15];
  hex[64] = 0;
}
