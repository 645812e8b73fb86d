//===- ConvTest.cpp - emitted convolutions against a plain loop -----------===//
#include "lowering/cpu/emit/Conv.h"
#include "lowering/cpu/emit/Depthwise.h"
#include "lowering/cpu/strategies/TileTable.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "test/support/KernelJit.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mlir;
using namespace onnxc;
using namespace onnxc::emit;
using test::Kernel;
using test::Slot;

namespace {

using Sizes = std::vector<int64_t>;

struct Case {
  int64_t images = 1;
  Sizes output, taps, strides, dilations; // spatial
  int64_t groups = 1, inputChannels = 1, outputChannels = 1;
  bool depthwise = false; // channels are `outputChannels`
  bool dynamicSizes = false, dynamicChannels = false;
  unsigned epilogueCost = 0; // zero: no epilogue
  bool smallTasks = false;
  bool blockOfChannels = false;

  int64_t channelsIn() const { return depthwise ? outputChannels : groups * inputChannels; }
  int64_t channelsOut() const { return groups * outputChannels; }
};

int64_t product(const Sizes &sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

/// Calls body with each index tuple below `sizes`, in order.
void forEach(const Sizes &sizes, const std::function<void(const Sizes &)> &body) {
  Sizes index(sizes.size(), 0);
  for (int64_t i = 0, end = product(sizes); i < end; ++i) {
    body(index);
    for (size_t d = sizes.size(); d-- > 0;) {
      if (++index[d] < sizes[d])
        break;
      index[d] = 0;
    }
  }
}

int64_t flatten(const Sizes &index, const Sizes &sizes) {
  int64_t result = 0;
  for (size_t d = 0; d < sizes.size(); ++d)
    result = result * sizes[d] + index[d];
  return result;
}

struct ConvFixture {
  const Case &test;
  TargetInfo target;
  rt::CpuAttr kernelTarget;
  rt::ConvAttr conv;
  rt::DepthwiseAttr depthwise;
  Sizes input;
  std::vector<float> x, w, packed, bias;
  unsigned spatial;

  ConvFixture(const Case &test, const std::string &targetName)
      : test(test), target(test::getTarget(targetName)),
        kernelTarget(test::getKernelTarget(target)), spatial(test.output.size()) {
    for (unsigned d = 0; d < spatial; ++d)
      input.push_back((test.output[d] - 1) * test.strides[d] +
                      (test.taps[d] - 1) * test.dilations[d] + 1);
    chooseStrategies();
    std::mt19937 random(3);
    std::uniform_real_distribution<float> values(-1, 1);
    auto fill = [&](std::vector<float> &array, int64_t size) {
      array.resize(size);
      for (float &value : array)
        value = values(random);
    };
    fill(x, test.images * product(input) * test.channelsIn());
    fill(w, product(test.taps) * test.channelsOut() * (test.depthwise ? 1 : test.inputChannels));
    fill(bias, test.channelsOut());
    if (!test.depthwise)
      packWeights();
  }

  void chooseStrategies() {
    int64_t rows = spatial > 1 ? test.output[spatial - 2] : 1;
    rt::ConvShape shape;
    shape.outputRows = test.dynamicSizes ? -1 : rows;
    shape.outputColumns = test.dynamicSizes ? -1 : test.output.back();
    shape.outputChannels = test.outputChannels;
    shape.pixelBytes = test.strides.back() * test.channelsIn() * 4;
    shape.contiguousTaps = test.dilations.back() == 1 && test.groups == 1;
    conv = cpu::chooseConv(kernelTarget, shape);
    rt::DepthwiseShape depthwiseShape{shape.outputRows,
                                      shape.outputColumns,
                                      spatial > 1 ? test.taps[spatial - 2] : 1,
                                      test.taps.back(),
                                      spatial > 1 ? test.strides[spatial - 2] : 1,
                                      test.strides.back()};
    depthwise = cpu::chooseDepthwise(kernelTarget, depthwiseShape);
    conv = rt::ConvAttr::get(
        conv.getContext(), conv.getTileRows(), conv.getTileColumns(), conv.getNv(), conv.getLanes(),
        test.smallTasks ? 1 : conv.getWorkPerTask(), conv.getJoinTaps(), conv.getProduct());
    depthwise = rt::DepthwiseAttr::get(
        depthwise.getContext(), depthwise.getTileRows(), depthwise.getTileColumns(),
        depthwise.getLanes(), depthwise.getLoopOverTapRows(),
        test.blockOfChannels ? depthwise.getLanes() : depthwise.getChannelBlock(),
        test.smallTasks ? 1 : depthwise.getWorkPerTask());
  }

  /// w is [groups, OC, taps..., IC].
  float weight(int64_t group, int64_t channel, int64_t tap, int64_t input) {
    int64_t taps = product(test.taps);
    return w[((group * test.outputChannels + channel) * taps + tap) * test.inputChannels + input];
  }

  void packWeights() {
    int64_t depth = product(test.taps) * test.inputChannels;
    test::PackedLayout layout{conv.getNr()};
    int64_t size = layout.elements(depth, test.outputChannels);
    packed.assign(test.groups * size, 0);
    forEach({test.groups, test.outputChannels, product(test.taps), test.inputChannels},
            [&](const Sizes &i) {
              packed[i[0] * size + layout.offset(depth, i[2] * test.inputChannels + i[3], i[1])] =
                  weight(i[0], i[1], i[2], i[3]);
            });
  }

  /// Slots: x, w, y, bias, output sizes, input sizes, images, channels.
  OpFoldResult size(OpBuilder &builder, ValueRange slots, bool dynamic, unsigned slot,
                    int64_t value) {
    return dynamic ? OpFoldResult(slots[slot]) : OpFoldResult(builder.getIndexAttr(value));
  }

  void setSizes(OpBuilder &builder, ValueRange slots, SmallVector<OpFoldResult> &outputSizes,
                SmallVector<OpFoldResult> &inputSizes, OpFoldResult &images) {
    for (unsigned d = 0; d < spatial; ++d) {
      outputSizes.push_back(size(builder, slots, test.dynamicSizes, 4 + d, test.output[d]));
      inputSizes.push_back(size(builder, slots, test.dynamicSizes, 4 + spatial + d, input[d]));
    }
    images = size(builder, slots, test.dynamicSizes, 4 + 2 * spatial, test.images);
  }

  Buffer makeImage(OpBuilder &builder, Location loc, Value pointer, OpFoldResult images,
                   ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> channels) {
    SmallVector<OpFoldResult> all{images};
    llvm::append_range(all, sizes);
    llvm::append_range(all, channels);
    return makeDenseBuffer(builder, loc, pointer, builder.getF32Type(), all);
  }

  ConvProblem makeConv(OpBuilder &builder, Location loc, ValueRange slots) {
    ConvProblem problem;
    SmallVector<OpFoldResult> inputSizes;
    setSizes(builder, slots, problem.outputSizes, inputSizes, problem.images);
    SmallVector<OpFoldResult> weightSizes;
    problem.groups = builder.getIndexAttr(test.groups);
    problem.inputChannels = builder.getIndexAttr(test.inputChannels);
    problem.outputChannels = builder.getIndexAttr(test.outputChannels);
    weightSizes.push_back(problem.groups);
    weightSizes.push_back(
        builder.getIndexAttr(test::PackedLayout{conv.getNr()}.panels(test.outputChannels)));
    for (int64_t taps : test.taps) {
      problem.taps.push_back(builder.getIndexAttr(taps));
      weightSizes.push_back(problem.taps.back());
    }
    weightSizes.push_back(problem.inputChannels);
    weightSizes.push_back(builder.getIndexAttr(conv.getNr()));
    llvm::append_range(problem.strides, test.strides);
    llvm::append_range(problem.dilations, test.dilations);
    problem.input = makeImage(builder, loc, slots[0], problem.images, inputSizes,
                              {problem.groups, problem.inputChannels});
    problem.output = makeImage(builder, loc, slots[2], problem.images, problem.outputSizes,
                               {problem.groups, problem.outputChannels});
    problem.accumulatorType = builder.getF32Type();
    problem.weights = makeDenseBuffer(builder, loc, slots[1], builder.getF32Type(), weightSizes);
    return problem;
  }

  DepthwiseProblem makeDepthwise(OpBuilder &builder, Location loc, ValueRange slots) {
    DepthwiseProblem problem;
    SmallVector<OpFoldResult> inputSizes, weightSizes;
    setSizes(builder, slots, problem.outputSizes, inputSizes, problem.images);
    problem.channels =
        size(builder, slots, test.dynamicChannels, 5 + 2 * spatial, test.outputChannels);
    for (int64_t taps : test.taps)
      weightSizes.push_back(builder.getIndexAttr(taps));
    weightSizes.push_back(problem.channels);
    llvm::append_range(problem.taps, test.taps);
    llvm::append_range(problem.strides, test.strides);
    llvm::append_range(problem.dilations, test.dilations);
    problem.input =
        makeImage(builder, loc, slots[0], problem.images, inputSizes, {problem.channels});
    problem.output =
        makeImage(builder, loc, slots[2], problem.images, problem.outputSizes, {problem.channels});
    problem.weights = makeDenseBuffer(builder, loc, slots[1], builder.getF32Type(), weightSizes);
    problem.accumulatorType = builder.getF32Type();
    return problem;
  }

  /// y = (sum + bias[channel]) * (1 + first spatial index).
  Value emitFinish(OpBuilder &builder, Location loc, ValueRange slots, Value value,
                   ArrayRef<OpFoldResult> indices, Value mask) {
    unsigned lanes = 1;
    if (auto type = dyn_cast<VectorType>(value.getType()))
      lanes = type.getNumElements();
    OpFoldResult channel = indices.back();
    if (!test.depthwise) {
      OpFoldResult first = mulIndex(builder, loc, indices[indices.size() - 2],
                                    builder.getIndexAttr(test.outputChannels));
      channel = addIndex(builder, loc, first, channel);
    }
    Buffer buffer = makeDenseBuffer(builder, loc, slots[3], builder.getF32Type(),
                                    {OpFoldResult(builder.getIndexAttr(1))});
    Value addend = mask ? maskedLoad(builder, loc, buffer, {channel}, mask)
                        : load(builder, loc, buffer, {channel}, lanes);
    value = arith::AddFOp::create(builder, loc, value, addend);
    Value row = arith::IndexCastOp::create(
        builder, loc, builder.getI32Type(),
        asValue(builder, loc, addIndex(builder, loc, indices[1], builder.getIndexAttr(1))));
    Value factor = arith::SIToFPOp::create(builder, loc, builder.getF32Type(), row);
    if (lanes > 1)
      factor = vector::BroadcastOp::create(builder, loc, value.getType(), factor);
    return arith::MulFOp::create(builder, loc, value, factor);
  }

  std::unique_ptr<Kernel> build() {
    std::vector<bool> isPointer(6 + 2 * spatial, false);
    std::fill(isPointer.begin(), isPointer.begin() + 4, true);
    return std::make_unique<Kernel>(
        target, isPointer,
        [&](OpBuilder &builder, Location loc, ValueRange slots) {
          if (test.depthwise)
            return emitDepthwiseTaskCount(builder, loc, makeDepthwise(builder, loc, slots),
                                          depthwise);
          return emitConvTaskCount(builder, loc, makeConv(builder, loc, slots), conv);
        },
        [&](OpBuilder &builder, Location loc, ValueRange slots, Value task) {
          auto finish = [&](OpBuilder &builder, Location loc, Value value,
                            ArrayRef<OpFoldResult> indices, Value mask) {
            return emitFinish(builder, loc, slots, value, indices, mask);
          };
          Epilogue epilogue = nullptr;
          if (test.epilogueCost)
            epilogue = finish;
          if (test.depthwise)
            return emitDepthwise(builder, loc, makeDepthwise(builder, loc, slots), depthwise,
                                 kernelTarget, task, epilogue, test.epilogueCost);
          emitConv(builder, loc, makeConv(builder, loc, slots), conv, kernelTarget, task, epilogue,
                   test.epilogueCost);
        });
  }

  double reference(const Sizes &pixel, int64_t channel) {
    int64_t group = channel / test.outputChannels;
    double sum = 0;
    forEach(test.taps, [&](const Sizes &tap) {
      Sizes position{pixel[0]}, sizes{test.images};
      for (unsigned d = 0; d < spatial; ++d) {
        position.push_back(pixel[1 + d] * test.strides[d] + tap[d] * test.dilations[d]);
        sizes.push_back(input[d]);
      }
      int64_t place = flatten(position, sizes) * test.channelsIn();
      int64_t tapNumber = flatten(tap, test.taps);
      if (test.depthwise) {
        sum += double(x[place + channel]) * w[tapNumber * test.outputChannels + channel];
        return;
      }
      for (int64_t i = 0; i < test.inputChannels; ++i)
        sum += double(x[place + group * test.inputChannels + i]) *
               weight(group, channel % test.outputChannels, tapNumber, i);
    });
    if (test.epilogueCost)
      sum = (sum + bias[channel]) * (1 + pixel[1]);
    return sum;
  }

  void check() {
    std::unique_ptr<Kernel> kernel = build();
    ASSERT_EQ(kernel->error(), "");
    Sizes pixels{test.images};
    pixels.insert(pixels.end(), test.output.begin(), test.output.end());
    int64_t size = product(pixels) * test.channelsOut();
    std::vector<float> y(size + 64, 123.0f);
    std::vector<Slot> slots(6 + 2 * spatial);
    slots[0].pointer = x.data();
    slots[1].pointer = test.depthwise ? w.data() : packed.data();
    slots[2].pointer = y.data();
    slots[3].pointer = bias.data();
    for (unsigned d = 0; d < spatial; ++d) {
      slots[4 + d].size = test.output[d];
      slots[4 + spatial + d].size = input[d];
    }
    slots[4 + 2 * spatial].size = test.images;
    slots[5 + 2 * spatial].size = test.outputChannels;
    kernel->run(slots);
    double worst = 0;
    forEach(pixels, [&](const Sizes &pixel) {
      for (int64_t c = 0; c < test.channelsOut(); ++c) {
        double found = y[flatten(pixel, pixels) * test.channelsOut() + c];
        double expected = reference(pixel, c);
        double error = std::abs(found - expected) / (1 + std::abs(expected));
        worst = std::max(worst, std::isnan(found) ? 1e9 : error);
      }
    });
    EXPECT_LT(worst, 2e-5);
    for (int64_t i = 0; i < 64; ++i)
      EXPECT_EQ(y[size + i], 123.0f);
  }
};

void checkAll(const Case &test) {
  for (const std::string &target : test::getRunnableTargets()) {
    SCOPED_TRACE(target);
    ConvFixture(test, target).check();
  }
}

Case make(Sizes output, Sizes taps, int64_t stride, int64_t inputChannels, int64_t outputChannels) {
  Case test;
  test.strides.assign(output.size(), stride);
  test.dilations.assign(output.size(), 1);
  test.output = std::move(output);
  test.taps = std::move(taps);
  test.inputChannels = inputChannels;
  test.outputChannels = outputChannels;
  return test;
}

TEST(Conv, Images) {
  checkAll(make({8, 14}, {3, 3}, 1, 16, 64));
  checkAll(make({7, 7}, {3, 3}, 1, 20, 40));
  checkAll(make({9, 17}, {5, 3}, 2, 3, 33));
  checkAll(make({5, 1}, {1, 1}, 2, 7, 5));
  checkAll(make({3, 3}, {2, 2}, 3, 4, 100));
}

TEST(Conv, OneAndThreeDimensions) {
  checkAll(make({37}, {5}, 1, 8, 24));
  checkAll(make({11}, {3}, 2, 3, 70));
  checkAll(make({3, 5, 6}, {2, 3, 3}, 1, 5, 20));
}

TEST(Conv, Pointwise) {
  Case test = make({6, 9}, {1, 1}, 1, 30, 50);
  test.images = 2;
  checkAll(test);
  test.epilogueCost = 2;
  checkAll(test);
  test.groups = 3;
  checkAll(test);
  test.dynamicSizes = true;
  checkAll(test);
}

TEST(Conv, Dilated) {
  Case test = make({6, 8}, {3, 3}, 1, 6, 32);
  test.dilations = {2, 3};
  checkAll(test);
}

TEST(Conv, Grouped) {
  Case test = make({6, 8}, {3, 3}, 1, 5, 12);
  test.groups = 4;
  test.images = 2;
  test.epilogueCost = 1;
  checkAll(test);
  test.outputChannels = 70;
  checkAll(test);
}

TEST(Conv, SizesKnownAtRunTime) {
  for (int64_t width : {1, 5, 8, 19}) {
    Case test = make({4, width}, {3, 3}, 1, 9, 40);
    test.images = 2;
    test.dynamicSizes = true;
    test.epilogueCost = 2;
    checkAll(test);
  }
}

TEST(Conv, Epilogues) {
  for (unsigned cost : {1, 60})
    for (int64_t channels : {64, 50}) {
      Case test = make({4, 7}, {3, 3}, 1, 8, channels);
      test.epilogueCost = cost;
      checkAll(test);
    }
}

TEST(Conv, ManyTasks) {
  Case test = make({9, 10}, {3, 3}, 1, 8, 150);
  test.images = 3;
  test.groups = 2;
  test.smallTasks = true;
  checkAll(test);
}

Case makeDepthwise(Sizes output, Sizes taps, int64_t stride, int64_t channels) {
  Case test = make(std::move(output), std::move(taps), stride, 1, channels);
  test.depthwise = true;
  return test;
}

TEST(Depthwise, Images) {
  checkAll(makeDepthwise({8, 12}, {3, 3}, 1, 32));
  checkAll(makeDepthwise({7, 7}, {3, 3}, 1, 40));
  checkAll(makeDepthwise({5, 11}, {5, 5}, 2, 50));
  checkAll(makeDepthwise({4, 3}, {3, 3}, 2, 3));
  checkAll(makeDepthwise({1, 1}, {7, 7}, 1, 16));
}

TEST(Depthwise, OneAndThreeDimensions) {
  checkAll(makeDepthwise({30}, {4}, 1, 20));
  checkAll(makeDepthwise({3, 5, 6}, {3, 3, 3}, 1, 20));
}

TEST(Depthwise, BlocksOfChannels) {
  for (int64_t channels : {8, 40, 64}) {
    Case test = makeDepthwise({5, 6}, {3, 3}, 1, channels);
    test.blockOfChannels = true;
    checkAll(test);
    test.dynamicChannels = true;
    checkAll(test);
  }
}

TEST(Depthwise, DilatedWithEpilogue) {
  Case test = makeDepthwise({6, 10}, {3, 3}, 1, 37);
  test.dilations = {2, 2};
  for (unsigned cost : {1, 60}) {
    test.epilogueCost = cost;
    checkAll(test);
  }
}

TEST(Depthwise, SizesKnownAtRunTime) {
  for (int64_t width : {1, 6, 13}) {
    Case test = makeDepthwise({5, width}, {3, 3}, 1, 45);
    test.images = 2;
    test.dynamicSizes = test.dynamicChannels = true;
    test.epilogueCost = 1;
    test.smallTasks = true;
    checkAll(test);
  }
}

} // namespace
