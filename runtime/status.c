/* status.c - error messages in caller-owned buffers. */
#include "internal.h"

onnxc_rt_text onnxc_rt_text_begin(char *buffer, uint64_t bytes) {
  onnxc_rt_text text = {0, 0};
  if (buffer && bytes) {
    text.next = buffer;
    text.end = buffer + bytes - 1;
    *buffer = 0;
  }
  return text;
}

void onnxc_rt_text_string(onnxc_rt_text *text, const char *string) {
  if (!text->next)
    return;
  while (text->next < text->end && *string)
    *text->next++ = *string++;
  *text->next = 0;
}

void onnxc_rt_text_number(onnxc_rt_text *text, int64_t number) {
  char digits[24];
  char *digit = digits + sizeof digits - 1;
  uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
  *digit = 0;
  do {
    *--digit = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (number < 0)
    *--digit = '-';
  onnxc_rt_text_string(text, digit);
}

onnxc_status onnxc_rt_fail(onnxc_rt_context *context, onnxc_status status, const char *message,
                           int64_t found, int64_t expected) {
  onnxc_call *call = context->call;
  onnxc_rt_text text = onnxc_rt_text_begin(call->message, call->message_bytes);
  onnxc_rt_text_string(&text, message);
  onnxc_rt_text_string(&text, " (found ");
  onnxc_rt_text_number(&text, found);
  onnxc_rt_text_string(&text, ", expected ");
  onnxc_rt_text_number(&text, expected);
  onnxc_rt_text_string(&text, ")");
  return status;
}

onnxc_status onnxc_rt_fail_text(onnxc_rt_context *context, onnxc_status status,
                                const char *message) {
  onnxc_rt_text text = onnxc_rt_text_begin(context->call->message, context->call->message_bytes);
  onnxc_rt_text_string(&text, message);
  return status;
}

onnxc_status onnxc_rt_fail_at(onnxc_rt_context *context, onnxc_status status, const char *node) {
  onnxc_call *call = context->call;
  uint64_t space = call->message ? call->message_bytes : 0, prefix = 0, length = 0, i;
  while (node[prefix])
    ++prefix;
  if (!prefix || space < prefix + 3)
    return status;
  while (length < space && call->message[length])
    ++length;
  if (length > space - prefix - 3)
    length = space - prefix - 3;
  for (i = length; i-- > 0;)
    call->message[prefix + 2 + i] = call->message[i];
  call->message[prefix + 2 + length] = 0;
  for (i = 0; i < prefix; ++i)
    call->message[i] = node[i];
  call->message[prefix] = ':';
  call->message[prefix + 1] = ' ';
  return status;
}
