// Element-wise operators with numpy broadcasting. A plain op is one line: its
// mnemonic and the scalar op for floats, signed and unsigned integers.
#ifndef ONNXC_DIALECTS_ONNX_ONNXELEMENTWISEOPS_TD
#define ONNXC_DIALECTS_ONNX_ONNXELEMENTWISEOPS_TD

include "dialects/onnx/OnnxBase.td"

/// Element-wise: any number of operands, one result of the broadcast shape.
/// Subclasses say what the result's element type is and how to build the
/// scalar.
class Onnx_Elementwise<string mnemonic, list<Trait> traits = []>
    : Onnx_TypedOp<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<ScalarBodyOpInterface>], traits)>;

/// Result element type = operand element type.
class Onnx_SameTypeElementwise<string mnemonic, code body, list<Trait> traits = []>
    : Onnx_Elementwise<mnemonic, traits> {
  let extraClassDefinition = [{
    ::mlir::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties,
        ::mlir::RegionRange, ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      return ::onnxc::onnx::inferBroadcastTypes(location, operands,
          ::mlir::getElementTypeOrSelf(operands[0].getType()), results);
    }
    ::mlir::Value $cppClass::buildScalar(::mlir::OpBuilder &builder,
        ::mlir::Location loc, ::mlir::ValueRange args) {
      ::mlir::Type onnxType = ::mlir::getElementTypeOrSelf((*this)->getOperand(0).getType());
      (void)onnxType;
      }] # body # [{
    }
  }];
}

/// One scalar op per class of element type; an empty name means that ONNX does
/// not allow that class.
class Onnx_Map<string mnemonic, string floatOp, string signedOp = "", string unsignedOp = signedOp>
    : Onnx_SameTypeElementwise<mnemonic,
        "return ::onnxc::onnx::buildByType<" #
        !if(!empty(floatOp), "void", floatOp) # ", " #
        !if(!empty(signedOp), "void", signedOp) # ", " #
        !if(!empty(unsignedOp), "void", unsignedOp) # ">(builder, loc, onnxType, args);">;

class Onnx_Unary<string mnemonic, string floatOp, string signedOp = "", string unsignedOp = signedOp>
    : Onnx_Map<mnemonic, floatOp, signedOp, unsignedOp> {
  let arguments = (ins Onnx_NumericTensor:$X);
  let results = (outs Onnx_NumericTensor:$Y);
}

class Onnx_Binary<string mnemonic, string floatOp, string signedOp = "", string unsignedOp = signedOp>
    : Onnx_Map<mnemonic, floatOp, signedOp, unsignedOp> {
  let arguments = (ins Onnx_NumericTensor:$A, Onnx_NumericTensor:$B);
  let results = (outs Onnx_NumericTensor:$C);
}

def Onnx_AddOp : Onnx_Binary<"Add", "::mlir::arith::AddFOp", "::mlir::arith::AddIOp">;
def Onnx_SubOp : Onnx_Binary<"Sub", "::mlir::arith::SubFOp", "::mlir::arith::SubIOp">;
def Onnx_MulOp : Onnx_Binary<"Mul", "::mlir::arith::MulFOp", "::mlir::arith::MulIOp">;
def Onnx_ExpOp : Onnx_Unary<"Exp", "::mlir::math::ExpOp">;
def Onnx_SqrtOp : Onnx_Unary<"Sqrt", "::mlir::math::SqrtOp">;
def Onnx_TanhOp : Onnx_Unary<"Tanh", "::mlir::math::TanhOp">;

#endif // ONNXC_DIALECTS_ONNX_ONNXELEMENTWISEOPS_TD
