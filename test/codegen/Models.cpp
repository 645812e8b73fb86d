//===- Models.cpp - Hand-written models in the llvm dialect ----------------===//
#include "Models.h"
#include "codegen/Target.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "runtime/onnxc_runtime.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace onnxc::test {

static const char *const scaleAddModule = R"mlir(
llvm.func @onnxc_rt_launch(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr)
llvm.func @onnxc_rt_fail(!llvm.ptr, i32, !llvm.ptr, i64, i64) -> i32
llvm.func @onnxc_rt_alloc(!llvm.ptr, i64) -> !llvm.ptr
llvm.mlir.global private constant @name("scale_add\00")
llvm.mlir.global private constant @message("node \"Mul_1\": unlucky batch\00")

llvm.func @onnxc_plan(%symbols: !llvm.ptr, %dims: !llvm.ptr, %bytes: !llvm.ptr,
                       %context: !llvm.ptr) -> i32 {
  %ok = llvm.mlir.constant(0 : i32) : i32
  %four = llvm.mlir.constant(4 : i64) : i64
  %row = llvm.mlir.constant(16 : i64) : i64
  %n = llvm.load %symbols : !llvm.ptr -> i64
  llvm.store %n, %dims : i64, !llvm.ptr
  %dim1 = llvm.getelementptr %dims[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %four, %dim1 : i64, !llvm.ptr
  %size = llvm.mul %n, %row : i64
  llvm.store %size, %bytes : i64, !llvm.ptr
  llvm.return %ok : i32
}

llvm.func @scale_add(%slots: !llvm.ptr, %task: i64) {
  %one = llvm.mlir.constant(dense<1.0> : vector<4xf32>) : vector<4xf32>
  %four = llvm.mlir.constant(4 : i64) : i64
  %x = llvm.load %slots : !llvm.ptr -> !llvm.ptr
  %slot1 = llvm.getelementptr %slots[1] : (!llvm.ptr) -> !llvm.ptr, i64
  %w = llvm.load %slot1 : !llvm.ptr -> !llvm.ptr
  %slot2 = llvm.getelementptr %slots[2] : (!llvm.ptr) -> !llvm.ptr, i64
  %y = llvm.load %slot2 : !llvm.ptr -> !llvm.ptr
  %offset = llvm.mul %task, %four : i64
  %from = llvm.getelementptr %x[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %to = llvm.getelementptr %y[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %a = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  %b = llvm.load %w {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
  %r = llvm.intr.fmuladd(%a, %b, %one) : (vector<4xf32>, vector<4xf32>, vector<4xf32>) -> vector<4xf32>
  llvm.store %r, %to {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr
  llvm.return
}

llvm.func @onnxc_body(%symbols: !llvm.ptr, %inputs: !llvm.ptr, %outputs: !llvm.ptr,
    %dims: !llvm.ptr, %workspace: !llvm.ptr, %weights: !llvm.ptr, %context: !llvm.ptr) -> i32 {
  %ok = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i64) : i64
  %c3 = llvm.mlir.constant(3 : i64) : i64
  %c12 = llvm.mlir.constant(12 : i64) : i64
  %c13 = llvm.mlir.constant(13 : i64) : i64
  %c14 = llvm.mlir.constant(14 : i64) : i64
  %range = llvm.mlir.constant(6 : i32) : i32
  %oom = llvm.mlir.constant(8 : i32) : i32
  %n = llvm.load %symbols : !llvm.ptr -> i64
  %bad = llvm.icmp "eq" %n, %c13 : i64
  llvm.cond_br %bad, ^fail, ^check
^fail:
  %text = llvm.mlir.addressof @message : !llvm.ptr
  %status = llvm.call @onnxc_rt_fail(%context, %range, %text, %n, %c12)
      : (!llvm.ptr, i32, !llvm.ptr, i64, i64) -> i32
  llvm.return %status : i32
^check:
  %wants = llvm.icmp "eq" %n, %c14 : i64
  llvm.cond_br %wants, ^allocate, ^work
^allocate:
  %memory = llvm.call @onnxc_rt_alloc(%context, %c14) : (!llvm.ptr, i64) -> !llvm.ptr
  %null = llvm.mlir.zero : !llvm.ptr
  %none = llvm.icmp "eq" %memory, %null : !llvm.ptr
  llvm.cond_br %none, ^outOfMemory, ^work
^outOfMemory:
  llvm.return %oom : i32
^work:
  %slots = llvm.alloca %c3 x !llvm.ptr : (i64) -> !llvm.ptr
  %x = llvm.load %inputs : !llvm.ptr -> !llvm.ptr
  %y = llvm.load %outputs : !llvm.ptr -> !llvm.ptr
  llvm.store %x, %slots : !llvm.ptr, !llvm.ptr
  %slot1 = llvm.getelementptr %slots[1] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %weights, %slot1 : !llvm.ptr, !llvm.ptr
  %slot2 = llvm.getelementptr %slots[2] : (!llvm.ptr) -> !llvm.ptr, i64
  llvm.store %y, %slot2 : !llvm.ptr, !llvm.ptr
  %kernel = llvm.mlir.addressof @scale_add : !llvm.ptr
  %name = llvm.mlir.addressof @name : !llvm.ptr
  llvm.call @onnxc_rt_launch(%context, %name, %name, %n, %kernel, %slots)
      : (!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
  llvm.return %ok : i32
}
)mlir";

TestModel::TestModel(StringRef staticName) {
  context.loadDialect<mlir::LLVM::LLVMDialect>();
  std::string text = scaleAddModule;
  info.name = "scale-add";
  info.symbols = {{"batch", 1, 64}};
  DimInfo batch{-1, 0, false, "batch"}, four{4, -1, false, "4"};
  if (!staticName.empty()) {
    info.name = staticName.str();
    info.symbols.clear();
    batch = {2, -1, false, "2"};
    std::string load = "%n = llvm.load %symbols : !llvm.ptr -> i64";
    for (size_t at; (at = text.find(load)) != std::string::npos;)
      text.replace(at, load.size(), "%n = llvm.mlir.constant(2 : i64) : i64");
  }
  module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  info.inputs = {{"x", ONNXC_FLOAT, ONNXC_TENSOR, {batch, four}, true}};
  info.outputs = {{"y", ONNXC_FLOAT, ONNXC_TENSOR, {batch, four}, true}};
  info.compilerVersion = "0.1.0";
  info.compilerOptions = "--mcpu=\"x\" */";
  info.modelSha256 = std::string(64, 'a');
  info.opset = 21;
  weights.bytes = weightValues.size() * sizeof(float);
  weights.chunks = {{{reinterpret_cast<char *>(weightValues.data()), weights.bytes}, 0}};
}

EmitOptions makeOptions(StringRef triple, StringRef cpu, StringRef features) {
  EmitOptions options;
  options.target = cantFail(resolveTarget(triple, cpu, features));
  return options;
}

TemporaryFolder::TemporaryFolder() {
  SmallString<128> path;
  if (!sys::fs::createUniqueDirectory("onnxc-test", path))
    folder = path.str().str();
}

TemporaryFolder::~TemporaryFolder() { sys::fs::remove_directories(folder); }

std::vector<std::string> TemporaryFolder::list() const {
  std::vector<std::string> names;
  std::error_code code;
  for (sys::fs::directory_iterator it(folder, code), end; it != end && !code; it.increment(code))
    names.push_back(sys::path::filename(it->path()).str());
  llvm::sort(names);
  return names;
}

std::string messageOf(Error error) { return toString(std::move(error)); }

} // namespace onnxc::test
