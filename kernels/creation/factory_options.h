// Rules for the sizes of factories and for the arguments that all factories share: dtype, layout, device, pin_memory,
// in this order. A factory's rule also serves the factory's `out=` overload (Registry::add_out_alike), which has `out`
// instead of these four arguments.
#pragma once

#include <optional>

#include "runtime/op/rule.h"

namespace ersatz {

/// The options of typed factory functions. An option without a value comes from the context, or from the tensor
/// argument of a `*_like` or `new_*` function.
struct FactoryOptions {
  std::optional<DType> dtype;
  std::optional<Device> device;
};

/// Adds an output with the dtype and device of the call's four options, which begin at argument `first`. For None, uses
/// `dtype` and `device`. The caller sets sizes and strides. Refuses pinned memory ([op.pin_memory]).
TensorMeta& start_factory(RuleCall& call, Position first, DType dtype, Device device);

/// Sets row-major `sizes` of `out`. Refuses negative sizes ([op.C1]).
void set_sizes(const RuleCall& call, TensorMeta& out, std::span<const SymInt> sizes);

/// May two elements of an `out=` argument share memory? ATen allows that for factories that write one value to all
/// elements.
enum class SharedElements : bool { Allowed, Refused };

/// Returns the `out` argument of a factory's `out=` overload; null for the factory itself.
TensorImpl* out_of_factory(const RuleCall& call);
/// Returns the dtype of the output: that of `out`, else that of the options at `first`, else `dtype`.
DType dtype_of_factory(const RuleCall& call, Position first, DType dtype);
/// For an `out=` overload, adds `out` as the output, with its own dtype, and row-major if its sizes change. RETURNS:
/// the metadata that `out` will have. For the factory itself, adds no output and returns null.
const TensorMeta* resized_out(RuleCall& call, std::span<const SymInt> sizes,
                              SharedElements shared = SharedElements::Allowed);

/// Adds the output of a factory or of its `out=` overload: row-major `sizes`, with the dtype and device of the options
/// at `first`, or else `dtype` and `device`.
const TensorMeta& answer_sized(RuleCall& call, Position first, DType dtype, Device device,
                               std::span<const SymInt> sizes, SharedElements shared = SharedElements::Allowed);
/// Like answer_sized, for a vector of n elements. An `out` that has n elements keeps its shape.
const TensorMeta& answer_vector(RuleCall& call, Position first, DType dtype, Device device, SymInt n,
                                SharedElements shared = SharedElements::Refused);
/// Adds an output like argument 0, with the options at `first`, in the memory format of argument `format`. A format
/// that does not support the rank is refused under `label`.
const TensorMeta& answer_factory_like(RuleCall& call, Position first, Position format, std::string_view label);

}  // namespace ersatz
