// Type promotion with the three categories of PyTorch's `torch.result_type`: tensors with dims, 0-d tensors, numbers.
//
// Kinds are ordered: bool < int < float < complex. Operands of a lower category count only if their kind is higher than
// the kind of all operands of higher categories. If a number counts because of its kind, it counts as the default
// dtype. Pure functions.
#pragma once

#include "runtime/op/rule.h"

namespace ersatz {

/// Returns the smallest dtype that can hold both, by ATen's table (u8 with i8 is i16; f16 with bf16 is f32). Returns
/// nullopt for a float of 8 bits with any other dtype, and for u16, u32 or u64 with another integer or bool.
std::optional<DType> common_dtype(DType a, DType b);
/// Like common_dtype, but raises NotSupported (family Runtime) if there is none.
DType promote_types(DType a, DType b);
/// Returns the complex dtype whose real part has dtype `t`; c64 for bf16. Raises NotSupported if there is none.
DType complex_of_parts(DType t);
/// May a result of dtype `from` be written to an output of dtype `to`? False for complex to real, float to integer and
/// integer to bool.
bool can_cast(DType from, DType to);

/// Accumulates operands. `result()` returns the dtype that they promote to.
class ResultType {
 public:
  explicit ResultType(DType default_dtype) : default_dtype_(default_dtype) {}
  void add(const TensorMeta& t);
  void add(const Scalar& s);
  /// Adds a tensor or a number, which may be in a Tensor slot. Ignores None.
  void add(const Value& v);
  DType result() const;

 private:
  void merge(int category, DType t);
  DType default_dtype_;
  int8_t seen_[3] = {-1, -1, -1};
};

/// Returns the dtype that the operands at these positions of a call promote to.
DType result_type(const RuleCall& call, std::initializer_list<size_t> operands);

}  // namespace ersatz
