//===- RuntimeSymbols.h - The runtime's math functions by name --*- C++ -*-===//
#ifndef ONNXC_TEST_LOWERING_CPU_RUNTIMESYMBOLS_H
#define ONNXC_TEST_LOWERING_CPU_RUNTIMESYMBOLS_H

#include <utility>
#include <vector>

namespace onnxc::test {

std::vector<std::pair<const char *, void *>> getRuntimeSymbols();

} // namespace onnxc::test

#endif // ONNXC_TEST_LOWERING_CPU_RUNTIMESYMBOLS_H
