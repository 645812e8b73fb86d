//===- Descriptor.cpp - The model's public symbols -------------------------===//
#include "codegen/Descriptor.h"
#include "codegen/Sha256.h"
#include "codegen/Target.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace onnxc {

std::string ModelInfo::symbolPrefix() const {
  std::string prefix;
  for (char c : name)
    prefix += isAlnum(c) ? c : '_';
  if (prefix.empty() || isDigit(prefix.front()))
    prefix.insert(0, "_");
  return prefix;
}

std::string ModelInfo::id() const {
  // Every text with its length, so that no two signatures look alike.
  std::string text;
  raw_string_ostream os(text);
  auto add = [&](StringRef part) { os << part.size() << ":" << part << " "; };
  auto addValues = [&](ArrayRef<ValueInfo> values) {
    os << values.size() << "; ";
    for (const ValueInfo &value : values) {
      add(value.name);
      os << value.dtype << " " << value.kind << " " << value.hasRank << " " << value.dims.size();
      for (const DimInfo &dim : value.dims) {
        os << " " << dim.size << " " << dim.symbol << " " << dim.dataDependent << " ";
        add(dim.text);
      }
    }
  };
  os << ONNXC_ABI_VERSION << " ";
  add(modelSha256);
  addValues(inputs);
  addValues(outputs);
  for (const SymbolInfo &symbol : symbols) {
    add(symbol.name);
    os << symbol.min << " " << symbol.max << "; ";
  }
  constexpr size_t digits = 16;
  Sha256 hash;
  hash.update(text);
  return hash.finish().substr(0, digits);
}

std::string WeightsInfo::dataSymbol(StringRef prefix) { return (prefix + "_onnxc_weights").str(); }
std::string WeightsInfo::hashSymbol(StringRef prefix) {
  return (prefix + "_onnxc_weights_sha256").str();
}

/// The runtime's name for the descriptor.
static constexpr const char *modelName = "onnxc_rt_model";

std::string getTiedName(const ModelInfo &info) {
  return info.symbolPrefix() + "_model_" + info.id();
}

std::vector<std::string> getLinkedNames(const ModelInfo &info) {
  std::vector<std::string> names = {modelName, "onnxc_plan", "onnxc_body", getTiedName(info)};
  for (const char *suffix : {"_model", "_plan", "_run", "_init", "_fini"})
    names.push_back(info.symbolPrefix() + suffix);
  return names;
}

namespace {
/// Builds constants laid out as the C structs of onnxc_runtime.h: fields of
/// fixed-width integers and pointers, padded as the target's data layout pads.
class DescriptorBuilder {
public:
  DescriptorBuilder(Module &module)
      : module(module), context(module.getContext()), pointer(PointerType::getUnqual(context)) {}

  Constant *null() { return ConstantPointerNull::get(pointer); }
  Constant *i32(int64_t value) {
    return ConstantInt::get(Type::getInt32Ty(context), value, /*IsSigned=*/true);
  }
  Constant *i64(int64_t value) {
    return ConstantInt::get(Type::getInt64Ty(context), value, /*IsSigned=*/true);
  }
  Constant *record(ArrayRef<Constant *> fields) { return ConstantStruct::getAnon(context, fields); }
  Constant *text(StringRef string) {
    return variable(ConstantDataArray::getString(context, string));
  }
  Constant *array(ArrayRef<Constant *> elements) {
    if (elements.empty())
      return null();
    return variable(
        ConstantArray::get(ArrayType::get(elements[0]->getType(), elements.size()), elements));
  }
  /// An exported function that passes its arguments on to a runtime function.
  Constant *forward(const std::string &name, StringRef runtimeName, FunctionType *type) {
    FunctionCallee callee = module.getOrInsertFunction(runtimeName, type);
    hide(callee.getCallee());
    auto *function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
    IRBuilder<> builder(BasicBlock::Create(context, "", function));
    SmallVector<Value *> arguments;
    for (Argument &argument : function->args())
      arguments.push_back(&argument);
    CallInst *call = builder.CreateCall(callee, arguments);
    call->setTailCall();
    if (type->getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(call);
    return function;
  }
  /// A function of the runtime.
  Constant *function(StringRef name, FunctionType *type) {
    return hide(module.getOrInsertFunction(name, type).getCallee());
  }
  Constant *data(StringRef name) {
    return hide(module.getOrInsertGlobal(name, Type::getInt8Ty(context)));
  }

private:
  Constant *variable(Constant *value) {
    auto *global = new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                      GlobalValue::PrivateLinkage, value, ".onnxc");
    global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return global;
  }
  static Constant *hide(Value *value) {
    cast<GlobalValue>(value)->setVisibility(GlobalValue::HiddenVisibility);
    return cast<Constant>(value);
  }

  Module &module;
  LLVMContext &context;
  PointerType *pointer;
};
} // namespace

static Constant *buildValue(DescriptorBuilder &b, const ValueInfo &value) {
  SmallVector<Constant *> dims;
  for (const DimInfo &dim : value.dims)
    dims.push_back(
        b.record({b.i64(dim.size), b.i32(dim.symbol), b.i32(dim.dataDependent), b.text(dim.text)}));
  int64_t rank = value.hasRank ? static_cast<int64_t>(value.dims.size()) : -1;
  return b.record({b.text(value.name), b.array(dims), b.i32(rank), b.i32(value.dtype),
                   b.i32(value.kind), b.i32(0)});
}

static Constant *buildValues(DescriptorBuilder &b, ArrayRef<ValueInfo> values) {
  SmallVector<Constant *> records;
  for (const ValueInfo &value : values)
    records.push_back(buildValue(b, value));
  return b.array(records);
}

static Constant *buildSymbols(DescriptorBuilder &b, ArrayRef<SymbolInfo> symbols) {
  SmallVector<Constant *> records;
  for (const SymbolInfo &symbol : symbols)
    records.push_back(b.record({b.text(symbol.name), b.i64(symbol.min), b.i64(symbol.max)}));
  return b.array(records);
}

void addDescriptor(Module &module, const ModelInfo &info, const WeightsInfo &weights,
                   const TargetInfo &target) {
  DescriptorBuilder b(module);
  std::string prefix = info.symbolPrefix();
  bool embedded = weights.bytes && weights.file.empty();
  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::getUnqual(context);
  auto *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  auto *callType = FunctionType::get(i32, {pointer}, false);
  auto *initType = FunctionType::get(i32, {pointer, i64, pointer, i64}, false);
  auto *finiType = FunctionType::get(Type::getVoidTy(context), {pointer}, false);
  SmallVector<Constant *> fields = {
      b.i32(ONNXC_ABI_VERSION),
      b.i32(info.inputs.size()),
      b.text(info.name),
      buildValues(b, info.inputs),
      buildValues(b, info.outputs),
      buildSymbols(b, info.symbols),
      b.i32(info.outputs.size()),
      b.i32(info.symbols.size()),
      b.i64(weights.bytes),
      embedded ? b.data(WeightsInfo::dataSymbol(prefix)) : b.null(),
      weights.bytes ? b.data(WeightsInfo::hashSymbol(prefix)) : b.null(),
      weights.file.empty() ? b.null() : b.text(weights.file),
      b.i64(requiredCpuFeatures(target)),
      b.text(target.triple),
      b.text(target.cpu),
      b.text(target.features),
      b.i64(ONNXC_ALIGNMENT), // instance_bytes
      b.forward(prefix + "_plan", "onnxc_rt_entry_plan", callType),
      b.forward(prefix + "_run", "onnxc_rt_entry_run", callType),
      b.forward(prefix + "_init", "onnxc_rt_entry_init", initType),
      b.forward(prefix + "_fini", "onnxc_rt_entry_fini", finiType),
      b.data("onnxc_rt_pool"),
      b.text(info.compilerVersion),
      b.text(info.compilerOptions),
      b.text(info.modelSha256),
      b.i64(info.opset),
      b.text(info.id()),
      weights.bytes && !embedded ? b.function("onnxc_rt_check_weights", initType) : b.null(),
  };
  Constant *value = b.record(fields);
  auto *global = new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                    GlobalValue::ExternalLinkage, value, prefix + "_model");
  global->setAlignment(Align(ONNXC_ALIGNMENT));
  GlobalAlias::create(modelName, global)->setVisibility(GlobalValue::HiddenVisibility);
  GlobalAlias::create(getTiedName(info), global);
  for (const char *name : {"onnxc_plan", "onnxc_body"})
    module.getFunction(name)->setVisibility(GlobalValue::HiddenVisibility);
}

} // namespace onnxc
