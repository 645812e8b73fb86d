/* Whatever a program does with the C header, compiled with all the warnings people use. */
#include "add.h"
#include "finder.h"

int main(void) {
  char message[400];
  float a[12] = {1}, b[12] = {2}, y[12] = {0};
  onnxc_call call = {0};
  call.message = message;
  call.message_bytes = sizeof message;
  if (add_infer(&call, a, b, y) != ONNXC_OK)
    return 1;
  if (finder_check(&add_model, message, sizeof message) != ONNXC_WRONG_MODEL)
    return 2;
  return finder_plan(&call) == ONNXC_INVALID_ARGUMENT ? 0 : 3;
}
