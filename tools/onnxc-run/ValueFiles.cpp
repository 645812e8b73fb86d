//===- ValueFiles.cpp - Which file holds which value -----------------------===//
#include "tools/onnxc-run/ValueFiles.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/stat.h>

namespace onnxc::runner {

ValueList inputsOf(const onnxc_model &model) { return {"input", model.inputs, model.num_inputs}; }

ValueList outputsOf(const onnxc_model &model) {
  return {"output", model.outputs, model.num_outputs};
}

/// Index of a value by name, -1 when there is none.
static int32_t findValue(const ValueList &list, const std::string &name) {
  for (int32_t i = 0; i < list.count; ++i)
    if (name == list.values[i].name)
      return i;
  return -1;
}

Failure orderFiles(const std::vector<FileArgument> &files, const ValueList &list,
                   std::vector<std::string> &paths) {
  paths.resize(list.count);
  int32_t next = 0;
  for (const FileArgument &file : files) {
    int32_t index = file.name.empty() ? next++ : findValue(list, file.name);
    if (index >= list.count)
      return std::string("no ") + list.kind + " is left for '" + file.path + "': the model has " +
             std::to_string(list.count);
    if (index < 0) {
      std::string names;
      for (int32_t i = 0; i < list.count; ++i)
        names += (i ? ", '" : ", only '") + std::string(list.values[i].name) + "'";
      return std::string("the model has no ") + list.kind + " '" + file.name + "'" +
             (names.empty() ? "; it has none at all" : names);
    }
    paths[index] = file.path;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Folders
//===----------------------------------------------------------------------===//

static bool isFile(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

static bool isFolder(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

/// "input_1", the name of a file without its ending.
static std::string numberedStem(const ValueList &list, int32_t index) {
  return list.kind + ("_" + std::to_string(index));
}

static bool isNumberedStem(const ValueList &list, const std::string &stem) {
  std::string start = list.kind + std::string("_");
  return stem.size() > start.size() && stem.compare(0, start.size(), start) == 0 &&
         stem.find_first_not_of("0123456789", start.size()) == std::string::npos;
}

/// The name of a value as that of a file: exporters write paths, "/fc/Add".
static std::string namedStem(const onnxc_value &value) {
  std::string stem = value.name;
  std::replace(stem.begin(), stem.end(), '/', '_');
  return stem;
}

/// The files of a folder that have a number of their own.
static std::vector<std::string> numberedFiles(const std::string &folder, const std::string &stem) {
  std::vector<std::string> found;
  for (const char *ending : {".pb", ".npy"})
    if (std::string path = folder + "/" + stem + ending; isFile(path))
      found.push_back(path);
  return found;
}

Failure missingFile(const std::string &folder, const ValueList &list, int32_t index) {
  std::string stem = numberedStem(list, index), name = list.values[index].name;
  std::string inside = folder + "/test_data_set_0";
  return "'" + folder + "' holds no " + list.kind + " \"" + name + "\": expected " + stem +
         ".pb, " + stem + ".npy or " + namedStem(list.values[index]) + ".npy" +
         (isFolder(inside) ? "; did you mean '" + inside + "'?" : "");
}

Failure addFolder(const std::string &folder, const ValueList &list,
                  std::vector<std::string> &paths) {
  if (folder.empty())
    return "";
  if (!isFolder(folder)) {
    bool isThere = isFile(folder);
    return "cannot read folder '" + folder + "': " + std::strerror(isThere ? ENOTDIR : errno) +
           (isThere ? "; give a file with --input=@FILE" : "");
  }
  // A value's name may look like a number: "input_1" is the first input of many
  // models. Numbers begin with 0; a folder without it goes by names.
  bool goesByNumber = !numberedFiles(folder, numberedStem(list, 0)).empty();
  for (int32_t i = 0; i < list.count; ++i) {
    if (!paths[i].empty())
      continue;
    std::string number = numberedStem(list, i), name = namedStem(list.values[i]);
    std::vector<std::string> found;
    if (int32_t namesake = findValue(list, number); goesByNumber || namesake < 0 || namesake == i)
      found = numberedFiles(folder, number);
    bool isNumber = name == number || (goesByNumber && isNumberedStem(list, name));
    if (std::string path = folder + "/" + name + ".npy"; !isNumber && isFile(path))
      found.push_back(path);
    if (found.size() > 1)
      return "both '" + found[0] + "' and '" + found[1] + "' hold " + list.kind + " \"" +
             list.values[i].name + "\"; keep one";
    if (!found.empty())
      paths[i] = found[0];
  }
  // What is not of the model must not be passed over.
  std::string further = numberedStem(list, list.count);
  std::vector<std::string> found = numberedFiles(folder, further);
  if (found.empty() || (!goesByNumber && findValue(list, further) >= 0))
    return "";
  bool isInput = list.kind == std::string("input");
  return std::string("no ") + list.kind + " for '" + found[0] + "': the model has " +
         std::to_string(list.count) + " " + list.kind + "s" +
         (isInput ? " (those with initializers are constants unless compiled with --keep-input)"
                  : "");
}

} // namespace onnxc::runner
