// Bodies that serve many ops: a writing op on a copy (`resize` of `resize_`), and an `out=` form computed apart.
#pragma once

#include "runtime/op/composite.h"
#include "runtime/op/registry.h"

namespace ersatz {

inline constexpr Schema kWritesSelf{"aten::{}(Tensor self, {}) -> Tensor"};

/// The in-place op of the same overload, done to a copy of the first argument.
void write_copy(CompositeCall& call);

/// Writes a result to `to`, made row-major where its sizes are others. There must be a result, of the dtype of `to`
/// [out_dtype] and on its device [out_device].
void put_result(const CompositeCall& call, const Tensor& result, const Tensor& to);
/// The same to the argument `out`, which is returned.
void put_result(CompositeCall& call, const Tensor& result, Position out);
/// Writes each of a list, which must be as long [out_length].
void put_results(const CompositeCall& call, std::span<const Value> results, std::span<const Value> to);

/// Calls the functional op of an `out=` form (`source_Tensor` of `source_Tensor_out`) and puts its results into the
/// last arguments.
void write_result(CompositeCall& call);

/// Adds that `out=` form of an op, whatever the op is made of.
OpEntry& add_written_apart(Registry& r, const OpEntry& op, std::string_view overload,
                           std::initializer_list<std::string_view> names = {});

}  // namespace ersatz
