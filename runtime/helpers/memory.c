/* memory.c - the memory functions that a backend may call.
 *
 * Built with -fno-builtin, so that the loops do not become calls of themselves.
 */
#include <stddef.h>
#include <stdint.h>

typedef uint8_t block __attribute__((vector_size(16), aligned(1)));
enum { BLOCK = sizeof(block), UNROLL = 4 };

static inline block load(const void *from) { return *(const block *)from; }
static inline void store(void *to, block value) { *(block *)to = value; }

void *memcpy(void *restrict to, const void *restrict from, size_t bytes) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if (bytes >= BLOCK) {
    /* The last block first overlaps what the loop writes. */
    block last = load(f + bytes - BLOCK);
    uint8_t *last_to = t + bytes - BLOCK;
    for (; bytes >= UNROLL * BLOCK; bytes -= UNROLL * BLOCK) {
      block a = load(f), b = load(f + BLOCK), c = load(f + 2 * BLOCK), d = load(f + 3 * BLOCK);
      store(t, a);
      store(t + BLOCK, b);
      store(t + 2 * BLOCK, c);
      store(t + 3 * BLOCK, d);
      f += UNROLL * BLOCK;
      t += UNROLL * BLOCK;
    }
    for (; bytes >= BLOCK; bytes -= BLOCK, f += BLOCK, t += BLOCK)
      store(t, load(f));
    store(last_to, last);
    return to;
  }
  while (bytes--)
    *t++ = *f++;
  return to;
}

void *memmove(void *to, const void *from, size_t bytes) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if ((uintptr_t)t - (uintptr_t)f >= bytes) {
    /* The target does not begin inside the source: forwards is safe. */
    for (; bytes >= BLOCK; bytes -= BLOCK, f += BLOCK, t += BLOCK)
      store(t, load(f));
    while (bytes--)
      *t++ = *f++;
    return to;
  }
  for (; bytes >= BLOCK; bytes -= BLOCK)
    store(t + bytes - BLOCK, load(f + bytes - BLOCK));
  while (bytes--)
    t[bytes] = f[bytes];
  return to;
}

void *memset(void *to, int value, size_t bytes) {
  uint8_t *t = to;
  block pattern = (uint8_t)value - (block){0};
  for (; bytes >= BLOCK; bytes -= BLOCK, t += BLOCK)
    store(t, pattern);
  while (bytes--)
    *t++ = (uint8_t)value;
  return to;
}

int memcmp(const void *left, const void *right, size_t bytes) {
  const uint8_t *l = left, *r = right;
  for (; bytes; --bytes, ++l, ++r)
    if (*l != *r)
      return *l - *r;
  return 0;
}

int bcmp(const void *left, const void *right, size_t bytes) { return memcmp(left, right, bytes); }

size_t strlen(const char *string) {
  size_t length = 0;
  while (string[length])
    ++length;
  return length;
}
