// Normal numbers with means and standard deviations of their own: the `normal` overloads.
#pragma once

#include "kernels/creation/factory_options.h"
#include "runtime/tensor/tensor.h"

namespace ersatz::ops {

/// Row-major, of the sizes that mean and std broadcast to, and of mean's dtype, a floating or complex one.
/// [normal.C1] std >= 0; where it stands in a tensor, that is asked of its values.
/// [normal.C2] a std that is not complex.
/// [normal.C3] sizes that broadcast.
Tensor normal(const Tensor& mean, const Tensor& std);
Tensor normal(const Tensor& mean, double std = 1);
/// Of std's dtype.
Tensor normal(double mean, const Tensor& std);
/// Of the default dtype unless given.
/// [normal.C4] no negative size.
/// [normal.C5] an `out` that is complex if the result is.
/// [normal.C6] a number for the mean that fits the result's dtype.
Tensor normal(double mean, double std, std::span<const SymInt> size, const FactoryOptions& options = {});

}  // namespace ersatz::ops
