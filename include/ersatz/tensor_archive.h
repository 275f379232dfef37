// Named tensors in a file: `save_tensors`, `load_tensors`; under a fake mode no weight byte is read.
#pragma once

#include "ersatz/tensor.h"
#include "tracer/tensors/tensor_archive.h"
