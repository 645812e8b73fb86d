//===- main.cpp - The compiler's command ----------------------------------===//
#include "tools/onnxc/CommandLine.h"
#include "tools/onnxc/CrashReport.h"
#include "tools/onnxc/Terminal.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxc;

static int fail(llvm::Error error) {
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
  return 1;
}

int main(int argc, char **argv) {
  llvm::Expected<Command> command = parseCommandLine(argc, argv);
  if (!command)
    return fail(command.takeError());
  if (!command->help.empty()) {
    if (llvm::Error error = writeStdout(command->help))
      return fail(std::move(error));
    return 0;
  }
  installCrashReport(command->inputPath);

  ProgressLine line;
  CompileResult result = compile(Model::fromFile(command->inputPath), command->options,
                                 [&](const Progress &progress) {
                                   setStageAtWork(progress.stage);
                                   line.show(progress);
                                 });
  line.wipe();
  for (const Diagnostic &diagnostic : result.diagnostics)
    llvm::errs() << format(diagnostic, command->inputPath);
  if (!result.succeeded)
    return 1;
  if (command->writesToStdout)
    if (llvm::Error error = writeStdout(result.artifact))
      return fail(std::move(error));
  if (command->printTiming)
    llvm::errs() << formatTimings(result.timings);
  if (command->printReport)
    if (llvm::Error error = writeStdout(result.report))
      return fail(std::move(error));
  return 0;
}
