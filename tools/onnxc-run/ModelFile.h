//===- ModelFile.h - What an artifact says of its model -----------*- C++ -*-===//
//
// Read from the file, without loading it: of any architecture, shared library, object
// or archive.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_TOOLS_ONNXC_RUN_MODELFILE_H
#define ONNXC_TOOLS_ONNXC_RUN_MODELFILE_H

#include "tools/onnxc-run/Value.h"
#include <string_view>

namespace onnxc::runner {

/// The descriptor's content, with the names of onnxc_model.
struct ModelFacts {
  struct Dim {
    int64_t size = -1;
    bool dataDependent = false;
    std::string text;
  };
  struct Value {
    std::string name;
    std::vector<Dim> dims;
    int32_t rank = 0;
    onnxc_dtype dtype = ONNXC_UNDEFINED;
    onnxc_kind kind = ONNXC_TENSOR;
  };
  struct Symbol {
    std::string name;
    int64_t min = 0, max = 0;
  };
  std::string name, id;
  std::vector<Value> inputs, outputs;
  std::vector<Symbol> symbols;
  uint64_t weightsBytes = 0;
  std::string weightsFile; ///< empty: inside
  std::string triple, cpu, features;
  std::string compilerVersion, compilerOptions, modelSha256;
  int64_t opset = 0;
};

/// A file of one model, for any machine.
struct ModelFile {
  unsigned machine = 0; ///< ELF's number
  bool isShared = false;
  std::string symbol; ///< of the descriptor; empty when there is none

  /// Reads `bytes`; `facts` too unless null. `path` is for messages.
  Failure read(std::string_view bytes, const std::string &path, ModelFacts *facts);
};

/// "aarch64" for ELF's number of a machine.
std::string machineName(unsigned machine);

/// What `--info` prints, for people or as JSON.
void printInfo(const ModelFacts &facts, bool json);

} // namespace onnxc::runner

#endif // ONNXC_TOOLS_ONNXC_RUN_MODELFILE_H
