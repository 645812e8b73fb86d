// What passes may ask an onnx op, so that they need not know its name.
#ifndef ONNXC_DIALECTS_ONNX_ONNXINTERFACES_TD
#define ONNXC_DIALECTS_ONNX_ONNXINTERFACES_TD

include "mlir/IR/OpBase.td"

def OnnxOpInterface : OpInterface<"OnnxOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = "Every op of the dialect: what drives the importer.";
  let methods = [
    StaticInterfaceMethod<"The ODS arguments in order, each with its kind",
      "::llvm::ArrayRef<::onnxc::onnx::ArgumentSpec>", "getArgumentSpecs">,
    StaticInterfaceMethod<"The operator of ONNX that the op is",
      "::onnxc::onnx::OperatorInfo", "getOperatorInfo">,
    InterfaceMethod<"Why the op as it stands cannot be compiled; empty when nothing is known",
      "::llvm::StringRef", "getUnsupported", (ins), "", "return {};">
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

def SizeRulesOpInterface : OpInterface<"SizeRulesOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = [{
    An op with sizes that must agree though its result types do not say so. The
    import refuses a node whose known sizes break a rule; where only the run knows
    them, the plan checks those that follow from the inputs, the body the others,
    before the op.
  }];
  let methods = [
    InterfaceMethod<"The sizes that must agree", "::llvm::SmallVector<::onnxc::onnx::SizeRule>",
      "getSizeRules">
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
           "::mlir::ValueRange":$args)>,
    InterfaceMethod<[{
      An operand of integers that divide, or null. No value stands for a quotient by 0:
      the call refuses such a divisor, and nothing is folded that has one.
    }], "::mlir::Value", "getIntegerDivisor", (ins), "", "return {};">
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

def AxisOpInterface : OpInterface<"AxisOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = [{
    An op that treats all dims alike but one, its axis. When the dims of its data
    operands change their order, those of its results change alike, and only the axis
    has to be told anew.
  }];
  let methods = [
    InterfaceMethod<[{
      The operands with the dims of the results. The order of dims means nothing to the
      other ones.
    }], "::llvm::SmallVector<unsigned>", "getDataOperands", (ins), "", "return {0};">,
    InterfaceMethod<"The axis from 0 on, or nothing when the dims have to stay as they are",
      "::std::optional<int64_t>", "getAxisDim", (ins), "", [{
        int64_t rank = ::llvm::cast<::mlir::ShapedType>($_op->getOperand(0).getType()).getRank();
        int64_t axis = $_op.getAxis();
        return axis < 0 ? axis + rank : axis;
      }]>,
    InterfaceMethod<"Moves the axis; types are the caller's to adapt", "void", "setAxisDim",
      (ins "int64_t":$dim), "", "$_op.setAxis(dim);">
  ];
}

def WeightedOpInterface : OpInterface<"WeightedOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = [{
    An op that multiplies operand 0 by weights, operand 1, and adds a bias, operand 2,
    which may be absent. Each element of the result belongs to one output channel, and
    a factor of that channel may as well stand in the weights and the bias.
  }];
  let methods = [
    InterfaceMethod<"Whether this holds for the op as it stands", "bool", "isLinearInWeights">,
    InterfaceMethod<"The dim of the result that counts output channels", "int64_t",
      "getOutputChannelDim", (ins), "", "return 1;">,
    InterfaceMethod<"Where the weights have output channels", "::onnxc::onnx::WeightChannels",
      "getWeightChannels">
  ];
}

def AffineOpInterface : OpInterface<"AffineOpInterface"> {
  let cppNamespace = "::onnxc::onnx";
  let description = [{
    result 0 = data * scale + offset, where data is an operand, and scale and offset
    follow from the other ones, the parameters.
  }];
  let methods = [
    InterfaceMethod<"The operands that can be the data; none when the op is not affine",
      "::llvm::SmallVector<unsigned>", "getAffineOperands">,
    InterfaceMethod<[{
      The dim of the data along which parameters run that are vectors; nothing when
      they broadcast to the data as usual.
    }], "::std::optional<int64_t>", "getParameterDim", (ins), "", "return ::std::nullopt;">,
    InterfaceMethod<[{
      Scale and offset from the parameters in the order of the operands. Null stands for
      a scale of 1 or an offset of 0. Parameters are all in one shape, or have one element.
    }], "::onnxc::onnx::ScaleAndOffset", "buildScaleAndOffset",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc,
           "::mlir::ValueRange":$parameters)>
  ];
}

#endif // ONNXC_DIALECTS_ONNX_ONNXINTERFACES_TD
