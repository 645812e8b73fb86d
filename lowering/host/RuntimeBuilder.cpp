//===- RuntimeBuilder.cpp - Code that calls the runtime --------------------===//
#include "lowering/host/RuntimeBuilder.h"
#include "lowering/support/Buffer.h"

using namespace mlir;

namespace onnxc::emit {

static constexpr StringLiteral textPrefix = "onnxc_text_";

RuntimeBuilder::RuntimeBuilder(ModuleOp module)
    : builder(module.getContext()), loc(module.getLoc()), module(module),
      pointerType(LLVM::LLVMPointerType::get(module.getContext())), i32Type(builder.getI32Type()),
      i64Type(builder.getI64Type()) {
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (global.getSymName().starts_with(textPrefix))
      texts[cast<StringAttr>(global.getValueAttr()).getValue().drop_back()] =
          global.getSymName().str();
}

Value RuntimeBuilder::constantI32(int32_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

Value RuntimeBuilder::constantI64(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value RuntimeBuilder::toI64(OpFoldResult value) {
  return arith::IndexCastOp::create(builder, loc, i64Type, asValue(builder, loc, value));
}

Value RuntimeBuilder::field(Value base, int64_t bytes) {
  return offsetPointer(builder, loc, base, builder.getI8Type(), getIndex(builder, bytes));
}

Value RuntimeBuilder::loadPointer(Value base, int64_t index) {
  Value address = offsetPointer(builder, loc, base, i64Type, getIndex(builder, index));
  return LLVM::LoadOp::create(builder, loc, pointerType, address);
}

void RuntimeBuilder::storeI64(Value value, Value pointer) {
  LLVM::StoreOp::create(builder, loc, value, pointer);
}

Value RuntimeBuilder::stackBytes(func::FuncOp function, int64_t bytes) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  Value count = constantI64(std::max<int64_t>(bytes, 8));
  return LLVM::AllocaOp::create(builder, loc, pointerType, builder.getI8Type(), count, 16);
}

Value RuntimeBuilder::text(StringRef string) {
  auto [it, isNew] = texts.try_emplace(string);
  if (isNew) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    it->second = (textPrefix + Twine(texts.size() - 1)).str();
    std::string zeroTerminated = string.str() + '\0';
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), zeroTerminated.size());
    LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/true, LLVM::Linkage::Private,
                           it->second, builder.getStringAttr(zeroTerminated));
  }
  return LLVM::AddressOfOp::create(builder, loc, pointerType, it->second);
}

Value RuntimeBuilder::callRuntime(StringRef name, Type result, ValueRange arguments) {
  TypeRange results = result ? TypeRange(result) : TypeRange();
  if (declared.insert(name).second && !module.lookupSymbol<func::FuncOp>(name)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = builder.getFunctionType(arguments.getTypes(), results);
    func::FuncOp::create(builder, loc, name, type).setPrivate();
  }
  auto call = func::CallOp::create(builder, loc, name, results, arguments);
  return result ? call.getResult(0) : Value();
}

} // namespace onnxc::emit
