// A static program: can the model start threads?
#include "inside.hpp"

int main() {
  const inside::Model model(/*threads=*/2);
  if (model.status() != ONNXC_OK)
    std::fprintf(stderr, "error: %s\n", model.lastMessage());
  return model.status();
}
