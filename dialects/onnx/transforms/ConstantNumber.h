//===- ConstantNumber.h - Numbers in exporters' patterns -----------*- C++ -*-===//
#ifndef ONNXC_DIALECTS_ONNX_TRANSFORMS_CONSTANTNUMBER_H
#define ONNXC_DIALECTS_ONNX_TRANSFORMS_CONSTANTNUMBER_H

#include "dialects/onnx/OnnxOps.h"
#include <optional>

namespace onnxc::onnx {

/// The number that a float constant holds in each element; nothing otherwise.
inline std::optional<double> constantNumber(mlir::Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = constant ? mlir::dyn_cast<mlir::DenseElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || !elements.isSplat() || !mlir::isa<mlir::FloatType>(elements.getElementType()))
    return std::nullopt;
  llvm::APFloat number = elements.getSplatValue<llvm::APFloat>();
  bool ignored;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &ignored);
  return number.convertToDouble();
}

} // namespace onnxc::onnx

#endif // ONNXC_DIALECTS_ONNX_TRANSFORMS_CONSTANTNUMBER_H
