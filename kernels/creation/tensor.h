// ops::tensor makes tensors of numbers that are literals in the program.
//
//   ops::tensor(3.14)                       f32[]
//   ops::tensor({1, 2, 3})                  i64[3]
//   ops::tensor({{3.14, 2}, {1, 2}}, {.dtype = DType::F64, .device = cuda(0)})
//   ops::tensor(buffer, DType::U8, sizes)   a copy of a buffer: it need not outlive the call
//
// A literal is a real CPU tensor that becomes part of the program by `lift_fresh` and is then moved to its device. In a
// fake scope, the result is a fake tensor. A fake with one element on the CPU keeps its value. A fake on CUDA needs no
// driver.
#pragma once

#include <initializer_list>
#include <vector>

#include "kernels/creation/factory_options.h"
#include "runtime/op/value.h"

namespace ersatz::ops {

/// A number, or nested lists of numbers.
class NestedNumbers {
 public:
  NestedNumbers(bool v) : number_(v) {}
  NestedNumbers(int v) : number_(v) {}
  NestedNumbers(int64_t v) : number_(v) {}
  NestedNumbers(double v) : number_(v) {}
  NestedNumbers(std::complex<double> v) : number_(v) {}
  NestedNumbers(std::initializer_list<NestedNumbers> items) : items_(items), is_list_(true) {}

  bool is_list() const { return is_list_; }
  const Scalar& number() const { return number_; }
  const std::vector<NestedNumbers>& items() const { return items_; }

 private:
  Scalar number_ = 0;
  std::vector<NestedNumbers> items_;
  bool is_list_ = false;
};

/// The default dtype is that of the highest kind of number in `data`: bool, i64, or the context's default dtype for
/// floats. The default device is the context's.
/// [tensor.C1] lists at one depth have equal lengths and depths (else ValueError).
/// [tensor.C2] the numbers fit the dtype.
Tensor tensor(const NestedNumbers& data, const FactoryOptions& options = {});
/// Returns a tensor of `sizes` with a copy of the row-major elements at `data`, which have dtype `from`.
/// [tensor.C3] no size is negative.
Tensor tensor(const void* data, DType from, std::span<const SymInt> sizes, const FactoryOptions& options = {});
/// Like ops::tensor, but dtype and device default to those of `self`.
Tensor new_tensor(const Tensor& self, const NestedNumbers& data, const FactoryOptions& options = {});

}  // namespace ersatz::ops
