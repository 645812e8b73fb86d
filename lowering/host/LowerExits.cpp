//===- LowerExits.cpp - rt.exit becomes a branch to a return ---------------===//
#include "lowering/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace onnxc {
#define GEN_PASS_DEF_LOWEREXITS
#include "lowering/Passes.h.inc"
} // namespace onnxc

using namespace onnxc;

namespace {

struct LowerExits : onnxc::impl::LowerExitsBase<LowerExits> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<rt::ExitOp> exits;
    getOperation().walk([&](rt::ExitOp exit) { exits.push_back(exit); });
    if (exits.empty())
      return;
    if (failed(verify(exits)))
      return signalPassFailure();
    Location loc = getOperation().getLoc();
    OpBuilder builder(&getContext());
    Block *leave = builder.createBlock(&getOperation().getBody(), getOperation().getBody().end(),
                                       builder.getI32Type(), loc);
    func::ReturnOp::create(builder, loc, leave->getArguments());
    for (rt::ExitOp exit : exits) {
      Block *block = exit->getBlock();
      Block *rest = block->splitBlock(std::next(exit->getIterator()));
      builder.setInsertionPoint(exit);
      Value zero = arith::ConstantIntOp::create(builder, exit.getLoc(), 0, 32);
      Value good = arith::CmpIOp::create(builder, exit.getLoc(), arith::CmpIPredicate::eq,
                                         exit.getStatus(), zero);
      cf::CondBranchOp::create(builder, exit.getLoc(), good, rest, ValueRange(), leave,
                               ValueRange(exit.getStatus()));
      exit.erase();
    }
  }

  /// Whether each exit can be a branch to a block of this function.
  LogicalResult verify(ArrayRef<rt::ExitOp> exits) {
    ArrayRef<Type> results = getOperation().getResultTypes();
    for (rt::ExitOp exit : exits) {
      if (exit->getParentOp() != getOperation())
        return exit.emitError("expected branches around it, found '")
               << exit->getParentOp()->getName() << "', which must be lowered first";
      if (results != ArrayRef<Type>(exit.getStatus().getType()))
        return exit.emitError("expected a function that returns a status, found ")
               << getOperation().getFunctionType();
    }
    return success();
  }
};

} // namespace
