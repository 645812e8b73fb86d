//===- ModelWeights.cpp - The bytes of a model's weights -------------------===//
#include "compiler/ModelWeights.h"
#include "dialects/onnx/ElementTypes.h"
#include "dialects/rt/RtDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace onnxc {

ArrayRef<char> getConstantBytes(Attribute constant, std::deque<std::string> &owned) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    return blob ? blob->getData() : ArrayRef<char>();
  }
  auto elements = cast<DenseElementsAttr>(constant);
  if (rt::sharesBytes(elements.getElementType())) {
    // The attribute has a byte for each element.
    std::vector<char> values;
    if (elements.isSplat())
      values.assign(elements.getNumElements(), elements.getRawData().front());
    owned.push_back(
        onnx::packElements(elements.isSplat() ? ArrayRef(values) : elements.getRawData(),
                           rt::getStorageBits(elements.getElementType())));
    return ArrayRef<char>(owned.back().data(), owned.back().size());
  }
  bool isBool = elements.getElementType().isInteger(1);
  if (!isBool && !elements.isSplat())
    return elements.getRawData();
  std::string bytes;
  if (isBool) {
    for (bool value : elements.getValues<bool>())
      bytes.push_back(value);
  } else {
    ArrayRef<char> one = elements.getRawData();
    bytes.reserve(one.size() * elements.getNumElements());
    for (int64_t i = 0; i < elements.getNumElements(); ++i)
      bytes.append(one.begin(), one.end());
  }
  owned.push_back(std::move(bytes));
  return ArrayRef<char>(owned.back().data(), owned.back().size());
}

ModelWeights collectWeights(ModuleOp module) {
  ModelWeights weights;
  auto constants = module->getAttrOfType<ArrayAttr>(rt::attributes::weights);
  auto offsets = module->getAttrOfType<DenseI64ArrayAttr>(rt::attributes::weightOffsets);
  auto bytes = module->getAttrOfType<IntegerAttr>(rt::attributes::weightsBytes);
  if (!constants || !offsets || !bytes)
    return weights;
  for (auto [constant, offset] : llvm::zip_equal(constants, offsets.asArrayRef())) {
    WeightsLayout::Chunk chunk;
    chunk.bytes = getConstantBytes(constant, weights.owned);
    chunk.offset = offset;
    weights.layout.chunks.push_back(chunk);
  }
  weights.layout.bytes = bytes.getInt();
  return weights;
}

} // namespace onnxc
