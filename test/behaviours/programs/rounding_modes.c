/* Functions in every rounding mode: right to the digits that the header promises. */
#include "functions.h"
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 4096 };

static float x[COUNT], y[3][COUNT];

static int run_in(int mode, onnxc_call *call) {
  fesetround(mode);
  onnxc_status status = functions_infer(call, x, y[0], y[1], y[2]);
  return fesetround(FE_TONEAREST) || status != ONNXC_OK;
}

int main(void) {
  const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  onnxc_call call = {0};
  for (int i = 0; i < COUNT; ++i)
    x[i] = (float)(i - COUNT / 2) / 256;
  if (run_in(FE_TONEAREST, &call))
    return 1;
  call.workspace = aligned_alloc(ONNXC_ALIGNMENT, (call.workspace_bytes / 64 + 1) * 64);
  for (int m = 0; m < 4; ++m) {
    double worst = 0;
    if (run_in(modes[m], &call))
      return 2;
    for (int i = 0; i < COUNT; ++i) {
      double exact = exp(x[i]);
      worst = fmax(worst, fabs(y[0][i] - exact) / exact);
      worst = fmax(worst, fabs(y[1][i] - sin(x[i])));
      worst = fmax(worst, fabs(y[2][i] - tanh(x[i])));
    }
    printf("mode %d: error %.2g\n", m, worst);
    if (worst > (m ? 1e-4 : 1e-6))
      return 3;
  }
  free(call.workspace);
  return 0;
}
