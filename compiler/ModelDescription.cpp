//===- ModelDescription.cpp - What the descriptor says of a model ---------===//
#include "compiler/ModelDescription.h"
#include "compiler/Version.h"
#include "dialects/onnx/DimAnalysis.h"
#include "dialects/onnx/OnnxDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "runtime/onnxc_runtime.h"

using namespace mlir;

namespace onnxc {
namespace {

/// Index, name in the file and bounds of each input symbol.
struct InputSymbol {
  int32_t index = -1;
  std::string name;
  onnx::DimBounds bounds;
};
using InputSymbols = llvm::StringMap<InputSymbol>;

DimInfo describeDim(onnx::DimExpr dim, const InputSymbols &symbols) {
  DimInfo info;
  if (!dim) {
    info.dataDependent = true;
    info.text = "?";
    return info;
  }
  info.text = dim.str();
  if (std::optional<int64_t> size = dim.getConstant()) {
    info.size = info.max = *size;
    return info;
  }
  dim.forEachSymbol([&](llvm::StringRef name) { info.dataDependent |= !symbols.count(name); });
  if (info.dataDependent)
    return info;
  info.max = onnx::boundsOf(dim, [&](llvm::StringRef name) {
               return symbols.lookup(name).bounds;
             }).largestSize();
  if (dim.kind() != onnx::DimExpr::Kind::Symbol)
    return info;
  const InputSymbol &symbol = symbols.find(dim.symbolName())->second;
  info.symbol = symbol.index;
  info.text = symbol.name;
  return info;
}

ValueInfo describeValue(llvm::StringRef name, Type type, const InputSymbols &symbols) {
  ValueInfo info;
  info.name = name.str();
  if (auto optional = dyn_cast<onnx::OptType>(type)) {
    type = optional.getElementType();
    info.kind = isa<onnx::SeqType>(type) ? ONNXC_OPTIONAL_SEQUENCE : ONNXC_OPTIONAL;
  }
  if (auto sequence = dyn_cast<onnx::SeqType>(type)) {
    type = sequence.getElementType();
    if (info.kind == ONNXC_TENSOR)
      info.kind = ONNXC_SEQUENCE;
  }
  info.dtype = getDataType(getElementTypeOrSelf(type));
  info.hasRank = isa<RankedTensorType>(type);
  if (info.hasRank)
    for (onnx::DimExpr dim : onnx::getDims(type))
      info.dims.push_back(describeDim(dim, symbols));
  return info;
}

} // namespace

ModelInfo describeModel(ModuleOp module, const OnnxFile &file, const CompileOptions &options) {
  ModelInfo info;
  info.name = options.name;
  info.compilerVersion = version;
  info.compilerOptions = options.text;
  info.modelSha256 = file.getSha256().str();
  if (auto opset = module->getAttrOfType<IntegerAttr>("onnx.opset"))
    info.opset = opset.getInt();

  InputSymbols symbols;
  auto bounds = module->getAttrOfType<DenseI64ArrayAttr>("onnx.symbol_bounds");
  for (Attribute attribute : module->getAttrOfType<ArrayAttr>("onnx.symbols")) {
    auto pair = cast<ArrayAttr>(attribute);
    std::string original = cast<StringAttr>(pair[1]).str();
    SymbolInfo symbol;
    symbol.name = original;
    if (bounds) {
      symbol.min = bounds[2 * info.symbols.size()];
      symbol.max = bounds[2 * info.symbols.size() + 1];
    }
    symbols[cast<StringAttr>(pair[0])] = {
        static_cast<int32_t>(info.symbols.size()), original, {symbol.min, symbol.max}};
    info.symbols.push_back(symbol);
  }

  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (auto [i, type] : llvm::enumerate(main.getArgumentTypes()))
    info.inputs.push_back(
        describeValue(main.getArgAttrOfType<StringAttr>(i, "onnx.name").getValue(), type, symbols));
  for (auto [i, type] : llvm::enumerate(main.getResultTypes()))
    info.outputs.push_back(
        describeValue(main.getResultAttrOfType<StringAttr>(i, "onnx.name"), type, symbols));
  return info;
}

} // namespace onnxc
