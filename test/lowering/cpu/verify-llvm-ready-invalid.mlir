// RUN: onnxc-opt %s --onnxc-verify-llvm-ready --verify-diagnostics --split-input-file

// expected-error @+1 {{expected only ops of the llvm dialect, found 'func.func'}}
func.func private @other_dialect()

// -----

llvm.func @library_call(%x: f32) -> f32 {
  // expected-error @+1 {{'llvm.intr.exp' would become a library call}}
  %0 = llvm.intr.exp(%x) : (f32) -> f32
  llvm.return %0 : f32
}

// -----

llvm.func @expf(f32) -> f32
llvm.func @onnxc_rt_exp_f64(f64) -> f64
llvm.func @own(%x: f32) -> f32 {
  llvm.return %x : f32
}
llvm.func @foreign_call(%x: f32, %y: f64) -> f32 {
  %0 = llvm.call @onnxc_rt_exp_f64(%y) : (f64) -> f64
  %1 = llvm.call @own(%x) : (f32) -> f32
  // expected-error @+1 {{expected a call of the module or of the runtime, found 'expf'}}
  %2 = llvm.call @expf(%x) : (f32) -> f32
  llvm.return %2 : f32
}

// -----

llvm.func @wide_integer(%x: i64) -> i64 {
  // expected-error @+1 {{expected integers of at most 64 bits, found 'i128'}}
  %0 = llvm.zext %x : i64 to i128
  llvm.return %x : i64
}

// -----

llvm.func @odd_vector(%p: !llvm.ptr) {
  // expected-error @+1 {{expected a vector of a power of two of elements, found 'vector<12xf32>'}}
  %0 = llvm.load %p : !llvm.ptr -> vector<12xf32>
  llvm.return
}

// -----

llvm.func @wide_vector(%p: !llvm.ptr) {
  // expected-error @+1 {{expected vectors of at most 8 registers of 128 bits, found 'vector<64xf32>'}}
  %0 = llvm.load %p : !llvm.ptr -> vector<64xf32>
  llvm.return
}
