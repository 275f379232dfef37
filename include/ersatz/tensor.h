// Real and fake tensors: the handle `Tensor`, its metadata, and the text form of metadata.
//
//   Tensor x = tensor_of<float>({1, -2, 3, -4, 5, -6}, {2, 3});
//   x.sizes(), x.strides(), x.dtype(), x.device(), x.is_fake(), x.data<float>()
//   to_string(x);           // Tensor(f32[2,3]@cpu, [[1, -2, 3], [-4, 5, -6]])
//   to_string(x.meta());    // f32[2,3]{3,1}+0@cpu
#pragma once

#include "ersatz/error.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"
#include "runtime/tensor/tensor.h"
