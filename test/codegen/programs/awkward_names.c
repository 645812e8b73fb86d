/* Includes what is generated for a model with awkward names: it is to compile. */
#include "first.h"

int main(void) { return first_model.num_inputs < 10 || FIRST_INPUT_X_INDEX != 0; }
