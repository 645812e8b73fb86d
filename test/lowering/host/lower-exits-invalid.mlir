// RUN: onnxc-opt %s --pass-pipeline="builtin.module(func.func(onnxc-lower-exits))" --verify-diagnostics --split-input-file

func.func @inside_of_an_if(%status: i32, %condition: i1) -> i32 {
  scf.if %condition {
    // expected-error @below {{expected branches around it, found 'scf.if', which must be lowered first}}
    rt.exit %status
  }
  return %status : i32
}

// -----

func.func @no_status(%status: i32) {
  // expected-error @below {{expected a function that returns a status, found '(i32) -> ()'}}
  rt.exit %status
  return
}
