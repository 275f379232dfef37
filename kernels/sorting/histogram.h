// Counts of elements in bins: `histc`, `histogram`, and `histogramdd` for points in several dims. PyTorch implements
// `histogram` and `histogramdd` only for the CPU.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/sorting/histogram.h"

namespace ersatz::op_histogram {

/// Counts elements in `bins` equal bins from `min` to `max`. If min and max are equal, the bins cover the range of the
/// elements. The last bin includes its upper edge. NaN and elements outside of the range are not counted. Counts have
/// the dtype of self.
/// [histc.C1] there is at least one bin;
/// [histc.C2] min and max are real and finite, and min is at most max. If the range of the elements is used, the kernel
///            checks that it is finite. For integers, which only CUDA accepts, min and max fit i64.
/// [histc.C3] self is real if the range of the elements is used (else TypeError).
/// [histc.C4] on the CPU, the range fits an integer dtype.
inline constexpr TypedSchema kHistc{"aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor"};

/// Returns the counts and the edges of the bins. A tensor `bins` has the edges in ascending order; the second result is
/// then a copy of it. An element counts as its weight. With `density`, the counts are divided so that their integral is
/// one.
/// [histogram.C1] there is at least one bin;
/// [histogram.C2] range has a lower and an upper end for each dim, finite and in order;
/// [histogram.C3] there are as many weights as elements (or points), and they have the dtype of self;
/// [histogram.C4] edges are vectors in the dtype of self.
inline constexpr Schema kHistogramBinCt{
    "aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool "
    "density=False) "
    "-> (Tensor hist, Tensor bin_edges)"};
inline constexpr Schema kHistogramBinsTensor{
    "aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor "
    "hist, "
    "Tensor bin_edges)"};

/// Histograms of points. Each row of self's last dim is a point, and each coordinate has bins of its own. They have the
/// constraints of `histogram`, and
/// [_histogramdd_bin_edges.C5] self has at least two dims, and `bins` has an element for each coordinate.
inline constexpr Schema kHistogramddBinEdges{
    "aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool "
    "density=False) -> Tensor[]"};
inline constexpr Schema kHistogramddFromBinCts{
    "aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool "
    "density=False) -> Tensor"};
inline constexpr Schema kHistogramddFromBinTensors{
    "aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> "
    "Tensor"};
/// Returns counts and edges. If `bins` are edges, returns these tensors themselves and ignores `range`.
inline constexpr Schema kHistogramdd{
    "aten::histogramdd{}(Tensor self, {} bins, float[]? range=None, Tensor? weight=None, bool density=False) -> "
    "(Tensor "
    "hist, Tensor[] bin_edges)"};
inline constexpr Schemas kBinned{kHistogramBinCt,        kHistogramBinsTensor,       kHistogramddBinEdges,
                                 kHistogramddFromBinCts, kHistogramddFromBinTensors, kHistogramdd};
inline constexpr Schemas kByCount{kHistogramBinCt, kHistogramddBinEdges, kHistogramddFromBinCts};
inline constexpr Schemas kByEdges{kHistogramBinsTensor, kHistogramddFromBinTensors};

}  // namespace ersatz::op_histogram
