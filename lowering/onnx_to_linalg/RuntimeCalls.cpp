//===- RuntimeCalls.cpp - Calls of the runtime's C functions ---------------===//
#include "lowering/onnx_to_linalg/RuntimeCalls.h"
#include "dialects/onnx/OnnxMovement.h"
#include "lowering/onnx_to_linalg/IndexMath.h"
#include "runtime/internal.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using onnxc::onnx::DimExpr;

namespace onnxc {

int64_t reductionCode(StringRef reduction) {
  return llvm::StringSwitch<int64_t>(reduction)
      .Case("add", ONNXC_RT_ADD)
      .Case("mul", ONNXC_RT_MUL)
      .Case("min", ONNXC_RT_MIN)
      .Case("max", ONNXC_RT_MAX)
      .Default(ONNXC_RT_REPLACE);
}

SmallVector<Value> callRuntime(OpBuilder &builder, Location loc, StringRef callee,
                               ArrayRef<Value> inputs, ArrayRef<Value> inits,
                               ArrayRef<int64_t> parameters, ArrayRef<Value> dynamicParameters) {
  auto call = rt::CallOp::create(builder, loc, TypeRange(ValueRange(inits)), TypeRange(),
                                 builder.getStringAttr(callee),
                                 builder.getStringAttr(nodeName(loc)), inputs, inits,
                                 builder.getDenseI64ArrayAttr(parameters), dynamicParameters);
  return llvm::to_vector_of<Value>(call.getOutputs());
}

IndexRange rangeOfAxis(OpBuilder &builder, Location loc, DimExpr size) {
  return {materializeIndex(builder, loc, size * -1), materializeIndex(builder, loc, size - 1)};
}

/// The indices with the low bound of their range in place of `ignored`.
static Value replaceIgnored(OpBuilder &builder, Location loc, Value original, Value lowered,
                            Value low, int64_t ignored) {
  Type element = elementTypeOf(original);
  Value instead = builder.createOrFold<arith::IndexCastOp>(loc, element, low);
  Value without = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(element, ignored));
  return buildElementwise(builder, loc, SizedTensor{lowered, onnx::getDims(original.getType())},
                          onnx::getDims(original.getType()), element,
                          [&](OpBuilder &builder, Location loc, ValueRange args) -> Value {
                            IndexMath math(builder, loc);
                            return math.select(math.equal(args[0], without), instead, args[0]);
                          });
}

void checkIndices(OpBuilder &builder, Location loc, Value original, Value lowered,
                  ArrayRef<IndexRange> ranges, std::optional<int64_t> ignored) {
  constexpr StringRef text = "an index is out of range";
  auto elements = onnx::getConstantIntegers(original);
  if (!elements) {
    SmallVector<Value> bounds;
    for (const IndexRange &range : ranges)
      bounds.append({range.low, range.high});
    bool isUnsigned =
        cast<RankedTensorType>(original.getType()).getElementType().isUnsignedInteger();
    if (ignored)
      lowered = replaceIgnored(builder, loc, original, lowered, ranges.front().low, *ignored);
    callRuntime(builder, loc, "onnxc_rt_check_indices", lowered, {},
                {static_cast<int64_t>(ranges.size()), isUnsigned}, bounds);
    return;
  }
  IndexMath math(builder, loc);
  for (auto [column, range] : llvm::enumerate(ranges)) {
    std::optional<int64_t> lowest, highest;
    for (size_t i = column; i < elements->size(); i += ranges.size()) {
      if ((*elements)[i] == ignored)
        continue;
      lowest = std::min(lowest.value_or((*elements)[i]), (*elements)[i]);
      highest = std::max(highest.value_or((*elements)[i]), (*elements)[i]);
    }
    if (!lowest)
      continue;
    Value low = math.constant(*lowest), high = math.constant(*highest);
    checkThat(builder, loc, math.compare(arith::CmpIPredicate::sle, range.low, low), text, low,
              range.low, rt::Status::OutOfRange);
    checkThat(builder, loc, math.compare(arith::CmpIPredicate::sge, range.high, high), text, high,
              range.high, rt::Status::OutOfRange);
  }
}

void checkDivisors(OpBuilder &builder, Location loc, Value original, Value lowered) {
  auto constant = original.getDefiningOp<onnx::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements) {
    callRuntime(builder, loc, "onnxc_rt_check_divisors", lowered, {}, {});
    return;
  }
  bool hasZero = elements.isSplat() ? elements.getSplatValue<APInt>().isZero()
                                    : llvm::any_of(elements.getValues<APInt>(),
                                                   [](const APInt &x) { return x.isZero(); });
  checkThat(builder, loc, arith::ConstantOp::create(builder, loc, builder.getBoolAttr(!hasZero)),
            "an integer is divided by zero", {}, {}, rt::Status::InvalidValue);
}

} // namespace onnxc
