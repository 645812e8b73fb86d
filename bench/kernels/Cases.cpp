//===- Cases.cpp - the kernels that are timed -----------------------------===//
#include "bench/kernels/Cases.h"
#include "lowering/cpu/emit/Conv.h"
#include "lowering/cpu/emit/Depthwise.h"
#include "lowering/cpu/emit/Gemm.h"
#include "lowering/cpu/strategies/TileTable.h"

using namespace mlir;
using namespace onnxc::emit;

namespace onnxc::bench {

/// An array that starts at a cache line, as tensors do.
static void *addArray(Built &built, int64_t size) {
  std::vector<float> array(size + 16);
  for (size_t i = 0; i < array.size(); ++i)
    array[i] = float(i % 13) / 13 - 0.4f;
  built.arrays.push_back(std::move(array));
  auto address = reinterpret_cast<uintptr_t>(built.arrays.back().data());
  return reinterpret_cast<void *>((address + 63) & ~uintptr_t(63));
}

static Built buildGemm(const TargetInfo &target, int64_t m, int64_t n, int64_t k,
                       bool transposedA = false) {
  rt::GemmShape shape{m, n, k};
  shape.depthStrideOfA = transposedA ? m : 1;
  rt::CpuAttr kernelTarget = test::getKernelTarget(target);
  rt::GemmAttr strategy = cpu::chooseGemm(kernelTarget, shape);
  test::PackedLayout layout{strategy.getNr()};
  auto makeProblem = [=](OpBuilder &builder, Location loc, ValueRange slots) {
    auto dense = [&](Value pointer, ArrayRef<int64_t> sizes) {
      SmallVector<OpFoldResult> folded;
      for (int64_t size : sizes)
        folded.push_back(builder.getIndexAttr(size));
      return makeDenseBuffer(builder, loc, pointer, builder.getF32Type(), folded);
    };
    GemmProblem problem;
    problem.m = builder.getIndexAttr(m);
    problem.n = builder.getIndexAttr(n);
    problem.k = builder.getIndexAttr(k);
    problem.a = dense(slots[0], {m, k});
    if (transposedA)
      problem.a.strides = {builder.getIndexAttr(1), builder.getIndexAttr(m)};
    problem.b = dense(slots[1], {layout.panels(n), k, layout.nr});
    problem.c = dense(slots[2], {m, n});
    problem.accumulatorType = builder.getF32Type();
    return problem;
  };
  Built built;
  built.kernel = std::make_unique<test::Kernel>(
      target, std::vector<bool>{true, true, true},
      [&](OpBuilder &builder, Location loc, ValueRange slots) {
        return emitGemmTaskCount(builder, loc, makeProblem(builder, loc, slots), strategy);
      },
      [&](OpBuilder &builder, Location loc, ValueRange slots, Value task) {
        emitGemm(builder, loc, makeProblem(builder, loc, slots), strategy, kernelTarget, task);
      });
  built.slots.resize(3);
  built.slots[0].pointer = addArray(built, m * k);
  built.slots[1].pointer = addArray(built, layout.elements(k, n));
  built.slots[2].pointer = addArray(built, m * n);
  built.multiplyAdds = double(m) * n * k;
  built.accumulators = strategy.getMr() * strategy.getNv();
  return built;
}

namespace {
struct Image {
  int64_t size, inputChannels, outputChannels, taps, stride;
  int64_t inputSize() const { return (size - 1) * stride + taps; }
};
} // namespace

static SmallVector<OpFoldResult> fold(OpBuilder &builder, ArrayRef<int64_t> sizes) {
  SmallVector<OpFoldResult> folded;
  for (int64_t size : sizes)
    folded.push_back(builder.getIndexAttr(size));
  return folded;
}

/// A convolution of single pixels is a contraction.
static Built buildPointwise(const TargetInfo &target, Image image) {
  return buildGemm(target, image.size * image.size, image.outputChannels, image.inputChannels);
}

static Built buildConv(const TargetInfo &target, Image image) {
  rt::ConvShape shape;
  shape.outputRows = shape.outputColumns = image.size;
  shape.outputChannels = image.outputChannels;
  shape.pixelBytes = image.stride * image.inputChannels * 4;
  shape.contiguousTaps = true;
  rt::CpuAttr kernelTarget = test::getKernelTarget(target);
  rt::ConvAttr strategy = cpu::chooseConv(kernelTarget, shape);
  int64_t panels = test::PackedLayout{strategy.getNr()}.panels(image.outputChannels);
  auto makeProblem = [=](OpBuilder &builder, Location loc, ValueRange slots) {
    Type f32 = builder.getF32Type();
    auto dense = [&](Value pointer, ArrayRef<int64_t> sizes) {
      return makeDenseBuffer(builder, loc, pointer, f32, fold(builder, sizes));
    };
    ConvProblem problem;
    problem.images = problem.groups = builder.getIndexAttr(1);
    problem.outputSizes = fold(builder, {image.size, image.size});
    problem.taps = fold(builder, {image.taps, image.taps});
    problem.strides = {image.stride, image.stride};
    problem.dilations = {1, 1};
    problem.inputChannels = builder.getIndexAttr(image.inputChannels);
    problem.outputChannels = builder.getIndexAttr(image.outputChannels);
    problem.input =
        dense(slots[0], {1, image.inputSize(), image.inputSize(), 1, image.inputChannels});
    problem.weights =
        dense(slots[1], {1, panels, image.taps, image.taps, image.inputChannels, strategy.getNr()});
    problem.output = dense(slots[2], {1, image.size, image.size, 1, image.outputChannels});
    problem.accumulatorType = f32;
    return problem;
  };
  Built built;
  built.kernel = std::make_unique<test::Kernel>(
      target, std::vector<bool>{true, true, true},
      [&](OpBuilder &builder, Location loc, ValueRange slots) {
        return emitConvTaskCount(builder, loc, makeProblem(builder, loc, slots), strategy);
      },
      [&](OpBuilder &builder, Location loc, ValueRange slots, Value task) {
        emitConv(builder, loc, makeProblem(builder, loc, slots), strategy, kernelTarget, task);
      });
  int64_t depth = image.taps * image.taps * image.inputChannels;
  int64_t pixels = image.size * image.size;
  built.slots.resize(3);
  built.slots[0].pointer =
      addArray(built, image.inputSize() * image.inputSize() * image.inputChannels);
  built.slots[1].pointer = addArray(built, panels * depth * strategy.getNr());
  built.slots[2].pointer = addArray(built, pixels * image.outputChannels);
  built.multiplyAdds = double(pixels) * depth * image.outputChannels;
  built.accumulators = strategy.getTileRows() * strategy.getTileColumns() * strategy.getNv();
  return built;
}

static Built buildDepthwise(const TargetInfo &target, Image image) {
  rt::CpuAttr kernelTarget = test::getKernelTarget(target);
  rt::DepthwiseAttr strategy = cpu::chooseDepthwise(
      kernelTarget, {image.size, image.size, image.taps, image.taps, image.stride, image.stride});
  auto makeProblem = [=](OpBuilder &builder, Location loc, ValueRange slots) {
    Type f32 = builder.getF32Type();
    auto dense = [&](Value pointer, ArrayRef<int64_t> sizes) {
      return makeDenseBuffer(builder, loc, pointer, f32, fold(builder, sizes));
    };
    DepthwiseProblem problem;
    int64_t channels = image.outputChannels;
    problem.images = builder.getIndexAttr(1);
    problem.outputSizes = fold(builder, {image.size, image.size});
    problem.taps = {image.taps, image.taps};
    problem.strides = {image.stride, image.stride};
    problem.dilations = {1, 1};
    problem.channels = builder.getIndexAttr(channels);
    problem.input = dense(slots[0], {1, image.inputSize(), image.inputSize(), channels});
    problem.weights = dense(slots[1], {image.taps, image.taps, channels});
    problem.output = dense(slots[2], {1, image.size, image.size, channels});
    problem.accumulatorType = f32;
    return problem;
  };
  Built built;
  built.kernel = std::make_unique<test::Kernel>(
      target, std::vector<bool>{true, true, true},
      [&](OpBuilder &builder, Location loc, ValueRange slots) {
        return emitDepthwiseTaskCount(builder, loc, makeProblem(builder, loc, slots), strategy);
      },
      [&](OpBuilder &builder, Location loc, ValueRange slots, Value task) {
        emitDepthwise(builder, loc, makeProblem(builder, loc, slots), strategy, kernelTarget, task);
      });
  int64_t taps = image.taps * image.taps;
  int64_t pixels = image.size * image.size;
  built.slots.resize(3);
  built.slots[0].pointer =
      addArray(built, image.inputSize() * image.inputSize() * image.outputChannels);
  built.slots[1].pointer = addArray(built, taps * image.outputChannels);
  built.slots[2].pointer = addArray(built, pixels * image.outputChannels);
  built.multiplyAdds = double(pixels) * taps * image.outputChannels;
  built.accumulators = strategy.getTileRows() * strategy.getTileColumns();
  return built;
}

static std::string describe(const std::string &kind, Image image) {
  return kind + " " + std::to_string(image.taps) + "x" + std::to_string(image.taps) + "/" +
         std::to_string(image.stride) + " " + std::to_string(image.size) + "x" +
         std::to_string(image.size) + " " + std::to_string(image.inputChannels) + "->" +
         std::to_string(image.outputChannels);
}

namespace {
/// A product inside attention: all operands are made at run time, and tokens
/// are counted at run time.
struct Product {
  int64_t heads, tokens, features;
  bool scores; ///< queries x keys; else weights x values
};
} // namespace

static GemmProblem makeProduct(OpBuilder &builder, Location loc, ValueRange slots,
                               Product product) {
  OpFoldResult tokens = slots[3];
  OpFoldResult heads = builder.getIndexAttr(product.heads);
  OpFoldResult features = builder.getIndexAttr(product.features);
  OpFoldResult width = builder.getIndexAttr(product.heads * product.features);
  OpFoldResult one = builder.getIndexAttr(1);
  Type f32 = builder.getF32Type();
  // Queries, keys, values and outputs: [tokens, heads, features].
  auto perToken = [&](Value pointer, bool transposed) {
    Buffer buffer{pointer, f32, {heads, tokens, features}, {features, width, one}};
    if (transposed) {
      std::swap(buffer.sizes[1], buffer.sizes[2]);
      std::swap(buffer.strides[1], buffer.strides[2]);
    }
    return buffer;
  };
  auto square = [&](Value pointer) {
    return makeDenseBuffer(builder, loc, pointer, f32, {heads, tokens, tokens});
  };
  GemmProblem problem;
  problem.batch = {heads};
  problem.m = tokens;
  problem.n = product.scores ? tokens : features;
  problem.k = product.scores ? features : tokens;
  problem.a = product.scores ? perToken(slots[0], false) : square(slots[0]);
  problem.b = perToken(slots[1], product.scores);
  problem.c = product.scores ? square(slots[2]) : perToken(slots[2], false);
  problem.accumulatorType = f32;
  return problem;
}

static Built buildProduct(const TargetInfo &target, Product product) {
  rt::GemmShape shape{-1, product.scores ? -1 : product.features,
                      product.scores ? product.features : -1};
  shape.constantB = false;
  shape.contiguousRowsOfB = !product.scores;
  shape.contiguousColumnsOfB = product.scores;
  rt::CpuAttr kernelTarget = test::getKernelTarget(target);
  rt::GemmAttr strategy = cpu::chooseGemm(kernelTarget, shape);
  Built built;
  built.kernel = std::make_unique<test::Kernel>(
      target, std::vector<bool>{true, true, true, false},
      [&](OpBuilder &builder, Location loc, ValueRange slots) {
        return emitGemmTaskCount(builder, loc, makeProduct(builder, loc, slots, product), strategy);
      },
      [&](OpBuilder &builder, Location loc, ValueRange slots, Value task) {
        emitGemm(builder, loc, makeProduct(builder, loc, slots, product), strategy, kernelTarget,
                 task);
      });
  int64_t perToken = product.tokens * product.heads * product.features;
  int64_t square = product.heads * product.tokens * product.tokens;
  built.slots.resize(4);
  built.slots[0].pointer = addArray(built, product.scores ? perToken : square);
  built.slots[1].pointer = addArray(built, perToken);
  built.slots[2].pointer = addArray(built, product.scores ? square : perToken);
  built.slots[3].size = product.tokens;
  built.multiplyAdds = double(square) * product.features;
  built.accumulators = strategy.getMr() * strategy.getNv();
  return built;
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
                         {4, 4096, 4096}}) {
    std::string name =
        "gemm " + std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k);
    cases.push_back({name, [m = m, n = n, k = k](const TargetInfo &target) {
                       return buildGemm(target, m, n, k);
                     }});
  }
  for (int64_t size : {512, 1024})
    cases.push_back({"gemm transposed A " + std::to_string(size), [=](const TargetInfo &target) {
                       return buildGemm(target, size, size, size, true);
                     }});
  for (int64_t tokens : {128, 500})
    for (bool scores : {true, false}) {
      std::string name = scores ? "scores" : "values";
      cases.push_back({"attention " + name + " 12x" + std::to_string(tokens) + "x64",
                       [=](const TargetInfo &target) {
                         return buildProduct(target, {12, tokens, 64, scores});
                       }});
    }
  for (Image image : {Image{56, 64, 64, 3, 1},
                      {28, 128, 128, 3, 1},
                      {14, 256, 256, 3, 1},
                      {7, 512, 512, 3, 1},
                      {28, 128, 128, 3, 2},
                      {112, 3, 64, 7, 2},
                      {56, 64, 256, 1, 1},
                      {14, 1024, 256, 1, 1},
                      {112, 16, 64, 1, 1}})
    cases.push_back({describe("conv", image), [=](const TargetInfo &target) {
                       return image.taps == 1 ? buildPointwise(target, image)
                                              : buildConv(target, image);
                     }});
  for (Image image : {Image{56, 1, 128, 3, 1},
                      {14, 1, 480, 3, 1},
                      {28, 1, 128, 5, 1},
                      {28, 1, 128, 3, 2},
                      {28, 1, 128, 5, 2},
                      {10, 1, 45, 3, 1}})
    cases.push_back({describe("depthwise", image),
                     [=](const TargetInfo &target) { return buildDepthwise(target, image); }});
  return cases;
}

} // namespace onnxc::bench
