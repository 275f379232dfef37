// Literals: tensors made of numbers that are written in the program.
//
//   ops::tensor(3.14)                       f32[]
//   ops::tensor({1, 2, 3})                  i64[3]
//   ops::tensor({{3.14, 2}, {1, 2}}, {.dtype = DType::F64, .device = cuda(0)})
//   ops::tensor(buffer, DType::U8, sizes)   a copy of a buffer: it need not outlive the call
//
// A literal is a real CPU tensor that enters the program as `lift_fresh`, and is then moved to its device. In a fake
// scope it is a fake: one of one element on the CPU keeps its value, one on CUDA touches no driver.
#pragma once

#include <initializer_list>
#include <vector>

#include "kernels/creation/factory_options.h"
#include "runtime/op/value.h"

namespace ersatz::ops {

/// A number, or lists of such to any depth.
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

/// The dtype, unless given, is bool, i64, or for a float the default dtype: the highest kind that occurs. The device is
/// the default device.
/// [tensor.C1] lists side by side have one length and one depth (value error).
/// [tensor.C2] numbers that fit the dtype.
Tensor tensor(const NestedNumbers& data, const FactoryOptions& options = {});
/// `sizes` elements of dtype `from`, row-major, from `data`.
/// [tensor.C3] no negative size.
Tensor tensor(const void* data, DType from, std::span<const SymInt> sizes, const FactoryOptions& options = {});
/// With the dtype and device of `self` where the options do not say.
Tensor new_tensor(const Tensor& self, const NestedNumbers& data, const FactoryOptions& options = {});

}  // namespace ersatz::ops
