/* cpu.c - does this CPU have what the model was built for? */
#include "internal.h"

#if defined(__x86_64__)

typedef struct registers {
  uint32_t a, b, c, d;
} registers;

static registers cpuid(uint32_t leaf, uint32_t subleaf) {
  registers r;
  __asm__ volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(subleaf));
  return r;
}

/* The register sets that the operating system saves on a context switch. */
static uint64_t saved_states(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

/* One feature: a bit of a CPUID register, usable only when the operating system
 * saves all of `states`. */
typedef struct feature {
  uint64_t flag;
  const char *name;
  uint8_t word; /* index into the words below */
  uint8_t place;
  uint8_t states;
} feature;

enum { LEAF1_C, LEAF7_B, LEAF7_C, LEAF7_D, LEAF7_1_A, EXTENDED1_C, WORDS };
enum { NO_STATE = 0, YMM = 1, ZMM = 2 };

static const feature features[] = {
#define ONNXC_X86_FEATURE(bit, name, word, place, states) \
  {UINT64_C(1) << (bit), name, word, place, states},
#include "target/cpu_facts.def"
};

uint64_t onnxc_rt_missing_cpu_features(uint64_t required) {
  static const uint64_t needed_states[] = {0, 0x6, 0xe6};
  uint32_t words[WORDS] = {0};
  uint64_t states = 0, present = 0;
  uint32_t last_leaf, last_extended_leaf, i;
  if (!required)
    return 0;
  last_leaf = cpuid(0, 0).a;
  last_extended_leaf = cpuid(0x80000000u, 0).a;
  words[LEAF1_C] = cpuid(1, 0).c;
  if (words[LEAF1_C] >> 27 & 1)
    states = saved_states();
  if (last_leaf >= 7) {
    registers leaf7 = cpuid(7, 0);
    words[LEAF7_B] = leaf7.b;
    words[LEAF7_C] = leaf7.c;
    words[LEAF7_D] = leaf7.d;
    if (leaf7.a >= 1)
      words[LEAF7_1_A] = cpuid(7, 1).a;
  }
  if (last_extended_leaf >= 0x80000001u)
    words[EXTENDED1_C] = cpuid(0x80000001u, 0).c;
  for (i = 0; i < sizeof features / sizeof *features; ++i) {
    uint64_t needed = needed_states[features[i].states];
    if ((words[features[i].word] >> features[i].place & 1) && (states & needed) == needed)
      present |= features[i].flag;
  }
  return required & ~present;
}

#elif defined(__aarch64__) && defined(__linux__)

/* Linux lets programs read the ID registers and shows only what it supports. */
#define READ_ID(name)                       \
  ({                                        \
    uint64_t value;                         \
    __asm__("mrs %0, " name : "=r"(value)); \
    value;                                  \
  })

/* One feature: a field of four bits in an ID register; 15 says that what 0 has is
 * not there either. */
typedef struct feature {
  uint64_t flag;
  const char *name;
  uint8_t id; /* index into the registers below */
  uint8_t place;
  uint8_t least;
} feature;

enum { ISAR0, ISAR1, PFR0, ZFR0, REGISTERS };

static const feature features[] = {
#define ONNXC_ARM64_FEATURE(bit, name, id, place, least) \
  {UINT64_C(1) << (bit), name, id, place, least},
#include "target/cpu_facts.def"
};

uint64_t onnxc_rt_missing_cpu_features(uint64_t required) {
  uint64_t ids[REGISTERS], present = 0;
  size_t i;
  if (!required)
    return 0;
  ids[ISAR0] = READ_ID("S3_0_C0_C6_0"); /* ID_AA64ISAR0_EL1 */
  ids[ISAR1] = READ_ID("S3_0_C0_C6_1"); /* ID_AA64ISAR1_EL1 */
  ids[PFR0] = READ_ID("S3_0_C0_C4_0");  /* ID_AA64PFR0_EL1 */
  ids[ZFR0] = READ_ID("S3_0_C0_C4_4");  /* ID_AA64ZFR0_EL1 */
  for (i = 0; i < sizeof features / sizeof *features; ++i) {
    uint64_t field = ids[features[i].id] >> features[i].place & 15;
    if (field >= features[i].least && field != 15)
      present |= features[i].flag;
  }
  return required & ~present;
}

#elif (defined(__arm__) || (defined(__riscv) && __riscv_xlen == 64)) && defined(__linux__)

/* Programs cannot ask the CPU itself here: Linux tells. Of C libraries nothing is
 * used, so what it left on the stack at the start is asked for again. */

#if defined(__arm__)

enum { READ = 3, CLOSE = 6, PRCTL = 172, OPENAT = 322 };

static long system_call(long number, long a, long b, long c, long d, long e) {
  register long r0 __asm__("r0") = a;
  register long r1 __asm__("r1") = b;
  register long r2 __asm__("r2") = c;
  register long r3 __asm__("r3") = d;
  register long r4 __asm__("r4") = e;
  register long r7 __asm__("r7") = number;
  __asm__ volatile("svc 0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r7) : "memory");
  return r0;
}

#else

enum { OPENAT = 56, CLOSE = 57, READ = 63, PRCTL = 167, RISCV_HWPROBE = 258 };

static long system_call(long number, long a, long b, long c, long d, long e) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a3 __asm__("a3") = d;
  register long a4 __asm__("a4") = e;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7) : "memory");
  return a0;
}

#endif

/* The auxiliary vector: pairs of a kind and a value, which AT_NULL ends. */
enum { AT_NULL = 0, AT_PLATFORM = 15, AT_HWCAP = 16, AUXV_WORDS = 128 };
enum { PR_GET_AUXV = 0x41555856, AT_FDCWD = -100, O_CLOEXEC = 02000000 };

/* Returns 0 when neither Linux 6.4's call nor /proc is there. */
static int read_auxv(unsigned long auxv[AUXV_WORDS]) {
  long bytes = AUXV_WORDS * (long)sizeof *auxv, size, file;
  size = system_call(PRCTL, PR_GET_AUXV, (long)auxv, bytes, 0, 0);
  if (size <= 0) {
    file = system_call(OPENAT, AT_FDCWD, (long)"/proc/self/auxv", O_CLOEXEC, 0, 0);
    if (file < 0)
      return 0;
    size = system_call(READ, file, (long)auxv, bytes, 0, 0);
    system_call(CLOSE, file, 0, 0, 0, 0);
  }
  if (size <= 0)
    return 0;
  if (size > bytes)
    size = bytes;
  auxv[(size_t)size / sizeof *auxv & ~(size_t)1] = AT_NULL;
  return 1;
}

static unsigned long find_auxv(const unsigned long *auxv, unsigned long kind) {
  for (; *auxv != AT_NULL; auxv += 2)
    if (*auxv == kind)
      return auxv[1];
  return 0;
}

typedef struct feature {
  uint64_t flag;
  const char *name;
  uint8_t word; /* index into the words below */
  uint16_t place;
} feature;

#if defined(__arm__)

enum { HWCAP, VERSION, WORDS };

static const feature features[] = {
#define ONNXC_ARM_FEATURE(bit, name, word, place) {UINT64_C(1) << (bit), name, word, place},
#include "target/cpu_facts.def"
};

static void ask(const unsigned long *auxv, uint64_t words[WORDS]) {
  /* "v7l": version and byte order */
  const char *platform = (const char *)find_auxv(auxv, AT_PLATFORM);
  words[HWCAP] = find_auxv(auxv, AT_HWCAP);
  words[VERSION] = platform && platform[0] == 'v' ? (uint64_t)(platform[1] - '0') : 7;
}

static int has(const uint64_t words[WORDS], const feature *wanted) {
  if (wanted->word == VERSION)
    return words[VERSION] >= wanted->place;
  return words[wanted->word] >> wanted->place & 1;
}

#else

enum { LETTERS, EXTENSIONS, VECTOR_BITS, WORDS };

static const feature features[] = {
#define ONNXC_RISCV64_FEATURE(bit, name, word, place) {UINT64_C(1) << (bit), name, word, place},
#include "target/cpu_facts.def"
};

static void ask(const unsigned long *auxv, uint64_t words[WORDS]) {
  struct {
    int64_t key;
    uint64_t value;
  } probe = {/*RISCV_HWPROBE_KEY_IMA_EXT_0*/ 4, 0};
  words[LETTERS] = find_auxv(auxv, AT_HWCAP);
  /* Since Linux 6.4; before it only single letters are known. */
  if (system_call(RISCV_HWPROBE, (long)&probe, 1, 0, 0, 0) == 0 && probe.key == 4)
    words[EXTENSIONS] = probe.value;
  if (words[LETTERS] >> ('v' - 'a') & 1) {
    uint64_t bytes;
    __asm__("csrr %0, 0xc22" : "=r"(bytes)); /* vlenb */
    words[VECTOR_BITS] = bytes * 8;
  }
}

static int has(const uint64_t words[WORDS], const feature *wanted) {
  if (wanted->word == VECTOR_BITS)
    return words[VECTOR_BITS] >= wanted->place;
  return words[wanted->word] >> wanted->place & 1;
}

#endif

uint64_t onnxc_rt_missing_cpu_features(uint64_t required) {
  unsigned long auxv[AUXV_WORDS + 2];
  uint64_t words[WORDS] = {0}, present = 0;
  size_t i;
  /* What nobody tells counts as there: else nothing could run without /proc. */
  if (!required || !read_auxv(auxv))
    return 0;
  ask(auxv, words);
  for (i = 0; i < sizeof features / sizeof *features; ++i)
    if (has(words, &features[i]))
      present |= features[i].flag;
  return required & ~present;
}

#else

/* Other targets are built for a fixed baseline. */
uint64_t onnxc_rt_missing_cpu_features(uint64_t required) { return required; }

typedef struct feature {
  uint64_t flag;
  const char *name;
} feature;

static const feature features[] = {{~UINT64_C(0), "unknown"}};

#endif

void onnxc_rt_text_cpu_features(onnxc_rt_text *text, uint64_t bits) {
  const char *separator = "";
  size_t i;
  for (i = 0; i < sizeof features / sizeof *features; ++i) {
    if (!(bits & features[i].flag))
      continue;
    onnxc_rt_text_string(text, separator);
    onnxc_rt_text_string(text, features[i].name);
    separator = ", ";
  }
}
