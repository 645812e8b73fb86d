//===- RtDialect.cpp - The rt dialect -------------------------------------===//
#include "dialects/rt/RtDialect.h"
#include "dialects/onnx/OnnxDialect.h"
#include "dialects/rt/RtAttention.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace onnxc::rt;

#include "dialects/rt/RtDialect.cpp.inc"
#include "dialects/rt/RtEnums.cpp.inc"
#include "dialects/rt/RtInterfaces.cpp.inc"

//===----------------------------------------------------------------------===//
// Facts about CPUs, as a parameter: [fma, rounding]
//===----------------------------------------------------------------------===//

namespace onnxc {
static AsmPrinter &operator<<(AsmPrinter &printer, CpuFacts facts) {
  printer << '[';
  StringRef separator = "";
  for (const CpuFactName &row : cpuFactNames)
    if (facts.has(row.fact)) {
      printer << separator << row.name;
      separator = ", ";
    }
  return printer << ']';
}
} // namespace onnxc

template <> struct mlir::FieldParser<onnxc::CpuFacts> {
  static FailureOr<onnxc::CpuFacts> parse(AsmParser &parser) {
    onnxc::CpuFacts facts;
    auto parseFact = [&]() -> ParseResult {
      SMLoc loc = parser.getCurrentLocation();
      StringRef name;
      if (parser.parseKeyword(&name))
        return failure();
      const auto *row = llvm::find_if(
          onnxc::cpuFactNames, [&](const onnxc::CpuFactName &row) { return name == row.name; });
      if (row == std::end(onnxc::cpuFactNames))
        return parser.emitError(loc) << "'" << name << "' is no fact about CPUs";
      facts.set(row->fact);
      return success();
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseFact))
      return failure();
    return facts;
  }
};

#define GET_ATTRDEF_CLASSES
#include "dialects/rt/RtAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/rt/RtOps.cpp.inc"

namespace {
/// Kernels print what they are made for as `#cpu`.
struct RtAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (!isa<CpuAttr>(attribute))
      return AliasResult::NoAlias;
    os << "cpu";
    return AliasResult::FinalAlias;
  }
};
} // namespace

void RtDialect::initialize() {
  addInterfaces<RtAliases>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/rt/RtAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/rt/RtAttention.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/rt/RtOps.cpp.inc"
      >();
  // By the folder of the device, which knows more than this dialect.
  declarePromisedInterface<TargetAttr, CpuAttr>();
  declarePromisedInterface<AttentionTargetAttr, CpuAttr>();
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  auto inner = getSource().getDefiningOp<ReshapeOp>();
  if (!inner)
    return {};
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

//===----------------------------------------------------------------------===//
// append
//===----------------------------------------------------------------------===//

LogicalResult AppendOp::verify() {
  auto row = cast<RankedTensorType>(getRow().getType());
  auto dest = cast<RankedTensorType>(getDest().getType());
  if (dest.getRank() != row.getRank() + 1 || row.getElementType() != dest.getElementType())
    return emitOpError("expects a row of the rank below that of ") << dest << ", found " << row;
  if (!dest.isDynamicDim(0))
    return emitOpError("expects a destination with a dynamic first dim, found ") << dest;
  return success();
}

//===----------------------------------------------------------------------===//
// launch
//===----------------------------------------------------------------------===//

LogicalResult LaunchOp::verify() {
  bool onTensors = llvm::all_of(getInits().getTypes(), llvm::IsaPred<RankedTensorType>);
  bool onMemory = llvm::none_of(getInits().getTypes(), llvm::IsaPred<TensorType>);
  if (onTensors && !getInits().empty() && !getCallContext()) {
    if (getInits().getTypes() != getResultTypes())
      return emitOpError("expects one result of the type of each of its ")
             << getInits().size() << " inits, found " << getNumResults() << " results";
    return success();
  }
  if (!onMemory || getNumResults() != 0 || !getCallContext())
    return emitOpError("expects tensors as inits and results, or pointers as inits with a "
                       "context and no results");
  return success();
}

/// On tensors it computes values; on pointers it writes memory.
void LaunchOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (!getCallContext())
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

Speculation::Speculatability LaunchOp::getSpeculatability() {
  return getCallContext() ? Speculation::NotSpeculatable : Speculation::Speculatable;
}

//===----------------------------------------------------------------------===//
// The target
//===----------------------------------------------------------------------===//

int64_t onnxc::rt::getStorageBits(Type elementType) {
  if (auto complex = dyn_cast<ComplexType>(elementType))
    return 2 * getStorageBits(complex.getElementType());
  if (elementType.isIndex())
    return 64;
  if (!elementType.isIntOrFloat())
    return 128;
  unsigned bits = elementType.getIntOrFloatBitWidth();
  return bits == 2 || bits == 4 ? bits : llvm::alignTo(bits, 8);
}

bool onnxc::rt::sharesBytes(Type elementType) { return getStorageBits(elementType) < 8; }

int64_t onnxc::rt::getStorageBytes(Type elementType, int64_t count) {
  int64_t bits = getStorageBits(elementType);
  return bits < 8 ? llvm::divideCeil(count * bits, 8) : count * (bits / 8);
}

void onnxc::rt::setTargets(ModuleOp module, TargetAttr target, TargetAttr host) {
  module->setAttr(attributes::target, target);
  module->setAttr(attributes::hostTarget, host);
}

TargetAttr onnxc::rt::getHostTarget(ModuleOp module) {
  if (auto host = module->getAttrOfType<TargetAttr>(attributes::hostTarget))
    return host;
  return getTarget(module);
}

TargetAttr onnxc::rt::getTarget(ModuleOp module) {
  if (auto target = module->getAttrOfType<TargetAttr>(attributes::target))
    return target;
  return cast<TargetAttr>(CpuAttr::getPlain(module.getContext()));
}

namespace {
/// What a discardable attribute of the dialect holds.
struct AttributeKind {
  StringLiteral name, kind;
  bool (*holds)(Attribute);
};
} // namespace

static bool isTextArray(Attribute attribute) {
  auto array = dyn_cast<ArrayAttr>(attribute);
  return array && llvm::all_of(array, llvm::IsaPred<StringAttr>);
}
static bool isBytes(Attribute attribute) {
  auto integer = dyn_cast<IntegerAttr>(attribute);
  return integer && integer.getType().isInteger(64);
}

LogicalResult RtDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  static constexpr AttributeKind kinds[] = {
      {attributes::hostTarget, "a target", [](Attribute a) { return isa<TargetAttr>(a); }},
      {attributes::liveBytes, "a 64-bit integer", isBytes},
      {attributes::resultDims, "an array", [](Attribute a) { return isa<ArrayAttr>(a); }},
      {attributes::rows, "an array of bools",
       [](Attribute a) { return isa<DenseBoolArrayAttr>(a); }},
      {attributes::strategy, "a strategy", [](Attribute a) { return isa<StrategyAttr>(a); }},
      {attributes::symbols, "an array of strings", isTextArray},
      {attributes::target, "a target", [](Attribute a) { return isa<TargetAttr>(a); }},
      {attributes::weightOffsets, "an array of 64-bit integers",
       [](Attribute a) { return isa<DenseI64ArrayAttr>(a); }},
      {attributes::weights, "an array", [](Attribute a) { return isa<ArrayAttr>(a); }},
      {attributes::weightsBytes, "a 64-bit integer", isBytes},
      {attributes::workspaceBytes, "a 64-bit integer", isBytes},
  };
  for (const AttributeKind &kind : kinds)
    if (attribute.getName() == kind.name)
      return kind.holds(attribute.getValue()) ? success()
                                              : op->emitError("'")
                                                    << kind.name << "' must be " << kind.kind
                                                    << ", found " << attribute.getValue();
  return op->emitError("the rt dialect has no attribute '")
         << attribute.getName().getValue() << "'";
}

//===----------------------------------------------------------------------===//
// Verifiers of attributes
//===----------------------------------------------------------------------===//

using EmitError = function_ref<InFlightDiagnostic()>;

/// A parameter and the least value that it may have.
namespace {
struct AtLeast {
  StringLiteral name;
  int64_t value;
  int64_t least = 1;
};
} // namespace

static LogicalResult verifyAll(EmitError emitError, ArrayRef<AtLeast> parameters) {
  for (const AtLeast &parameter : parameters)
    if (parameter.value < parameter.least)
      return emitError() << "'" << parameter.name << "' must be at least " << parameter.least
                         << ", found " << parameter.value;
  return success();
}

CpuAttr CpuAttr::getPlain(MLIRContext *context) {
  return get(context, /*vectorBits=*/128, /*vectorRegisters=*/16, /*l1Bytes=*/32 * 1024, {});
}

LogicalResult CpuAttr::verify(EmitError emitError, unsigned vectorBits, unsigned vectorRegisters,
                              int64_t l1Bytes, CpuFacts) {
  return verifyAll(
      emitError,
      {{"vectorBits", vectorBits, 8}, {"vectorRegisters", vectorRegisters}, {"l1Bytes", l1Bytes}});
}

unsigned NestAttr::getNumLoops() const {
  return getLoops().empty() ? 0 : 1 + *llvm::max_element(getLoops());
}

LogicalResult NestAttr::verify(EmitError emitError, ArrayRef<unsigned> loops,
                               std::optional<unsigned> vector, unsigned lanes) {
  if (failed(verifyAll(emitError, {{"lanes", lanes}})))
    return failure();
  unsigned count = loops.empty() ? 0 : 1 + *llvm::max_element(loops);
  for (unsigned loop = 0; loop < count; ++loop) {
    auto first = llvm::find(loops, loop);
    auto last = llvm::find_if(llvm::reverse(loops), [&](unsigned l) { return l == loop; });
    if (first == loops.end() ||
        !std::all_of(first, last.base(), [&](unsigned l) { return l == loop; }))
      return emitError() << "'loops' must number the loops of the nest from 0 without a gap, "
                            "each for neighbours, found ["
                         << loops << "]";
  }
  if (vector && *vector >= count)
    return emitError() << "'vector' must be one of the nest's " << count << " loops, found "
                       << *vector;
  if (!vector && lanes != 1)
    return emitError() << "without 'vector' there is one lane, found " << lanes;
  return success();
}

LogicalResult LoopsAttr::verify(EmitError emitError, unsigned rows, bool splitVector,
                                int64_t elementsPerTask, ArrayRef<NestAttr> nests) {
  if (failed(verifyAll(emitError, {{"elementsPerTask", elementsPerTask}})))
    return failure();
  for (NestAttr nest : nests) {
    if (nest.getNumLoops() < rows)
      return emitError() << "the nests share " << rows << " rows, found one of "
                         << nest.getNumLoops() << " loops";
    if (nest.getVector() && *nest.getVector() < rows)
      return emitError() << "rows are not vectorised, expected a 'vector' behind the " << rows
                         << " rows, found " << *nest.getVector();
  }
  if (splitVector && (rows != 0 || nests.size() != 1 || !nests.front().getVector()))
    return emitError() << "'splitVector' is for one nest with a 'vector' and no rows";
  return success();
}

LogicalResult ConcatAttr::verify(EmitError emitError, int64_t bytesPerTask) {
  return verifyAll(emitError, {{"bytesPerTask", bytesPerTask}});
}

LogicalResult GemmAttr::verify(EmitError emitError, int64_t mr, int64_t nv, int64_t lanes,
                               int64_t kc, int64_t tilesPerTask, int64_t workPerTask,
                               int64_t readRows, PanelSource panels, bool packRows, Product product,
                               int64_t chains) {
  if (failed(verifyAll(emitError, {{"mr", mr},
                                   {"nv", nv},
                                   {"lanes", lanes},
                                   {"kc", kc, 0},
                                   {"tilesPerTask", tilesPerTask},
                                   {"workPerTask", workPerTask},
                                   {"readRows", readRows},
                                   {"chains", chains}})))
    return failure();
  if (packRows && kc == 0)
    return emitError() << "'packRows' copies depth blocks and needs a 'kc' above 0";
  if (panels == PanelSource::Columns && (mr != 1 || nv != 1))
    return emitError() << "panels = columns visits single rows and vectors, expected mr = 1 and "
                          "nv = 1, found mr = "
                       << mr << " and nv = " << nv;
  int64_t step = getDepthStep(product);
  if (step > 1 && panels != PanelSource::Packed && panels != PanelSource::PerTask)
    return emitError() << "'product' takes " << step
                       << " steps of the depth from packed panels, expected panels = packed or "
                          "per_task";
  if (kc % step != 0)
    return emitError() << "'kc' must be whole steps of " << step << ", found " << kc;
  return success();
}

unsigned onnxc::rt::getDepthStep(Product product) {
  switch (product) {
  case Product::MultiplyAdd: return 1;
  case Product::PairDots: return 2;
  case Product::MixedDots:
  case Product::AlikeDots: return 4;
  }
  llvm_unreachable("a product has a step");
}

std::optional<PanelLayout> GemmAttr::getPanelLayout() const {
  if (getPanels() != PanelSource::Packed)
    return std::nullopt;
  return PanelLayout{getNr(), getDepthStep(getProduct())};
}

std::optional<PanelLayout> ConvAttr::getPanelLayout() const {
  return PanelLayout{getNr(), getDepthStep(getProduct()), getJoinTaps()};
}

LogicalResult ConvAttr::verify(EmitError emitError, int64_t tileRows, int64_t tileColumns,
                               int64_t nv, int64_t lanes, int64_t workPerTask, bool, Product) {
  return verifyAll(emitError, {{"tileRows", tileRows},
                               {"tileColumns", tileColumns},
                               {"nv", nv},
                               {"lanes", lanes},
                               {"workPerTask", workPerTask}});
}

LogicalResult DepthwiseAttr::verify(EmitError emitError, int64_t tileRows, int64_t tileColumns,
                                    int64_t lanes, bool, int64_t channelBlock,
                                    int64_t workPerTask) {
  if (failed(verifyAll(emitError, {{"tileRows", tileRows},
                                   {"tileColumns", tileColumns},
                                   {"lanes", lanes},
                                   {"channelBlock", channelBlock, 0},
                                   {"workPerTask", workPerTask}})))
    return failure();
  if (channelBlock % lanes != 0)
    return emitError() << "'channelBlock' must be whole vectors of " << lanes << " lanes, found "
                       << channelBlock;
  return success();
}
