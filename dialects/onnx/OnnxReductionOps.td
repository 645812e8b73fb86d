// Reductions over some dims, and scans along one.
#ifndef ONNXC_DIALECTS_ONNX_ONNXREDUCTIONOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXREDUCTIONOPS_TD

include "dialects/onnx/OnnxBase.td"

/// One line per reduction, as formulas over Scalars: what an element `x`
/// contributes, how a `result` and the next term `x` combine, from what `like`
/// one starts, and what becomes of the combined terms.
class Onnx_Reduce<string mnemonic, string neutral, string term, string combine,
                  string finish = "x", string shapeFormula = "">
    : Onnx_RuleOp<mnemonic, !listconcat([DeclareOpInterfaceMethods<ReductionOpInterface>],
          !if(!empty(shapeFormula), [], [DeclareOpInterfaceMethods<ShapeValueOpInterface>]))> {
  let arguments = (ins Onnx_NumericTensor:$data, Optional<Onnx_I64Tensor>:$axes,
                       DefaultValuedAttr<I64Attr, "1">:$keepdims,
                       DefaultValuedAttr<I64Attr, "0">:$noop_with_empty_axes);
  let results = (outs Onnx_NumericTensor:$reduced);
  let extraClassDefinition = effectDefinition # [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location> location, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      return ::onnxc::onnx::inferReduction(location, adaptor.getData(), adaptor.getAxes(),
          adaptor.getKeepdims() != 0, adaptor.getNoopWithEmptyAxes() != 0, results);
    }
    ::std::optional<::llvm::SmallBitVector> $cppClass::getReducedDims() {
      return ::onnxc::onnx::findReducedDims(getData(), getAxes(), getNoopWithEmptyAxes() != 0);
    }
    bool $cppClass::keepsDims() { return getKeepdims() != 0; }
    ::onnxc::onnx::Scalar $cppClass::buildNeutral(::onnxc::onnx::Scalar like) {
      return }] # neutral # [{;
    }
    ::onnxc::onnx::Scalar $cppClass::buildTerm(::onnxc::onnx::Scalar x) {
      return }] # term # [{;
    }
    ::onnxc::onnx::Scalar $cppClass::buildCombine(::onnxc::onnx::Scalar result,
                                                  ::onnxc::onnx::Scalar x) {
      return }] # combine # [{;
    }
    ::onnxc::onnx::Scalar $cppClass::buildFinish(
        ::onnxc::onnx::Scalar x, ::llvm::function_ref<::onnxc::onnx::Scalar()> count) {
      return }] # finish # [{;
    }
  }] # !if(!empty(shapeFormula), "", [{
    ::std::optional<::onnxc::onnx::ShapeValue> $cppClass::inferShapeValue(
        ::llvm::ArrayRef<::std::optional<::onnxc::onnx::ShapeValue>> operands) {
      return ::onnxc::onnx::reduceShapeValue(operands, getReducedDims(),
          [](::onnxc::onnx::DimExpr a, ::onnxc::onnx::DimExpr b) { return }] # shapeFormula # [{; });
    }
  }]);
}

def Onnx_ReduceSumOp : Onnx_Reduce<"ReduceSum", "like.constant(0)", "x", "result + x", "x", "a + b">,
    Onnx_Since<[1, 11, 13]>;
def Onnx_ReduceMeanOp : Onnx_Reduce<"ReduceMean", "like.constant(0)", "x", "result + x",
                                    "x / count()">, Onnx_Since<[1, 11, 13, 18]>;
def Onnx_ReduceMaxOp : Onnx_Reduce<"ReduceMax", "like.lowest()", "x", "max(result, x)", "x",
                                   "a.max(b)">, Onnx_Since<[1, 11, 12, 13, 18, 20]>;
def Onnx_ReduceMinOp : Onnx_Reduce<"ReduceMin", "like.highest()", "x", "min(result, x)", "x",
                                   "a.min(b)">, Onnx_Since<[1, 11, 12, 13, 18, 20]>;
def Onnx_ReduceProdOp : Onnx_Reduce<"ReduceProd", "like.constant(1)", "x", "result * x", "x",
                                    "a * b">, Onnx_Since<[1, 11, 13, 18]>;
def Onnx_ReduceL1Op : Onnx_Reduce<"ReduceL1", "like.constant(0)", "abs(x)", "result + x">,
    Onnx_Since<[1, 11, 13, 18]>;
def Onnx_ReduceL2Op : Onnx_Reduce<"ReduceL2", "like.constant(0)", "x * x", "result + x",
                                  "::onnxc::onnx::squareRoot(x)">, Onnx_Since<[1, 11, 13, 18]>;
def Onnx_ReduceSumSquareOp : Onnx_Reduce<"ReduceSumSquare", "like.constant(0)", "x * x",
                                         "result + x">, Onnx_Since<[1, 11, 13, 18]>;
def Onnx_ReduceLogSumOp : Onnx_Reduce<"ReduceLogSum", "like.constant(0)", "x", "result + x",
                                      "::onnxc::onnx::logarithm(x)">,
    Onnx_Since<[1, 11, 13, 18, 28]>;

/// log(sum(exp(x))). Not a plain reduction: the maximum is taken out first.
def Onnx_ReduceLogSumExpOp : Onnx_RuleOp<"ReduceLogSumExp">, Onnx_Since<[1, 11, 13, 18, 28]> {
  let arguments = (ins Onnx_NumericTensor:$data, Optional<Onnx_I64Tensor>:$axes,
                       DefaultValuedAttr<I64Attr, "1">:$keepdims,
                       DefaultValuedAttr<I64Attr, "0">:$noop_with_empty_axes);
  let results = (outs Onnx_NumericTensor:$reduced);
  let moreClassDeclaration = [{
    /// The reduced dims, or nothing when only the run knows them.
    ::std::optional<::llvm::SmallBitVector> getReducedDims();
  }];
}

class Onnx_ArgReduce<string mnemonic> : Onnx_TypedOp<mnemonic> {
  let arguments = (ins Onnx_NumericTensor:$data, DefaultValuedAttr<I64Attr, "0">:$axis,
                       DefaultValuedAttr<I64Attr, "1">:$keepdims,
                       DefaultValuedAttr<I64Attr, "0">:$select_last_index);
  let results = (outs Onnx_I64Tensor:$reduced);
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      Adaptor adaptor(operands, attributes, properties, regions);
      return ::onnxc::onnx::inferArgReduction(location, operands[0], adaptor.getAxis(),
                                              adaptor.getKeepdims() != 0, results);
    }
  }];
}

def Onnx_ArgMaxOp : Onnx_ArgReduce<"ArgMax">, Onnx_Since<[1, 11, 12, 13]>;
def Onnx_ArgMinOp : Onnx_ArgReduce<"ArgMin">, Onnx_Since<[1, 11, 12, 13]>;

class Onnx_Cumulative<string mnemonic> : Onnx_TypedOp<mnemonic> {
  let arguments = (ins Onnx_NumericTensor:$x, Onnx_IntTensor:$axis,
                       DefaultValuedAttr<I64Attr, "0">:$exclusive,
                       DefaultValuedAttr<I64Attr, "0">:$reverse);
  let results = (outs Onnx_NumericTensor:$y);
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties,
        ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      return inferCumulative(location, operands[0], operands[1], results);
    }
  }];
}

def Onnx_CumSumOp : Onnx_Cumulative<"CumSum">, Onnx_Since<[11, 14]>;
def Onnx_CumProdOp : Onnx_Cumulative<"CumProd">, Onnx_Since<[26]>;

#endif // ONNXC_DIALECTS_ONNX_ONNXREDUCTIONOPS_TD
