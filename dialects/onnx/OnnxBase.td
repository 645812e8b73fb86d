// The onnx dialect: type constraints and the base class of every op.
#ifndef ONNXC_DIALECTS_ONNX_ONNXBASE_TD
#define ONNXC_DIALECTS_ONNX_ONNXBASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/onnx/OnnxInterfaces.td"

def Onnx_Dialect : Dialect {
  let name = "onnx";
  let cppNamespace = "::onnxc::onnx";
  let summary = "The operators of ONNX, one canonical version each";
  let description = [{
    Operators keep their ONNX names, attributes and operand order, each at one
    canonical version; older versions are upgraded by the importer. Element
    types: signless integers are ONNX's signed ones, `ui8` to `ui64` the
    unsigned ones, `i1` is bool. Dynamic dims carry a symbolic expression, see
    `#onnx.shape`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasCanonicalizer = 1;
  let hasConstantMaterializer = 1;
  // Scalar formulas are built for folding too.
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Any value an ONNX edge can carry: a ranked tensor of any element type, a
/// sequence or an optional.
def Onnx_Value : Type<CPred<"true">, "ONNX value">;
def Onnx_Tensor : TensorOf<[AnyType]>;
def Onnx_FloatTensor : TensorOf<[AnyFloat]>;
def Onnx_NumericTensor : TensorOf<[AnyFloat, AnyInteger, AnyComplex]>;
def Onnx_IntTensor : TensorOf<[AnyInteger]>;
def Onnx_BoolTensor : TensorOf<[I1]>;
def Onnx_I64Tensor : TensorOf<[I64]>;

//===----------------------------------------------------------------------===//
// Op base
//===----------------------------------------------------------------------===//

/// An attribute that ONNX's operator does not have: passes set it, no model may.
class Onnx_InternalAttr<Attr attribute> : Attr<attribute.predicate, attribute.summary> {
  let storageType = attribute.storageType;
  let returnType = attribute.returnType;
  let convertFromStorage = attribute.convertFromStorage;
  let constBuilderCall = attribute.constBuilderCall;
  let defaultValue = attribute.defaultValue;
  let valueType = attribute.valueType;
  let isOptional = attribute.isOptional;
  let baseAttr = attribute;
}

/// Whether the data are [N, spatial..., C] instead of ONNX's [N, C, spatial...].
def Onnx_ChannelsLastAttr : Onnx_InternalAttr<UnitAttr>;

/// 'i' for an internal attribute, 'A' for one that a node must have, else 'a'.
class Onnx_AttributeKind<Attr attribute> {
  string kind = !cond(!isa<Onnx_InternalAttr>(attribute) : "i",
                      !or(attribute.isOptional, !initialized(attribute.defaultValue)) : "a",
                      true : "A");
}

/// The letter for an ODS argument in an op's argument table.
class Onnx_ArgumentKind<Constraint argument> {
  string kind = !cond(!isa<Variadic>(argument) : "v",
                      !isa<Optional>(argument) : "o",
                      !isa<TypeConstraint>(argument) : "r",
                      !isa<Attr>(argument) : Onnx_AttributeKind<!cast<Attr>(argument)>.kind,
                      true : "a");
}

/// Every ONNX op. `getArgumentSpecs()` lists the ODS arguments in order with
/// their kind, which is all that the importer needs to build any op from a
/// NodeProto: 'r' required operand, 'o' optional operand, 'v' variadic operand
/// (of one value at least), 'A' required attribute, 'a' other attribute, 'i' internal
/// one. ONNX outputs are always all results, in order; one that the node does not
/// name is simply unused. `getOperatorInfo()` says which operator of ONNX the op is.
class Onnx_Op<string mnemonic, list<Trait> traits = []>
    : Op<Onnx_Dialect, mnemonic,
         !listconcat([OnnxOpInterface], traits)> {
  string argumentTable = !interleave(
      !foreach(i, !range(!size(arguments)),
               "{\"" # !getdagname(arguments, i) # "\", '" #
               Onnx_ArgumentKind<!getdagarg<Constraint>(arguments, i)>.kind # "', \"" #
               !getdagarg<Constraint>(arguments, i).summary # "\"}, "), "");
  /// The operator's domain, as in a model ("" for ai.onnx).
  string operatorDomain = "";
  /// The versions of the domain that define the operator anew, from its first one on.
  /// None: the op is no operator of ONNX, and no model can name it.
  list<int> operatorVersions = [];
  /// What of the operator cannot be compiled, for the table of operators.
  string operatorLimits = "";
  /// Declarations that an op adds to those of its base class.
  code moreClassDeclaration = "";
  let extraClassDeclaration = [{
    static ::llvm::ArrayRef<::onnxc::onnx::ArgumentSpec> getArgumentSpecs() {
      static const ::onnxc::onnx::ArgumentSpec specs[] = {}] # argumentTable # [{ {"", 0, ""}};
      return ::llvm::ArrayRef(specs).drop_back();
    }
    static ::onnxc::onnx::OperatorInfo getOperatorInfo() {
      static const ::int64_t versions[] = {}] #
      !interleave(operatorVersions, ", ") # !if(!empty(operatorVersions), "0", ", 0") # [{};
      return {"}] # operatorDomain # [{", ::llvm::ArrayRef(versions).drop_back(), "}] #
      operatorLimits # [{"};
    }
    static bool isCompatibleReturnTypes(::mlir::TypeRange inferred, ::mlir::TypeRange actual) {
      return ::onnxc::onnx::areCompatibleTypes(inferred, actual);
    }
  }] # moreClassDeclaration;
  let assemblyFormat =
      "`(` operands `)` attr-dict `:` functional-type(operands, results)";
}

/// Says of an op since which versions its operator has which form; the last one is
/// the op's.
class Onnx_Since<list<int> versions> { list<int> operatorVersions = versions; }
/// Says of an op that its operator is of another domain than ai.onnx. Its mnemonic has
/// a prefix then, such as "ml.".
class Onnx_Domain<string domain> { string operatorDomain = domain; }
/// Says of an op what of its operator cannot be compiled, in half a sentence.
class Onnx_Limits<string limits> { string operatorLimits = limits; }

/// An op whose result types follow from operands and attributes. The rule is
/// `inferReturnTypes`, in Onnx<Kind>Ops.cpp; it is the only place that knows
/// them: importer, folds and rewrites all call it.
class Onnx_TypedOp<string mnemonic, list<Trait> traits = []>
    : Onnx_Op<mnemonic, !listconcat([Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>], traits)>;

/// The same for ops whose results may have sizes that only the run knows. Such a
/// result type carries a fresh symbol, which the op binds, so the op must stay
/// while the symbol may be used: it then has an effect.
class Onnx_RuleOp<string mnemonic, list<Trait> traits = []>
    : Onnx_Op<mnemonic, !listconcat(
          [InferTypeOpAdaptor, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>], traits)> {
  code effectDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::onnxc::onnx::getSymbolEffects(getOperation(), effects);
    }
  }];
  let extraClassDefinition = effectDefinition;
}

/// Each result element is an element of an operand. Folds on constants, and on
/// shapes, follow from where the elements come from.
class Onnx_MovementOp<string mnemonic, list<string> moreMethods = [], list<Trait> traits = []>
    : Onnx_RuleOp<mnemonic, !listconcat(
          [DeclareOpInterfaceMethods<MovementOpInterface, moreMethods>], traits)> {
  let hasFolder = 1;
  let extraClassDefinition = effectDefinition # [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      return ::onnxc::onnx::foldMovement(getOperation(), adaptor.getOperands());
    }
  }];
}

#endif // ONNXC_DIALECTS_ONNX_ONNXBASE_TD
