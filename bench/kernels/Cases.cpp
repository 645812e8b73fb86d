//===- Cases.cpp - the kernels that are timed -----------------------------===//
#include "bench/kernels/Cases.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace onnxc::bench {

namespace {
/// A tensor of the function: its sizes, of which -1 is the symbol n, and the results of
/// its indexing map.
struct Operand {
  llvm::SmallVector<int64_t> sizes;
  std::string map;

  std::string type() const {
    std::string text = "tensor<";
    for (int64_t size : sizes)
      text += size < 0 ? "?x" : std::to_string(size) + "x";
    return text + "f32>";
  }
  bool isDynamic() const { return llvm::is_contained(sizes, -1); }
  int64_t elements(int64_t symbol) const {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size < 0 ? symbol : size;
    return count;
  }
};
} // namespace

/// The values of a tensor's dynamic sizes, all of which are n.
static std::string dynamicSizes(const Operand &operand) {
  return llvm::join(llvm::SmallVector<std::string>(llvm::count(operand.sizes, -1), "%n"), ", ");
}

/// result += a * b over `loops`, all parallel but the last `reductions`.
static std::string makeModule(const std::string &loops, unsigned reductions, const Operand &a,
                              const Operand &b, const Operand &result) {
  unsigned count = llvm::count(loops, ',') + 1;
  std::string iterators, dims, sizes = dynamicSizes(result);
  for (unsigned i = 0; i < count; ++i)
    iterators +=
        formatv("{0}\"{1}\"", i ? ", " : "", i + reductions < count ? "parallel" : "reduction");
  for (auto [i, size] : llvm::enumerate(result.sizes))
    dims += formatv("{0}#onnx.dim<\"{1}\">", i ? ", " : "", size < 0 ? "n" : std::to_string(size));
  bool dynamic = a.isDynamic();
  std::string text =
      formatv("func.func @main(%p: {0}, %q: {1}) -> {2} attributes {{rt.symbols = [{3}], "
              "rt.result_dims = [[{4}]]} {{\n",
              a.type(), b.type(), result.type(), dynamic ? "\"n\"" : "", dims);
  if (dynamic)
    text += "%n = rt.symbol \"n\"\n";
  auto view = [&](const char *to, const char *from, const Operand &operand) {
    return formatv("%{0} = rt.reshape %{1}[{2}] : {3} -> {3}\n", to, from, dynamicSizes(operand),
                   operand.type())
        .str();
  };
  text += view("a", "p", a);
  text += view("b", "q", b);
  text +=
      formatv("%zero = arith.constant 0.0 : f32\n"
              "%e = tensor.empty({0}) : {1}\n"
              "%f = linalg.fill ins(%zero : f32) outs(%e : {1}) -> {1}\n"
              "%r = linalg.generic {{indexing_maps = [affine_map<({2}) -> ({3})>, "
              "affine_map<({2}) -> ({4})>, affine_map<({2}) -> ({5})>], iterator_types = [{6}]} "
              "ins(%a, %b : {7}, {8}) outs(%f : {1}) {{\n"
              "^bb0(%x: f32, %y: f32, %s: f32):\n"
              "  %m = arith.mulf %x, %y : f32\n"
              "  %t = arith.addf %s, %m : f32\n"
              "  linalg.yield %t : f32\n"
              "} -> {1}\n"
              "return %r : {1}\n}\n",
              sizes, result.type(), loops, a.map, b.map, result.map, iterators, a.type(), b.type());
  return text;
}

static Case makeGemm(const std::string &name, int64_t m, int64_t n, int64_t k,
                     bool transposedA = false) {
  Operand a = transposedA ? Operand{{k, m}, "k, m"} : Operand{{m, k}, "m, k"};
  return {name,
          makeModule("m, n, k", 1, a, {{k, n}, "k, n"}, {{m, n}, "m, n"}),
          {m * k},
          {},
          double(m) * n * k};
}

namespace {
struct Image {
  int64_t size, inputChannels, outputChannels, taps, stride;
  int64_t inputSize() const { return (size - 1) * stride + taps; }
};
} // namespace

static std::string describe(const std::string &kind, Image image) {
  return formatv("{0} {1}x{1}/{2} {3}x{3} {4}->{5}", kind, image.taps, image.stride, image.size,
                 image.inputChannels, image.outputChannels);
}

/// A convolution of a padded channels-last image; of single pixels it is a contraction.
static Case makeConvolution(Image image) {
  std::string name = describe("conv", image);
  int64_t pixels = image.size * image.size, taps = image.taps, stride = image.stride;
  if (taps == 1)
    return makeGemm(name, pixels, image.outputChannels, image.inputChannels);
  Operand input{{1, image.inputSize(), image.inputSize(), image.inputChannels},
                formatv("i, h * {0} + u, w * {0} + v, c", stride)};
  Operand weights{{taps, taps, image.inputChannels, image.outputChannels}, "u, v, c, o"};
  Operand result{{1, image.size, image.size, image.outputChannels}, "i, h, w, o"};
  return {name,
          makeModule("i, h, w, o, u, v, c", 3, input, weights, result),
          {input.elements(0)},
          {},
          double(pixels) * taps * taps * image.inputChannels * image.outputChannels};
}

static Case makeDepthwise(Image image) {
  int64_t channels = image.outputChannels, taps = image.taps;
  Operand input{{1, image.inputSize(), image.inputSize(), channels},
                formatv("i, h * {0} + u, w * {0} + v, c", image.stride)};
  Operand result{{1, image.size, image.size, channels}, "i, h, w, c"};
  return {describe("depthwise", image),
          makeModule("i, h, w, c, u, v", 2, input, {{taps, taps, channels}, "u, v, c"}, result),
          {input.elements(0)},
          {},
          double(image.size * image.size) * taps * taps * channels};
}

/// A product inside attention: both operands are made at run time, [tokens, heads,
/// features] or [heads, tokens, tokens], and tokens are counted at run time.
static Case makeProduct(int64_t heads, int64_t tokens, int64_t features, bool scores) {
  Operand perRow{{-1, heads, features}, "i, h, f"}, perColumn{{-1, heads, features}, "j, h, f"};
  Operand square{{heads, -1, -1}, "h, i, j"};
  Case made;
  made.name =
      formatv("attention {0} {1}x{2}x{3}", scores ? "scores" : "values", heads, tokens, features);
  made.module = scores ? makeModule("h, i, j, f", 1, perRow, perColumn, square)
                       : makeModule("h, i, f, j", 1, square, perColumn, perRow);
  made.inputs = {(scores ? perRow : square).elements(tokens), perColumn.elements(tokens)};
  made.symbols = {tokens};
  made.hasWeight = false;
  made.multiplyAdds = double(heads) * tokens * tokens * features;
  return made;
}

std::vector<Case> getCases() {
  std::vector<Case> cases;
  for (auto [m, n, k] : {std::tuple(512, 512, 512),
                         {128, 768, 768},
                         {128, 3072, 768},
                         {128, 768, 3072},
                         {197, 768, 768},
                         {3136, 64, 64},
                         {196, 256, 1024},
                         {1, 768, 768},
                         {1, 4096, 4096},
                         {4, 4096, 4096}})
    cases.push_back(makeGemm(formatv("gemm {0}x{1}x{2}", m, n, k), m, n, k));
  for (int64_t size : {512, 1024})
    cases.push_back(makeGemm(formatv("gemm transposed A {0}", size), size, size, size, true));
  for (int64_t tokens : {128, 500})
    for (bool scores : {true, false})
      cases.push_back(makeProduct(12, tokens, 64, scores));
  for (Image image : {Image{56, 64, 64, 3, 1},
                      {28, 128, 128, 3, 1},
                      {14, 256, 256, 3, 1},
                      {7, 512, 512, 3, 1},
                      {28, 128, 128, 3, 2},
                      {112, 3, 64, 7, 2},
                      {56, 64, 256, 1, 1},
                      {14, 1024, 256, 1, 1},
                      {112, 16, 64, 1, 1}})
    cases.push_back(makeConvolution(image));
  for (Image image : {Image{56, 1, 128, 3, 1},
                      {14, 1, 480, 3, 1},
                      {28, 1, 128, 5, 1},
                      {28, 1, 128, 3, 2},
                      {28, 1, 128, 5, 2},
                      {10, 1, 45, 3, 1}})
    cases.push_back(makeDepthwise(image));
  return cases;
}

} // namespace onnxc::bench
