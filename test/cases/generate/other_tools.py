"""What other tools are known to do with these cases (checked by running them)."""


def by_case(table):
    """{tool: "case case ..."} turned into {case: [tool, ...]}."""
    out = {}
    for tool, names in table.items():
        for n in names.split(): out.setdefault(n, []).append(tool)
    return out


KNOWN_WRONG = by_case({
    "onnx 1.23.2 checker (accepts it)": """
        malformed_graph__attribute_reference_outside_function""",
    "onnx 1.23.2 checker (refuses it)": """
        tensor_data_fields__sparse_initializer""",
    "onnx 1.23.2 reference evaluator": """
        batch_norm_training__inference_opset9 layer_norm_f16_variance layer_norm_f16_variance__bias layer_norm_f16_variance__mean_and_inv_std
        loop_while__const_trip loop_while__nested loop_while__no_trip_count loop_while__outer_value_in_body loop_while__runtime_trip
        loop_while__state_grows loop_while__states_swap_places mat_mul_integer_per_row mat_mul_integer_per_row__const
        output_used_inside__used_in_subgraph quantize_saturates__inf quantize_saturates__u8 quantize_saturates__u8_default_zero_point
        recurrent_sequence_lens__bidirectional_const_lens recurrent_sequence_lens__gru_forward recurrent_sequence_lens__gru_reverse
        recurrent_sequence_lens__lstm_forward recurrent_sequence_lens__lstm_reverse recurrent_sequence_lens__rnn_forward
        recurrent_sequence_lens__rnn_reverse same_padding_strided__max_lower softmax_default_axis__hardmax_opset11
        softmax_default_axis__logsoftmax_opset11 softmax_default_axis__opset1 softmax_default_axis__opset11_axis_0
        softmax_default_axis__opset11_dynamic softmax_default_axis__softmax_opset11 softmax_middle_axis__logsoftmax12_axis_1
        softmax_middle_axis__logsoftmax12_axis_2 softmax_middle_axis__logsoftmax12_axis_m2 softmax_middle_axis__opset12
        softmax_middle_axis__softmax12_axis_1 softmax_middle_axis__softmax12_axis_2 softmax_middle_axis__softmax12_axis_m2
        softplus_range__log_softmax_large""",
    "onnxruntime 1.32": """
        cast_float_to_int__f64_to_f16_rounds_once_folded cast_float_to_int__f64_to_f16_rounds_once_runtime nan_in_reductions__reducemax_every_place_33
        nan_in_reductions__reducemax_every_place_8 nan_in_reductions__reducemax_f16 nan_in_reductions__reducemax_f64 nan_in_reductions__reducemax_last
        nan_in_reductions__reducemax_outer_axis nan_in_reductions__reducemin_every_place_33 nan_in_reductions__reducemin_every_place_8
        nan_in_reductions__reducemin_last pool_kernel_larger_than_input pool_kernel_larger_than_input__average pool_kernel_larger_than_input__dynamic
        pool_no_window_in_padding__all_minus_inf slice_clamp__i32_max_end slice_clamp__max_end_const slice_clamp__max_end_runtime""",
    "onnxruntime 1.32 (accepts it)": """
        malformed_graph__attribute_reference_outside_function malformed_graph__two_initializers_one_name shape_mismatch__declared_output_differs
        tensor_size_lies__two_fields""",
})
CANNOT_RUN = by_case({
    "onnx 1.23.2 reference evaluator": """
        batch_norm_training__inference_opset7 external_data_order__no_length_and_more_behind gather_elements_negative_axis__index_smaller_than_data
        grid_sample_nearest_tie__opset16_bilinear local_functions__call local_functions__called_in_branch local_functions__default_attribute
        local_functions__nested local_functions__omitted_input local_functions__two_calls_differ loop_while__scan_axis1_output_reversed
        loop_while__scan_reverse loop_while__starts_false mat_mul_nbits_tail_block mat_mul_nbits_tail_block__k17_block16
        mat_mul_nbits_tail_block__k33_block16 negative_index_siblings__one_hot_i32_depth_rank1 old_and_future_opsets__opset1_add_broadcast_axis
        old_and_future_opsets__opset1_cast_string_target old_and_future_opsets__opset1_reshape_attribute
        old_and_future_opsets__opset6_add_broadcast_axis pad_negative__axes_negative pad_negative__bool pad_negative__constant
        pad_negative__constant_runtime pad_negative__crop_both pad_negative__crop_to_nothing pad_negative__dynamic pad_negative__opset2_attributes
        pad_negative__reflect pad_negative__two_d pad_negative__value_f16 pad_negative__value_i64 resize_nearest_asymmetric__resize10
        resize_nearest_asymmetric__upsample7 tensor_data_fields__sparse_constant_coordinates tensor_data_fields__sparse_initializer
        version_by_opset__scatter_9""",
    "onnxruntime 1.32": """
        initializer_and_input__ir3_initializer_listed_first mat_mul_integer_per_row mat_mul_integer_per_row__batched_column
        mat_mul_integer_per_row__const negative_index_siblings__one_hot_float_index negative_index_siblings__one_hot_i32_depth_rank1
        old_and_future_opsets__opset1_add_broadcast_axis old_and_future_opsets__opset1_cast_string_target old_and_future_opsets__opset1_sigmoid
        old_and_future_opsets__opset6_add_broadcast_axis old_and_future_opsets__opset6_mul_broadcast_suffix pad_negative__reflect
        pool_kernel_larger_than_input__conv recurrent_layout__gru recurrent_layout__lstm recurrent_layout__lstm_bidirectional_initial
        recurrent_layout__rnn reduce_zero_length_axis__bool_max round_half_to_even__bf16 softplus_range__f64""",
})
