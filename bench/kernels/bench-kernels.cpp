//===- bench-kernels.cpp - emitted kernels against the machine's peak -----===//
//
// usage: bench-kernels [target [filter [--asm]]]
// One line per kernel: share of the multiply-add peak (median, least, most),
// time, tasks, vector spills and moves in innermost loops. With --asm the
// assembly of the kernels that match the filter follows.
//
//===----------------------------------------------------------------------===//
#include "bench/kernels/Cases.h"
#include "bench/kernels/Peak.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxc;

int main(int argc, char **argv) {
  std::vector<std::string> targets = test::getRunnableTargets();
  std::string name = argc > 1 ? argv[1] : targets.front();
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
    bench::Built built = test.build(target);
    if (!built.kernel->error().empty()) {
      llvm::errs() << test.name << ": " << built.kernel->error() << "\n";
      return 1;
    }
    if (!built.kernel->canRun()) {
      llvm::outs() << built.kernel->assembly();
      continue;
    }
    bench::Share share = peak.measure(built.multiplyAdds, [&] { built.kernel->run(built.slots); });
    int spills = 0, moves = 0;
    for (test::InnerLoop loop : test::findInnerLoops(built.kernel->assembly()))
      spills += loop.spills, moves += loop.moves;
    llvm::outs() << llvm::format("%-28s %.2f (%.2f-%.2f) %9.1f us %4d tasks %d spills %d moves\n",
                                 test.name.c_str(), share.median, share.least, share.most,
                                 share.microseconds, int(built.kernel->countTasks(built.slots)),
                                 spills, moves);
    if (assembly)
      llvm::outs() << built.kernel->assembly();
  }
  return 0;
}
