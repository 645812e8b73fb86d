//===- MathFunctions.h - f32 functions as formulas --------------*- C++ -*-===//
//
// Every function takes and returns f32 scalars or vectors. Infinities, NaN,
// zeros of either sign and denormal arguments give what IEEE 754 recommends.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXC_LOWERING_CPU_MATHFUNCTIONS_H
#define ONNXC_LOWERING_CPU_MATHFUNCTIONS_H

#include "lowering/cpu/MathBuilder.h"

namespace onnxc::cpu {

// MathF32.cpp: the functions of activations, in f32 throughout.
Lanes expandErf(Lanes x);
Lanes expandExp(Lanes x);
Lanes expandExp2(Lanes x);
Lanes expandLog(Lanes x);
Lanes expandSigmoid(Lanes x); ///< 1 / (1 + exp(-x))
Lanes expandTanh(Lanes x);

// MathViaF64.cpp: computed in f64 and rounded once.
Lanes expandAcos(Lanes x);
Lanes expandAcosh(Lanes x);
Lanes expandAsin(Lanes x);
Lanes expandAsinh(Lanes x);
Lanes expandAtan(Lanes x);
Lanes expandAtan2(Lanes y, Lanes x);
Lanes expandAtanh(Lanes x);
Lanes expandCbrt(Lanes x);
Lanes expandCos(Lanes x);
Lanes expandCosh(Lanes x);
Lanes expandExpM1(Lanes x);
Lanes expandLog10(Lanes x);
Lanes expandLog1p(Lanes x);
Lanes expandLog2(Lanes x);
Lanes expandPow(Lanes x, Lanes y);
Lanes expandSin(Lanes x);
Lanes expandSinh(Lanes x);
Lanes expandTan(Lanes x);

// MathRounding.cpp: floats of any width.
Lanes expandCeil(Lanes x);
Lanes expandFloor(Lanes x);
Lanes expandRound(Lanes x);
Lanes expandRoundEven(Lanes x);
Lanes expandTrunc(Lanes x);

} // namespace onnxc::cpu

#endif // ONNXC_LOWERING_CPU_MATHFUNCTIONS_H
