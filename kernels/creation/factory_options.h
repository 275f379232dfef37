// The arguments that all factories share: dtype, layout, device, pin_memory, in that order, and sizes.
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

/// The rule of a factory's `out=` form: the argument at `out` itself, with its own dtype, made row-major where its
/// sizes are others. Returns the metadata that it will have.
const TensorMeta& resized_out(RuleCall& call, Position out, std::span<const SymInt> sizes,
                              SharedElements shared = SharedElements::Allowed);

}  // namespace ersatz
