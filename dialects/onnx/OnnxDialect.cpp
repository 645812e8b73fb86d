//===- OnnxDialect.cpp - Registration, attributes and types ----------------===//
#include "dialects/onnx/OnnxDialect.h"
#include "dialects/onnx/OnnxAttention.h"
#include "dialects/onnx/OnnxFolds.h"
#include "dialects/onnx/OnnxOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace onnxc::onnx;

#include "dialects/onnx/OnnxDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/onnx/OnnxAttributes.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/onnx/OnnxTypes.cpp.inc"

#include "dialects/onnx/OnnxInterfaces.cpp.inc"

void OnnxDialect::initialize() {
  addInterfaces<OnnxFoldInterface>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/onnx/OnnxAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/onnx/OnnxTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxAttentionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxContractionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxControlFlowOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxElementwiseOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxIndexingOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxIrregularOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxLossOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxNormalizationOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxRecurrentOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxReductionOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxTensorOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/onnx/OnnxWindowOps.cpp.inc"
      >();
}

Operation *OnnxDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  if (auto elements = dyn_cast<ElementsAttr>(value); elements && elements.getType() == type)
    return ConstantOp::create(builder, loc, elements);
  return nullptr;
}

//===----------------------------------------------------------------------===//
// #onnx.dim and #onnx.shape
//===----------------------------------------------------------------------===//

static FailureOr<DimExpr> parseDim(AsmParser &parser) {
  std::string text;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseString(&text))
    return failure();
  std::optional<DimExpr> dim = DimExpr::parse(parser.getContext(), text);
  if (!dim)
    return parser.emitError(loc, "expected a dim expression, found '") << text << "'";
  return *dim;
}

Attribute DimExprAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<DimExpr> dim = parseDim(parser);
  if (failed(dim) || parser.parseGreater())
    return {};
  return dim->getAttribute();
}

void DimExprAttr::print(AsmPrinter &printer) const {
  printer << "<\"" << DimExpr::fromAttribute(*this).str() << "\">";
}

Attribute ShapeAttr::parse(AsmParser &parser, Type) {
  SmallVector<Attribute> dims;
  auto parseOne = [&]() -> ParseResult {
    int64_t size;
    OptionalParseResult integer = parser.parseOptionalInteger(size);
    if (integer.has_value()) {
      if (failed(*integer))
        return failure();
      dims.push_back(DimExpr::constant(parser.getContext(), size).getAttribute());
      return success();
    }
    FailureOr<DimExpr> dim = parseDim(parser);
    if (failed(dim))
      return failure();
    dims.push_back(dim->getAttribute());
    return success();
  };
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne) ||
      parser.parseGreater())
    return {};
  return ShapeAttr::get(parser.getContext(), dims);
}

void ShapeAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getDims(), printer, [&](Attribute attribute) {
    DimExpr dim = DimExpr::fromAttribute(attribute);
    if (dim.isConstant())
      printer << *dim.getConstant();
    else
      printer << '"' << dim.str() << '"';
  });
  printer << "]>";
}

LogicalResult ShapeAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                        function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != getDims().size())
    return emitError() << *this << " has " << getDims().size() << " dims, the tensor has "
                       << shape.size();
  for (auto [size, attribute] : llvm::zip_equal(shape, getDims())) {
    std::optional<int64_t> constant = DimExpr::fromAttribute(attribute).getConstant();
    if (ShapedType::isDynamic(size) == constant.has_value() || (constant && *constant != size))
      return emitError() << *this << " does not fit the tensor's dims";
  }
  return success();
}
