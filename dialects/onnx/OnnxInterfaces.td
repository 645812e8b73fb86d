// What passes may ask an onnx op, so that they need not know its name.
#ifndef ONNXC_DIALECTS_ONNX_ONNXINTERFACES_TD
#define ONNXC_DIALECTS_ONNX_ONNXINTERFACES_TD

include "mlir/IR/OpBase.td"

def OnnxOpInterface : OpInterface<"OnnxOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = "Every op of the dialect: the argument table that drives the importer.";
  let methods = [
    StaticInterfaceMethod<"The ODS arguments in order, each with its kind",
      "::llvm::ArrayRef<::onnxc::onnx::ArgumentSpec>", "getArgumentSpecs">
  ];
}

def ImageOpInterface : OpInterface<"ImageOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = [{
    An op on [N, C, spatial...] images that can also work on [N, spatial..., C],
    which its `channels_last` attribute says. Operand 0 and all results are images.
  }];
  let methods = [
    InterfaceMethod<"Whether images are [N, spatial..., C]", "bool", "isChannelsLast", (ins),
                    "", "return $_op.getChannelsLast();">,
    InterfaceMethod<"Switches to [N, spatial..., C]; operands and types are the caller's to adapt",
                    "void", "switchToChannelsLast", (ins), "", "$_op.setChannelsLast(true);">,
    InterfaceMethod<"Whether the op as it stands can work on [N, spatial..., C]", "bool",
                    "allowsChannelsLast", (ins), "", "return true;">,
    InterfaceMethod<"Whether the op is worth transposes around it", "bool",
                    "prefersChannelsLast", (ins), "", "return false;">
  ];
}

def ScalarBodyOpInterface : OpInterface<"ScalarBodyOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = [{
    An element-wise op with numpy broadcasting. One pattern lowers all of them
    to a `linalg.generic` around the scalar body.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds the op on scalars. `args` are signless scalars of the operands'
      element types; f16 and bf16 arrive as f32. The ONNX element types (signed
      or unsigned) are those of the op's operands. Returns the result scalar in the
      computation type of the result's element type.
    }], "::mlir::Value", "buildScalar",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$args)>
  ];
}

def ReductionOpInterface : OpInterface<"ReductionOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = [{
    finish(combine(... combine(neutral, term(x1)) ..., term(xn))) over some dims of
    operand 0. Operand 1, when present, names the dims.
  }];
  let methods = [
    InterfaceMethod<"The reduced dims, or nothing when only the run knows them",
      "::std::optional<::llvm::SmallBitVector>", "getReducedDims">,
    InterfaceMethod<"Whether reduced dims stay, with size 1", "bool", "keepsDims">,
    InterfaceMethod<"The result for no elements, of `like`'s type", "::onnxc::onnx::Scalar",
      "buildNeutral", (ins "::onnxc::onnx::Scalar":$like)>,
    InterfaceMethod<"What an element contributes", "::onnxc::onnx::Scalar", "buildTerm",
      (ins "::onnxc::onnx::Scalar":$x)>,
    InterfaceMethod<"Two partial results as one", "::onnxc::onnx::Scalar", "buildCombine",
      (ins "::onnxc::onnx::Scalar":$result, "::onnxc::onnx::Scalar":$x)>,
    InterfaceMethod<[{
      The result from the combined terms, `count` of them. `count` makes their
      number in the result's type where it is needed.
    }], "::onnxc::onnx::Scalar", "buildFinish",
      (ins "::onnxc::onnx::Scalar":$x,
           "::llvm::function_ref<::onnxc::onnx::Scalar()>":$count)>
  ];
}

def SignalWindowOpInterface : OpInterface<"SignalWindowOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = "A window that is a short sum of cosines; operand 0 is its length.";
  let methods = [
    InterfaceMethod<"The factors of 1, -cos(t) and cos(2 t)", "::llvm::SmallVector<double>",
      "getCoefficients">,
    InterfaceMethod<"Whether t goes to just before 2 pi", "bool", "isPeriodic">
  ];
}

def ShapeValueOpInterface : OpInterface<"ShapeValueOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = [{
    An op that can compute on shapes: its result's elements as dim expressions
    when the operands' elements are known as dim expressions.
  }];
  let methods = [
    InterfaceMethod<[{
      `operands[i]` holds the elements of operand i (row-major), or nothing
      where they are not known. Returns the elements of result 0, or nothing.
    }], "::std::optional<::onnxc::onnx::ShapeValue>", "inferShapeValue",
      (ins "::llvm::ArrayRef<::std::optional<::onnxc::onnx::ShapeValue>>":$operands)>
  ];
}

def MovementOpInterface : OpInterface<"MovementOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = "An op each of whose result elements is an element of an operand.";
  let methods = [
    InterfaceMethod<[{
      Where each element of a result comes from, in row-major order; nothing when
      that is not known now. Asked only when the result's shape is static and
      small.
    }], "::std::optional<::onnxc::onnx::ElementSources>", "getElementSources",
      (ins "unsigned":$result)>,
    InterfaceMethod<"The operand that the result is always equal to, or nothing",
      "::mlir::Value", "getUnchanged", (ins), "", "return {};">
  ];
}

#endif // ONNXC_DIALECTS_ONNX_ONNXINTERFACES_TD
