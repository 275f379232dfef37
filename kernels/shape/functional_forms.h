// Composite bodies shared by many ops. A functional op applies the in-place op to a copy (`resize` calls `resize_`). An
// `out=` form copies the result of the functional op.
#pragma once

#include "runtime/op/composite.h"
#include "runtime/op/registry.h"

namespace ersatz {

inline constexpr Schema kWritesSelf{"aten::{}(Tensor self, {}) -> Tensor"};

/// Clones the first argument, calls the in-place op of the same overload on the clone, and returns the clone.
void write_copy(CompositeCall& call);

/// Copies `result` to `to`, which becomes row-major if its sizes change. Refuses an undefined `result`, and a `to`
/// whose dtype [out_dtype] or device [out_device] is not that of `result`.
void put_result(const CompositeCall& call, const Tensor& result, const Tensor& to);
/// Copies `result` to the argument `out` and returns that argument.
void put_result(CompositeCall& call, const Tensor& result, Position out);
/// Copies each tensor of `results` to the tensor of `to` at the same index. Refuses lists of unequal lengths
/// [out_length].
void put_results(const CompositeCall& call, std::span<const Value> results, std::span<const Value> to);

/// Body of an `out=` form: calls the functional op (`source_Tensor` for `source_Tensor_out`) and copies its results to
/// the `out` arguments.
void write_result(CompositeCall& call);

/// Registers an `out=` form of `op` with write_result as its body. `op` may have a kernel or be a composite.
OpEntry& add_written_apart(Registry& r, const OpEntry& op, std::string_view overload,
                           std::initializer_list<std::string_view> names = {});

}  // namespace ersatz
