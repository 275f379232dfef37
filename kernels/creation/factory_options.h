// Sizes, and the arguments that all factories share: dtype, layout, device, pin_memory, in this order. A factory's rule
// also serves its `out=` form (Registry::add_out_alike), which has `out` instead of these four.
#pragma once

#include <optional>

#include "runtime/op/rule.h"

namespace ersatz {

/// Options of typed factory functions. An empty option comes from the context, or from the tensor argument of a
/// `*_like` or `new_*` function.
struct FactoryOptions {
  std::optional<DType> dtype;
  std::optional<Device> device;
};

/// Adds an output with the dtype and device of the four options that begin at argument `first`; `dtype` and `device`
/// replace None. The caller sets sizes and strides. Refuses pinned memory ([op.pin_memory]).
TensorMeta& start_factory(RuleCall& call, Position first, DType dtype, Device device);

/// Sets row-major `sizes`; refuses negative ones ([op.C1]).
void set_sizes(const RuleCall& call, TensorMeta& out, std::span<const SymInt> sizes);

/// May elements of an `out=` argument share memory? ATen allows it for factories that fill in one value.
enum class SharedElements : bool { Allowed, Refused };

/// The `out` argument of a factory's `out=` form; null for the factory itself.
TensorImpl* out_of_factory(const RuleCall& call);
/// The dtype of the output: that of `out`, else of the options at `first`, else `dtype`.
DType dtype_of_factory(const RuleCall& call, Position first, DType dtype);
/// For an `out=` form, makes `out` the result, with its own dtype, row-major if its sizes change. RETURNS: the metadata
/// that `out` will have; null, without a result, for the factory itself.
const TensorMeta* resized_out(RuleCall& call, std::span<const SymInt> sizes,
                              SharedElements shared = SharedElements::Allowed);

/// Adds the output of a factory, or of its `out=` form: row-major `sizes`, with the dtype and device of the options at
/// `first`, or `dtype` and `device`.
const TensorMeta& answer_sized(RuleCall& call, Position first, DType dtype, Device device,
                               std::span<const SymInt> sizes, SharedElements shared = SharedElements::Allowed);
/// Adds a vector of n elements in the way of answer_sized; an `out` that has n elements keeps its shape.
const TensorMeta& answer_vector(RuleCall& call, Position first, DType dtype, Device device, SymInt n,
                                SharedElements shared = SharedElements::Refused);
/// Adds an output like argument 0, with the options at `first`, in the memory format of argument `format`. A format
/// that does not support the rank is refused under `label`.
const TensorMeta& answer_factory_like(RuleCall& call, Position first, Position format, std::string_view label);

}  // namespace ersatz
