//===- bench-kernels.cpp - the compiler's kernels against the machine's peak -===//
//
// usage: bench-kernels [target [filter [--asm]]]
// Without a target this machine's CPU, as onnxc resolves it. One line per kernel:
// share of the multiply-add peak (median, least, most), time, tasks, vector spills and
// moves in innermost loops, and the strategy that the compiler chose. With --asm the
// assembly of the kernels that match the filter follows.
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/Cases.h"
#include "bench/kernels/Peak.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxc;

/// Memory for an input that starts at a cache line, as tensors do.
static void *fill(std::vector<float> &memory, int64_t elements) {
  memory.resize(elements + 16);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = float(i % 13) / 13 - 0.4f;
  auto address = reinterpret_cast<uintptr_t>(memory.data());
  return reinterpret_cast<void *>((address + 63) & ~uintptr_t(63));
}

int main(int argc, char **argv) {
  std::string name = argc > 1 ? argv[1] : "native";
  std::string filter = argc > 2 ? argv[2] : "";
  bool assembly = argc > 3;
  TargetInfo target = test::getTarget(name);
  bench::Peak peak(target);
  if (!peak.canRun())
    llvm::outs() << "this machine cannot run " << name << " code\n";
  llvm::outs() << "share of the " << name << " multiply-add peak\n";
  for (const bench::Case &test : bench::getCases()) {
    if (test.name.find(filter) == std::string::npos)
      continue;
    bench::CompiledFunction function(target, test.module, test.hasWeight);
    if (!function.error().empty()) {
      llvm::errs() << test.name << ": " << function.error() << "\n";
      return 1;
    }
    if (!function.canRun()) {
      llvm::outs() << function.assembly();
      continue;
    }
    std::vector<std::vector<float>> memory(test.inputs.size());
    std::vector<void *> inputs;
    for (size_t i = 0; i < memory.size(); ++i)
      inputs.push_back(fill(memory[i], test.inputs[i]));
    bench::Share share =
        peak.measure(test.multiplyAdds, [&] { function.run(inputs, test.symbols); });
    int spills = 0, moves = 0;
    for (test::InnerLoop loop : test::findInnerLoops(function.assembly()))
      spills += loop.spills, moves += loop.moves;
    llvm::outs() << llvm::format("%-28s %.2f (%.2f-%.2f) %9.1f us %4d tasks %d spills %d moves  ",
                                 test.name.c_str(), share.median, share.least, share.most,
                                 share.microseconds, int(function.countTasks()), spills, moves)
                 << function.strategy() << "\n";
    if (assembly)
      llvm::outs() << function.assembly();
  }
  return 0;
}
