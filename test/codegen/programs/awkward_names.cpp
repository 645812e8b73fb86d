// Includes what is generated for a model with awkward names: it is to compile.
#include "first.hpp"

int main() { return first::Model().status(); }
