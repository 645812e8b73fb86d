//===- ControlFlow.cpp - If and Loop to scf --------------------------------===//
//
// Sizes that only the run knows leave a region as index values beside the
// tensors, and are bound to their symbols behind it. Scan outputs are tensors that
// the loop carries: of full size, written row by row, when the number and the size
// of rows are known before; else rows are appended.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/OnnxOps.h"
#include "lowering/onnx_to_linalg/LoweringUtils.h"
#include "lowering/onnx_to_linalg/OnnxToLinalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace onnxc;
using onnx::DimExpr;

namespace {

SmallVector<DimExpr> dimsOf(Type type) {
  return isa<RankedTensorType>(type) ? onnx::getDims(type) : SmallVector<DimExpr>();
}

/// The one element of a tensor.
Value extractScalar(OpBuilder &builder, Location loc, Value tensor) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> indices(cast<RankedTensorType>(tensor.getType()).getRank(), zero);
  return tensor::ExtractOp::create(builder, loc, tensor, indices);
}

/// A lowered tensor as a view that states its sizes.
Value withSizes(OpBuilder &builder, Location loc, Value value, Type onnxType) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.hasStaticShape())
    return value;
  SmallVector<Value> sizes;
  for (auto [i, dim] : llvm::enumerate(dimsOf(onnxType)))
    if (type.isDynamicDim(i))
      sizes.push_back(materializeIndex(builder, loc, dim));
  return rt::ReshapeOp::create(builder, loc, type, value, sizes);
}

/// A lowered tensor as a view of a type with fewer static sizes.
Value withType(OpBuilder &builder, Location loc, Value value, Type onnxType, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || value.getType() == type)
    return value;
  SmallVector<Value> sizes;
  for (auto [i, dim] : llvm::enumerate(dimsOf(onnxType)))
    if (tensor.isDynamicDim(i))
      sizes.push_back(materializeIndex(builder, loc, dim));
  return rt::ReshapeOp::create(builder, loc, type, value, sizes);
}

/// A scan output as a view that states its sizes, which are those that the loop
/// began with.
Value likeInit(OpBuilder &builder, Location loc, Value value, Value init) {
  ValueRange sizes = init.getDefiningOp<tensor::EmptyOp>().getDynamicSizes();
  if (sizes.empty())
    return value;
  return rt::ReshapeOp::create(builder, loc, value.getType(), value, sizes);
}

void bind(OpBuilder &builder, Location loc, DimExpr symbol, Value size) {
  rt::BindOp::create(builder, loc, builder.getStringAttr(symbol.symbolName()), size);
}

/// Sizes to be handed out of a region: the symbols that get them, and the
/// expressions that give them inside.
struct EscapingDims {
  SmallVector<DimExpr> symbols;
  SmallVector<DimExpr> sources;

  /// Dims of `outer` that differ from those of `inner` are symbols of `outer`.
  void collect(ArrayRef<DimExpr> outer, ArrayRef<DimExpr> inner) {
    for (auto [o, i] : llvm::zip_equal(outer, inner))
      if (o != i) {
        symbols.push_back(o);
        sources.push_back(i);
      }
  }
};

void appendIndices(OpBuilder &builder, Operation *yield, ArrayRef<DimExpr> dims) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(yield);
  SmallVector<Value> values;
  for (DimExpr dim : dims)
    values.push_back(materializeIndex(builder, yield->getLoc(), dim));
  yield->insertOperands(yield->getNumOperands(), values);
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

/// onnx.If  ->  scf.if that yields the tensors and the sizes in which the
/// branches differ
struct IfLowering : OpConversionPattern<onnx::IfOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::IfOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Operation *yields[] = {op.getThenBranch().front().getTerminator(),
                           op.getElseBranch().front().getTerminator()};
    // A dim has its own symbol when it differs from that of either branch.
    SmallVector<DimExpr> symbols, thenDims, elseDims;
    for (auto [i, type] : llvm::enumerate(op.getResultTypes())) {
      SmallVector<DimExpr> thens = dimsOf(yields[0]->getOperand(i).getType());
      SmallVector<DimExpr> elses = dimsOf(yields[1]->getOperand(i).getType());
      for (auto [d, dim] : llvm::enumerate(dimsOf(type)))
        if (dim != thens[d] || dim != elses[d]) {
          symbols.push_back(dim);
          thenDims.push_back(thens[d]);
          elseDims.push_back(elses[d]);
        }
    }
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op.getResultTypes(), types)))
      return rewriter.notifyMatchFailure(op, "a result has no lowered type");
    unsigned numTensors = types.size();
    types.append(symbols.size(), rewriter.getIndexType());

    Value cond = extractScalar(rewriter, loc, adaptor.getCond());
    auto lowered = scf::IfOp::create(rewriter, loc, types, cond, /*addThenBlock=*/false,
                                     /*addElseBlock=*/false);
    rewriter.modifyOpInPlace(yields[0], [&] { appendIndices(rewriter, yields[0], thenDims); });
    rewriter.modifyOpInPlace(yields[1], [&] { appendIndices(rewriter, yields[1], elseDims); });
    rewriter.inlineRegionBefore(op.getThenBranch(), lowered.getThenRegion(),
                                lowered.getThenRegion().end());
    rewriter.inlineRegionBefore(op.getElseBranch(), lowered.getElseRegion(),
                                lowered.getElseRegion().end());
    for (auto [i, symbol] : llvm::enumerate(symbols))
      bind(rewriter, loc, symbol, lowered.getResult(numTensors + i));
    SmallVector<Value> results;
    for (auto [value, type] :
         llvm::zip_equal(lowered.getResults().take_front(numTensors), op.getResultTypes()))
      results.push_back(withSizes(rewriter, loc, value, type));
    rewriter.replaceOp(op, results);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

/// What a lowered loop carries, in order: the carried values, the sizes of
/// their dims that change, the sizes of rows that only an iteration knows, the
/// scan outputs.
struct LoopState {
  SmallVector<Value> initial;
  unsigned numCarried = 0;
  /// Symbols of the body's arguments, and what an iteration makes of them.
  EscapingDims changing;
  /// The results' symbols for the same dims.
  SmallVector<DimExpr> resultSymbols;
  /// Symbols of the scan outputs' results, and what an iteration makes of them.
  EscapingDims rowDims;
  /// For each scan output whether its rows are appended, because their number
  /// or size is not known before.
  SmallVector<bool> appends;
  /// The numbers of rows that are bound before the loop.
  SmallVector<DimExpr> boundCounts;

  unsigned numRows() const { return appends.size(); }
  unsigned firstRowDim() const { return numCarried + changing.symbols.size(); }
  unsigned firstRow() const { return firstRowDim() + rowDims.symbols.size(); }
};

struct LoopLowering : OpConversionPattern<onnx::LoopOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::LoopOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (llvm::any_of(op.getVInitial().getTypes(),
                     [](Type type) { return !isa<RankedTensorType>(type); }))
      return op.emitOpError("carries a value that is no tensor, which is not supported");
    Value trips = tripCount(op, adaptor.getM(), rewriter);
    LoopState state = collectState(op, adaptor, trips, rewriter);
    SmallVector<Value> results;
    Value count = trips;
    // The body moves into the lowered loop, so ask now.
    bool isCounted = op.isCounted();
    if (isCounted)
      results = lowerCounted(op, state, trips, rewriter);
    else
      results = lowerWhile(op, adaptor, state, trips, count, rewriter);

    for (auto [i, symbol] : llvm::enumerate(state.resultSymbols))
      bind(rewriter, loc, symbol, results[state.numCarried + i]);
    for (auto [i, symbol] : llvm::enumerate(state.rowDims.symbols))
      bind(rewriter, loc, symbol, results[state.firstRowDim() + i]);
    SmallVector<Value> replacements;
    for (unsigned i = 0; i < state.numCarried; ++i)
      replacements.push_back(withSizes(rewriter, loc, results[i], op.getResult(i).getType()));
    for (unsigned i = 0; i < state.numRows(); ++i)
      replacements.push_back(finishRows(op, op.getResult(state.numCarried + i).getType(),
                                        results[state.firstRow() + i], count, state, rewriter));
    rewriter.replaceOp(op, replacements);
    return success();
  }

private:
  /// The upper bound of iterations, never negative; null when there is none.
  static Value tripCount(onnx::LoopOp op, Value lowered, OpBuilder &builder) {
    if (!op.getM())
      return Value();
    Location loc = op.getLoc();
    MLIRContext *context = op.getContext();
    if (auto value = onnx::getShapeValue(op.getM()); value && value->size() == 1)
      return materializeIndex(builder, loc, value->front().max(DimExpr::constant(context, 0)));
    Value count = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                             extractScalar(builder, loc, lowered));
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    return arith::MaxSIOp::create(builder, loc, count, zero);
  }

  static LoopState collectState(onnx::LoopOp op, OpAdaptor adaptor, Value trips,
                                ConversionPatternRewriter &rewriter) {
    LoopState state;
    Location loc = op.getLoc();
    state.numCarried = op.getNumCarried();
    for (auto [value, initial, argument] :
         llvm::zip_equal(adaptor.getVInitial(), op.getVInitial(), op.getCarriedArgs()))
      state.initial.push_back(
          withType(rewriter, loc, value, initial.getType(), lowerType(argument.getType())));
    for (unsigned i = 0; i < state.numCarried; ++i) {
      auto initial = dimsOf(op.getVInitial()[i].getType());
      auto argument = dimsOf(op.getCarriedArgs()[i].getType());
      auto next = dimsOf(op.getYieldedCarried()[i].getType());
      auto result = dimsOf(op.getResult(i).getType());
      for (auto [d, dim] : llvm::enumerate(argument)) {
        if (dim == initial[d])
          continue;
        state.changing.symbols.push_back(dim);
        state.changing.sources.push_back(next[d]);
        state.resultSymbols.push_back(result[d]);
        state.initial.push_back(materializeIndex(rewriter, loc, initial[d]));
      }
    }
    SmallVector<Value> outputs;
    for (auto [i, row] : llvm::enumerate(op.getYieldedRows().getTypes())) {
      auto result = cast<RankedTensorType>(op.getResult(state.numCarried + i).getType());
      SmallVector<DimExpr> outer(llvm::drop_begin(dimsOf(result)));
      size_t known = state.rowDims.symbols.size();
      state.rowDims.collect(outer, dimsOf(row));
      state.appends.push_back(!op.isCounted() || state.rowDims.symbols.size() > known);
      if (state.appends.back()) {
        outputs.push_back(noRows(rewriter, loc, result, dimsOf(row)));
        continue;
      }
      DimExpr count = dimsOf(result).front();
      if (onnx::bindsSymbol(op, count) && !llvm::is_contained(state.boundCounts, count)) {
        bind(rewriter, loc, count, trips);
        state.boundCounts.push_back(count);
      }
      outputs.push_back(allRows(rewriter, loc, result, count, dimsOf(row)));
    }
    state.initial.append(state.rowDims.symbols.size(),
                         arith::ConstantIndexOp::create(rewriter, loc, 0));
    llvm::append_range(state.initial, outputs);
    return state;
  }

  /// Memory for all rows of a scan output.
  static Value allRows(OpBuilder &builder, Location loc, RankedTensorType result, DimExpr count,
                       ArrayRef<DimExpr> row) {
    SmallVector<DimExpr> dims{count};
    llvm::append_range(dims, row);
    return emptyTensor(builder, loc, dims, result.getElementType());
  }

  /// A scan output before its first row: a view of a type that says nothing of
  /// its size, so that the loop may carry it.
  static Value noRows(OpBuilder &builder, Location loc, RankedTensorType result,
                      ArrayRef<DimExpr> row) {
    Value none = arith::ConstantIndexOp::create(builder, loc, 0);
    SmallVector<int64_t> emptyShape{0}, shape{ShapedType::kDynamic};
    SmallVector<Value> sizes{none};
    // The range must outlive the loop.
    SmallVector<DimExpr> dims = dimsOf(result);
    for (auto [outer, inner] : llvm::zip_equal(llvm::drop_begin(dims), row)) {
      std::optional<int64_t> size = outer == inner ? inner.getConstant() : std::nullopt;
      emptyShape.push_back(size.value_or(0));
      shape.push_back(size.value_or(ShapedType::kDynamic));
      if (!size)
        sizes.push_back(outer == inner ? materializeIndex(builder, loc, inner) : none);
    }
    Type element = lowerType(result.getElementType());
    Value empty = tensor::EmptyOp::create(builder, loc, emptyShape, element);
    return rt::ReshapeOp::create(builder, loc, RankedTensorType::get(shape, element), empty, sizes);
  }

  /// Moves the body's ops to the end of `block`. The values stand for the
  /// iteration number, the condition and the loop's state.
  static void moveBody(onnx::LoopOp op, LoopState &state, Block *block, Value iteration, Value cond,
                       ValueRange carried, bool yieldsCond, ConversionPatternRewriter &rewriter) {
    OpBuilder::InsertionGuard guard(rewriter);
    Location loc = op.getLoc();
    rewriter.setInsertionPointToEnd(block);
    for (auto [i, symbol] : llvm::enumerate(state.changing.symbols))
      bind(rewriter, loc, symbol, carried[state.numCarried + i]);
    Value number = arith::IndexCastOp::create(rewriter, loc, rewriter.getI64Type(), iteration);
    auto scalar = [&](Value value) -> Value {
      return tensor::FromElementsOp::create(rewriter, loc,
                                            RankedTensorType::get({}, value.getType()), value);
    };
    SmallVector<Value> arguments{scalar(number), scalar(cond)};
    for (auto [value, argument] :
         llvm::zip_equal(carried.take_front(state.numCarried), op.getCarriedArgs()))
      arguments.push_back(withSizes(rewriter, loc, value, argument.getType()));

    Operation *yield = op.getBody().front().getTerminator();
    rewriter.modifyOpInPlace(yield, [&] {
      SmallVector<Value> rows(yield->getOperands().take_back(state.numRows()));
      yield->eraseOperands(yield->getNumOperands() - state.numRows(), state.numRows());
      appendIndices(rewriter, yield, state.changing.sources);
      appendIndices(rewriter, yield, state.rowDims.sources);
      checkRowDims(rewriter, yield, iteration,
                   carried.slice(state.firstRowDim(), state.rowDims.symbols.size()));
      yield->insertOperands(yield->getNumOperands(), rows);
      if (!yieldsCond)
        yield->eraseOperand(0);
      yield->setAttr(rt::attributes::rows, rewriter.getDenseBoolArrayAttr(state.appends));
    });
    rewriter.mergeBlocks(&op.getBody().front(), block, arguments);
  }

  /// Fails the call when a row's size differs from that of the row before. The
  /// sizes are the last operands of the yield.
  static void checkRowDims(OpBuilder &builder, Operation *yield, Value iteration,
                           ValueRange before) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(yield);
    Location loc = yield->getParentOp()->getLoc();
    for (auto [size, old] :
         llvm::zip_equal(yield->getOperands().take_back(before.size()), before)) {
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      Value isFirst =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, iteration, zero);
      Value isSame = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, size, old);
      Value good = arith::OrIOp::create(builder, loc, isFirst, isSame);
      rt::CheckOp::create(builder, loc, good,
                          nodeName(loc) + ": the rows of a scan output differ in size", size, old);
    }
  }

  static SmallVector<Value> lowerCounted(onnx::LoopOp op, LoopState &state, Value trips,
                                         ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    auto loop = scf::ForOp::create(rewriter, loc, zero, trips, one, state.initial);
    Block *block = loop.getBody();
    // Without carried values the builder adds a terminator.
    if (!block->empty())
      rewriter.eraseOp(block->getTerminator());
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(block);
    Value always = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
    moveBody(op, state, block, loop.getInductionVar(), always, loop.getRegionIterArgs(),
             /*yieldsCond=*/false, rewriter);
    return SmallVector<Value>(loop.getResults());
  }

  static SmallVector<Value> lowerWhile(onnx::LoopOp op, OpAdaptor adaptor, LoopState &state,
                                       Value trips, Value &count,
                                       ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value cond = adaptor.getCond() ? extractScalar(rewriter, loc, adaptor.getCond())
                                   : arith::ConstantIntOp::create(rewriter, loc, 1, 1);
    SmallVector<Value> initial{zero, cond};
    llvm::append_range(initial, state.initial);
    SmallVector<Type> types(ValueRange(initial).getTypes());
    SmallVector<Location> locations(types.size(), loc);
    auto loop = scf::WhileOp::create(rewriter, loc, types, initial);
    OpBuilder::InsertionGuard guard(rewriter);

    Block *before = rewriter.createBlock(&loop.getBefore(), {}, types, locations);
    Value goes = before->getArgument(1);
    if (trips) {
      Value more = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                         before->getArgument(0), trips);
      goes = arith::AndIOp::create(rewriter, loc, goes, more);
    }
    scf::ConditionOp::create(rewriter, loc, goes, before->getArguments());

    Block *after = rewriter.createBlock(&loop.getAfter(), {}, types, locations);
    moveBody(op, state, after, after->getArgument(0), after->getArgument(1),
             after->getArguments().drop_front(2), /*yieldsCond=*/true, rewriter);
    count = loop.getResult(0);
    return SmallVector<Value>(loop.getResults().drop_front(2));
  }

  /// A scan output as a view that states its sizes, its first dim bound.
  static Value finishRows(onnx::LoopOp op, Type type, Value rows, Value count,
                          const LoopState &state, OpBuilder &builder) {
    Location loc = op.getLoc();
    DimExpr first = onnx::getDims(type).front();
    if (onnx::bindsSymbol(op, first) && !llvm::is_contained(state.boundCounts, first))
      bind(builder, loc, first, count);
    return withType(builder, loc, withSizes(builder, loc, rows, type), type, lowerType(type));
  }
};

/// onnx.Yield  ->  scf.yield; in a loop, rows of scan outputs are written first
struct YieldLowering : OpConversionPattern<onnx::YieldOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(onnx::YieldOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    if (isa<onnx::IfOp, onnx::LoopOp>(op->getParentOp()))
      return rewriter.notifyMatchFailure(op, "the op around it could not be lowered");
    SmallVector<Value> values(adaptor.getOperands());
    auto appends = op->getAttrOfType<DenseBoolArrayAttr>(rt::attributes::rows);
    if (!appends) {
      SmallVector<Type> types(op->getParentOp()->getResultTypes());
      giveTypes(rewriter, op, values, types);
      rewriter.replaceOpWithNewOp<scf::YieldOp>(op, values);
      return success();
    }
    Block *block = op->getBlock();
    Value iteration = block->getArgument(0);
    ValueRange outputs = block->getArguments().take_back(appends.size());
    ValueRange inits = op->getParentOp()->getOperands().take_back(appends.size());
    MutableArrayRef<Value> rows = MutableArrayRef(values).take_back(appends.size());
    for (auto [i, row] : llvm::enumerate(rows))
      row = appends[i] ? rt::AppendOp::create(rewriter, loc, outputs[i].getType(), row, outputs[i],
                                              iteration)
                             .getResult()
                       : insertRow(rewriter, loc, row, outputs[i], inits[i], iteration);
    // A loop's arguments begin with the iteration number, which a while yields.
    bool isWhile = isa<scf::WhileOp>(op->getParentOp());
    SmallVector<Type> types(block->getArgumentTypes());
    giveTypes(rewriter, op, values, ArrayRef(types).drop_front(), isWhile);
    if (isWhile) {
      values[0] = extractScalar(rewriter, loc, values[0]);
      Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
      values.insert(values.begin(), arith::AddIOp::create(rewriter, loc, iteration, one));
    }
    rewriter.replaceOpWithNewOp<scf::YieldOp>(op, values);
    return success();
  }

  /// Makes the yielded tensors fit the types of what takes them.
  static void giveTypes(OpBuilder &builder, onnx::YieldOp op, MutableArrayRef<Value> values,
                        ArrayRef<Type> types, unsigned first = 0) {
    for (unsigned i = first; i < values.size(); ++i)
      values[i] = withType(builder, op.getLoc(), values[i], op.getOperand(i).getType(), types[i]);
  }

  static Value insertRow(OpBuilder &builder, Location loc, Value row, Value output, Value init,
                         Value iteration) {
    auto type = cast<RankedTensorType>(output.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
    SmallVector<OpFoldResult> sizes = init.getDefiningOp<tensor::EmptyOp>().getMixedSizes();
    offsets[0] = iteration;
    sizes[0] = builder.getIndexAttr(1);
    Value dest = likeInit(builder, loc, output, init);
    // A row of nothing is no valid slice.
    if (llvm::is_contained(cast<RankedTensorType>(dest.getType()).getShape(), 0))
      return dest;
    return tensor::InsertSliceOp::create(builder, loc, row, dest, offsets, sizes, strides);
  }
};

/// onnx.Require  ->  rt.check of its element
struct RequireLowering : OpConversionPattern<onnx::RequireOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(onnx::RequireOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value condition = extractScalar(rewriter, op.getLoc(), adaptor.getCond());
    rt::CheckOp::create(rewriter, op.getLoc(), condition,
                        nodeName(op.getLoc()) + ": " + op.getMessage().str(), Value(), Value());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void onnxc::populateControlFlowPatterns(TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<IfLowering, LoopLowering, RequireLowering, YieldLowering>(converter,
                                                                         patterns.getContext());
}
