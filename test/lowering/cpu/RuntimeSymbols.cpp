//===- RuntimeSymbols.cpp - The runtime's math functions by name ----------===//
#include "RuntimeSymbols.h"

extern "C" {
#include "runtime/math.h"
}

namespace onnxc::test {

#define SYMBOL(name) {#name, reinterpret_cast<void *>(name)}

std::vector<std::pair<const char *, void *>> getRuntimeSymbols() {
  return {SYMBOL(onnxc_rt_acos_f64),  SYMBOL(onnxc_rt_acosh_f64), SYMBOL(onnxc_rt_asin_f64),
          SYMBOL(onnxc_rt_asinh_f64), SYMBOL(onnxc_rt_atan_f64),  SYMBOL(onnxc_rt_atan2_f64),
          SYMBOL(onnxc_rt_atanh_f64), SYMBOL(onnxc_rt_cbrt_f64),  SYMBOL(onnxc_rt_cos_f64),
          SYMBOL(onnxc_rt_cosh_f64),  SYMBOL(onnxc_rt_erf_f64),   SYMBOL(onnxc_rt_erfc_f64),
          SYMBOL(onnxc_rt_exp_f64),   SYMBOL(onnxc_rt_exp2_f64),  SYMBOL(onnxc_rt_expm1_f64),
          SYMBOL(onnxc_rt_fmod_f64),  SYMBOL(onnxc_rt_ipow_i64),  SYMBOL(onnxc_rt_log_f64),
          SYMBOL(onnxc_rt_log10_f64), SYMBOL(onnxc_rt_log1p_f64), SYMBOL(onnxc_rt_log2_f64),
          SYMBOL(onnxc_rt_pow_f64),   SYMBOL(onnxc_rt_sin_f64),   SYMBOL(onnxc_rt_sinh_f64),
          SYMBOL(onnxc_rt_tan_f64),   SYMBOL(onnxc_rt_tanh_f64)};
}

} // namespace onnxc::test
