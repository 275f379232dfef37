// Saves named tensors to a file and loads them (`save_tensors`, `load_tensors`). Under a fake mode, load_tensors reads
// no bytes of the values.
#pragma once

#include "ersatz/tensor.h"
#include "tracer/tensors/tensor_archive.h"
