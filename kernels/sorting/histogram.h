// Counts of elements in bins: `histc`, `histogram`, and for points in several dims `histogramdd`. PyTorch has
// `histogram` and `histogramdd` only on the CPU.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/sorting/histogram.h"

namespace ersatz::op_histogram {

/// `bins` equal bins from `min` to `max`; if the two are equal, over the range of the elements. The last bin includes
/// its upper edge. NaN and elements outside are not counted. Counts have the dtype of self.
/// [histc.C1] there is at least one bin;
/// [histc.C2] min and max are real and finite, and min is at most max. The range of the elements is finite, too (a
///            constraint on values). For integers, which only CUDA counts, min and max fit i64.
/// [histc.C3] if the range of the elements is used, they are real (TypeError).
/// [histc.C4] on the CPU, the range fits an integer dtype.
inline constexpr TypedSchema kHistc{"aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor"};

/// Counts, and the edges of the bins as a second result. With a tensor `bins`, its elements are the edges in ascending
/// order, and they are copied. Each element counts its weight. `density` divides so that the integral is one.
/// [histogram.C1] there is at least one bin;
/// [histogram.C2] range has a lower and an upper end for each dim, finite and in order;
/// [histogram.C3] there are as many weights as elements or points, in the dtype of self;
/// [histogram.C4] edges are vectors in the dtype of self.
inline constexpr Schema kHistogramBinCt{
    "aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool "
    "density=False) "
    "-> (Tensor hist, Tensor bin_edges)"};
inline constexpr Schema kHistogramBinsTensor{
    "aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor "
    "hist, "
    "Tensor bin_edges)"};

/// Histograms of points, the rows of self's last dim; each coordinate has its own bins. The constraints are those
/// above, and
/// [_histogramdd_bin_edges.C5] self has at least two dims, and there are bins for each coordinate.
inline constexpr Schema kHistogramddBinEdges{
    "aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool "
    "density=False) -> Tensor[]"};
inline constexpr Schema kHistogramddFromBinCts{
    "aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool "
    "density=False) -> Tensor"};
inline constexpr Schema kHistogramddFromBinTensors{
    "aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> "
    "Tensor"};
/// Counts and edges. Given edges are returned themselves, and then `range` is ignored.
inline constexpr Schema kHistogramdd{
    "aten::histogramdd{}(Tensor self, {} bins, float[]? range=None, Tensor? weight=None, bool density=False) -> "
    "(Tensor "
    "hist, Tensor[] bin_edges)"};
inline constexpr Schemas kBinned{kHistogramBinCt,        kHistogramBinsTensor,       kHistogramddBinEdges,
                                 kHistogramddFromBinCts, kHistogramddFromBinTensors, kHistogramdd};
inline constexpr Schemas kByCount{kHistogramBinCt, kHistogramddBinEdges, kHistogramddFromBinCts};
inline constexpr Schemas kByEdges{kHistogramBinsTensor, kHistogramddFromBinTensors};

}  // namespace ersatz::op_histogram
