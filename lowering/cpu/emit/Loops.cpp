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
  void forVector(LoopOp &loopOp, OpFoldResult lower, OpFoldResult upper,
                 function_ref<void(OpFoldResult iv, unsigned lanes)> body);
  SmallVector<Value> initialValues(LoopOp &loopOp, ArrayRef<OpFoldResult> ivs, unsigned lanes,
                                   int vectorLoop);
  SmallVector<Value> reduceNest(LoopOp &loopOp, LoopPoint point, ArrayRef<unsigned> loops,
                                SmallVector<Value> accumulators);
  SmallVector<Value> reduceVector(LoopOp &loopOp, LoopPoint point, ArrayRef<unsigned> loops,
                                  SmallVector<Value> scalars);
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

vector::CombiningKind combiningKind(Operation *op) {
  return llvm::TypeSwitch<Operation *, vector::CombiningKind>(op)
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
      .Default([](auto) { return vector::CombiningKind::XOR; });
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
  return ceilDivIndex(builder, loc, getIndex(builder, strategy.getElementsPerTask()), inner);
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
  SmallVector<OpFoldResult> ivs(loopOp.numLoops(), getIndex(builder, 0));
  forVector(loopOp, lower, upper, [&](OpFoldResult iv, unsigned lanes) {
    LoopPoint point{ivs, loopOp.vectorLoop, lanes, Value()};
    point.ivs[loopOp.vectorLoop] = iv;
    emitParallelAt(loopOp, point);
  });
}

/// Calls `body` for [lower, upper) in whole vectors, then for what remains: in
/// halves where the remainder is known, else point by point.
void LoopsEmitter::forVector(LoopOp &loopOp, OpFoldResult lower, OpFoldResult upper,
                             function_ref<void(OpFoldResult, unsigned)> body) {
  unsigned lanes = loopOp.lanes;
  std::optional<int64_t> from = getConstant(lower), to = getConstant(upper);
  auto emitLoop = [&](OpFoldResult begin, OpFoldResult end, unsigned step) {
    std::optional<int64_t> a = getConstant(begin), b = getConstant(end);
    if (a && b && *b - *a == step)
      return body(begin, step);
    auto loop =
        scf::ForOp::create(builder, loc, asValue(builder, loc, begin), asValue(builder, loc, end),
                           arith::ConstantIndexOp::create(builder, loc, step));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    body(OpFoldResult(loop.getInductionVar()), step);
  };
  if (from && to) {
    int64_t at = *from;
    for (unsigned step = lanes; step >= 1 && at < *to; step /= 2) {
      int64_t whole = at + (*to - at) / step * step;
      if (whole > at)
        emitLoop(getIndex(builder, at), getIndex(builder, whole), step);
      at = whole;
    }
    return;
  }
  // lower is a multiple of the lanes away from 0 or 0 itself.
  OpFoldResult count = subIndex(builder, loc, upper, lower);
  OpFoldResult whole =
      addIndex(builder, loc, lower,
               mulIndex(builder, loc, divIndex(builder, loc, count, getIndex(builder, lanes)),
                        getIndex(builder, lanes)));
  emitLoop(lower, whole, lanes);
  emitLoop(whole, upper, 1);
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
  int vectorLoop = loopOp.vectorLoop;
  if (vectorLoop < 0 || loopOp.isReduction[vectorLoop])
    return emitParallelAt(loopOp, LoopPoint{ivs, -1, 1, Value()});
  forVector(loopOp, getIndex(builder, 0), loopOp.sizes[vectorLoop],
            [&](OpFoldResult iv, unsigned lanes) {
              LoopPoint point{ivs, vectorLoop, lanes, Value()};
              point.ivs[vectorLoop] = iv;
              emitParallelAt(loopOp, point);
            });
}

/// All reductions at one place of the parallel loops, then the store.
void LoopsEmitter::emitParallelAt(LoopOp &loopOp, LoopPoint point) {
  SmallVector<unsigned> reductions;
  for (unsigned i = rows; i < loopOp.numLoops(); ++i)
    if (loopOp.isReduction[i])
      reductions.push_back(i);
  SmallVector<Value> values = initialValues(loopOp, point.ivs, point.lanes, point.vectorLoop);
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
SmallVector<Value> LoopsEmitter::initialValues(LoopOp &loopOp, ArrayRef<OpFoldResult> ivs,
                                               unsigned lanes, int vectorLoop) {
  SmallVector<Value> values;
  for (unsigned i = 0; i < loopOp.outputs.size(); ++i) {
    Value value;
    BlockArgument argument = loopOp.op.getRegionOutputArgs()[i];
    bool isCarried = llvm::is_contained(loopOp.isReduction, true);
    if (argument.use_empty() && !isCarried) {
      values.push_back(value);
      continue;
    }
    if (loopOp.initMemory[i].pointer)
      value = loadFrom(builder, loc, accessPointer(builder, loc, loopOp.initMemory[i], ivs),
                       loopOp.initMemory[i].elementType, vectorLoop >= 0 ? lanes : 1);
    else
      value = loopOp.initScalars[i];
    // An output that only gives a loop its size starts from nothing.
    if (!value && isCarried)
      value = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(argument.getType()));
    if (value && lanes > 1 && !isa<VectorType>(value.getType()))
      value =
          vector::BroadcastOp::create(builder, loc, VectorType::get(lanes, value.getType()), value);
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

/// Reductions with the vector along the innermost one: a vector of partial
/// results beside the scalar that takes the tail; both are combined at the end.
SmallVector<Value> LoopsEmitter::reduceVector(LoopOp &loopOp, LoopPoint point,
                                              ArrayRef<unsigned> loops,
                                              SmallVector<Value> scalars) {
  unsigned count = scalars.size(), lanes = loopOp.lanes;
  int vectorLoop = loopOp.vectorLoop;
  SmallVector<Operation *> combiners;
  SmallVector<Value> carried;
  for (unsigned i = 0; i < count; ++i) {
    combiners.push_back(findCombiner(loopOp.op, i));
    auto neutral = *arith::getNeutralElement(combiners.back());
    auto type = VectorType::get(lanes, scalars[i].getType());
    carried.push_back(
        arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, neutral)));
  }
  llvm::append_range(carried, scalars);

  // The nest of the other reductions around the vectorised one.
  SmallVector<unsigned> outer(
      llvm::make_filter_range(loops, [&](unsigned loop) { return int(loop) != vectorLoop; }));
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value step = arith::ConstantIndexOp::create(builder, loc, lanes);
  OpFoldResult size = loopOp.sizes[vectorLoop];
  Value whole =
      asValue(builder, loc,
              mulIndex(builder, loc, divIndex(builder, loc, size, getIndex(builder, lanes)),
                       getIndex(builder, lanes)));
  Value end = asValue(builder, loc, size);
  auto emitInner = [&](SmallVector<Value> state) {
    auto emitLoop = [&](Value from, Value to, Value by, unsigned width, unsigned first) {
      SmallVector<Value> inits(ArrayRef(state).slice(first, count));
      auto loop = scf::ForOp::create(builder, loc, from, to, by, inits);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(loop.getBody());
      LoopPoint at = point;
      at.vectorLoop = width > 1 ? vectorLoop : -1;
      at.lanes = width;
      at.ivs[vectorLoop] = loop.getInductionVar();
      scf::YieldOp::create(
          builder, loc, emitPoint(loopOp, at, llvm::to_vector_of<Value>(loop.getRegionIterArgs())));
      llvm::copy(loop.getResults(), state.begin() + first);
    };
    emitLoop(zero, whole, step, lanes, 0);
    if (!(getConstant(size) && *getConstant(size) % lanes == 0))
      emitLoop(whole, end, one, 1, count);
    return state;
  };
  std::function<SmallVector<Value>(unsigned, SmallVector<Value>)> nest =
      [&](unsigned depth, SmallVector<Value> state) -> SmallVector<Value> {
    if (depth == outer.size())
      return emitInner(state);
    auto loop = scf::ForOp::create(builder, loc, zero,
                                   asValue(builder, loc, loopOp.sizes[outer[depth]]), one, state);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    point.ivs[outer[depth]] = loop.getInductionVar();
    scf::YieldOp::create(builder, loc,
                         nest(depth + 1, llvm::to_vector_of<Value>(loop.getRegionIterArgs())));
    return llvm::to_vector_of<Value>(loop.getResults());
  };
  SmallVector<Value> state = nest(0, carried);

  SmallVector<Value> results;
  for (unsigned i = 0; i < count; ++i) {
    bool isFloat = isa<FloatType>(state[count + i].getType());
    auto flags = isFloat ? arith::FastMathFlags::reassoc : arith::FastMathFlags::none;
    Value lanesTogether =
        vector::ReductionOp::create(builder, loc, combiningKind(combiners[i]), state[i], flags);
    results.push_back(combine(builder, loc, combiners[i], lanesTogether, state[count + i]));
  }
  return results;
}

void LoopsEmitter::finish(LoopOp &loopOp, const LoopPoint &point, ArrayRef<Value> values) {
  for (auto [i, access] : llvm::enumerate(loopOp.outputs)) {
    if (!access.pointer) {
      rowValues[loopOp.op.getResult(i)] = values[i];
      continue;
    }
    storeTo(builder, loc, values[i], accessPointer(builder, loc, access, point.ivs));
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
