//===- Attention.cpp - Attention, a block of queries at a time -------------===//
//
// A task owns some batch entries and panels of queries. A panel's queries are the
// lanes of its vectors: they are packed [K1][queries] once, scores come out as
// [keys][queries], which is what the second product wants as its packed operand, and
// maxima and sums of a query stay in its lane. Nothing of keys and values is packed:
// their elements are the scalars of the register tiles. With more keys than a block
// has, the sums of the values are scaled when a maximum grows.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/emit/Attention.h"
#include "lowering/cpu/emit/BodyEmitter.h"
#include "lowering/cpu/emit/Pack.h"
#include "lowering/cpu/emit/TileStore.h"
#include "lowering/cpu/emit/Tiling.h"
#include "lowering/support/AttentionParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace onnxc::emit {
namespace {

/// Buffers see the batch loops first, then the two loops that are their own.
struct AttentionProblem {
  SmallVector<OpFoldResult> batch;
  OpFoldResult m, k1, k2, n;
  Buffer query;  ///< [batch..., M, K1]
  Buffer key;    ///< [batch..., K2, K1]
  Buffer value;  ///< [batch..., K2, N]
  Buffer output; ///< [batch..., M, N]
  /// The further inputs, along all loops of the op.
  SmallVector<Access> inputs;
};

/// How panels and batch entries fall into tasks.
struct TaskGrid {
  OpFoldResult panels, batch, panelsPerTask, batchPerTask, panelBlocks, batchBlocks;
};

TaskGrid computeTaskGrid(SizeMath math, const AttentionProblem &problem,
                         rt::AttentionAttr strategy) {
  TaskGrid grid;
  grid.panels = math.ceilDiv(problem.m, math.of(strategy.getNr()));
  grid.batch = productIndex(math.builder, math.loc, problem.batch);
  OpFoldResult work =
      math.mul(math.mul(math.add(problem.k1, problem.n), problem.k2), math.of(strategy.getNr()));
  OpFoldResult target = math.of(strategy.getWorkPerTask());
  grid.panelsPerTask = math.balance(grid.panels, math.clamp(math.div(target, work), grid.panels));
  work = math.mul(work, grid.panelsPerTask);
  grid.batchPerTask = math.clamp(math.div(target, work), grid.batch);
  grid.panelBlocks = math.ceilDiv(grid.panels, grid.panelsPerTask);
  grid.batchBlocks = math.ceilDiv(grid.batch, grid.batchPerTask);
  return grid;
}

class AttentionEmitter {
public:
  AttentionEmitter(KernelContext &context, rt::AttentionOp op, rt::AttentionAttr strategy,
                   const AttentionProblem &problem)
      : context(context), op(op), strategy(strategy), problem(problem),
        builder(op.getLoc(), context.builder), math{builder, op.getLoc()},
        scoreType(op.getScoreType()), lanes(strategy.getLanes()),
        vectorType(getLanesType(scoreType, strategy.getLanes())),
        grid(computeTaskGrid(math, problem, strategy)) {}

  void emitTask(OpFoldResult task);

private:
  /// A batch entry: its indices and its parts of the operands.
  struct Entry {
    SmallVector<OpFoldResult> indices;
    Buffer query, key, value, output;
  };
  /// A panel of queries: `vectors` vectors, of which `queries` queries exist.
  struct Panel {
    OpFoldResult first, queries;
    unsigned vectors;
    int64_t width(unsigned lanes) const { return int64_t(vectors) * lanes; }
  };
  /// Keys that are scored at once.
  struct KeyBlock {
    OpFoldResult first, size;
  };
  /// A vector for each of a panel's: maxima and sums of the queries' scores.
  using Vectors = SmallVector<Value>;

  void emitPanels(const Entry &entry, OpFoldResult first, OpFoldResult last);
  void emitPanel(const Entry &entry, const Panel &panel);
  void packQueries(const Entry &entry, const Panel &panel);
  void emitScores(const Entry &entry, const Panel &panel, const KeyBlock &keys);
  void emitScoreTile(const Entry &entry, const Panel &panel, const KeyBlock &keys, unsigned rows,
                     OpFoldResult key);
  Vectors emitMaxima(const Entry &entry, const Panel &panel, const KeyBlock &keys, Vectors maxima);
  Vectors emitExponentials(const Panel &panel, const KeyBlock &keys, ArrayRef<Value> maxima,
                           Vectors sums);
  void emitValues(const Entry &entry, const Panel &panel, const KeyBlock &keys,
                  ArrayRef<Value> factors);
  void emitResult(const Entry &entry, const Panel &panel, ArrayRef<Value> maxima,
                  ArrayRef<Value> sums);
  Value changeScore(const Entry &entry, const Panel &panel, Value score, unsigned vector,
                    OpFoldResult key);

  /// Whether all keys are one block: nothing is ever scaled.
  bool hasOneBlock() const {
    std::optional<int64_t> keys = getConstant(problem.k2);
    return keys && *keys <= strategy.getKeyBlock();
  }
  RegisterTile makeTile(unsigned rows, unsigned vectors) const {
    return {rows, vectors, lanes, scoreType};
  }
  Value constant(double number) {
    auto attribute = builder.getFloatAttr(scoreType, number);
    return arith::ConstantOp::create(
        builder, DenseElementsAttr::get(cast<VectorType>(vectorType), Attribute(attribute)));
  }
  Value minusInfinity() { return constant(-std::numeric_limits<double>::infinity()); }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(builder, condition, a, b);
  }
  /// What is subtracted from scores: the maximum, but 0 for a query that has met no
  /// score above -inf, so that its exponentials are 0 and not NaN.
  Value shiftOf(Value maximum) {
    Value isEmpty = compare(arith::CmpFPredicate::OEQ, maximum, minusInfinity());
    return select(isEmpty, constant(0), maximum);
  }
  /// Vector `vector` of row `row` of a buffer on the stack.
  Value place(Value buffer, const Panel &panel, OpFoldResult row, unsigned vector) {
    Value pointer = offsetPointer(builder, math.loc, buffer, scoreType,
                                  math.mul(row, math.of(panel.width(lanes))));
    return offsetPointer(builder, math.loc, pointer, scoreType, math.of(vector * lanes));
  }
  Value load(Value pointer) { return loadFrom(builder, math.loc, pointer, scoreType, lanes); }
  void store(Value value, Value pointer) { storeTo(builder, math.loc, value, pointer); }

  KernelContext &context;
  rt::AttentionOp op;
  rt::AttentionAttr strategy;
  const AttentionProblem &problem;
  ImplicitLocOpBuilder builder;
  SizeMath math;
  Type scoreType;
  unsigned lanes;
  Type vectorType;
  TaskGrid grid;
  /// Buffers on the stack: packed queries [K1][queries], scores [keys][queries], sums of
  /// values [N][queries]. In the end the scores' buffer holds the result [queries][N].
  Value queries, scores, sumsOfValues;
  int64_t paddedN = 0;
};
} // namespace

void AttentionEmitter::emitTask(OpFoldResult task) {
  int64_t nr = strategy.getNr(), k1 = *getConstant(problem.k1);
  paddedN = llvm::alignTo(*getConstant(problem.n), lanes);
  queries = allocateStack(builder, math.loc, scoreType,
                          PanelPacking::elements(k1, nr, lanes, /*step=*/1));
  scores =
      allocateStack(builder, math.loc, scoreType, std::max(strategy.getKeyBlock(), paddedN) * nr);
  sumsOfValues = allocateStack(builder, math.loc, scoreType, paddedN * nr);

  SmallVector<OpFoldResult> position =
      delinearize(builder, math.loc, task, {grid.batchBlocks, grid.panelBlocks});
  Range entries = Range::part(math, position[0], grid.batchPerTask, grid.batch);
  Range panels = Range::part(math, position[1], grid.panelsPerTask, grid.panels);
  emitLoop(builder, entries.first, entries.last, 1, [&](OpFoldResult number) {
    Entry entry;
    entry.indices = delinearize(builder, math.loc, number, problem.batch);
    auto part = [&](const Buffer &buffer) {
      SmallVector<OpFoldResult> offsets = entry.indices;
      offsets.resize(buffer.rank(), math.of(0));
      return subBuffer(builder, math.loc, buffer, offsets, problem.batch.size());
    };
    entry.query = part(problem.query);
    entry.key = part(problem.key);
    entry.value = part(problem.value);
    entry.output = part(problem.output);
    emitPanels(entry, panels.first, panels.last);
  });
}

/// Full panels in a loop, then the one that the end of M cuts off, which has no more
/// vectors than it needs.
void AttentionEmitter::emitPanels(const Entry &entry, OpFoldResult first, OpFoldResult last) {
  OpFoldResult nr = math.of(strategy.getNr());
  unsigned vectors = strategy.getNv();
  OpFoldResult full = math.div(problem.m, nr), tail = math.rem(problem.m, nr);
  emitLoop(builder, first, math.min(last, full), 1,
           [&](OpFoldResult number) { emitPanel(entry, {math.mul(number, nr), nr, vectors}); });
  if (isConstant(tail, 0))
    return;
  emitIfGreater(builder, last, full, [&] {
    OpFoldResult needed = math.ceilDiv(tail, math.of(lanes));
    emitSwitch(builder, needed, vectors,
               [&](unsigned some) { emitPanel(entry, {math.mul(full, nr), tail, some}); });
  });
}

void AttentionEmitter::emitPanel(const Entry &entry, const Panel &panel) {
  packQueries(entry, panel);
  unsigned vectors = panel.vectors;
  Vectors carried(vectors, minusInfinity());
  carried.append(vectors, constant(0));
  if (hasOneBlock()) {
    KeyBlock keys{math.of(0), problem.k2};
    emitScores(entry, panel, keys);
    Vectors maxima =
        emitMaxima(entry, panel, keys, Vectors(carried.begin(), carried.begin() + vectors));
    Vectors sums =
        emitExponentials(panel, keys, maxima, Vectors(carried.begin() + vectors, carried.end()));
    emitValues(entry, panel, keys, {});
    return emitResult(entry, panel, maxima, sums);
  }
  emitLoop(builder, math.of(0), math.of(paddedN), 1, [&](OpFoldResult row) {
    for (unsigned j = 0; j < vectors; ++j)
      store(constant(0), place(sumsOfValues, panel, row, j));
  });
  OpFoldResult size = math.of(strategy.getKeyBlock());
  carried = emitCarriedLoop(builder, math.ceilDiv(problem.k2, size), carried,
                            [&](OpFoldResult number, ValueRange before) {
                              OpFoldResult first = math.mul(number, size);
                              KeyBlock keys{first, math.min(size, math.sub(problem.k2, first))};
                              Vectors old(before.take_front(vectors)),
                                  sums(before.drop_front(vectors));
                              emitScores(entry, panel, keys);
                              Vectors maxima = emitMaxima(entry, panel, keys, old);
                              Vectors factors;
                              for (unsigned j = 0; j < vectors; ++j) {
                                Value distance =
                                    arith::SubFOp::create(builder, old[j], shiftOf(maxima[j]));
                                factors.push_back(math::ExpOp::create(builder, distance));
                                sums[j] = arith::MulFOp::create(builder, sums[j], factors[j]);
                              }
                              sums = emitExponentials(panel, keys, maxima, sums);
                              emitValues(entry, panel, keys, factors);
                              maxima.append(sums);
                              return maxima;
                            });
  emitResult(entry, panel, ArrayRef(carried).take_front(vectors),
             ArrayRef(carried).drop_front(vectors));
}

void AttentionEmitter::packQueries(const Entry &entry, const Panel &panel) {
  Buffer source = subBuffer(builder, math.loc, entry.query, {panel.first, math.of(0)});
  std::swap(source.sizes[0], source.sizes[1]);
  std::swap(source.strides[0], source.strides[1]);
  PanelPacking packing;
  packing.source = source;
  packing.depth = problem.k1;
  packing.columns = panel.queries;
  packing.destination = queries;
  packing.type = scoreType;
  packing.nr = panel.width(lanes);
  packing.lanes = lanes;
  emitPackPanel(builder, packing);
}

/// Tiles of `mr` keys. Where their number is known only at run time the last tile
/// is moved back, over keys that have been scored; fewer keys than a tile has go one by
/// one.
void AttentionEmitter::emitScores(const Entry &entry, const Panel &panel, const KeyBlock &keys) {
  int64_t mr = strategy.getMr();
  if (getConstant(keys.size)) {
    Tiling tiling = Tiling::compute(math, keys.size, mr);
    return emitTiles(
        builder, tiling, math.of(0), tiling.tiles,
        [&](unsigned rows, OpFoldResult key) { emitScoreTile(entry, panel, keys, rows, key); },
        [](OpFoldResult, OpFoldResult) {});
  }
  emitIfGreater(builder, keys.size, math.of(mr - 1), [&] {
    OpFoldResult lastStart = math.sub(keys.size, math.of(mr));
    emitLoop(builder, math.of(0), keys.size, mr, [&](OpFoldResult key) {
      emitScoreTile(entry, panel, keys, mr, math.min(key, lastStart));
    });
  });
  if (mr > 1)
    emitIfGreater(builder, math.of(mr), keys.size, [&] {
      emitLoop(builder, math.of(0), keys.size, 1,
               [&](OpFoldResult key) { emitScoreTile(entry, panel, keys, 1, key); });
    });
}

/// Products of keys with queries; `key` counts from the start of the block.
void AttentionEmitter::emitScoreTile(const Entry &entry, const Panel &panel, const KeyBlock &keys,
                                     unsigned rows, OpFoldResult key) {
  RegisterTile tile = makeTile(rows, panel.vectors);
  TileOperands operands;
  operands.a =
      elementPointer(builder, math.loc, entry.key, {math.add(keys.first, key), math.of(0)});
  operands.form.aType = entry.key.elementType;
  operands.aStep = entry.key.strides[1];
  for (unsigned i = 0; i < rows; ++i)
    operands.aRows.push_back(math.mul(math.of(i), entry.key.strides[0]));
  operands.b = queries;
  operands.form.bType = scoreType;
  operands.bStep = math.of(panel.width(lanes));
  SmallVector<Value> products =
      emitReduction(builder, tile, operands, problem.k1, emitZeroTile(builder, tile));
  emitSaveTile(builder, tile, products, place(scores, panel, key, 0), panel.width(lanes));
}

/// Scales the scores and changes them as the region says; their maxima.
AttentionEmitter::Vectors AttentionEmitter::emitMaxima(const Entry &entry, const Panel &panel,
                                                       const KeyBlock &keys, Vectors maxima) {
  double scale = op.getScale().convertToDouble();
  return emitCarriedLoop(builder, keys.size, maxima, [&](OpFoldResult key, ValueRange before) {
    Vectors after(before);
    for (unsigned j = 0; j < panel.vectors; ++j) {
      Value pointer = place(scores, panel, key, j);
      Value score = load(pointer);
      if (scale != 1)
        score = arith::MulFOp::create(builder, score, constant(scale));
      score = changeScore(entry, panel, score, j, math.add(keys.first, key));
      store(score, pointer);
      // A NaN is left out; it comes back with the exponentials.
      after[j] = select(compare(arith::CmpFPredicate::OGT, score, after[j]), score, after[j]);
    }
    return after;
  });
}

Value AttentionEmitter::changeScore(const Entry &entry, const Panel &panel, Value score,
                                    unsigned vector, OpFoldResult key) {
  LoopPoint point;
  point.ivs = entry.indices;
  point.ivs.push_back(math.add(panel.first, math.of(vector * lanes)));
  point.ivs.push_back(math.of(0));
  point.ivs.push_back(key);
  point.ivs.push_back(math.of(0));
  point.vectorLoop = op.getM();
  point.lanes = lanes;
  OpBuilder::InsertionGuard guard(context.builder);
  context.builder.restoreInsertionPoint(builder.saveInsertionPoint());
  BodyEmitter body(context, op.getBody().front(), op.getLoc(), point);
  body.setArgument(0, score);
  for (auto [i, input] : llvm::enumerate(problem.inputs))
    body.loadArgument(i + 1, input);
  return body.emit().front();
}

/// Replaces the scores by their exponentials and adds those up.
AttentionEmitter::Vectors AttentionEmitter::emitExponentials(const Panel &panel,
                                                             const KeyBlock &keys,
                                                             ArrayRef<Value> maxima, Vectors sums) {
  Vectors shifts = llvm::map_to_vector(maxima, [&](Value maximum) { return shiftOf(maximum); });
  return emitCarriedLoop(builder, keys.size, sums, [&](OpFoldResult key, ValueRange before) {
    Vectors after(before);
    for (unsigned j = 0; j < panel.vectors; ++j) {
      Value pointer = place(scores, panel, key, j);
      Value distance = arith::SubFOp::create(builder, load(pointer), shifts[j]);
      Value exponential = math::ExpOp::create(builder, distance);
      store(exponential, pointer);
      after[j] = arith::AddFOp::create(builder, after[j], exponential);
    }
    return after;
  });
}

/// Adds the values of a block, each times its exponential, to what is there times
/// `factors`; without factors nothing is there yet.
void AttentionEmitter::emitValues(const Entry &entry, const Panel &panel, const KeyBlock &keys,
                                  ArrayRef<Value> factors) {
  Tiling tiling = Tiling::compute(math, problem.n, strategy.getMr());
  int64_t width = panel.width(lanes);
  auto compute = [&](unsigned rows, OpFoldResult column) {
    RegisterTile tile = makeTile(rows, panel.vectors);
    TileOperands operands;
    operands.a = elementPointer(builder, math.loc, entry.value, {keys.first, column});
    operands.form.aType = entry.value.elementType;
    operands.aStep = entry.value.strides[0];
    for (unsigned i = 0; i < rows; ++i)
      operands.aRows.push_back(math.mul(math.of(i), entry.value.strides[1]));
    operands.b = scores;
    operands.form.bType = scoreType;
    operands.bStep = math.of(width);
    Value sums = place(sumsOfValues, panel, column, 0);
    SmallVector<Value> accumulators;
    if (factors.empty())
      accumulators = emitZeroTile(builder, tile);
    else
      for (auto [i, sum] : llvm::enumerate(emitRestoreTile(builder, tile, sums, width)))
        accumulators.push_back(arith::MulFOp::create(builder, sum, factors[i % panel.vectors]));
    accumulators = emitReduction(builder, tile, operands, keys.size, accumulators);
    emitSaveTile(builder, tile, accumulators, sums, width);
  };
  emitTiles(builder, tiling, math.of(0), tiling.tiles, compute, [](OpFoldResult, OpFoldResult) {});
}

/// Divides by the sums, and stores one row for each query.
void AttentionEmitter::emitResult(const Entry &entry, const Panel &panel, ArrayRef<Value> maxima,
                                  ArrayRef<Value> sums) {
  Vectors inverses, valid;
  for (unsigned j = 0; j < panel.vectors; ++j) {
    Value inverse = arith::DivFOp::create(builder, constant(1), sums[j]);
    if (!getConstant(problem.k2)) {
      // A sum over no keys is 0, whatever it is divided by.
      Value hasKeys = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                            asValue(builder, math.loc, problem.k2),
                                            asValue(builder, math.loc, math.of(0)));
      inverse = select(hasKeys, inverse, constant(0));
    }
    inverses.push_back(inverse);
    if (op.getEmptyRows() == rt::EmptyRows::Zero)
      valid.push_back(compare(arith::CmpFPredicate::UNE, maxima[j], minusInfinity()));
    else if (op.getEmptyRows() == rt::EmptyRows::ZeroForNaN)
      valid.push_back(compare(arith::CmpFPredicate::OGT, sums[j], constant(0)));
  }
  // Squares of the sums are transposed into the buffer of the scores.
  OpFoldResult rowLength = math.of(paddedN);
  emitLoop(builder, math.of(0), math.of(paddedN), lanes, [&](OpFoldResult column) {
    for (unsigned j = 0; j < panel.vectors; ++j) {
      SmallVector<Value> square;
      for (unsigned i = 0; i < lanes; ++i) {
        Value sum = load(place(sumsOfValues, panel, math.add(column, math.of(i)), j));
        Value result = arith::MulFOp::create(builder, sum, inverses[j]);
        square.push_back(valid.empty() ? result : select(valid[j], result, constant(0)));
      }
      square = emitTranspose(builder, square);
      for (unsigned i = 0; i < lanes; ++i) {
        OpFoldResult row = math.mul(math.of(j * lanes + i), rowLength);
        Value pointer = offsetPointer(builder, math.loc, scores, scoreType, column);
        store(square[i], offsetPointer(builder, math.loc, pointer, scoreType, row));
      }
    }
  });
  auto coordinates = [&](OpFoldResult row, OpFoldResult column) {
    return SmallVector<OpFoldResult>{math.add(panel.first, row), column};
  };
  TileTarget target{entry.output, coordinates, nullptr, 0,
                    context.target.has(CpuFact::maskedVectors)};
  emitStoreScratch(builder, makeTile(1, paddedN / lanes), scores, panel.queries, problem.n, target);
}

namespace {

/// An operand seen along the batch loops and these two.
Buffer viewOperand(KernelContext &context, rt::AttentionOp op, ArrayRef<OpFoldResult> sizes,
                   const Buffer &buffer, AffineMap map, unsigned row, unsigned column) {
  OpBuilder &builder = context.builder;
  Access access = makeAccess(builder, op.getLoc(), buffer, map);
  Buffer view;
  view.pointer = access.pointer;
  view.elementType = access.elementType;
  auto addLoop = [&](unsigned loop) {
    view.sizes.push_back(sizes[loop]);
    view.strides.push_back(access.coefficients[loop]);
  };
  for (unsigned loop = 0; loop < op.getNumBatchLoops(); ++loop)
    addLoop(loop);
  addLoop(row);
  addLoop(column);
  return view;
}

/// The problem in the function that is being built; nothing, and an error, for one that
/// the strategy is not for.
FailureOr<AttentionProblem> makeProblem(KernelContext &context, rt::AttentionOp op,
                                        rt::AttentionAttr strategy) {
  FailureOr<SmallVector<OpFoldResult>> known = getLoopSizes(op);
  if (failed(known))
    return op.emitError("the sizes of its loops are not known");
  SmallVector<OpFoldResult> sizes = context.map(*known);
  SmallVector<AffineMap> maps = op.getMaps();
  AttentionProblem problem;
  problem.batch.append(sizes.begin(), sizes.begin() + op.getNumBatchLoops());
  problem.m = sizes[op.getM()];
  problem.k1 = sizes[op.getK1()];
  problem.k2 = sizes[op.getK2()];
  problem.n = sizes[op.getN()];
  if (!getConstant(problem.k1) || !getConstant(problem.n) || isConstant(problem.k2, 0))
    return context.expected("queries and values of constant length, and keys,");
  auto view = [&](const Buffer &buffer, AffineMap map, unsigned row, unsigned column) {
    return viewOperand(context, op, sizes, buffer, map, row, column);
  };
  problem.query = view(*context.lookup(op.getQuery()), maps[0], op.getM(), op.getK1());
  problem.key = view(*context.lookup(op.getKey()), maps[1], op.getK2(), op.getK1());
  problem.value = view(*context.lookup(op.getValue()), maps[2], op.getK2(), op.getN());
  problem.output = view(context.resultBuffer(0), maps.back(), op.getM(), op.getN());
  for (auto [input, map] : llvm::zip(op.getInputs(), ArrayRef(maps).drop_front(3))) {
    const Buffer &buffer = *context.lookup(input);
    problem.inputs.push_back(makeAccess(context.builder, op.getLoc(), buffer, map));
    if (!map.isFunctionOfDim(op.getM()))
      continue;
    std::optional<int64_t> step = problem.inputs.back().coefficient(op.getM());
    std::optional<int64_t> length = getConstant(buffer.sizes.back());
    if (step != 1 || (length && *length % strategy.getLanes() != 0))
      return context.expected("inputs whose vectors of " + Twine(strategy.getLanes()) +
                              " queries are contiguous");
  }
  return problem;
}

} // namespace

LogicalResult emitAttention(KernelContext &context, rt::AttentionAttr strategy) {
  auto ops = context.body().getOps<rt::AttentionOp>();
  if (!llvm::hasSingleElement(ops) || context.results().size() != 1 ||
      context.results().front() != (*ops.begin()).getResult())
    return context.expected("an attention alone");
  rt::AttentionOp op = *ops.begin();
  OpBuilder &builder = context.builder;
  context.openTaskCount();
  FailureOr<AttentionProblem> problem = makeProblem(context, op, strategy);
  if (failed(problem))
    return failure();
  TaskGrid grid = computeTaskGrid({builder, op.getLoc()}, *problem, strategy);
  context.closeTaskCount(productIndex(builder, op.getLoc(), {grid.batchBlocks, grid.panelBlocks}));
  context.openTask();
  problem = makeProblem(context, op, strategy);
  AttentionEmitter emitter(context, op, strategy, *problem);
  emitter.emitTask(OpFoldResult(context.task));
  context.closeTask();
  return success();
}

} // namespace onnxc::emit
