//===- Loops.cpp - Loop nests for everything that is no microkernel --------===//
//
// Obeys `#rt.loops`: a task is a range of the rows that the kernel's ops share, and
// within a row the ops run one after the other. Values of one element per row stay
// in registers.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/emit/BodyEmitter.h"
#include "lowering/support/GenericBodies.h"
#include "lowering/support/TensorSizes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace onnxc::emit {
namespace {

/// An op and its nest: sizes and accesses are those of the nest's loops.
struct LoopOp {
  linalg::GenericOp op;
  SmallVector<OpFoldResult> sizes;
  SmallVector<bool> isReduction;
  SmallVector<Access> inputs, outputs;
  /// What the outputs start from: a scalar (linalg.fill), memory, or nothing.
  SmallVector<Value> initScalars;
  SmallVector<Access> initMemory;
  int vectorLoop = -1;
  unsigned lanes = 1;

  unsigned numLoops() const { return sizes.size(); }
};

/// What stands at one step of a loop: takes the carried values, returns the next.
using StepBody = function_ref<SmallVector<Value>(const LoopPoint &, ValueRange)>;

class LoopsEmitter {
public:
  LoopsEmitter(KernelContext &context, rt::LoopsAttr strategy, ArrayRef<linalg::GenericOp> generics)
      : context(context), strategy(strategy), generics(generics), builder(context.builder),
        loc(context.kernel.getLoc()), rows(strategy.getRows()) {}

  LogicalResult emit();

private:
  LogicalResult prepare();
  LogicalResult prepareOp(linalg::GenericOp op, rt::NestAttr nest);
  Access outputAccess(LoopOp &loopOp, unsigned i);
  void setInit(LoopOp &loopOp, unsigned i);
  void formNest(LoopOp &loopOp, rt::NestAttr nest);
  OpFoldResult rowsPerTask();
  OpFoldResult rowCount();
  void emitRows();
  void emitChunk();

  void emitParallel(LoopOp &loopOp, SmallVector<OpFoldResult> ivs);
  void emitParallelAt(LoopOp &loopOp, LoopPoint point);
  SmallVector<Value> forSteps(const LoopPoint &point, unsigned loop, OpFoldResult lower,
                              OpFoldResult upper, ArrayRef<Value> carried, StepBody body);
  SmallVector<Value> forTail(const LoopPoint &point, OpFoldResult lower, OpFoldResult upper,
                             ArrayRef<Value> carried, StepBody body);
  OpFoldResult wholeVectors(OpFoldResult lower, OpFoldResult upper, unsigned lanes);
  void forVector(LoopOp &loopOp, const LoopPoint &point, OpFoldResult lower, OpFoldResult upper);
  SmallVector<Value> initialValues(LoopOp &loopOp, const LoopPoint &point);
  SmallVector<Value> reduceNest(LoopOp &loopOp, LoopPoint point, ArrayRef<unsigned> loops,
                                SmallVector<Value> accumulators);
  SmallVector<Value> reduceVector(LoopOp &loopOp, const LoopPoint &point, ArrayRef<unsigned> loops,
                                  SmallVector<Value> scalars);
  SmallVector<Value> reduceRow(LoopOp &loopOp, LoopPoint point, ArrayRef<Value> state);
  SmallVector<Value> emitPoint(LoopOp &loopOp, const LoopPoint &point,
                               ArrayRef<Value> accumulators);
  void finish(LoopOp &loopOp, const LoopPoint &point, ArrayRef<Value> values);

  KernelContext &context;
  rt::LoopsAttr strategy;
  ArrayRef<linalg::GenericOp> generics;
  OpBuilder &builder;
  Location loc;
  SmallVector<LoopOp, 0> ops;
  unsigned rows;
  /// Values of one element per row that the current row has computed.
  DenseMap<Value, Value> rowValues;
};

/// How a vector is reduced by an op that combines two values, where it can be.
std::optional<vector::CombiningKind> combiningKind(Operation *op) {
  using Kind = std::optional<vector::CombiningKind>;
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return vector::CombiningKind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return vector::CombiningKind::MUL; })
      .Case<arith::MaximumFOp>([](auto) { return vector::CombiningKind::MAXIMUMF; })
      .Case<arith::MinimumFOp>([](auto) { return vector::CombiningKind::MINIMUMF; })
      .Case<arith::MaxNumFOp>([](auto) { return vector::CombiningKind::MAXNUMF; })
      .Case<arith::MinNumFOp>([](auto) { return vector::CombiningKind::MINNUMF; })
      .Case<arith::MaxSIOp>([](auto) { return vector::CombiningKind::MAXSI; })
      .Case<arith::MinSIOp>([](auto) { return vector::CombiningKind::MINSI; })
      .Case<arith::MaxUIOp>([](auto) { return vector::CombiningKind::MAXUI; })
      .Case<arith::MinUIOp>([](auto) { return vector::CombiningKind::MINUI; })
      .Case<arith::AndIOp>([](auto) { return vector::CombiningKind::AND; })
      .Case<arith::OrIOp>([](auto) { return vector::CombiningKind::OR; })
      .Case<arith::XOrIOp>([](auto) { return vector::CombiningKind::XOR; })
      .Default([](auto) { return std::nullopt; });
}

/// Emits an error where an output is not combined by an op that reduces vectors.
LogicalResult checkCombiners(linalg::GenericOp op) {
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    Operation *combiner = findCombiner(op, i);
    if (combiner && combiningKind(combiner))
      continue;
    InFlightDiagnostic error = op.emitError("its strategy reduces along a vector, expected output ")
                               << i << " to be combined by a sum, product, minimum, maximum, and, "
                               << "or, xor";
    if (Operation *found = op.getBody()->getTerminator()->getOperand(i).getDefiningOp())
      error << ", found '" << found->getName() << "'";
    return error;
  }
  return success();
}

/// Clones a two-operand op onto other operands.
Value combine(OpBuilder &builder, Location loc, Operation *combiner, Value a, Value b) {
  OperationState state(loc, combiner->getName(), {a, b}, {a.getType()}, combiner->getAttrs());
  return builder.create(state)->getResult(0);
}

LogicalResult LoopsEmitter::prepareOp(linalg::GenericOp op, rt::NestAttr nest) {
  if (nest.getLoops().size() != op.getNumLoops())
    return op.emitError("its nest is one of ")
           << nest.getLoops().size() << " loops, expected " << op.getNumLoops();
  LoopOp loopOp;
  loopOp.op = op;
  loopOp.sizes = context.map(*getLoopSizes(op));
  for (utils::IteratorType type : op.getIteratorTypesArray())
    loopOp.isReduction.push_back(type == utils::IteratorType::reduction);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (auto [i, input] : llvm::enumerate(op.getDpsInputs())) {
    Access access;
    if (const Buffer *buffer = context.lookup(input))
      access = makeAccess(builder, loc, *buffer, maps[i]);
    else if (!isa<RankedTensorType>(input.getType()))
      rowValues[input] = context.mapScalar(input);
    loopOp.inputs.push_back(access);
  }
  for (unsigned i = 0; i < op.getNumDpsInits(); ++i) {
    loopOp.outputs.push_back(outputAccess(loopOp, i));
    setInit(loopOp, i);
  }
  formNest(loopOp, nest);
  if (loopOp.vectorLoop >= 0 && loopOp.isReduction[loopOp.vectorLoop] && failed(checkCombiners(op)))
    return failure();
  ops.push_back(std::move(loopOp));
  return success();
}

/// Where an op writes: a result of the kernel, a row on the stack, or nowhere
/// (one element per row, kept in a register, or a result that nobody uses).
Access LoopsEmitter::outputAccess(LoopOp &loopOp, unsigned i) {
  linalg::GenericOp op = loopOp.op;
  Value result = op.getResult(i);
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(i));
  for (auto [k, yielded] : llvm::enumerate(context.results())) {
    if (yielded != result)
      continue;
    context.setBuffer(result, context.resultBuffer(k));
    return makeAccess(builder, loc, context.resultBuffer(k), map);
  }
  if (result.use_empty())
    return Access();
  FailureOr<SmallVector<OpFoldResult>> sizes = getTensorSizes(result);
  SmallVector<OpFoldResult> inner(context.map(*sizes));
  unsigned leading = std::min<unsigned>(rows, inner.size());
  OpFoldResult count = productIndex(builder, loc, ArrayRef(inner).drop_front(leading));
  if (isConstant(count, 1))
    return Access();
  // The row buffer: no stride along the rows.
  Type elementType = cast<RankedTensorType>(result.getType()).getElementType();
  Value stack = allocateStack(builder, loc, elementType, *getConstant(count));
  Buffer buffer = makeDenseBuffer(builder, loc, stack, elementType, inner);
  for (unsigned k = 0; k < leading; ++k)
    buffer.strides[k] = getIndex(builder, 0);
  context.setBuffer(result, buffer);
  return makeAccess(builder, loc, buffer, map);
}

void LoopsEmitter::setInit(LoopOp &loopOp, unsigned i) {
  Value init = loopOp.op.getDpsInits()[i];
  Value scalar;
  Access memory;
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    scalar = context.mapScalar(fill.getInputs()[0]);
  else if (const Buffer *buffer = context.lookup(init))
    memory = makeAccess(builder, loc, *buffer,
                        loopOp.op.getMatchingIndexingMap(loopOp.op.getDpsInitOperand(i)));
  loopOp.initScalars.push_back(scalar);
  loopOp.initMemory.push_back(memory);
}

/// Turns what was built for the op's loops into what the nest's loops are.
void LoopsEmitter::formNest(LoopOp &loopOp, rt::NestAttr nest) {
  SmallVector<OpFoldResult> sizes(nest.getNumLoops(), getIndex(builder, 1));
  SmallVector<bool> isReduction(nest.getNumLoops());
  for (auto [from, to] : llvm::enumerate(nest.getLoops())) {
    sizes[to] = mulIndex(builder, loc, sizes[to], loopOp.sizes[from]);
    isReduction[to] = loopOp.isReduction[from];
  }
  loopOp.sizes = std::move(sizes);
  loopOp.isReduction = std::move(isReduction);
  for (auto *list : {&loopOp.inputs, &loopOp.outputs, &loopOp.initMemory})
    for (Access &access : *list) {
      if (!access.pointer)
        continue;
      // Merged loops move as the innermost of them, which comes last.
      SmallVector<OpFoldResult> coefficients(nest.getNumLoops());
      for (auto [from, to] : llvm::enumerate(nest.getLoops()))
        coefficients[to] = access.coefficients[from];
      access.coefficients = std::move(coefficients);
    }
  loopOp.vectorLoop = nest.getVector() ? int(*nest.getVector()) : -1;
  loopOp.lanes = nest.getLanes();
}

LogicalResult LoopsEmitter::prepare() {
  ops.clear();
  rowValues.clear();
  if (generics.size() != strategy.getNests().size())
    return context.kernel.emitError("its strategy has ")
           << strategy.getNests().size() << " nests, expected one for each of its "
           << generics.size() << " linalg.generic ops";
  for (auto [op, nest] : llvm::zip_equal(generics, strategy.getNests()))
    if (failed(prepareOp(op, nest)))
      return failure();
  return success();
}

OpFoldResult LoopsEmitter::rowCount() {
  if (strategy.getSplitVector())
    return ceilDivIndex(builder, loc, ops.front().sizes[ops.front().vectorLoop],
                        getIndex(builder, ops.front().lanes));
  return productIndex(builder, loc, ArrayRef(ops.front().sizes).take_front(rows));
}

/// How many rows (or vectors, when those are split) a task takes: enough to be worth
/// handing over, a number that depends on sizes only.
OpFoldResult LoopsEmitter::rowsPerTask() {
  OpFoldResult inner = getIndex(builder, 0);
  for (LoopOp &loopOp : ops) {
    OpFoldResult part =
        strategy.getSplitVector() ? getIndex(builder, loopOp.lanes) : getIndex(builder, 1);
    for (unsigned i = rows; i < loopOp.numLoops(); ++i)
      if (!strategy.getSplitVector() || int(i) != loopOp.vectorLoop)
        part = mulIndex(builder, loc, part, loopOp.sizes[i]);
    inner = addIndex(builder, loc, inner, part);
  }
  inner = maxIndex(builder, loc, inner, getIndex(builder, 1));
  OpFoldResult count =
      ceilDivIndex(builder, loc, getIndex(builder, strategy.getElementsPerTask()), inner);
  for (Value result : context.results())
    count = roundToBytes(builder, loc, count, getElementTypeOrSelf(result));
  return count;
}

LogicalResult LoopsEmitter::emit() {
  context.openTaskCount();
  if (failed(prepare()))
    return failure();
  context.closeTaskCount(ceilDivIndex(builder, loc, rowCount(), rowsPerTask()));
  context.openTask();
  if (failed(prepare()))
    return failure();
  if (strategy.getSplitVector())
    emitChunk();
  else
    emitRows();
  context.closeTask();
  return success();
}

/// for row in [task * rowsPerTask, min(.. + rowsPerTask, rowCount))
void LoopsEmitter::emitRows() {
  OpFoldResult perTask = rowsPerTask(), count = rowCount();
  OpFoldResult lower = mulIndex(builder, loc, context.task, perTask);
  OpFoldResult upper = minIndex(builder, loc, addIndex(builder, loc, lower, perTask), count);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop = scf::ForOp::create(builder, loc, asValue(builder, loc, lower),
                                 asValue(builder, loc, upper), one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<OpFoldResult> rowIvs = delinearize(builder, loc, loop.getInductionVar(),
                                                 ArrayRef(ops.front().sizes).take_front(rows));
  for (LoopOp &loopOp : ops) {
    SmallVector<OpFoldResult> ivs(loopOp.numLoops(), getIndex(builder, 0));
    llvm::copy(rowIvs, ivs.begin());
    emitParallel(loopOp, ivs);
  }
}

void LoopsEmitter::emitChunk() {
  LoopOp &loopOp = ops.front();
  OpFoldResult step = mulIndex(builder, loc, rowsPerTask(), getIndex(builder, loopOp.lanes));
  OpFoldResult lower = mulIndex(builder, loc, context.task, step);
  OpFoldResult upper =
      minIndex(builder, loc, addIndex(builder, loc, lower, step), loopOp.sizes[loopOp.vectorLoop]);
  LoopPoint point{SmallVector<OpFoldResult>(loopOp.numLoops(), getIndex(builder, 0))};
  forVector(loopOp, point, lower, upper);
}

/// for (i = lower; i < upper; i += point.lanes) along a loop of the nest. One constant
/// step is no loop.
SmallVector<Value> LoopsEmitter::forSteps(const LoopPoint &point, unsigned loop, OpFoldResult lower,
                                          OpFoldResult upper, ArrayRef<Value> carried,
                                          StepBody body) {
  std::optional<int64_t> from = getConstant(lower), to = getConstant(upper);
  if (from && to && *from >= *to)
    return llvm::to_vector(carried);
  LoopPoint at = point;
  at.ivs[loop] = lower;
  if (from && to && *to - *from <= at.lanes)
    return body(at, carried);
  auto steps =
      scf::ForOp::create(builder, loc, asValue(builder, loc, lower), asValue(builder, loc, upper),
                         arith::ConstantIndexOp::create(builder, loc, point.lanes), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(steps.getBody());
  at.ivs[loop] = steps.getInductionVar();
  SmallVector<Value> next = body(at, steps.getRegionIterArgs());
  if (!carried.empty())
    scf::YieldOp::create(builder, loc, next);
  return llvm::to_vector_of<Value>(steps.getResults());
}

/// The lanes from `lower` to `upper`, fewer than a vector, under a mask. A constant
/// number of them takes the narrowest vector that holds them if none is carried.
SmallVector<Value> LoopsEmitter::forTail(const LoopPoint &point, OpFoldResult lower,
                                         OpFoldResult upper, ArrayRef<Value> carried,
                                         StepBody body) {
  OpFoldResult left = subIndex(builder, loc, upper, lower);
  LoopPoint at = point;
  at.ivs[point.vectorLoop] = lower;
  auto emitMasked = [&](ArrayRef<Value> before) {
    at.mask = makeTailMask(builder, loc, left, at.lanes);
    SmallVector<Value> after = body(at, before);
    for (auto [value, old] : llvm::zip_equal(after, before))
      value = arith::SelectOp::create(builder, loc, at.mask, value, old);
    return after;
  };
  if (std::optional<int64_t> count = getConstant(left)) {
    if (*count == 0)
      return llvm::to_vector(carried);
    if (!carried.empty())
      return emitMasked(carried);
    at.lanes = llvm::bit_ceil(uint64_t(*count));
    return at.lanes == *count ? body(at, carried) : emitMasked(carried);
  }
  Value isAny =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sgt, asValue(builder, loc, left),
                            arith::ConstantIndexOp::create(builder, loc, 0));
  auto branch = scf::IfOp::create(builder, loc, ValueRange(carried).getTypes(), isAny,
                                  /*withElseRegion=*/!carried.empty());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> after = emitMasked(carried);
  if (!carried.empty()) {
    scf::YieldOp::create(builder, loc, after);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, carried);
  }
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// Where the whole vectors of [lower, upper) end.
OpFoldResult LoopsEmitter::wholeVectors(OpFoldResult lower, OpFoldResult upper, unsigned lanes) {
  OpFoldResult width = getIndex(builder, lanes);
  OpFoldResult count = divIndex(builder, loc, subIndex(builder, loc, upper, lower), width);
  return addIndex(builder, loc, lower, mulIndex(builder, loc, count, width));
}

/// The places of a parallel loop in whole vectors, then what remains: under a mask
/// where the target has them, else in halves (a constant remainder) or one by one.
void LoopsEmitter::forVector(LoopOp &loopOp, const LoopPoint &point, OpFoldResult lower,
                             OpFoldResult upper) {
  auto body = [&](const LoopPoint &at, ValueRange) -> SmallVector<Value> {
    emitParallelAt(loopOp, at);
    return {};
  };
  LoopPoint at = point;
  at.vectorLoop = loopOp.vectorLoop;
  at.lanes = loopOp.lanes;
  OpFoldResult whole = wholeVectors(lower, upper, at.lanes);
  forSteps(at, at.vectorLoop, lower, whole, {}, body);
  if (context.target.has(CpuFact::maskedVectors)) {
    forTail(at, whole, upper, {}, body);
    return;
  }
  bool isConstant = getConstant(lower) && getConstant(upper);
  while (at.lanes > 1) {
    at.lanes = isConstant ? at.lanes / 2 : 1;
    lower = whole;
    whole = wholeVectors(lower, upper, at.lanes);
    forSteps(at, at.vectorLoop, lower, whole, {}, body);
  }
}

/// Loops over the parallel loops beyond the rows, the vectorised one innermost.
void LoopsEmitter::emitParallel(LoopOp &loopOp, SmallVector<OpFoldResult> ivs) {
  OpBuilder::InsertionGuard guard(builder);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  for (unsigned i = rows; i < loopOp.numLoops(); ++i) {
    if (loopOp.isReduction[i] || int(i) == loopOp.vectorLoop || isConstant(loopOp.sizes[i], 1))
      continue;
    auto loop = scf::ForOp::create(builder, loc, zero, asValue(builder, loc, loopOp.sizes[i]), one);
    builder.setInsertionPointToStart(loop.getBody());
    ivs[i] = loop.getInductionVar();
  }
  LoopPoint point{ivs};
  if (loopOp.vectorLoop < 0 || loopOp.isReduction[loopOp.vectorLoop])
    return emitParallelAt(loopOp, point);
  forVector(loopOp, point, getIndex(builder, 0), loopOp.sizes[loopOp.vectorLoop]);
}

/// All reductions at one place of the parallel loops, then the store.
void LoopsEmitter::emitParallelAt(LoopOp &loopOp, LoopPoint point) {
  SmallVector<unsigned> reductions;
  for (unsigned i = rows; i < loopOp.numLoops(); ++i)
    if (loopOp.isReduction[i])
      reductions.push_back(i);
  SmallVector<Value> values = initialValues(loopOp, point);
  if (reductions.empty())
    values = emitPoint(loopOp, point, values);
  else if (loopOp.vectorLoop >= 0 && loopOp.isReduction[loopOp.vectorLoop])
    values = reduceVector(loopOp, point, reductions, values);
  else
    values = reduceNest(loopOp, point, reductions, values);
  finish(loopOp, point, values);
}

/// What the accumulators start with. Null where the body does not read them, unless
/// loops carry them: a loop without a turn leaves the init as it is.
SmallVector<Value> LoopsEmitter::initialValues(LoopOp &loopOp, const LoopPoint &point) {
  SmallVector<Value> values;
  for (unsigned i = 0; i < loopOp.outputs.size(); ++i) {
    Value value;
    BlockArgument argument = loopOp.op.getRegionOutputArgs()[i];
    bool isCarried = llvm::is_contained(loopOp.isReduction, true);
    if (argument.use_empty() && !isCarried) {
      values.push_back(value);
      continue;
    }
    if (const Access &memory = loopOp.initMemory[i]; memory.pointer)
      value = loadPoint(builder, loc, accessPointer(builder, loc, memory, point.ivs),
                        memory.elementType, point);
    else
      value = loopOp.initScalars[i];
    // An output that only gives a loop its size starts from nothing.
    if (!value && isCarried)
      value = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(argument.getType()));
    if (value && point.lanes > 1 && !isa<VectorType>(value.getType()))
      value = vector::BroadcastOp::create(builder, loc,
                                          VectorType::get(point.lanes, value.getType()), value);
    values.push_back(value);
  }
  return values;
}

/// The body at one point: loads the inputs, returns what it yields.
SmallVector<Value> LoopsEmitter::emitPoint(LoopOp &loopOp, const LoopPoint &point,
                                           ArrayRef<Value> accumulators) {
  BodyEmitter body(context, loopOp.op, point);
  for (auto [i, access] : llvm::enumerate(loopOp.inputs)) {
    if (access.pointer)
      body.loadArgument(i, access);
    else
      body.setArgument(i, rowValues.lookup(loopOp.op.getDpsInputs()[i]));
  }
  for (auto [i, accumulator] : llvm::enumerate(accumulators))
    if (accumulator)
      body.setArgument(loopOp.inputs.size() + i, accumulator);
  return body.emit();
}

/// A nest of reduction loops that carries the accumulators.
SmallVector<Value> LoopsEmitter::reduceNest(LoopOp &loopOp, LoopPoint point,
                                            ArrayRef<unsigned> loops,
                                            SmallVector<Value> accumulators) {
  if (loops.empty())
    return emitPoint(loopOp, point, accumulators);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  unsigned reduction = loops.front();
  auto loop = scf::ForOp::create(builder, loc, zero, asValue(builder, loc, loopOp.sizes[reduction]),
                                 one, accumulators);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  point.ivs[reduction] = loop.getInductionVar();
  SmallVector<Value> next = reduceNest(loopOp, point, loops.drop_front(),
                                       llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
  // A body that folded to a constant yields it once for all lanes.
  for (auto [value, carried] : llvm::zip_equal(next, loop.getRegionIterArgs()))
    if (value.getType() != carried.getType())
      value = vector::BroadcastOp::create(builder, loc, carried.getType(), value);
  scf::YieldOp::create(builder, loc, next);
  return llvm::to_vector_of<Value>(loop.getResults());
}

/// Reductions with the vector along the innermost one: a vector of partial results
/// beside the scalar that starts as the init and, on targets without masks, takes the
/// tail; both are combined at the end.
SmallVector<Value> LoopsEmitter::reduceVector(LoopOp &loopOp, const LoopPoint &point,
                                              ArrayRef<unsigned> loops,
                                              SmallVector<Value> scalars) {
  unsigned count = scalars.size();
  SmallVector<Operation *> combiners;
  SmallVector<Value> state;
  for (unsigned i = 0; i < count; ++i) {
    combiners.push_back(findCombiner(loopOp.op, i));
    auto neutral = *arith::getNeutralElement(combiners.back());
    auto type = VectorType::get(loopOp.lanes, scalars[i].getType());
    state.push_back(arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, neutral)));
  }
  llvm::append_range(state, scalars);

  // The nest of the other reductions around the vectorised one.
  SmallVector<unsigned> outer(llvm::make_filter_range(
      loops, [&](unsigned loop) { return int(loop) != loopOp.vectorLoop; }));
  std::function<SmallVector<Value>(unsigned, const LoopPoint &, ArrayRef<Value>)> nest =
      [&](unsigned depth, const LoopPoint &at, ArrayRef<Value> carried) {
        if (depth == outer.size())
          return reduceRow(loopOp, at, carried);
        return forSteps(at, outer[depth], getIndex(builder, 0), loopOp.sizes[outer[depth]], carried,
                        [&](const LoopPoint &inner, ValueRange values) {
                          return nest(depth + 1, inner, llvm::to_vector_of<Value>(values));
                        });
      };
  state = nest(0, point, state);

  SmallVector<Value> results;
  for (unsigned i = 0; i < count; ++i) {
    bool isFloat = isa<FloatType>(state[count + i].getType());
    auto flags = isFloat ? arith::FastMathFlags::reassoc : arith::FastMathFlags::none;
    Value lanesTogether =
        vector::ReductionOp::create(builder, loc, *combiningKind(combiners[i]), state[i], flags);
    results.push_back(combine(builder, loc, combiners[i], lanesTogether, state[count + i]));
  }
  return results;
}

/// Reduces along the vectorised loop: `state` holds the vectors of partial results,
/// then the scalars. Lanes under a mask that do not exist stay as they are.
SmallVector<Value> LoopsEmitter::reduceRow(LoopOp &loopOp, LoopPoint point, ArrayRef<Value> state) {
  unsigned count = state.size() / 2, loop = loopOp.vectorLoop;
  auto body = [&](const LoopPoint &at, ValueRange values) {
    return emitPoint(loopOp, at, llvm::to_vector_of<Value>(values));
  };
  OpFoldResult size = loopOp.sizes[loop];
  OpFoldResult whole = wholeVectors(getIndex(builder, 0), size, loopOp.lanes);
  LoopPoint at = point;
  at.vectorLoop = loop;
  at.lanes = loopOp.lanes;
  SmallVector<Value> vectors =
      forSteps(at, loop, getIndex(builder, 0), whole, state.take_front(count), body);
  SmallVector<Value> scalars(state.drop_front(count));
  if (context.target.has(CpuFact::maskedVectors))
    vectors = forTail(at, whole, size, vectors, body);
  else
    scalars = forSteps(point, loop, whole, size, scalars, body);
  llvm::append_range(vectors, scalars);
  return vectors;
}

void LoopsEmitter::finish(LoopOp &loopOp, const LoopPoint &point, ArrayRef<Value> values) {
  for (auto [i, access] : llvm::enumerate(loopOp.outputs)) {
    if (!access.pointer) {
      rowValues[loopOp.op.getResult(i)] = values[i];
      continue;
    }
    Value pointer = accessPointer(builder, loc, access, point.ivs);
    if (point.mask)
      maskedStoreTo(builder, loc, values[i], pointer, point.mask);
    else
      storeTo(builder, loc, values[i], pointer);
  }
}

} // namespace

LogicalResult emitLoops(KernelContext &context, rt::LoopsAttr strategy) {
  FailureOr<SmallVector<linalg::GenericOp>> generics = context.generics();
  if (failed(generics))
    return failure();
  if (generics->empty())
    return context.expected("a linalg.generic");
  return LoopsEmitter(context, strategy, *generics).emit();
}

} // namespace onnxc::emit
