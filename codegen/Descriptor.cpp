//===- Descriptor.cpp - The model's public symbols -------------------------===//
#include "codegen/Descriptor.h"
#include "codegen/Target.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "runtime/onnxc_runtime.h"

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

std::string WeightsInfo::dataSymbol(StringRef prefix) {
  return (prefix + "_onnxc_weights").str();
}
std::string WeightsInfo::hashSymbol(StringRef prefix) {
  return (prefix + "_onnxc_weights_sha256").str();
}

/// The runtime's name of each entry point and the suffix of its public name.
static constexpr std::pair<const char *, const char *> entryPoints[] = {
    {"onnxc_rt_entry_plan", "_plan"},
    {"onnxc_rt_entry_run", "_run"},
    {"onnxc_rt_entry_init", "_init"},
    {"onnxc_rt_entry_fini", "_fini"},
    {"onnxc_rt_model", "_model"},
};

std::vector<std::string> getPublicNames(const ModelInfo &info) {
  std::vector<std::string> names;
  for (auto [runtimeName, suffix] : entryPoints)
    names.push_back(info.symbolPrefix() + suffix);
  return names;
}

namespace {
/// Builds constants laid out as the C structs of onnxc_runtime.h: fields of
/// fixed-width integers and pointers, padded as the target's data layout pads.
class DescriptorBuilder {
public:
  DescriptorBuilder(Module &module)
      : module(module), context(module.getContext()),
        pointer(PointerType::getUnqual(context)) {}

  Constant *null() { return ConstantPointerNull::get(pointer); }
  Constant *i32(int64_t value) {
    return ConstantInt::get(Type::getInt32Ty(context), value, /*IsSigned=*/true);
  }
  Constant *i64(int64_t value) {
    return ConstantInt::get(Type::getInt64Ty(context), value, /*IsSigned=*/true);
  }
  Constant *record(ArrayRef<Constant *> fields) {
    return ConstantStruct::getAnon(context, fields);
  }
  Constant *text(StringRef string) {
    return variable(ConstantDataArray::getString(context, string));
  }
  Constant *array(ArrayRef<Constant *> elements) {
    if (elements.empty())
      return null();
    return variable(
        ConstantArray::get(ArrayType::get(elements[0]->getType(), elements.size()), elements));
  }
  Constant *function(StringRef name) {
    auto *type = FunctionType::get(Type::getInt32Ty(context), /*isVarArg=*/false);
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
    dims.push_back(b.record({b.i64(dim.size), b.i32(dim.symbol),
                             b.i32(dim.dataDependent), b.text(dim.text)}));
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
      b.function("onnxc_rt_entry_plan"),
      b.function("onnxc_rt_entry_run"),
      b.function("onnxc_rt_entry_init"),
      b.function("onnxc_rt_entry_fini"),
      b.data("onnxc_rt_pool"),
      b.text(info.compilerVersion),
      b.text(info.compilerOptions),
      b.text(info.modelSha256),
      b.i64(info.opset),
  };
  Constant *value = b.record(fields);
  auto *global = new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                    GlobalValue::ExternalLinkage, value, "onnxc_rt_model");
  global->setAlignment(Align(ONNXC_ALIGNMENT));
}

void nameEntryPoints(Module &module, const ModelInfo &info) {
  std::string prefix = info.symbolPrefix();
  for (auto [runtimeName, suffix] : entryPoints) {
    GlobalValue *value = module.getNamedValue(runtimeName);
    value->setName(prefix + suffix);
    value->setLinkage(GlobalValue::ExternalLinkage);
    value->setVisibility(GlobalValue::DefaultVisibility);
  }
}

} // namespace onnxc
