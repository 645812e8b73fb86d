//===- ValueFiles.h - Which file holds which value ----------------*- C++ -*-===//
#ifndef ONNXC_TOOLS_ONNXC_RUN_VALUEFILES_H
#define ONNXC_TOOLS_ONNXC_RUN_VALUEFILES_H

#include "tools/onnxc-run/Value.h"

namespace onnxc::runner {

/// `NAME=@FILE` or `@FILE`.
struct FileArgument {
  std::string name, path;
};

/// The inputs or the outputs of a model.
struct ValueList {
  const char *kind; ///< "input" or "output"
  const onnxc_value *values;
  int32_t count;
};

ValueList inputsOf(const onnxc_model &model);
ValueList outputsOf(const onnxc_model &model);

/// Puts the files at the index of their value: by name, else in order. A value
/// without a file has an empty path.
Failure orderFiles(const std::vector<FileArgument> &files, const ValueList &list,
                   std::vector<std::string> &paths);

/// Adds what a folder holds for the values that have no path yet:
/// `input_<i>.pb`, `input_<i>.npy` or `NAME.npy`.
Failure addFolder(const std::string &folder, const ValueList &list,
                  std::vector<std::string> &paths);

/// The error of a folder that has no file for a value; says what was looked for.
Failure missingFile(const std::string &folder, const ValueList &list, int32_t index);

} // namespace onnxc::runner

#endif // ONNXC_TOOLS_ONNXC_RUN_VALUEFILES_H
