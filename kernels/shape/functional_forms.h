// Bodies shared by many ops: an in-place op applied to a copy (`resize` by `resize_`), and `out=` forms that copy the
// result of the functional op.
#pragma once

#include "runtime/op/composite.h"
#include "runtime/op/registry.h"

namespace ersatz {

inline constexpr Schema kWritesSelf{"aten::{}(Tensor self, {}) -> Tensor"};

/// Applies the in-place op of the same overload to a copy of the first argument.
void write_copy(CompositeCall& call);

/// Copies `result` to `to`, which becomes row-major if its sizes change. REQUIRES (else refuses): `result` is defined
/// and has the dtype [out_dtype] and the device [out_device] of `to`.
void put_result(const CompositeCall& call, const Tensor& result, const Tensor& to);
/// Copies `result` to the argument `out` and returns that argument.
void put_result(CompositeCall& call, const Tensor& result, Position out);
/// Copies each element of a list; both lists have equal lengths [out_length].
void put_results(const CompositeCall& call, std::span<const Value> results, std::span<const Value> to);

/// Calls the functional op of an `out=` form (`source_Tensor` for `source_Tensor_out`) and copies its results to the
/// last arguments.
void write_result(CompositeCall& call);

/// Adds that `out=` form of an op, for ops with a kernel and for composites.
OpEntry& add_written_apart(Registry& r, const OpEntry& op, std::string_view overload,
                           std::initializer_list<std::string_view> names = {});

}  // namespace ersatz
