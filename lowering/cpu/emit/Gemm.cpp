//===- Gemm.cpp - contractions --------------------------------------------===//
//
// A task owns some batch entries, a block of row tiles and some panels of
// columns. Inside, a panel of B stays in the second-level cache while the row
// tiles pass over it; each tile's accumulators stay in registers. A long K is
// cut into blocks: then the accumulators of a panel rest in a scratch buffer,
// and C is written once, at the end.
//
//===----------------------------------------------------------------------===//
#include "lowering/cpu/emit/Gemm.h"
#include "lowering/cpu/emit/ColumnDots.h"
#include "lowering/cpu/emit/Pack.h"
#include "lowering/cpu/emit/Tiling.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace onnxc::emit {

namespace {
/// How the tiles, panels and batch entries fall into tasks.
struct TaskGrid {
  Tiling rows;
  OpFoldResult panels, batch;
  OpFoldResult tilesPerTask, panelsPerTask, batchPerTask;
  OpFoldResult rowBlocks, panelBlocks, batchBlocks;
};
} // namespace

static TaskGrid computeTaskGrid(SizeMath math, const GemmProblem &problem, rt::GemmAttr strategy) {
  TaskGrid grid;
  grid.rows = Tiling::compute(math, problem.m, strategy.getMr());
  grid.panels = math.ceilDiv(problem.n, math.of(strategy.getNr()));
  grid.batch = productIndex(math.builder, math.loc, problem.batch);
  OpFoldResult target = math.of(strategy.getWorkPerTask());
  OpFoldResult one = math.of(1);

  // A few row tiles per task; more panels, then more rows, then more batch
  // entries until a task is worth its start.
  OpFoldResult tiles =
      math.balance(grid.rows.tiles, math.min(grid.rows.tiles, math.of(strategy.getTilesPerTask())));
  OpFoldResult rows =
      math.max(math.mul(tiles, math.of(strategy.getMr())), math.of(strategy.getReadRows()));
  OpFoldResult work = math.mul(math.mul(rows, math.of(strategy.getNr())), problem.k);
  OpFoldResult panels = math.max(math.min(math.ceilDiv(target, work), grid.panels), one);
  grid.panelsPerTask = math.balance(grid.panels, panels);
  work = math.mul(work, grid.panelsPerTask);
  if (strategy.getKc() == 0) {
    OpFoldResult factor = math.max(math.div(target, work), one);
    OpFoldResult more = math.min(math.mul(tiles, factor), grid.rows.tiles);
    grid.tilesPerTask = math.balance(grid.rows.tiles, more);
    work = math.mul(work, math.div(grid.tilesPerTask, tiles));
  } else {
    grid.tilesPerTask = tiles;
  }
  grid.batchPerTask = math.max(math.min(math.div(target, work), grid.batch), one);
  grid.rowBlocks = math.ceilDiv(grid.rows.tiles, grid.tilesPerTask);
  grid.panelBlocks = math.ceilDiv(grid.panels, grid.panelsPerTask);
  grid.batchBlocks = math.ceilDiv(grid.batch, grid.batchPerTask);
  return grid;
}

static ProductForm getForm(const GemmProblem &problem, rt::GemmAttr strategy) {
  return {strategy.getProduct(), problem.a.elementType, problem.b.elementType, problem.aUnsigned,
          problem.bUnsigned};
}

std::optional<StringRef> findMismatch(const GemmProblem &problem, rt::GemmAttr strategy,
                                      rt::CpuAttr target) {
  bool rowsOfA = isConstant(problem.a.strides.back(), 1);
  ArrayRef<OpFoldResult> strides = ArrayRef(problem.b.strides).drop_front(problem.batch.size());
  rt::PanelSource panels = strategy.getPanels();
  if (panels == rt::PanelSource::Columns && !(rowsOfA && isConstant(strides[0], 1)))
    return "contiguous rows of A and columns of B";
  bool inPlace = panels == rt::PanelSource::InPlace || panels == rt::PanelSource::FullInPlace;
  if (inPlace && !isConstant(strides[1], 1))
    return "contiguous rows of B";
  ProductForm form = getForm(problem, strategy);
  if (std::optional<StringRef> factors = form.findMismatch())
    return factors;
  if (problem.prologueB && (panels != rt::PanelSource::Packed || form.step() > 1 ||
                            !getConstant(problem.n) || !getConstant(problem.k)))
    return "a factor to compute that is packed, of constant sizes,";
  if (form.step() > 1 && !rowsOfA && !strategy.getPackRows())
    return "contiguous rows of A, or rows that are packed,";
  std::optional<int64_t> columns = getConstant(problem.n);
  bool wholeVectors = columns && *columns % strategy.getLanes() == 0;
  if (panels == rt::PanelSource::InPlace && !wholeVectors && !target.has(CpuFact::maskedVectors))
    return "whole vectors of columns, as the target has no masks,";
  return std::nullopt;
}

OpFoldResult emitGemmTaskCount(OpBuilder &builder, Location loc, const GemmProblem &problem,
                               rt::GemmAttr strategy) {
  TaskGrid grid = computeTaskGrid({builder, loc}, problem, strategy);
  return productIndex(builder, loc, {grid.batchBlocks, grid.rowBlocks, grid.panelBlocks});
}

namespace {
class GemmEmitter {
public:
  GemmEmitter(ImplicitLocOpBuilder &builder, const GemmProblem &problem, rt::GemmAttr strategy,
              rt::CpuAttr target, Epilogue epilogue, unsigned epilogueCost)
      : builder(builder), math{builder, builder.getLoc()}, problem(problem), strategy(strategy),
        target(target), epilogue(epilogue), epilogueCost(epilogueCost),
        form(getForm(problem, strategy)), grid(computeTaskGrid(math, problem, strategy)) {}

  void emitTask(OpFoldResult task);

private:
  /// The task's share of the row tiles and the batch entry at hand.
  struct Block {
    SmallVector<OpFoldResult> batchIndices;
    Buffer a, b, c;
    OpFoldResult firstTile, lastTile;
  };
  /// A panel of columns.
  struct Panel {
    OpFoldResult number, firstColumn, columns;
    unsigned vectors;
  };

  void emitPanels(const Block &block, OpFoldResult first, OpFoldResult last);
  void emitPanel(const Block &block, const Panel &panel);
  void emitWholeDepth(const Block &block, const Panel &panel);
  void emitColumns(const Block &block, const Panel &panel);
  void emitDepthBlocks(const Block &block, const Panel &panel);
  void locatePanel(const Block &block, const Panel &panel, OpFoldResult depth,
                   OpFoldResult depthSize, TileOperands &operands);
  void locateRows(const Block &block, unsigned rows, OpFoldResult firstRow, OpFoldResult depth,
                  TileOperands &operands);
  SmallVector<Value> restore(const RegisterTile &tile, Value place, OpFoldResult depth);

  void packRows(const Block &block, OpFoldResult firstRow, OpFoldResult rows, OpFoldResult depth,
                OpFoldResult depthSize);
  void locatePackedRows(unsigned rows, OpFoldResult firstRow, TileOperands &operands);
  int64_t rowsPerTask() const { return strategy.getMr() * strategy.getTilesPerTask(); }
  int64_t packedRowLength() const { return llvm::alignTo(rowsPerTask(), strategy.getLanes()); }

  bool hasOneTile() const;
  Value computeFactor(const Block &block, const Panel &panel, Value elements, OpFoldResult depth,
                      unsigned vector);
  void locateComputed(const Block &block, const Panel &panel, OpFoldResult depth,
                      OpFoldResult depthSize, TileOperands &operands);
  Value getPanelCopy(Type type);
  bool mustPack(const Panel &panel) const;
  /// What a copy for the task holds: the type of the sum, or what several steps of the
  /// depth at once are read as.
  Type packedType(Type type) const { return form.step() == 1 ? problem.accumulatorType : type; }
  RegisterTile makeTile(unsigned rows, unsigned vectors) const {
    return {rows, vectors, unsigned(strategy.getLanes()), problem.accumulatorType};
  }
  RegisterTile scratchTile() const { return makeTile(1, strategy.getNv()); }
  int64_t scratchRows() const { return strategy.getKc() ? rowsPerTask() : strategy.getMr(); }
  Value getScratch() {
    if (!scratch)
      scratch = allocateStack(builder, math.loc, problem.accumulatorType,
                              scratchRows() * strategy.getNr());
    return scratch;
  }
  Value scratchRow(OpFoldResult row) {
    return offsetPointer(builder, math.loc, getScratch(), problem.accumulatorType,
                         math.mul(row, math.of(strategy.getNr())));
  }

  /// Runs `use` with the place where a tile whose first element is at
  /// (firstRow, panel) is stored.
  void withTarget(const Block &block, const Panel &panel, OpFoldResult firstRow,
                  function_ref<void(const TileTarget &)> use);

  ImplicitLocOpBuilder &builder;
  mutable SizeMath math;
  const GemmProblem &problem;
  rt::GemmAttr strategy;
  rt::CpuAttr target;
  Epilogue epilogue;
  unsigned epilogueCost;
  ProductForm form;
  TaskGrid grid;
  Value scratch, packed, packedRows;
};
} // namespace

void GemmEmitter::emitTask(OpFoldResult task) {
  Location loc = math.loc;
  SmallVector<OpFoldResult> position =
      delinearize(builder, loc, task, {grid.batchBlocks, grid.rowBlocks, grid.panelBlocks});
  OpFoldResult firstEntry = math.mul(position[0], grid.batchPerTask);
  OpFoldResult lastEntry = math.min(math.add(firstEntry, grid.batchPerTask), grid.batch);
  OpFoldResult firstTile = math.mul(position[1], grid.tilesPerTask);
  OpFoldResult lastTile = math.min(math.add(firstTile, grid.tilesPerTask), grid.rows.tiles);
  OpFoldResult firstPanel = math.mul(position[2], grid.panelsPerTask);
  OpFoldResult lastPanel = math.min(math.add(firstPanel, grid.panelsPerTask), grid.panels);

  emitLoop(builder, firstEntry, lastEntry, 1, [&](OpFoldResult entry) {
    Block block;
    block.firstTile = firstTile;
    block.lastTile = lastTile;
    block.batchIndices = delinearize(builder, loc, entry, problem.batch);
    auto select = [&](const Buffer &buffer) {
      SmallVector<OpFoldResult> offsets = block.batchIndices;
      offsets.resize(buffer.rank(), math.of(0));
      return subBuffer(builder, loc, buffer, offsets, problem.batch.size());
    };
    block.a = select(problem.a);
    block.b = select(problem.b);
    block.c = select(problem.c);
    emitPanels(block, firstPanel, lastPanel);
  });
}

/// Full panels in a loop, then the one that is cut off by the end of N. Where
/// accumulators go through the scratch buffer anyway, one code serves both.
void GemmEmitter::emitPanels(const Block &block, OpFoldResult first, OpFoldResult last) {
  OpFoldResult nr = math.of(strategy.getNr());
  unsigned vectors = strategy.getNv();
  OpFoldResult full = math.div(problem.n, nr);
  OpFoldResult tail = remIndex(builder, math.loc, problem.n, nr);
  std::optional<int64_t> constantTail = getConstant(tail);
  bool sameCode = !constantTail && strategy.getKc() != 0 &&
                  strategy.getPanels() != rt::PanelSource::FullInPlace;
  OpFoldResult end = sameCode ? last : math.min(last, full);
  emitLoop(builder, first, end, 1, [&](OpFoldResult number) {
    OpFoldResult column = math.mul(number, nr);
    OpFoldResult columns = sameCode ? math.min(nr, math.sub(problem.n, column)) : nr;
    emitPanel(block, {number, column, columns, vectors});
  });
  if (sameCode || isConstant(tail, 0))
    return;
  if (constantTail)
    vectors = llvm::divideCeil(*constantTail, strategy.getLanes());
  emitIfGreater(builder, last, full,
                [&] { emitPanel(block, {full, math.mul(full, nr), tail, vectors}); });
}

void GemmEmitter::emitPanel(const Block &block, const Panel &panel) {
  if (strategy.getPanels() == rt::PanelSource::Columns)
    emitColumns(block, panel);
  else if (strategy.getKc() == 0)
    emitWholeDepth(block, panel);
  else
    emitDepthBlocks(block, panel);
}

/// Row by row; a panel is one vector of columns.
void GemmEmitter::emitColumns(const Block &block, const Panel &panel) {
  OpFoldResult zero = math.of(0);
  ColumnDots dots;
  dots.rowType = block.a.elementType;
  dots.b = subBuffer(builder, math.loc, block.b, {zero, panel.firstColumn});
  dots.depth = problem.k;
  dots.columns = panel.columns;
  dots.lanes = strategy.getLanes();
  dots.accumulatorType = problem.accumulatorType;
  dots.hasMaskedVectors = target.has(CpuFact::maskedVectors);
  dots.aUnsigned = problem.aUnsigned;
  dots.bUnsigned = problem.bUnsigned;
  RegisterTile tile = makeTile(1, 1);
  emitLoop(builder, block.firstTile, block.lastTile, 1, [&](OpFoldResult row) {
    dots.row = elementPointer(builder, math.loc, block.a, {row, zero});
    Value sums = emitColumnDots(builder, dots);
    withTarget(block, panel, row, [&](const TileTarget &place) {
      if (place.isStraight(tile, panel.columns))
        return emitStoreTile(builder, tile, sums, panel.columns, place);
      emitSaveTile(builder, tile, sums, getScratch(), strategy.getNr());
      emitStoreScratch(builder, tile, getScratch(), math.of(1), panel.columns, place);
    });
  });
}

void GemmEmitter::emitWholeDepth(const Block &block, const Panel &panel) {
  TileOperands operands;
  locatePanel(block, panel, math.of(0), problem.k, operands);
  bool straight = false;
  auto compute = [&](unsigned rows, OpFoldResult firstRow) {
    RegisterTile tile = makeTile(rows, panel.vectors);
    locateRows(block, rows, firstRow, math.of(0), operands);
    SmallVector<Value> accumulators = emitReduction(
        builder, tile, operands, problem.k, emitZeroTile(builder, tile), strategy.getChains());
    withTarget(block, panel, firstRow, [&](const TileTarget &place) {
      straight = place.isStraight(makeTile(grid.rows.bigSize, panel.vectors), panel.columns);
      if (straight)
        emitStoreTile(builder, tile, accumulators, panel.columns, place);
      else
        emitSaveTile(builder, tile, accumulators, getScratch(), strategy.getNr());
    });
  };
  auto finish = [&](OpFoldResult rows, OpFoldResult firstRow) {
    if (straight)
      return;
    withTarget(block, panel, firstRow, [&](const TileTarget &place) {
      emitStoreScratch(builder, scratchTile(), getScratch(), rows, panel.columns, place);
    });
  };
  emitTiles(builder, grid.rows, block.firstTile, block.lastTile, compute, finish);
}

void GemmEmitter::emitDepthBlocks(const Block &block, const Panel &panel) {
  OpFoldResult firstRow = grid.rows.start(math, block.firstTile);
  OpFoldResult rows = math.sub(grid.rows.start(math, block.lastTile), firstRow);
  OpFoldResult kc = math.of(strategy.getKc());
  // An empty K still has one block, which yields zeros.
  OpFoldResult end = math.max(problem.k, math.of(1));
  emitLoop(builder, math.of(0), end, strategy.getKc(), [&](OpFoldResult depth) {
    OpFoldResult left = math.sub(problem.k, depth);
    OpFoldResult size = math.min(kc, left);
    std::optional<int64_t> constant = getConstant(problem.k);
    if (constant && *constant % strategy.getKc() == 0)
      size = kc;
    TileOperands operands;
    locatePanel(block, panel, depth, size, operands);
    if (strategy.getPackRows())
      packRows(block, firstRow, rows, depth, size);
    auto compute = [&](unsigned tileRows, OpFoldResult tileRow) {
      RegisterTile tile = makeTile(tileRows, panel.vectors);
      if (strategy.getPackRows())
        locatePackedRows(tileRows, math.sub(tileRow, firstRow), operands);
      else
        locateRows(block, tileRows, tileRow, depth, operands);
      Value place = scratchRow(math.sub(tileRow, firstRow));
      SmallVector<Value> accumulators = restore(tile, place, depth);
      accumulators =
          emitReduction(builder, tile, operands, size, accumulators, strategy.getChains());
      emitSaveTile(builder, tile, accumulators, place, strategy.getNr());
    };
    emitTiles(builder, grid.rows, block.firstTile, block.lastTile, compute,
              [](OpFoldResult, OpFoldResult) {});
  });
  withTarget(block, panel, firstRow, [&](const TileTarget &place) {
    emitStoreScratch(builder, scratchTile(), getScratch(), rows, panel.columns, place);
  });
}

/// Whether the task makes a copy of the panel.
bool GemmEmitter::mustPack(const Panel &panel) const {
  if (strategy.getPanels() == rt::PanelSource::FullInPlace)
    return !isConstant(panel.columns, strategy.getNr());
  return strategy.getPanels() == rt::PanelSource::PerTask;
}

void GemmEmitter::locatePanel(const Block &block, const Panel &panel, OpFoldResult depth,
                              OpFoldResult depthSize, TileOperands &operands) {
  Location loc = math.loc;
  operands.form = form;
  int64_t nr = strategy.getNr();
  unsigned lanes = strategy.getLanes();
  operands.bStep = math.of(nr * form.step());
  if (problem.prologueB)
    return locateComputed(block, panel, depth, depthSize, operands);
  if (strategy.getPanels() == rt::PanelSource::Packed) {
    SmallVector<OpFoldResult> origin(block.b.rank(), math.of(0));
    origin[0] = panel.number;
    origin[1] = math.div(depth, math.of(form.step()));
    operands.b = elementPointer(builder, loc, block.b, origin);
    return;
  }
  if (!mustPack(panel)) {
    operands.b = elementPointer(builder, loc, block.b, {depth, panel.firstColumn});
    operands.bStep = block.b.strides[0];
    std::optional<int64_t> columns = getConstant(panel.columns);
    for (int64_t j = 0; j < panel.vectors; ++j) {
      bool whole = columns && *columns >= (j + 1) * lanes;
      OpFoldResult left = math.sub(panel.columns, math.of(j * lanes));
      operands.bMasks.push_back(whole ? Value() : makeTailMask(builder, loc, left, lanes));
    }
    return;
  }
  Value copy = getPanelCopy(packedType(form.bType));
  PanelPacking packing{subBuffer(builder, loc, block.b, {depth, panel.firstColumn}),
                       depthSize,
                       panel.columns,
                       copy,
                       packedType(form.bType),
                       nr,
                       lanes,
                       form.step(),
                       form.bUnsigned};
  emitPackPanel(builder, packing);
  operands.b = copy;
  operands.form.bType = packedType(form.bType);
}

/// Where the task has its copy of a panel.
Value GemmEmitter::getPanelCopy(Type type) {
  if (!packed) {
    int64_t longest = strategy.getKc() ? strategy.getKc() : getConstant(problem.k).value_or(1);
    packed = allocateStack(
        builder, math.loc, type,
        PanelPacking::elements(longest, strategy.getNr(), strategy.getLanes(), form.step()));
  }
  return packed;
}

/// Whether each panel is read once.
bool GemmEmitter::hasOneTile() const {
  std::optional<int64_t> rows = getConstant(problem.m);
  return rows && *rows <= strategy.getMr();
}

/// The factor, computed from a vector of the packed panel's elements.
Value GemmEmitter::computeFactor(const Block &block, const Panel &panel, Value elements,
                                 OpFoldResult depth, unsigned vector) {
  OpFoldResult column = math.of(vector * strategy.getLanes());
  SmallVector<OpFoldResult> indices = block.batchIndices;
  indices.push_back(depth);
  indices.push_back(math.add(panel.firstColumn, column));
  OpFoldResult left = math.sub(panel.columns, column);
  bool whole = *getConstant(left) >= strategy.getLanes();
  Value mask = whole ? Value() : makeTailMask(builder, math.loc, left, strategy.getLanes());
  return problem.prologueB(builder, elements, indices, mask);
}

/// A packed panel whose factors are computed: where they are read, or beforehand into the
/// task's copy when several tiles read them.
void GemmEmitter::locateComputed(const Block &block, const Panel &panel, OpFoldResult depth,
                                 OpFoldResult depthSize, TileOperands &operands) {
  Location loc = math.loc;
  SmallVector<OpFoldResult> origin(block.b.rank(), math.of(0));
  origin[0] = panel.number;
  origin[1] = depth;
  Value source = elementPointer(builder, loc, block.b, origin);
  if (hasOneTile()) {
    operands.b = source;
    operands.computeB = [this, &block, &panel, depth](Value elements, OpFoldResult step,
                                                      unsigned vector) {
      return computeFactor(block, panel, elements, math.add(depth, step), vector);
    };
    return;
  }
  unsigned lanes = strategy.getLanes();
  Type type = problem.accumulatorType;
  Value copy = getPanelCopy(type);
  emitLoop(builder, math.of(0), depthSize, 1, [&](OpFoldResult row) {
    OpFoldResult distance = math.mul(row, math.of(strategy.getNr()));
    Value from = offsetPointer(builder, loc, source, form.bType, distance);
    Value to = offsetPointer(builder, loc, copy, type, distance);
    for (unsigned j = 0; j < panel.vectors; ++j) {
      OpFoldResult column = math.of(j * lanes);
      Value place = offsetPointer(builder, loc, from, form.bType, column);
      Value factor = computeFactor(block, panel, loadFrom(builder, loc, place, form.bType, lanes),
                                   math.add(depth, row), j);
      storeTo(builder, loc, factor, offsetPointer(builder, loc, to, type, column));
    }
  });
  operands.b = copy;
  operands.form.bType = type;
}

void GemmEmitter::locateRows(const Block &block, unsigned rows, OpFoldResult firstRow,
                             OpFoldResult depth, TileOperands &operands) {
  operands.a = elementPointer(builder, math.loc, block.a, {firstRow, depth});
  operands.aStep = math.mul(math.of(form.step()), block.a.strides[1]);
  operands.aRows.clear();
  for (unsigned i = 0; i < rows; ++i)
    operands.aRows.push_back(math.mul(math.of(i), block.a.strides[0]));
}

/// Copies the task's rows of A into [depth][row], rows next to each other, or
/// [ceil(depth / step)][row][step].
void GemmEmitter::packRows(const Block &block, OpFoldResult firstRow, OpFoldResult rows,
                           OpFoldResult depth, OpFoldResult depthSize) {
  Type type = packedType(form.aType);
  unsigned lanes = strategy.getLanes();
  if (!packedRows)
    packedRows = allocateStack(
        builder, math.loc, type,
        PanelPacking::elements(strategy.getKc(), packedRowLength(), lanes, form.step()));
  Buffer source = subBuffer(builder, math.loc, block.a, {firstRow, depth});
  std::swap(source.sizes[0], source.sizes[1]);
  std::swap(source.strides[0], source.strides[1]);
  emitPackPanel(builder, {source, depthSize, rows, packedRows, type, packedRowLength(), lanes,
                          form.step(), form.aUnsigned});
}

void GemmEmitter::locatePackedRows(unsigned rows, OpFoldResult firstRow, TileOperands &operands) {
  Type type = packedType(form.aType);
  int64_t step = form.step();
  operands.a =
      offsetPointer(builder, math.loc, packedRows, type, math.mul(firstRow, math.of(step)));
  operands.form.aType = type;
  operands.aStep = math.of(packedRowLength() * step);
  operands.aPadded = true;
  operands.aRows.clear();
  for (unsigned i = 0; i < rows; ++i)
    operands.aRows.push_back(math.of(i * step));
}

/// The accumulators of a tile as the depth blocks in front left them. The first
/// block starts at zero: a loop that clears the scratch buffer would become a
/// call of memset.
SmallVector<Value> GemmEmitter::restore(const RegisterTile &tile, Value place, OpFoldResult depth) {
  Value isFirst =
      arith::CmpIOp::create(builder, arith::CmpIPredicate::eq, asValue(builder, math.loc, depth),
                            asValue(builder, math.loc, math.of(0)));
  SmallVector<Value> result;
  for (auto [zero, saved] : llvm::zip_equal(
           emitZeroTile(builder, tile), emitRestoreTile(builder, tile, place, strategy.getNr())))
    result.push_back(arith::SelectOp::create(builder, isFirst, zero, saved));
  return result;
}

void GemmEmitter::withTarget(const Block &block, const Panel &panel, OpFoldResult firstRow,
                             function_ref<void(const TileTarget &)> use) {
  auto coordinates = [&](OpFoldResult row, OpFoldResult column) {
    SmallVector<OpFoldResult> indices = block.batchIndices;
    indices.push_back(math.add(firstRow, row));
    indices.push_back(math.add(panel.firstColumn, column));
    return indices;
  };
  use({problem.c, coordinates, epilogue, epilogueCost, target.has(CpuFact::maskedVectors)});
}

void emitGemm(OpBuilder &builder, Location loc, const GemmProblem &problem, rt::GemmAttr strategy,
              rt::CpuAttr target, OpFoldResult task, Epilogue epilogue, unsigned epilogueCost) {
  ImplicitLocOpBuilder located(loc, builder);
  GemmEmitter(located, problem, strategy, target, epilogue, epilogueCost).emitTask(task);
  builder.restoreInsertionPoint(located.saveInsertionPoint());
}

} // namespace onnxc::emit
