//===- SplitHost.cpp - A long host function in pieces -----------------------===//
//
// The time that LLVM takes for a function grows faster than its length, and a model of
// thousands of nodes is one long function. What a piece takes from in front of it are
// arguments; what it makes for those behind it goes through memory.
//
//===----------------------------------------------------------------------===//
#include "lowering/Passes.h"
#include "lowering/host/RuntimeBuilder.h"
#include "lowering/support/Buffer.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_SPLITHOST
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;
using namespace onnxc::emit;

namespace {

/// Constants and addresses: each piece makes its own.
bool isRemade(Operation *op) {
  return op && (matchPattern(op, m_Constant()) || isa<LLVM::AddressOfOp, LLVM::GEPOp>(op));
}

/// An op with all the ops in it.
int64_t countOps(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

class Splitter : public RuntimeBuilder {
public:
  Splitter(ModuleOp module, func::FuncOp function, int64_t pieceSize)
      : RuntimeBuilder(module), function(function), block(function.getBody().front()),
        pieceSize(pieceSize) {}

  void split();

private:
  using Piece = SmallVector<Operation *>;

  void cut();
  SmallVector<unsigned> countCrossing();
  void makeLocal();
  Value remake(Value value, Operation *user, unsigned piece, IRMapping &made);
  SetVector<Value> findResults(const Piece &piece);
  void outline(Piece &piece, unsigned number);

  /// The place of the block's op around an op; of those that stay, behind all pieces.
  unsigned pieceOf(Operation *op) {
    auto it = pieces.find(block.findAncestorOpInBlock(*op));
    return it == pieces.end() ? numPieces : it->second;
  }

  func::FuncOp function;
  Block &block;
  int64_t pieceSize;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, unsigned> pieces;
  unsigned numPieces = 0;
};

} // namespace

/// For each op, how many values are made in front of it and used by it or behind it.
SmallVector<unsigned> Splitter::countCrossing() {
  DenseMap<Operation *, unsigned> place;
  for (auto [i, op] : llvm::enumerate(ops))
    place[op] = i;
  SmallVector<int> change(ops.size() + 1);
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (isRemade(op))
      continue;
    for (Value result : op->getResults()) {
      unsigned last = i;
      for (Operation *user : result.getUsers()) {
        auto it = place.find(block.findAncestorOpInBlock(*user));
        last = std::max<unsigned>(last, it == place.end() ? ops.size() - 1 : it->second);
      }
      if (last == i)
        continue;
      ++change[i + 1];
      --change[last + 1];
    }
  }
  SmallVector<unsigned> crossing;
  int current = 0;
  for (size_t i = 0; i < ops.size(); ++i)
    crossing.push_back(current += change[i]);
  return crossing;
}

/// Decides on pieces of about `pieceSize` ops, each up to where the fewest values cross.
/// What is at the end stays in the function.
void Splitter::cut() {
  constexpr size_t window = 64;
  SmallVector<unsigned> crossing = countCrossing();
  size_t begin = 0;
  while (true) {
    int64_t size = 0;
    size_t end = begin;
    while (end < ops.size() && size < pieceSize)
      size += countOps(ops[end++]);
    if (end + window >= ops.size())
      return;
    end = std::min_element(crossing.begin() + end, crossing.begin() + end + window) -
          crossing.begin();
    for (; begin < end; ++begin)
      pieces[ops[begin]] = numPieces;
    ++numPieces;
  }
}

/// A constant or address for a user in another piece than the one that has it.
Value Splitter::remake(Value value, Operation *user, unsigned piece, IRMapping &made) {
  Operation *op = value.getDefiningOp();
  if (!isRemade(op) || op->getBlock() != &block || pieceOf(op) == piece)
    return value;
  if (Value known = made.lookupOrNull(value))
    return known;
  for (Value operand : op->getOperands())
    if (Value own = remake(operand, user, piece, made); own != operand)
      made.map(operand, own);
  builder.setInsertionPoint(user);
  builder.clone(*op, made);
  return made.lookup(value);
}

/// After it no constant and no address crosses the border of a piece.
void Splitter::makeLocal() {
  SmallVector<IRMapping> made(numPieces + 1);
  for (Operation &op : llvm::make_early_inc_range(block)) {
    unsigned piece = pieceOf(&op);
    op.walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        operand.set(remake(operand.get(), &op, piece, made[piece]));
    });
    // What was made for it belongs to its piece.
    if (piece < numPieces)
      for (Operation *before = op.getPrevNode(); before && !pieces.contains(before);
           before = before->getPrevNode()) {
        if (!isRemade(before))
          break;
        pieces[before] = piece;
      }
  }
}

SetVector<Value> Splitter::findResults(const Piece &piece) {
  SetVector<Value> results;
  unsigned number = pieceOf(piece.front());
  for (Operation *op : piece)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return pieceOf(user) != number; }))
        results.insert(result);
  return results;
}

/// Moves a piece into a function that returns a status; where it stood it is called, and a
/// status other than 0 ends the call.
void Splitter::outline(Piece &piece, unsigned number) {
  loc = piece.front()->getLoc();
  SetVector<Value> results = findResults(piece), used;
  for (Operation *op : piece) {
    used.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
  }
  SmallVector<Value> arguments;
  for (Value value : used)
    if (Operation *op = value.getDefiningOp(); !op || pieceOf(op) != number)
      arguments.push_back(value);
  if (!results.empty())
    arguments.push_back(stackBytes(function, 8 * results.size()));

  builder.setInsertionPoint(function);
  std::string name = (function.getSymName() + "_" + Twine(number)).str();
  auto outlined = func::FuncOp::create(
      builder, loc, name, builder.getFunctionType(ValueRange(arguments).getTypes(), {i32Type}));
  outlined.setPrivate();
  // LLVM would put it back.
  outlined->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  Block *entry = outlined.addEntryBlock();

  builder.setInsertionPointAfter(piece.back());
  auto call = func::CallOp::create(builder, loc, name, i32Type, arguments);
  rt::ExitOp::create(builder, loc, call.getResult(0));
  for (auto [i, result] : llvm::enumerate(results)) {
    Value read = loadFrom(builder, loc, field(arguments.back(), 8 * i), result.getType());
    Value(result).replaceUsesWithIf(
        read, [&](OpOperand &use) { return pieceOf(use.getOwner()) != number; });
  }
  for (Operation *op : piece)
    op->moveBefore(entry, entry->end());
  for (auto [i, argument] : llvm::enumerate(entry->getArguments()))
    arguments[i].replaceUsesWithIf(
        argument, [&](OpOperand &use) { return outlined->isProperAncestor(use.getOwner()); });
  builder.setInsertionPointToEnd(entry);
  for (auto [i, result] : llvm::enumerate(results))
    storeTo(builder, loc, result, field(entry->getArguments().back(), 8 * i));
  func::ReturnOp::create(builder, loc, constantI32(0));
}

void Splitter::split() {
  for (Operation &op : block.without_terminator())
    // The stack of a piece ends with it.
    if (!isa<LLVM::AllocaOp>(op))
      ops.push_back(&op);
  cut();
  if (numPieces == 0)
    return;
  makeLocal();
  SmallVector<Piece> contents(numPieces);
  for (Operation &op : block)
    if (unsigned piece = pieceOf(&op); piece < numPieces)
      contents[piece].push_back(&op);
  for (auto [number, piece] : llvm::enumerate(contents))
    outline(piece, number);
}

namespace {
struct SplitHost : onnxc::impl::SplitHostBase<SplitHost> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions)
      if (function.isPrivate() && !function.isDeclaration() && function.getBody().hasOneBlock() &&
          function.getResultTypes() == ArrayRef<Type>(IntegerType::get(&getContext(), 32)))
        Splitter(getOperation(), function, pieceSize).split();
  }
};
} // namespace
