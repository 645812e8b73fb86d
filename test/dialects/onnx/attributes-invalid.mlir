// RUN: onnxc-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected a dim expression, found '2*'}}
func.func private @dim_is_no_expression(tensor<?xf32, #onnx.shape<["2*"]>>)

// -----

// expected-error @below {{expected a dim expression, found ''}}
func.func private @dim_attribute() attributes {dim = #onnx.dim<"">}

// -----

// expected-error @below {{#onnx.shape<["n"]> has 1 dims, the tensor has 2}}
func.func private @encoding_of_another_rank(tensor<?x?xf32, #onnx.shape<["n"]>>)

// -----

// expected-error @below {{#onnx.shape<["n"]> does not fit the tensor's dims}}
func.func private @static_dim_with_a_symbol(tensor<3xf32, #onnx.shape<["n"]>>)

// -----

// expected-error @below {{#onnx.shape<[3]> does not fit the tensor's dims}}
func.func private @dynamic_dim_without_a_symbol(tensor<?xf32, #onnx.shape<[3]>>)

// -----

// expected-error @below {{#onnx.shape<["n", 4]> does not fit the tensor's dims}}
func.func private @another_size(tensor<?x3xf32, #onnx.shape<["n", 4]>>)
