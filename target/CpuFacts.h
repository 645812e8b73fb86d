//===- CpuFacts.h - What decisions depend on ----------------------------*- C++ -*-===//
//
// The facts of target/cpu_facts.def as an enum, and a set of them. Plain C++, for
// every folder.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_TARGET_CPUFACTS_H
#define ONNXC_TARGET_CPUFACTS_H

#include <cstdint>
#include <initializer_list>

namespace onnxc {

/// A fact about a CPU; cpu_facts.def says what each means and where it holds.
enum class CpuFact : unsigned {
#define ONNXC_CPU_FACT(name, meaning) name,
#include "target/cpu_facts.def"
};

/// All of them with their names, in order.
struct CpuFactName {
  CpuFact fact;
  const char *name, *meaning;
};
inline constexpr CpuFactName cpuFactNames[] = {
#define ONNXC_CPU_FACT(name, meaning) {CpuFact::name, #name, meaning},
#include "target/cpu_facts.def"
};

class CpuFacts {
public:
  CpuFacts() = default;
  CpuFacts(std::initializer_list<CpuFact> facts) {
    for (CpuFact fact : facts)
      set(fact);
  }
  bool has(CpuFact fact) const { return bits >> unsigned(fact) & 1; }
  void set(CpuFact fact, bool holds = true) {
    uint64_t bit = uint64_t(1) << unsigned(fact);
    bits = holds ? bits | bit : bits & ~bit;
  }
  uint64_t getBits() const { return bits; }
  bool operator==(const CpuFacts &other) const { return bits == other.bits; }
  bool operator!=(const CpuFacts &other) const { return bits != other.bits; }

private:
  uint64_t bits = 0;
};

} // namespace onnxc

#endif // ONNXC_TARGET_CPUFACTS_H
