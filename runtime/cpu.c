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
  uint8_t bit;
  uint8_t states;
} feature;

enum { LEAF1_C, LEAF7_B, LEAF7_C, LEAF7_D, LEAF7_1_A, EXTENDED1_C, WORDS };
enum { NO_STATE = 0, YMM = 1, ZMM = 2, TILES = 3 };

static const feature features[] = {
    {ONNXC_X86_SSE3, "sse3", LEAF1_C, 0, NO_STATE},
    {ONNXC_X86_SSSE3, "ssse3", LEAF1_C, 9, NO_STATE},
    {ONNXC_X86_FMA, "fma", LEAF1_C, 12, YMM},
    {ONNXC_X86_SSE41, "sse4.1", LEAF1_C, 19, NO_STATE},
    {ONNXC_X86_SSE42, "sse4.2", LEAF1_C, 20, NO_STATE},
    {ONNXC_X86_MOVBE, "movbe", LEAF1_C, 22, NO_STATE},
    {ONNXC_X86_POPCNT, "popcnt", LEAF1_C, 23, NO_STATE},
    {ONNXC_X86_AVX, "avx", LEAF1_C, 28, YMM},
    {ONNXC_X86_F16C, "f16c", LEAF1_C, 29, YMM},
    {ONNXC_X86_BMI, "bmi", LEAF7_B, 3, NO_STATE},
    {ONNXC_X86_AVX2, "avx2", LEAF7_B, 5, YMM},
    {ONNXC_X86_BMI2, "bmi2", LEAF7_B, 8, NO_STATE},
    {ONNXC_X86_AVX512F, "avx512f", LEAF7_B, 16, ZMM},
    {ONNXC_X86_AVX512DQ, "avx512dq", LEAF7_B, 17, ZMM},
    {ONNXC_X86_AVX512IFMA, "avx512ifma", LEAF7_B, 21, ZMM},
    {ONNXC_X86_AVX512CD, "avx512cd", LEAF7_B, 28, ZMM},
    {ONNXC_X86_AVX512BW, "avx512bw", LEAF7_B, 30, ZMM},
    {ONNXC_X86_AVX512VL, "avx512vl", LEAF7_B, 31, ZMM},
    {ONNXC_X86_AVX512VBMI, "avx512vbmi", LEAF7_C, 1, ZMM},
    {ONNXC_X86_AVX512VBMI2, "avx512vbmi2", LEAF7_C, 6, ZMM},
    {ONNXC_X86_GFNI, "gfni", LEAF7_C, 8, NO_STATE},
    {ONNXC_X86_AVX512VNNI, "avx512vnni", LEAF7_C, 11, ZMM},
    {ONNXC_X86_AVX512BITALG, "avx512bitalg", LEAF7_C, 12, ZMM},
    {ONNXC_X86_AVX512VPOPCNTDQ, "avx512vpopcntdq", LEAF7_C, 14, ZMM},
    {ONNXC_X86_AMX_BF16, "amx-bf16", LEAF7_D, 22, TILES},
    {ONNXC_X86_AVX512FP16, "avx512fp16", LEAF7_D, 23, ZMM},
    {ONNXC_X86_AMX_TILE, "amx-tile", LEAF7_D, 24, TILES},
    {ONNXC_X86_AMX_INT8, "amx-int8", LEAF7_D, 25, TILES},
    {ONNXC_X86_AVXVNNI, "avxvnni", LEAF7_1_A, 4, YMM},
    {ONNXC_X86_AVX512BF16, "avx512bf16", LEAF7_1_A, 5, ZMM},
    {ONNXC_X86_LZCNT, "lzcnt", EXTENDED1_C, 5, NO_STATE},
};

uint64_t onnxc_rt_missing_cpu_features(uint64_t required) {
  static const uint64_t needed_states[] = {0, 0x6, 0xe6, 0x600e6};
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
    if ((words[features[i].word] >> features[i].bit & 1) && (states & needed) == needed)
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

static unsigned field(uint64_t id, unsigned shift) { return id >> shift & 15; }

typedef struct feature {
  uint64_t flag;
  const char *name;
} feature;

static const feature features[] = {
    {ONNXC_ARM64_FP16, "fp16"}, {ONNXC_ARM64_DOTPROD, "dotprod"}, {ONNXC_ARM64_I8MM, "i8mm"},
    {ONNXC_ARM64_BF16, "bf16"}, {ONNXC_ARM64_SVE, "sve"},         {ONNXC_ARM64_SVE2, "sve2"},
    {ONNXC_ARM64_LSE, "lse"},
};

uint64_t onnxc_rt_missing_cpu_features(uint64_t required) {
  uint64_t present = 0, isar0, isar1, pfr0, zfr0;
  if (!required)
    return 0;
  isar0 = READ_ID("S3_0_C0_C6_0"); /* ID_AA64ISAR0_EL1 */
  isar1 = READ_ID("S3_0_C0_C6_1"); /* ID_AA64ISAR1_EL1 */
  pfr0 = READ_ID("S3_0_C0_C4_0");  /* ID_AA64PFR0_EL1 */
  zfr0 = READ_ID("S3_0_C0_C4_4");  /* ID_AA64ZFR0_EL1 */
  if (field(pfr0, 16) >= 1 && field(pfr0, 16) != 15)
    present |= ONNXC_ARM64_FP16;
  if (field(isar0, 44) >= 1)
    present |= ONNXC_ARM64_DOTPROD;
  if (field(isar0, 20) >= 2)
    present |= ONNXC_ARM64_LSE;
  if (field(isar1, 52) >= 1)
    present |= ONNXC_ARM64_I8MM;
  if (field(isar1, 44) >= 1)
    present |= ONNXC_ARM64_BF16;
  if (field(pfr0, 32) >= 1)
    present |= ONNXC_ARM64_SVE;
  if (field(pfr0, 32) >= 1 && field(zfr0, 0) >= 1)
    present |= ONNXC_ARM64_SVE2;
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
