// RUN: onnxc-opt %s --onnxc-cpu-to-llvm="has-fma=1" | FileCheck %s

// CHECK-LABEL: llvm.func @sum(
// CHECK-SAME: attributes {no_unwind
// CHECK: llvm.intr.fma
// CHECK: "llvm.intr.vector.reduce.fadd"({{.*}}) <{fastmathFlags = #llvm.fastmath<reassoc>}>
func.func @sum(%in: !llvm.ptr, %n: index, %factor: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %b = vector.broadcast %factor : f32 to vector<8xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> vector<8xf32> {
    %offset = arith.index_cast %i : index to i64
    %p = llvm.getelementptr %in[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, vector<8xf32>
    %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> vector<8xf32>
    %next = vector.fma %v, %b, %acc : vector<8xf32>
    scf.yield %next : vector<8xf32>
  }
  %r = vector.reduction <add>, %sum fastmath<reassoc> : vector<8xf32> into f32
  return %r : f32
}

// CHECK-LABEL: llvm.func @vector_ops(
// CHECK: llvm.icmp
// CHECK: llvm.shufflevector
// CHECK: llvm.extractelement
func.func @vector_ops(%v: vector<8xf32>, %n: index) -> (vector<8xi1>, vector<4xf32>, f32, index) {
  %mask = vector.create_mask %n : vector<8xi1>
  %s = vector.shuffle %v, %v [0, 8, 1, 9] : vector<8xf32>, vector<8xf32>
  %e = vector.extract %v[1] : f32 from vector<8xf32>
  %m = index.mul %n, %n
  return %mask, %s, %e, %m : vector<8xi1>, vector<4xf32>, f32, index
}

// An exit inside of scf, and an expansion that makes more of it.
// CHECK-LABEL: llvm.func @exit(
// CHECK: llvm.cond_br
// CHECK: llvm.return
func.func @exit(%go: i1, %status: i32, %x: f32, %out: !llvm.ptr) -> i32 {
  %ok = arith.constant 0 : i32
  scf.if %go {
    rt.exit %status
    %r = arith.remf %x, %x : f32
    llvm.store %r, %out : f32, !llvm.ptr
  }
  return %ok : i32
}
