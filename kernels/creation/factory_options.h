// The arguments that all factories share: dtype, layout, device, pin_memory, in that order, and sizes. A factory's rule
// serves its `out=` form too (Registry::add_out_alike), whose last argument is `out` and which has no such four.
#pragma once

#include <optional>

#include "runtime/op/rule.h"

namespace ersatz {

/// Options of typed factory functions; what is left out comes from the context, or from the tensor that a `*_like` or
/// `new_*` function is given.
struct FactoryOptions {
  std::optional<DType> dtype;
  std::optional<Device> device;
};

/// Adds a fresh output with the dtype and device of the four options that begin at argument `first`, `dtype` and
/// `device` where they are None. Sizes and strides are still empty. Pinned memory is refused ([op.pin_memory]).
TensorMeta& start_factory(RuleCall& call, Position first, DType dtype, Device device);

/// Row-major `sizes`, none negative ([op.C1]).
void set_sizes(const RuleCall& call, TensorMeta& out, std::span<const SymInt> sizes);

/// May elements of an `out=` argument share memory? ATen lets them where one value is filled in.
enum class SharedElements : bool { Allowed, Refused };

/// The `out` of a factory's `out=` form; null in a call of the factory.
TensorImpl* out_of_factory(const RuleCall& call);
/// The dtype of the output: that of `out`, of the options at `first`, or `dtype`.
DType dtype_of_factory(const RuleCall& call, Position first, DType dtype);
/// Names that argument itself, with its own dtype, made row-major where its sizes are others: the metadata that it
/// will have. Null, and no output, in a call of the factory.
const TensorMeta* resized_out(RuleCall& call, std::span<const SymInt> sizes,
                              SharedElements shared = SharedElements::Allowed);

/// The output of a factory and of its `out=` form: row-major `sizes`, of the dtype and device that the options at
/// `first` say, or `dtype` and `device`.
const TensorMeta& answer_sized(RuleCall& call, Position first, DType dtype, Device device,
                               std::span<const SymInt> sizes, SharedElements shared = SharedElements::Allowed);
/// The same of a vector of n elements: an `out` that has so many keeps its shape.
const TensorMeta& answer_vector(RuleCall& call, Position first, DType dtype, Device device, SymInt n,
                                SharedElements shared = SharedElements::Refused);
/// The same of what is like argument 0 but for the options, laid out as the argument `format` says: a rank that the
/// format does not have is refused under `label`.
const TensorMeta& answer_factory_like(RuleCall& call, Position first, Position format, std::string_view label);

}  // namespace ersatz
