//===- Target.cpp - The target, as an attribute of the module
//--------------===//
#include "lowering/kernels/Target.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace onnxc {

static constexpr StringLiteral attributeName = "rt.target";

namespace {
struct Flag {
  StringLiteral name;
  bool TargetInfo::*member;
};
constexpr Flag flags[] = {
    {"fma", &TargetInfo::hasFma},
    {"masked_vectors", &TargetInfo::hasMaskedVectors},
    {"fma_by_element", &TargetInfo::hasFmaByElement},
    {"f16_conversion", &TargetInfo::hasF16Conversion},
    {"f16_arithmetic", &TargetInfo::hasF16Arithmetic},
    {"bf16", &TargetInfo::hasBf16},
    {"int8_dot", &TargetInfo::hasInt8Dot},
    {"int8_matrix", &TargetInfo::hasInt8Matrix},
    {"avx2", &TargetInfo::hasAvx2},
    {"avx512", &TargetInfo::hasAvx512},
};
} // namespace

void setTarget(ModuleOp module, const TargetInfo &target) {
  Builder builder(module.getContext());
  SmallVector<NamedAttribute> entries;
  auto add = [&](StringRef name, Attribute value) {
    entries.push_back(builder.getNamedAttr(name, value));
  };
  add("triple", builder.getStringAttr(target.triple));
  add("cpu", builder.getStringAttr(target.cpu));
  add("features", builder.getStringAttr(target.features));
  add("arch", builder.getI64IntegerAttr(static_cast<int64_t>(target.arch)));
  add("pointer_bits", builder.getI64IntegerAttr(target.pointerBits));
  add("vector_bits", builder.getI64IntegerAttr(target.vectorBits));
  add("vector_registers", builder.getI64IntegerAttr(target.numVectorRegisters));
  add("l1_bytes", builder.getI64IntegerAttr(target.l1Bytes));
  add("l2_bytes", builder.getI64IntegerAttr(target.l2Bytes));
  for (const Flag &flag : flags)
    if (target.*flag.member)
      add(flag.name, builder.getUnitAttr());
  module->setAttr(attributeName, builder.getDictionaryAttr(entries));
}

TargetInfo getTarget(ModuleOp module) {
  TargetInfo target;
  auto entries = module->getAttrOfType<DictionaryAttr>(attributeName);
  if (!entries)
    return target;
  auto text = [&](StringRef name, std::string &out) {
    if (auto attr = entries.getAs<StringAttr>(name))
      out = attr.str();
  };
  auto number = [&](StringRef name, auto &out) {
    if (auto attr = entries.getAs<IntegerAttr>(name))
      out = static_cast<std::remove_reference_t<decltype(out)>>(attr.getInt());
  };
  text("triple", target.triple);
  text("cpu", target.cpu);
  text("features", target.features);
  number("arch", target.arch);
  number("pointer_bits", target.pointerBits);
  number("vector_bits", target.vectorBits);
  number("vector_registers", target.numVectorRegisters);
  number("l1_bytes", target.l1Bytes);
  number("l2_bytes", target.l2Bytes);
  for (const Flag &flag : flags)
    target.*flag.member = entries.contains(flag.name);
  return target;
}

} // namespace onnxc
