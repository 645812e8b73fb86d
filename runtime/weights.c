/* weights.c - is a side file the one that belongs to the model? */
#include "internal.h"
#include "sha256.h"

#define MODEL (&onnxc_rt_model)

onnxc_status onnxc_rt_check_weights(const void *weights, uint64_t bytes, char *message,
                                    uint64_t message_bytes) {
  onnxc_rt_text text = onnxc_rt_text_begin(message, message_bytes);
  onnxc_rt_sha256 hash;
  char found[ONNXC_RT_SHA256_HEX];
  const char *expected = MODEL->weights_sha256;
  if (!weights) {
    onnxc_rt_text_string(&text, "the weights are NULL");
    return ONNXC_INVALID_ARGUMENT;
  }
  if (bytes != MODEL->weights_bytes) {
    onnxc_rt_text_string(
        &text, "not the side file that this model was compiled with: its size differs (found ");
    onnxc_rt_text_number(&text, (int64_t)bytes);
    onnxc_rt_text_string(&text, " bytes, expected ");
    onnxc_rt_text_number(&text, (int64_t)MODEL->weights_bytes);
    onnxc_rt_text_string(&text, ")");
    return ONNXC_WRONG_MODEL;
  }
  onnxc_rt_sha256_begin(&hash, 1);
  onnxc_rt_sha256_update(&hash, weights, bytes);
  onnxc_rt_sha256_finish(&hash, found);
  if (onnxc_equal_text(found, expected))
    return ONNXC_OK;
  onnxc_rt_text_string(
      &text, "not the side file that this model was compiled with: its sha256 differs (found ");
  onnxc_rt_text_string(&text, found);
  onnxc_rt_text_string(&text, ", expected ");
  onnxc_rt_text_string(&text, expected);
  onnxc_rt_text_string(&text, ")");
  return ONNXC_WRONG_MODEL;
}
