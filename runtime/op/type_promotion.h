// Type promotion with PyTorch's three categories: dimensioned tensor, 0-d tensor, number.
//
// A lower category decides only where its kind (bool < int < float < complex) is higher than that of all higher ones; a
// number of a higher kind brings the default dtype. Source: ATen `result_type`. Pure functions.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// The smallest dtype that both fit in, by ATen's table (u8 with i8 is i16; f16 with bf16 is f32). Empty: there is none
/// (a float of 8 bits with any other dtype, u16, u32 or u64 with another integer or bool).
std::optional<DType> common_dtype(DType a, DType b);
/// Like common_dtype, but raises NotSupported (family Runtime) if there is none.
DType promote_types(DType a, DType b);
/// Returns the complex dtype whose parts have dtype `t`; c64 for bf16. Raises NotSupported if there is none.
DType complex_of_parts(DType t);
/// May a result of dtype `from` be written to an output of dtype `to`? Not complex to real, float to integer or integer
/// to bool.
bool can_cast(DType from, DType to);

/// Accumulates operands; `result()` is their common dtype.
class ResultType {
 public:
  explicit ResultType(DType default_dtype) : default_dtype_(default_dtype) {}
  void add(const TensorMeta& t);
  void add(const Scalar& s);
  /// Adds a Tensor or a number (also one in a Tensor slot). None is ignored.
  void add(const Value& v);
  DType result() const;

 private:
  void merge(int category, DType t);
  DType default_dtype_;
  int8_t seen_[3] = {-1, -1, -1};
};

/// The common dtype of the operands of a call.
DType result_type(const RuleCall& call, std::initializer_list<size_t> operands);

}  // namespace ersatz
