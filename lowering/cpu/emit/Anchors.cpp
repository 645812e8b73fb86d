//===- Anchors.cpp - Kernels around a contraction or convolution -----------===//
//
// Turns the linalg ops of such a kernel into the problem that an emitter solves:
// buffers and sizes from the anchor's indexing maps, the epilogue from the
// element-wise op behind it.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/emit/BodyEmitter.h"
#include "lowering/cpu/emit/Conv.h"
#include "lowering/cpu/emit/Depthwise.h"
#include "lowering/cpu/emit/Gemm.h"
#include "lowering/support/Contractions.h"
#include "lowering/support/GenericBodies.h"
#include "lowering/support/TensorSizes.h"

using namespace mlir;

namespace onnxc::emit {
namespace {

/// Cost of a math function in an epilogue, in operations on a vector.
constexpr unsigned mathCost = 20;

/// The anchor and what follows it.
class Anchor {
public:
  Anchor(KernelContext &context, ArrayRef<linalg::GenericOp> ops, const Factor &factor)
      : context(context), builder(context.builder), op(ops.front()), factor(factor) {
    llvm::append_range(epilogues, ops.drop_front());
    loc = op.getLoc();
    maps = op.getIndexingMapsArray();
  }

  /// To be called in each function, where buffers and sizes are other values.
  void bind() {
    sizes = context.map(*getLoopSizes(op));
    accesses.clear();
    packed = Buffer();
    for (auto [i, input] : llvm::enumerate(op.getDpsInputs())) {
      if (auto view = input.getDefiningOp<rt::PackedOp>()) {
        packed = *context.lookup(view.getSource());
        accesses.push_back(Access());
        continue;
      }
      accesses.push_back(makeAccess(builder, loc, *context.lookup(input), maps[i]));
    }
    unsigned last = context.results().size() - 1;
    accesses.push_back(makeAccess(builder, loc, context.resultBuffer(last), maps.back()));
    epilogueAccesses.clear();
    for (linalg::GenericOp epilogue : epilogues)
      for (OpOperand *input : epilogue.getDpsInputOperands()) {
        const Buffer *buffer = isMember(input->get()) ? nullptr : context.lookup(input->get());
        epilogueAccesses[input] =
            buffer ? makeAccess(builder, loc, *buffer, epilogue.getMatchingIndexingMap(input))
                   : Access();
      }
  }

  /// Whether the kernel computes it.
  static bool isMember(Value value) {
    return static_cast<bool>(value.getDefiningOp<linalg::GenericOp>());
  }

  /// Emits an error where an op behind the anchor is none that follows it tile by tile, or
  /// the last result is not that of the last op.
  LogicalResult checkEpilogues() {
    for (linalg::GenericOp epilogue : epilogues)
      if (!isEpilogue(epilogue, [&](Value value) { return isMember(value); }))
        return context.expected("element-wise ops behind its anchor");
    linalg::GenericOp last = epilogues.empty() ? op : epilogues.back();
    if (context.results().empty() || context.results().back() != last.getResult(0))
      return context.expected("the result of the last op as the last one");
    return success();
  }

  OpFoldResult size(std::optional<unsigned> loop) {
    return loop ? sizes[*loop] : OpFoldResult(getIndex(builder, 1));
  }

  /// An operand seen through these loops; a loop that is missing has size 1, one
  /// that the operand does not depend on has stride 0.
  Buffer view(unsigned operand, ArrayRef<std::optional<unsigned>> loops) {
    const Access &access = accesses[operand];
    Buffer buffer;
    buffer.elementType = access.elementType;
    buffer.pointer = offsetPointer(builder, loc, access.pointer, access.elementType, access.offset);
    for (std::optional<unsigned> loop : loops) {
      buffer.sizes.push_back(size(loop));
      buffer.strides.push_back(loop ? access.coefficients[*loop]
                                    : OpFoldResult(getIndex(builder, 0)));
    }
    return buffer;
  }

  unsigned resultOperand() { return op.getNumDpsInputs(); }

  /// The packed factor, computed from elements in memory: `coordinates[i]` belongs to
  /// `loops[i]`, the last of which the lanes run along. Null where the elements are it.
  Prologue makePrologue(ArrayRef<std::optional<unsigned>> loops) {
    if (!factor.prologue)
      return nullptr;
    return [this, loops = llvm::to_vector(loops)](OpBuilder &emitter, Value elements,
                                                  ArrayRef<OpFoldResult> coordinates, Value mask) {
      OpBuilder::InsertionGuard guard(builder);
      builder.restoreInsertionPoint(emitter.saveInsertionPoint());
      LoopPoint point = makePoint(elements, mask);
      point.ivs.assign(op.getNumLoops(), getIndex(builder, 0));
      for (auto [loop, coordinate] : llvm::zip_equal(loops, coordinates))
        if (loop)
          point.ivs[*loop] = coordinate;
      if (point.lanes > 1)
        point.vectorLoop = *loops.back();
      BodyEmitter body(context, op, point);
      for (unsigned i = 0; i < op.getNumDpsInputs(); ++i) {
        if (i == factor.operand)
          body.setArgument(i, elements);
        else if (accesses[i].pointer)
          body.loadArgument(i, accesses[i]);
      }
      return body.emit(factor.prologue);
    };
  }

  /// With the lanes of a value, and no place yet.
  static LoopPoint makePoint(Value value, Value mask) {
    LoopPoint point;
    auto type = dyn_cast<VectorType>(value.getType());
    point.lanes = type ? type.getNumElements() : 1;
    point.mask = mask;
    return point;
  }

  /// `coordinates[i]` belongs to `loops[i]` of the anchor.
  Value finish(OpBuilder &emitter, Value accumulator, ArrayRef<OpFoldResult> coordinates,
               ArrayRef<std::optional<unsigned>> loops, Value mask) {
    OpBuilder::InsertionGuard guard(builder);
    builder.restoreInsertionPoint(emitter.saveInsertionPoint());
    LoopPoint point = makePoint(accumulator, mask);
    AffineMap result = maps.back();
    for (AffineExpr expr : result.getResults()) {
      unsigned loop = cast<AffineDimExpr>(expr).getPosition();
      unsigned at = llvm::find(loops, std::optional<unsigned>(loop)) - loops.begin();
      point.ivs.push_back(coordinates[at]);
    }
    if (point.lanes > 1)
      point.vectorLoop = result.getNumResults() - 1;
    llvm::DenseMap<Value, Value> computed;
    computed[op.getResult(0)] = accumulator;
    for (linalg::GenericOp epilogue : epilogues) {
      BodyEmitter body(context, epilogue, point);
      for (OpOperand *input : epilogue.getDpsInputOperands()) {
        unsigned number = input->getOperandNumber();
        if (Value member = computed.lookup(input->get()))
          body.setArgument(number, member);
        else if (const Access &access = epilogueAccesses.find(input)->second; access.pointer)
          body.loadArgument(number, access);
        else
          body.setArgument(number, context.mapScalar(input->get()));
      }
      computed[epilogue.getResult(0)] = body.emit().front();
    }
    // All but the last, which the tile's emitter stores.
    for (auto [i, value] : llvm::enumerate(context.results().drop_back()))
      storeResult(context.resultBuffer(i), computed.lookup(value), point);
    return computed.lookup(context.results().back());
  }

  void storeResult(const Buffer &buffer, Value value, const LoopPoint &point) {
    if (point.mask)
      maskedStore(builder, loc, value, buffer, point.ivs, point.mask);
    else
      store(builder, loc, value, buffer, point.ivs);
  }

  unsigned epilogueCost() {
    unsigned cost = 0;
    for (linalg::GenericOp epilogue : epilogues)
      for (Operation &body : epilogue.getBody()->without_terminator())
        cost += isa<math::MathDialect>(body.getDialect()) ? mathCost : 1;
    return cost;
  }

  KernelContext &context;
  OpBuilder &builder;
  Location loc = UnknownLoc::get(context.kernel.getContext());
  linalg::GenericOp op;
  SmallVector<linalg::GenericOp> epilogues; ///< each on results of those before it
  SmallVector<AffineMap> maps;
  SmallVector<OpFoldResult> sizes;
  SmallVector<Access> accesses;
  llvm::DenseMap<OpOperand *, Access> epilogueAccesses;
  Buffer packed; ///< the operand that was packed beforehand
  Factor factor; ///< the one that may be packed and have a prologue
};

using Loops = SmallVector<std::optional<unsigned>>;

/// Builds the two functions of the kernel from an emitter's entry points.
/// `makeProblem` is called in each, where values are other ones, and may fail with
/// an error; the epilogue's coordinates are those of `outputLoops`.
template <typename Problem, typename Strategy>
LogicalResult emitAnchored(Anchor &anchor, Strategy strategy, const Loops &outputLoops,
                           function_ref<FailureOr<Problem>()> makeProblem,
                           OpFoldResult (*countTasks)(OpBuilder &, Location, const Problem &,
                                                      Strategy),
                           void (*emitTask)(OpBuilder &, Location, const Problem &, Strategy,
                                            rt::CpuAttr, OpFoldResult, Epilogue, unsigned)) {
  KernelContext &context = anchor.context;
  OpBuilder &builder = context.builder;
  if (failed(anchor.checkEpilogues()))
    return failure();
  context.openTaskCount();
  anchor.bind();
  FailureOr<Problem> problem = makeProblem();
  if (failed(problem))
    return failure();
  context.closeTaskCount(countTasks(builder, anchor.loc, *problem, strategy));
  context.openTask();
  anchor.bind();
  problem = makeProblem();
  auto epilogue = [&](OpBuilder &builder, Location loc, Value accumulator,
                      ArrayRef<OpFoldResult> indices, Value mask) {
    return anchor.finish(builder, accumulator, indices, outputLoops, mask);
  };
  emitTask(builder, anchor.loc, *problem, strategy, context.target, OpFoldResult(context.task),
           !anchor.epilogues.empty() ? Epilogue(epilogue) : Epilogue(nullptr),
           anchor.epilogueCost());
  context.closeTask();
  return success();
}

} // namespace

LogicalResult emitContraction(KernelContext &context, rt::GemmAttr strategy) {
  FailureOr<SmallVector<linalg::GenericOp>> ops = context.generics();
  if (failed(ops))
    return failure();
  std::optional<MatchedContraction> matched;
  if (!ops->empty())
    matched = matchContraction(ops->front());
  if (!matched)
    return context.expected("a contraction");
  const MatchedContraction &info = *matched;
  auto view = ops->front()->getOperand(info.b.operand).getDefiningOp<rt::PackedOp>();
  bool expectsView = strategy.getPanels() == rt::PanelSource::Packed;
  unsigned step = rt::getDepthStep(strategy.getProduct());
  if (expectsView && (!view || int64_t(view.getNr()) != strategy.getNr() || view.getStep() != step))
    return context.expected("a contraction with an operand packed nr " + Twine(strategy.getNr()) +
                            " step " + Twine(step));
  if (!expectsView && view)
    return context.expected("a contraction with operands that are not packed");
  Anchor anchor(context, *ops, info.b);
  OpBuilder &builder = context.builder;
  auto loopsOf = [&](std::optional<unsigned> row, std::optional<unsigned> column) {
    Loops loops(info.batch.begin(), info.batch.end());
    loops.push_back(row);
    loops.push_back(column);
    return loops;
  };
  // [batch that B has..., panels, K, nr], see rt.packed
  auto packedB = [&] {
    Buffer buffer = anchor.packed;
    for (auto [i, loop] : llvm::enumerate(info.batch)) {
      if (anchor.maps[info.b.operand].isFunctionOfDim(loop))
        continue;
      buffer.sizes.insert(buffer.sizes.begin() + i, anchor.size(loop));
      buffer.strides.insert(buffer.strides.begin() + i, getIndex(builder, 0));
    }
    return buffer;
  };
  auto makeProblem = [&]() -> FailureOr<GemmProblem> {
    GemmProblem problem;
    for (unsigned loop : info.batch)
      problem.batch.push_back(anchor.size(loop));
    problem.m = anchor.size(info.m);
    problem.n = anchor.size(info.n);
    problem.k = anchor.size(info.k);
    problem.a = anchor.view(info.a.operand, loopsOf(info.m, info.k));
    problem.c = anchor.view(anchor.resultOperand(), loopsOf(info.m, info.n));
    problem.accumulatorType = info.sum;
    problem.aUnsigned = info.a.isUnsigned;
    problem.bUnsigned = info.b.isUnsigned;
    problem.prologueB = anchor.makePrologue(loopsOf(info.k, info.n));
    problem.b =
        anchor.packed.pointer ? packedB() : anchor.view(info.b.operand, loopsOf(info.k, info.n));
    if (std::optional<StringRef> operands = findMismatch(problem, strategy, context.target))
      return context.expected("a contraction with " + *operands);
    return problem;
  };
  return emitAnchored<GemmProblem>(anchor, strategy, loopsOf(info.m, info.n), makeProblem,
                                   emitGemmTaskCount, emitGemm);
}

/// The first op as a convolution.
static std::optional<MatchedConvolution> matchFirst(ArrayRef<linalg::GenericOp> ops) {
  return ops.empty() ? std::nullopt : matchConvolution(ops.front());
}

LogicalResult emitConvolution(KernelContext &context, rt::ConvAttr strategy) {
  FailureOr<SmallVector<linalg::GenericOp>> ops = context.generics();
  if (failed(ops))
    return failure();
  std::optional<MatchedConvolution> matched = matchFirst(*ops);
  unsigned step = rt::getDepthStep(strategy.getProduct());
  auto view = matched
                  ? ops->front()->getOperand(matched->weights.operand).getDefiningOp<rt::PackedOp>()
                  : nullptr;
  if (!view || matched->isDepthwise() || int64_t(view.getNr()) != strategy.getNr() ||
      view.getStep() != step)
    return context.expected("a convolution with a filter packed nr " + Twine(strategy.getNr()) +
                            " step " + Twine(step));
  const MatchedConvolution &info = *matched;
  Anchor anchor(context, *ops, info.weights);
  OpBuilder &builder = context.builder;
  Location loc = anchor.loc;
  Loops outputLoops = {info.image};
  llvm::append_range(outputLoops, info.pixels);
  llvm::append_range(outputLoops, Loops{info.group, info.outputChannel});
  auto makeProblem = [&]() -> FailureOr<ConvProblem> {
    ConvProblem problem;
    problem.images = anchor.size(info.image);
    for (unsigned loop : info.pixels)
      problem.outputSizes.push_back(anchor.size(loop));
    for (unsigned loop : info.taps)
      problem.taps.push_back(anchor.size(loop));
    problem.strides = info.strides;
    problem.dilations = info.dilations;
    problem.groups = anchor.size(info.group);
    problem.inputChannels = anchor.size(info.inputChannel);
    problem.outputChannels = anchor.size(info.outputChannel);
    // The image moves along a tap by one input pixel; its own strides are those
    // of the taps, less the dilation.
    const Buffer &image = *context.lookup(anchor.op.getDpsInputs()[0]);
    problem.input = image;
    if (!info.group) {
      unsigned at = problem.input.rank() - 1;
      problem.input.sizes.insert(problem.input.sizes.begin() + at, getIndex(builder, 1));
      problem.input.strides.insert(problem.input.strides.begin() + at, getIndex(builder, 0));
    }
    problem.output = anchor.view(anchor.resultOperand(), outputLoops);
    SmallVector<OpFoldResult> packedSizes = anchor.packed.sizes;
    if (!info.group)
      packedSizes.insert(packedSizes.begin(), getIndex(builder, 1));
    problem.weights = makeDenseBuffer(builder, loc, anchor.packed.pointer,
                                      anchor.packed.elementType, packedSizes);
    problem.accumulatorType = info.sum;
    problem.inputUnsigned = info.data.isUnsigned;
    problem.weightsUnsigned = info.weights.isUnsigned;
    problem.prologue = anchor.makePrologue({info.group, info.outputChannel});
    if (std::optional<StringRef> operands = findMismatch(problem, strategy))
      return context.expected("a convolution with " + *operands);
    return problem;
  };
  return emitAnchored<ConvProblem>(anchor, strategy, outputLoops, makeProblem, emitConvTaskCount,
                                   emitConv);
}

LogicalResult emitDepthwiseConvolution(KernelContext &context, rt::DepthwiseAttr strategy) {
  FailureOr<SmallVector<linalg::GenericOp>> ops = context.generics();
  if (failed(ops))
    return failure();
  std::optional<MatchedConvolution> matched = matchFirst(*ops);
  if (!matched || !matched->isDepthwise())
    return context.expected("a depthwise convolution");
  SmallVector<OpFoldResult> sizes = *getLoopSizes(ops->front());
  if (llvm::any_of(matched->taps, [&](unsigned tap) { return !getConstant(sizes[tap]); }))
    return context.expected("a depthwise convolution with a window of constant size");
  const MatchedConvolution &info = *matched;
  Anchor anchor(context, *ops, info.weights);
  Loops outputLoops = {info.image};
  llvm::append_range(outputLoops, info.pixels);
  outputLoops.push_back(info.group);
  auto makeProblem = [&] {
    DepthwiseProblem problem;
    problem.images = anchor.size(info.image);
    for (unsigned loop : info.pixels)
      problem.outputSizes.push_back(anchor.size(loop));
    for (unsigned loop : info.taps)
      problem.taps.push_back(*getConstant(anchor.size(loop)));
    problem.strides = info.strides;
    problem.dilations = info.dilations;
    problem.channels = anchor.size(info.group);
    problem.input = *context.lookup(anchor.op.getDpsInputs()[0]);
    problem.weights = *context.lookup(anchor.op.getDpsInputs()[1]);
    problem.output = anchor.view(anchor.resultOperand(), outputLoops);
    problem.accumulatorType = info.sum;
    problem.inputUnsigned = info.data.isUnsigned;
    problem.weightsUnsigned = info.weights.isUnsigned;
    return problem;
  };
  return emitAnchored<DepthwiseProblem>(anchor, strategy, outputLoops, makeProblem,
                                        emitDepthwiseTaskCount, emitDepthwise);
}

} // namespace onnxc::emit
