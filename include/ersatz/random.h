// Random number generators: `manual_seed(7)` seeds them, and their states can be saved and restored. docs/random.md
// says which numbers each operator draws.
#pragma once

#include "runtime/tensor/generator.h"
