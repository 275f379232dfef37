// Generators: `manual_seed(7)`, and their states to save and restore. docs/random.md says which numbers an op draws.
#pragma once

#include "runtime/tensor/generator.h"
