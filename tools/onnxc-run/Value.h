//===- Value.h - A value at a model's border, owned ---------------*- C++ -*-===//
//
// Part of onnxc-run, which must not link LLVM: the artifact is the model, and
// this is an example of how little a host needs.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_TOOLS_ONNXC_RUN_VALUE_H
#define ONNXC_TOOLS_ONNXC_RUN_VALUE_H

#include "runtime/onnxc_runtime.h"
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace onnxc::runner {

/// What went wrong; empty for success.
using Failure = std::string;

/// A tensor, a sequence or an optional.
struct Value {
  onnxc_kind kind = ONNXC_TENSOR;
  onnxc_dtype dtype = ONNXC_UNDEFINED;
  std::vector<int64_t> dims;
  std::vector<char> bytes;          ///< elements of a tensor, as in memory
  std::vector<std::string> strings; ///< elements of a string tensor
  std::vector<Value> elements;      ///< of a sequence; 0 or 1 of an optional

  int64_t numElements() const;
  /// An element of a numeric tensor; complex numbers count as two.
  double element(int64_t index) const;
  int64_t numScalars() const;
};

const char *dtypeName(onnxc_dtype dtype);

/// "float32[2, 3]".
std::string typeText(const Value &value);

/// A string of JSON.
std::string jsonText(const std::string &text);

/// The view of a value, with what it points to.
class ValueView {
public:
  explicit ValueView(Value &value);
  ValueView(const ValueView &) = delete;
  onnxc_view view = {};

private:
  std::vector<onnxc_string> strings;
  std::vector<std::unique_ptr<ValueView>> children;
  std::vector<onnxc_view> childViews;
  onnxc_sequence sequence = {};
  onnxc_optional optional = {};
};

/// A copy of what a view shows.
Value copyView(const onnxc_view &view);

/// Reads a file as numpy.save writes it, or one of ONNX that holds a value of the given kind.
Failure readValue(const std::string &path, onnxc_kind kind, Value &value);
Failure writeNpy(const std::string &path, const Value &value);
Failure readFile(const std::string &path, std::vector<char> &bytes);

/// Fills a tensor of known type and dims with reproducible random numbers.
void fillRandom(Value &value, uint64_t seed);

struct Tolerance {
  double relative = 1e-4;
  double absolute = 1e-5;
};

/// How a value differs from what was expected; empty when it agrees. `maxError`
/// grows to the largest error of the elements that agree.
std::string compareValues(const Value &found, const Value &expected, Tolerance tolerance,
                          double &maxError);

} // namespace onnxc::runner

#endif // ONNXC_TOOLS_ONNXC_RUN_VALUE_H
