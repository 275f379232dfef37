// Counts of elements by bins: `histc`, `histogram`, and of points in several dims, `histogramdd`. PyTorch has
// `histogram` and `histogramdd` on the CPU only.
#pragma once

#include "runtime/op/typed_schema.h"
#include "runtime/op/value.h"
#include "typed/sorting/histogram.h"

namespace ersatz::op_histogram {

/// `bins` bins of one width from `min` to `max`, or over the range of the elements where the two are equal. The last
/// bin holds its upper edge. NaN and what is outside are not counted. Counts have the dtype of self.
/// [histc.C1] a bin at least;
/// [histc.C2] min and max are real and finite, min the lower one; so is the range of the elements, seen from values.
///     Of integers, which CUDA counts, they lie within i64.
/// [histc.C3] elements whose range is looked for are real (type error).
/// [histc.C4] the range fits an integer dtype, on the CPU.
inline constexpr TypedSchema kHistc{"aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor"};

/// The same with the edges of the bins as a second result, which may be given: `bins` edges in ascending order, copied.
/// Each element counts its weight; `density` makes the integral one.
/// [histogram.C1] a bin at least;
/// [histogram.C2] a lower and an upper end for each dim, finite and in order;
/// [histogram.C3] as many weights as elements, or points, of the dtype of self;
/// [histogram.C4] edges are vectors of the dtype of self.
inline constexpr Schema kHistogramBinCt{
    "aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool "
    "density=False) "
    "-> (Tensor hist, Tensor bin_edges)"};
inline constexpr Schema kHistogramBinsTensor{
    "aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor "
    "hist, "
    "Tensor bin_edges)"};

/// Of points, rows of self's last dim, whose coordinates have bins of their own. Constraints as above, and
/// [_histogramdd_bin_edges.C5] two dims at least, bins for each coordinate.
inline constexpr Schema kHistogramddBinEdges{
    "aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool "
    "density=False) -> Tensor[]"};
inline constexpr Schema kHistogramddFromBinCts{
    "aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, Tensor? weight=None, bool "
    "density=False) -> Tensor"};
inline constexpr Schema kHistogramddFromBinTensors{
    "aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> "
    "Tensor"};
/// Counts and edges; edges that were given are returned themselves, and `range` is not looked at.
inline constexpr Schema kHistogramdd{
    "aten::histogramdd{}(Tensor self, {} bins, float[]? range=None, Tensor? weight=None, bool density=False) -> "
    "(Tensor "
    "hist, Tensor[] bin_edges)"};
inline constexpr Schemas kBinned{kHistogramBinCt,        kHistogramBinsTensor,       kHistogramddBinEdges,
                                 kHistogramddFromBinCts, kHistogramddFromBinTensors, kHistogramdd};
inline constexpr Schemas kByCount{kHistogramBinCt, kHistogramddBinEdges, kHistogramddFromBinCts};
inline constexpr Schemas kByEdges{kHistogramBinsTensor, kHistogramddFromBinTensors};

}  // namespace ersatz::op_histogram
