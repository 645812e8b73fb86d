//===- LoopsTest.cpp - Tails of the vector loops of #rt.loops --------------===//
//
// Each kernel runs for every size from 1 to twice the lanes, known at compile time or at
// run time. Its arrays end, and in a second run begin, at a page that nobody may touch.
//
//===----------------------------------------------------------------------===//
#include "test/lowering/cpu/Jit.h"
#include "test/support/KernelJit.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using llvm::formatv;
using onnxc::test::Jit;
using onnxc::test::Slot;

struct ElementType {
  std::string name;
  unsigned bits; ///< in memory
  bool isFloat() const { return name[0] == 'f'; }
  /// Lanes of a vector of this many bits.
  unsigned lanes(unsigned vectorBits) const { return vectorBits / std::max(8u, bits); }
  size_t bytes(size_t count) const { return (count * bits + 7) / 8; }
};

const llvm::fltSemantics &semantics(unsigned bits) {
  return bits == 16   ? llvm::APFloat::IEEEhalf()
         : bits == 32 ? llvm::APFloat::IEEEsingle()
                      : llvm::APFloat::IEEEdouble();
}

/// Puts element `i` into an array.
void write(const ElementType &type, char *array, size_t i, double value) {
  uint64_t pattern;
  if (!type.isFloat()) {
    pattern = int64_t(value);
  } else {
    llvm::APFloat number(value);
    bool losesInfo;
    number.convert(semantics(type.bits), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    pattern = number.bitcastToAPInt().getZExtValue();
  }
  if (type.bits >= 8) {
    std::memcpy(array + i * type.bits / 8, &pattern, type.bits / 8);
    return;
  }
  unsigned mask = (1 << type.bits) - 1, shift = i * type.bits % 8;
  char &byte = array[i * type.bits / 8];
  byte = char((byte & ~(mask << shift)) | (pattern & mask) << shift);
}

double read(const ElementType &type, const char *array, size_t i) {
  uint64_t pattern = 0;
  if (type.bits < 8)
    pattern = uint8_t(array[i * type.bits / 8]) >> i * type.bits % 8 & ((1 << type.bits) - 1);
  else
    std::memcpy(&pattern, array + i * type.bits / 8, type.bits / 8);
  if (!type.isFloat())
    return double(llvm::SignExtend64(pattern, type.bits));
  llvm::APFloat number(semantics(type.bits), llvm::APInt(type.bits, pattern));
  bool losesInfo;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return number.convertToDouble();
}

/// An array between two pages that nobody may touch, right at one of them.
class GuardedArray {
public:
  GuardedArray(const ElementType &type, std::vector<double> values, bool isAtEnd)
      : type(type), count(values.size()) {
    size_t page = getpagesize(), bytes = type.bytes(count);
    inner = (bytes + page - 1) / page * page;
    map = static_cast<char *>(mmap(nullptr, inner + 2 * page, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(map, page, PROT_NONE);
    mprotect(map + page + inner, page, PROT_NONE);
    std::memset(map + page, canary, inner);
    data = map + page + (isAtEnd ? inner - bytes : 0);
    for (size_t i = 0; i < count; ++i)
      write(type, data, i, values[i]);
  }
  ~GuardedArray() { munmap(map, inner + 2 * getpagesize()); }
  GuardedArray(const GuardedArray &) = delete;

  Slot slot() { return Slot{data}; }
  double operator[](size_t i) const { return read(type, data, i); }
  /// Whether the rest of the pages is as it was.
  bool isAloneWritten() const {
    const char *begin = map + getpagesize(), *end = begin + inner;
    auto isCanary = [](char byte) { return byte == canary; };
    return std::all_of(begin, const_cast<const char *>(data), isCanary) &&
           std::all_of(static_cast<const char *>(data) + type.bytes(count), end, isCanary);
  }

private:
  static constexpr char canary = 0x5a;
  ElementType type;
  size_t count, inner;
  char *map, *data;
};

/// A kernel over `n` elements along the vector: what it is in MLIR, and what it does to
/// the arrays that it gets. The body goes from %a (and %b) to %r.
struct Case {
  std::string name;
  ElementType type;
  /// Affine maps of the inputs and the output over the loops (i, j); j has n steps.
  std::vector<std::string> inputMaps;
  std::string outputMap = "(i, j)";
  std::string body; ///< SHAPE in it stands for the size of an input over j
  bool isReduction = false;
  std::string neutral = "0"; ///< what a reduction starts with
  /// Arrays as functions of n, and the output from them.
  std::vector<std::function<std::vector<double>(int64_t n)>> inputs;
  std::function<double(const std::vector<std::vector<double>> &, int64_t i, int64_t j, int64_t n)>
      expected;
  /// Of a task; a small number makes several of them.
  int64_t elementsPerTask = 16384;
};

constexpr int64_t rows = 3;

/// "3x?" for a run-time size of the second loop, "3x7" for a constant one.
std::string shapeOf(const std::string &map, const std::string &size) {
  if (map == "(i, j)")
    return formatv("{0}x{1}x", rows, size);
  if (map == "(j, i)")
    return formatv("{0}x{1}x", size, rows);
  return map == "(j)" ? size + "x" : std::to_string(rows) + "x";
}

std::string kernelText(const Case &test, const std::string &target, unsigned lanes, int64_t n) {
  bool isDynamic = n < 0;
  std::string size = isDynamic ? "?" : std::to_string(n), t = test.type.name;
  std::string arguments, reshapes, maps, operands, types, blockArguments;
  for (auto [k, map] : llvm::enumerate(test.inputMaps)) {
    std::string tensor = "tensor<" + shapeOf(map, size) + t + ">";
    std::string letter(1, char('a' + k));
    arguments += "%" + letter + "0: " + tensor + ", ";
    // A reshape tells what the size is.
    reshapes += formatv("  %{0} = rt.reshape %{0}0 [{1}] : {2} -> {2}\n", letter,
                        isDynamic && map != "(i)" ? "%n" : "", tensor);
    maps += "affine_map<(i, j) -> " + map + ">, ";
    operands += (k ? ", %" : "%") + letter;
    types += (k ? ", " : "") + tensor;
    blockArguments += "%" + letter + "1: " + t + ", ";
  }
  std::string out = "tensor<" + shapeOf(test.outputMap, size) + t + ">";
  std::string emptySizes = isDynamic && test.outputMap != "(i)" ? "%n" : "";
  std::string init = formatv("  %e = tensor.empty({0}) : {1}\n", emptySizes, out);
  std::string start = "%e";
  if (test.isReduction) {
    init += formatv("  %start = arith.constant {0} : {1}\n"
                    "  %f = linalg.fill ins(%start : {1}) outs(%e : {2}) -> {2}\n",
                    test.neutral, t, out);
    start = "%f";
  }
  std::string body = test.body;
  if (size_t at = body.find("SHAPE"); at != std::string::npos)
    body.replace(at, strlen("SHAPE"), size + "x");
  std::string name = test.name + (isDynamic ? "" : "_" + std::to_string(n));
  unsigned width = std::min<unsigned>(lanes, isDynamic ? lanes : llvm::bit_ceil(uint64_t(n)));
  std::string nest = width == 1 ? "<loops = [0, 1], lanes = 1>"
                                : formatv("<loops = [0, 1], vector = 1, lanes = {0}>", width).str();
  return formatv(
      R"("rt.kernel"() <{{node = "", strategy = #rt.loops<rows = 1, splitVector = false, elementsPerTask = {15}, nests = [{0}]>, sym_name = "{1}", target = {16}}> ({{
^bb0({2}%n: index, %out: {3}):
{4}{5}  %0 = linalg.generic {{indexing_maps = [{6}affine_map<(i, j) -> {7}>], iterator_types = ["parallel", "{8}"]}
      ins({9} : {10}) outs({11} : {3}) {{
  ^bb1({12}%o1: {13}):
    {14}
    linalg.yield %r : {13}
  } -> {3}
  rt.yield %0 : {3}
}) : () -> ()
)",
      nest, name, arguments, out, reshapes, init, maps, test.outputMap,
      test.isReduction ? "reduction" : "parallel", operands, types, start, blockArguments, t, body,
      test.elementsPerTask, target);
}

std::vector<double> count(int64_t n, std::function<double(int64_t)> value) {
  std::vector<double> values;
  for (int64_t i = 0; i < n; ++i)
    values.push_back(value(i));
  return values;
}

/// Runs the kernel for n elements with its arrays at one end of their pages.
void check(Jit &jit, const Case &test, const std::string &name, int64_t n, bool isAtEnd) {
  SCOPED_TRACE(
      formatv("{0} of {1} elements, arrays at the {2}", name, n, isAtEnd ? "end" : "start").str());
  using Task = void (*)(const Slot *, int64_t);
  using Count = int64_t (*)(const Slot *);
  auto task = jit.lookUp<Task>(name + ".task");
  auto tasks = jit.lookUp<Count>(name + ".tasks");
  ASSERT_TRUE(task && tasks);
  std::vector<std::vector<double>> values;
  std::vector<std::unique_ptr<GuardedArray>> arrays;
  std::vector<Slot> slots;
  for (auto &input : test.inputs) {
    values.push_back(input(n));
    arrays.push_back(std::make_unique<GuardedArray>(test.type, values.back(), isAtEnd));
    slots.push_back(arrays.back()->slot());
  }
  Slot size;
  size.size = n;
  slots.push_back(size);
  int64_t columns = test.isReduction ? 1 : n;
  GuardedArray output(test.type, std::vector<double>(rows * columns), isAtEnd);
  slots.push_back(output.slot());
  for (int64_t i = 0, end = tasks(slots.data()); i < end; ++i)
    task(slots.data(), i);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      double expected = test.expected(values, i, j, n), found = output[i * columns + j];
      EXPECT_TRUE(expected == found || (std::isnan(expected) && std::isnan(found)))
          << "at " << i << ", " << j << ": expected " << expected << ", found " << found;
    }
  EXPECT_TRUE(output.isAloneWritten());
}

/// The sizes that are compiled as constants: around a part of a vector and a whole one.
/// Reductions differ by their combiner; one type tries all of them.
std::set<int64_t> constantSizes(const Case &test, int64_t lanes) {
  if (test.isReduction && test.type.bits != 32)
    return {};
  return {1, 3, std::max<int64_t>(lanes / 2, 1), lanes - 1, lanes + 1, lanes * 3 / 2};
}

void checkAll(const std::vector<Case> &cases) {
  for (const std::string &name : onnxc::test::getRunnableTargets()) {
    SCOPED_TRACE(name);
    onnxc::TargetInfo target = onnxc::test::getTarget(name);
    std::string text;
    llvm::raw_string_ostream stream(text);
    std::string kernelTarget;
    llvm::raw_string_ostream(kernelTarget) << onnxc::test::getKernelTarget(target);
    stream << "module attributes {rt.target = " << kernelTarget << "} {\n";
    for (const Case &test : cases) {
      int64_t lanes = test.type.lanes(target.vectorBits);
      stream << kernelText(test, kernelTarget, lanes, -1);
      for (int64_t n : constantSizes(test, lanes))
        stream << kernelText(test, kernelTarget, lanes, n);
    }
    stream << "}\n";
    Jit jit(text, formatv("onnxc-emit-kernels,canonicalize,cse,"
                          "onnxc-cpu-to-llvm{{vector-bits={0}}",
                          target.vectorBits));
    ASSERT_TRUE(jit.isValid()) << jit.getError();
    for (const Case &test : cases) {
      int64_t lanes = test.type.lanes(target.vectorBits);
      for (bool isAtEnd : {true, false}) {
        for (int64_t n = 1; n < 2 * lanes; ++n)
          check(jit, test, test.name, n, isAtEnd);
        for (int64_t n : constantSizes(test, lanes))
          check(jit, test, test.name + "_" + std::to_string(n), n, isAtEnd);
      }
    }
  }
}

const ElementType i1{"i1", 8}, i2{"i2", 2}, i4{"i4", 4}, f16{"f16", 16}, f32{"f32", 32},
    f64{"f64", 64}, i8{"i8", 8}, i16{"i16", 16}, i32{"i32", 32}, i64{"i64", 64};
const ElementType types[] = {f16, f32, f64, i8, i16, i32, i64};

const double nan = std::nan("");

/// Small numbers of both signs, 0 among them.
std::vector<double> small(int64_t n) {
  return count(n, [](int64_t i) { return double((i * 7 + 3) % 11 - 5); });
}

//===-- Loads and stores --------------------------------------------------===//

TEST(Loops, ElementsOfATail) {
  std::vector<Case> cases;
  for (const ElementType &type : types)
    cases.push_back(
        {"add_" + type.name,
         type,
         {"(i, j)", "(j)"},
         "(i, j)",
         formatv("%r = arith.add{0} %a1, %b1 : {1}", type.isFloat() ? "f" : "i", type.name),
         false,
         "",
         {[](int64_t n) { return small(rows * n); }, small},
         [](auto &in, int64_t i, int64_t j, int64_t n) { return in[0][i * n + j] + in[1][j]; }});
  checkAll(cases);
}

TEST(Loops, StridedElementsOfATail) {
  std::vector<Case> cases;
  for (const ElementType &type : types)
    cases.push_back(
        {"transpose_" + type.name,
         type,
         {"(j, i)"},
         "(i, j)",
         formatv("%two = arith.constant 2{0} : {1}\n"
                 "    %r = arith.mul{2} %a1, %two : {1}",
                 type.isFloat() ? ".0" : "", type.name, type.isFloat() ? "f" : "i"),
         false,
         "",
         {[](int64_t n) { return small(rows * n); }},
         [](auto &in, int64_t i, int64_t j, int64_t) { return 2 * in[0][j * rows + i]; }});
  checkAll(cases);
}

/// Rows of elements that share bytes may begin within one, and tasks may not meet there.
TEST(Loops, ElementsThatShareBytes) {
  std::vector<Case> cases;
  for (const ElementType &type : {i2, i4}) {
    auto wrap = [type](double value) {
      return double(llvm::SignExtend64(int64_t(value), type.bits));
    };
    auto any = [wrap](int64_t n) {
      return count(n, [wrap](int64_t i) { return wrap(i * 7 + i / 3); });
    };
    auto matrix = [any](int64_t n) { return any(rows * n); };
    cases.push_back({"add_" + type.name,
                     type,
                     {"(i, j)", "(j)"},
                     "(i, j)",
                     formatv("%r = arith.addi %a1, %b1 : {0}", type.name),
                     false,
                     "",
                     {matrix, any},
                     [wrap](auto &in, int64_t i, int64_t j, int64_t n) {
                       return wrap(in[0][i * n + j] + in[1][j]);
                     },
                     /*elementsPerTask=*/1});
    cases.push_back(
        {"transpose_" + type.name,
         type,
         {"(j, i)"},
         "(i, j)",
         formatv("%r = arith.addi %a1, %a1 : {0}", type.name),
         false,
         "",
         {matrix},
         [wrap](auto &in, int64_t i, int64_t j, int64_t) { return wrap(2 * in[0][j * rows + i]); },
         /*elementsPerTask=*/1});
  }
  checkAll(cases);
}

/// Lanes that do not exist have no divisor, or one that an index beyond the end gives.
TEST(Loops, DivisionDoesNotTrapInATail) {
  std::vector<Case> cases;
  for (const ElementType &type : {i8, i32, i64})
    cases.push_back({"divide_" + type.name,
                     type,
                     {"(i, j)", "(j)"},
                     "(i, j)",
                     formatv("%r = arith.divsi %a1, %b1 : {0}", type.name),
                     false,
                     "",
                     {[](int64_t n) { return small(rows * n); },
                      [](int64_t n) { return count(n, [](int64_t i) { return i % 5 + 1.0; }); }},
                     [](auto &in, int64_t i, int64_t j, int64_t n) {
                       return std::trunc(in[0][i * n + j] / in[1][j]) + 0.0;
                     }});
  checkAll(cases);
}

/// Elements found by their indices: from the end backwards, and one by one.
TEST(Loops, GatheredElementsOfATail) {
  std::vector<Case> cases;
  for (const ElementType &type : types) {
    // The index of a row is one of the input's elements.
    bool isFloat = type.isFloat();
    std::string toIndex = isFloat ? formatv("%s = arith.fptosi %b1 : {0} to i64\n"
                                            "    %k = arith.index_cast %s : i64 to index",
                                            type.name)
                                  : formatv("%k = arith.index_cast %b1 : {0} to index", type.name);
    cases.push_back({"reverse_" + type.name,
                     type,
                     {"(j)"},
                     "(i, j)",
                     formatv("%one = arith.constant 1 : index\n"
                             "    %last = arith.subi %n, %one : index\n"
                             "    %j = linalg.index 1 : index\n"
                             "    %k = arith.subi %last, %j : index\n"
                             "    %r = tensor.extract %a[%k] : tensor<SHAPE{0}>",
                             type.name),
                     false,
                     "",
                     {small},
                     [](auto &in, int64_t, int64_t j, int64_t n) { return in[0][n - 1 - j]; }});
    cases.push_back(
        {"gather_" + type.name,
         type,
         {"(j)", "(j)"},
         "(i, j)",
         formatv("{0}\n    %r = tensor.extract %a[%k] : tensor<SHAPE{1}>", toIndex, type.name),
         false,
         "",
         {small,
          [](int64_t n) {
            return count(n, [n](int64_t i) { return double((i * 5 + n / 2) % n); });
          }},
         [](auto &in, int64_t, int64_t j, int64_t) { return in[0][in[1][j]]; }});
  }
  checkAll(cases);
}

//===-- Reductions --------------------------------------------------------===//

struct Combiner {
  std::string name, op, neutral;
  std::function<double(double, double)> apply;
  bool isFloat;
};

double bitwise(double a, double b, int64_t (*op)(int64_t, int64_t)) {
  return double(op(int64_t(a), int64_t(b)));
}

const Combiner combiners[] = {
    {"sum", "addf", "0.0", [](double a, double b) { return a + b; }, true},
    {"product", "mulf", "1.0", [](double a, double b) { return a * b; }, true},
    {"maximum", "maximumf", "-7.0",
     [](double a, double b) { return std::isnan(a) || std::isnan(b) ? nan : std::max(a, b); },
     true},
    {"minimum", "minimumf", "7.0",
     [](double a, double b) { return std::isnan(a) || std::isnan(b) ? nan : std::min(a, b); },
     true},
    {"max_number", "maxnumf", "-7.0", [](double a, double b) { return std::fmax(a, b); }, true},
    {"min_number", "minnumf", "7.0", [](double a, double b) { return std::fmin(a, b); }, true},
    {"sum", "addi", "0", [](double a, double b) { return a + b; }, false},
    {"product", "muli", "1", [](double a, double b) { return a * b; }, false},
    {"max_signed", "maxsi", "-7", [](double a, double b) { return std::max(a, b); }, false},
    {"min_signed", "minsi", "7", [](double a, double b) { return std::min(a, b); }, false},
    {"max_unsigned", "maxui", "0", [](double a, double b) { return std::max(a, b); }, false},
    {"min_unsigned", "minui", "7", [](double a, double b) { return std::min(a, b); }, false},
    {"and", "andi", "-1",
     [](double a, double b) { return bitwise(a, b, [](int64_t x, int64_t y) { return x & y; }); },
     false},
    {"or", "ori", "0",
     [](double a, double b) { return bitwise(a, b, [](int64_t x, int64_t y) { return x | y; }); },
     false},
    {"xor", "xori", "0",
     [](double a, double b) { return bitwise(a, b, [](int64_t x, int64_t y) { return x ^ y; }); },
     false},
};

/// What rows are made of so that no result is rounded or wraps.
double elementOf(const Combiner &combiner, int64_t i) {
  if (combiner.name == "product")
    return i % 13 == 5 ? 2 : i % 3 == 0 ? -1 : 1;
  if (combiner.name == "sum")
    return double(i % 3 - 1);
  if (combiner.name == "and")
    return double(127 - (1 << i % 3));
  if (combiner.name.find("unsigned") != std::string::npos)
    return double((i * 7 + 3) % 6 + 1);
  return double((i * 7 + 3) % 11 - 5);
}

void checkReductions(std::vector<ElementType> types, bool hasNan) {
  std::vector<Case> cases;
  for (const ElementType &type : types)
    for (const Combiner &combiner : combiners) {
      if (combiner.isFloat != type.isFloat() || (type.name == "i8" && combiner.name == "product"))
        continue;
      auto element = [&combiner, hasNan](int64_t i) {
        return hasNan && i % 5 == 3 ? nan : elementOf(combiner, i);
      };
      double start = std::stod(combiner.neutral);
      cases.push_back({combiner.op + "_" + type.name,
                       type,
                       {"(i, j)"},
                       "(i)",
                       formatv("%r = arith.{0} %o1, %a1 : {1}", combiner.op, type.name),
                       true,
                       combiner.neutral,
                       {[element](int64_t n) { return count(rows * n, element); }},
                       [&combiner, start](auto &in, int64_t i, int64_t, int64_t n) {
                         double value = start;
                         for (int64_t j = 0; j < n; ++j)
                           value = combiner.apply(value, in[0][i * n + j]);
                         return value;
                       }});
    }
  checkAll(cases);
}

TEST(Loops, FloatReductionsWithATail) { checkReductions({f16, f32, f64}, /*hasNan=*/false); }
TEST(Loops, ReductionsOfNanWithATail) { checkReductions({f32}, /*hasNan=*/true); }
TEST(Loops, IntegerReductionsWithATail) { checkReductions({i8, i32, i64}, /*hasNan=*/false); }

TEST(Loops, ReductionsOfTruthValuesWithATail) {
  std::vector<Case> cases;
  for (const Combiner &combiner : combiners) {
    if (combiner.name != "and" && combiner.name != "or" && combiner.name != "xor")
      continue;
    bool isAnd = combiner.name == "and";
    cases.push_back({combiner.op + "_i1",
                     i1,
                     {"(i, j)"},
                     "(i)",
                     formatv("%r = arith.{0} %o1, %a1 : i1", combiner.op),
                     true,
                     isAnd ? "1" : "0",
                     {[isAnd](int64_t n) {
                       return count(rows * n,
                                    [=](int64_t i) { return double(isAnd ? i != 1 : i % 3 == 1); });
                     }},
                     [&combiner, isAnd](auto &in, int64_t i, int64_t, int64_t n) {
                       double value = isAnd;
                       for (int64_t j = 0; j < n; ++j)
                         value = combiner.apply(value, in[0][i * n + j]);
                       return value;
                     }});
  }
  checkAll(cases);
}

} // namespace
