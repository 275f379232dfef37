#include "kernels/sorting/histogram.h"

#include <cmath>

#include "kernels/own_dtype.h"
#include "kernels/shape/number_range.h"
#include "runtime/op/composite.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_histogram {

Kernel run_histc_cpu, run_cpu, run_edges_cpu;

namespace {

void require_cpu(const RuleCall& call) {
  if (!call.device.is_cpu())
    call.not_supported("on the CPU only, self is {}; copy it there", call.meta(kByCount["self"]));
}

void require_bins(const RuleCall& call, SymInt bins) {
  call.require(check_ge(bins, 1), "C1", "expects a bin at least: got {}", bins);
}

bool fits_i64(const Scalar& v) { return v.is_integral() || (v.to_double() >= -0x1p63 && v.to_double() < 0x1p63); }
bool in_order(double low, double high) { return std::isfinite(low) && std::isfinite(high) && low <= high; }

/// Checks the argument `range`. Without it, PyTorch uses the range of the elements, which requires f32 or f64.
void require_range(const RuleCall& call, size_t coordinates) {
  const TensorMeta& self = call.meta(kByCount["self"]);
  if (!call.has(kByCount["range"])) {
    if (!size_eq(self.numel(), 0)) call.require_dtype(self.dtype, DTypeSet{DType::F32, DType::F64});
    return;
  }
  const auto range = call.list(kByCount["range"]);
  call.require(range.size() == 2 * coordinates, "C2", "expects two ends for each of {} coordinates: got {}",
               coordinates, to_string(call[kByCount["range"]]));
  for (size_t i = 0; i < range.size(); i += 2) {
    call.require(in_order(range[i].as_double(), range[i + 1].as_double()), "C2",
                 "ends must be finite, the lower one first: got {}", to_string(call[kByCount["range"]]));
  }
}

/// Checks the number of bins of each coordinate. For bool, ATen can compute a single edge but no bins.
void require_edges_of(const RuleCall& call, std::span<const SymInt> bins) {
  const DType dtype = call.meta(kByCount["self"]).dtype;
  for (const SymInt n : bins) {
    call.require(check_ge(n, -1), "C1", "a coordinate must not have less than no bins: got {}", bins);
    if (dtype == DType::Bool && check_ge(n, 1)) call.require_dtype(dtype, kAllDTypes.without({DType::Bool}));
  }
}

/// Checks the weights. If `points`, the weights have the sizes of self without the last dim; otherwise they may have
/// any sizes.
void require_weights(const RuleCall& call, Position argument, bool points) {
  if (!call.has(argument)) return;
  const TensorMeta &self = call.meta(kByCount["self"]), &weight = call.meta(argument);
  bool fits = self.dtype == weight.dtype;
  if (points) {
    const std::span<const SymInt> sizes(self.sizes.data(), self.sizes.size() - 1);
    const SymInt one[] = {1};
    fits = fits &&
           check_eq(sizes, weight.dim() == 0 ? std::span<const SymInt>(one) : std::span<const SymInt>(weight.sizes));
  } else {
    fits = fits && check_eq(self.numel(), weight.numel());
  }
  call.require(fits, "C3", "expects a weight of self's dtype for each of its {}: self is {}, weight is {}",
               points ? "points" : "elements", self, weight);
}

void require_edges(const RuleCall& call, const TensorMeta& edges) {
  const TensorMeta& self = call.meta(kByEdges["self"]);
  call.require(edges.dtype == self.dtype && edges.dim() == 1 && check_ge(edges.sizes[0], 1), "C4",
               "edges must be a vector of self's dtype: self is {}, edges are {}", self, edges);
  require_bins(call, edges.sizes[0] - 1);
}

void require_points(const RuleCall& call, size_t coordinates) {
  const TensorMeta& self = call.meta(kByCount["self"]);
  call.require(self.dim() >= 2 && check_eq(self.sizes.back(), SymInt(static_cast<int64_t>(coordinates))), "C5",
               "expects points as rows of self, and bins for each coordinate: self is {}, bins are for {}", self,
               coordinates);
}

void answer_vector(RuleCall& call, SymInt n) {
  const TensorMeta& self = call.meta(kByCount["self"]);
  call.out.fresh(TensorMeta(self.dtype, std::span(&n, 1), self.device));
}
void answer_counts(RuleCall& call, std::span<const SymInt> bins) {
  const TensorMeta& self = call.meta(kByCount["self"]);
  call.require_dtype(self.dtype, kFloats);
  call.out.fresh(TensorMeta(self.dtype, bins, self.device));
}

/// ATen converts the range to an integer dtype before it refuses that dtype on the CPU. If both ends are equal, ATen
/// uses the range of the elements. If that range is empty too, ATen widens the range by one at each end.
void require_ends_in_dtype(const RuleCall& call, double low, double high) {
  const TensorMeta& self = call.meta(kHistc["self"]);
  if (!call.device.is_cpu() || !kIntegers.has(self.dtype)) return;
  if (low == high && !size_eq(self.numel(), 0))
    call.refuse(ErrorFamily::NotImplemented, "C4.or_any", "not implemented for {} on cpu: self is {}", name(self.dtype),
                self);
  const double widened = low == high ? 1 : 0;
  const NumberRange range = number_range(self.dtype);
  call.require(low - widened >= range.low && high + widened <= range.high, "C4",
               "the range from {} to {} does not fit {}", low - widened, high + widened, name(self.dtype));
}

void histc_rule(RuleCall& call) {
  const Scalar low = call.scalar(kHistc["min"]), high = call.scalar(kHistc["max"]);
  const TensorMeta& self = call.meta(kHistc["self"]);
  call.require(!low.is_complex() && !high.is_complex(), "C2", "min and max must be real: got {} and {}",
               to_string(call[kHistc["min"]]), to_string(call[kHistc["max"]]));
  require_bins(call, call.sym(kHistc["bins"]));
  const double a = low.to_double(), b = high.to_double();
  call.require(a == b || in_order(a, b), "C2", "min and max must be finite, and min the lower one: got {} and {}", a,
               b);
  if (a == b && is_complex(self.dtype) && call.device.is_cpu() && !size_eq(self.numel(), 0))
    call.refuse(ErrorFamily::Type, "C3", "complex elements have no range of their own: self is {}", self);
  require_ends_in_dtype(call, a, b);
  if (a == b && !kReals.has(self.dtype) && call.device.is_cpu() && size_eq(self.numel(), 0)) {
    call.require(std::isfinite(a) && a - 1 < b + 1, "C2", "min and max of no elements must differ: got {}", a);
  }
  call.require_dtype(self.dtype, call.op.dtypes_on(call.device.type));
  call.require(!is_integer(self.dtype) || (fits_i64(low) && fits_i64(high)), "C2",
               "min and max of integers must be within i64: got {} and {}", a, b);
  answer_vector(call, call.sym(kHistc["bins"]));
}

void histc_out_rule(RuleCall& call) {
  require_own_dtype(call, kHistc.out(), call.meta(kHistc["self"]).dtype);
  derived_out_rule(call);
}

void bin_ct_rule(RuleCall& call) {
  require_cpu(call);
  const SymInt bins = call.sym(kHistogramBinCt["bins"]);
  require_bins(call, bins);
  require_range(call, 1);
  require_edges_of(call, {&bins, 1});
  require_weights(call, kHistogramBinCt["weight"], false);
  answer_counts(call, std::span(&bins, 1));
  answer_vector(call, bins + 1);
}

void bins_tensor_rule(RuleCall& call) {
  require_cpu(call);
  const TensorMeta& edges = call.meta(kHistogramBinsTensor["bins"]);
  require_weights(call, kHistogramBinsTensor["weight"], false);
  require_edges(call, edges);
  const SymInt bins = edges.sizes[0] - 1;
  answer_counts(call, std::span(&bins, 1));
  answer_vector(call, edges.sizes[0]);
}

/// ATen computes the counts into a temporary tensor, but the edges directly. If the call gives edges, ATen copies them
/// after it has resized the counts.
void written_rule(RuleCall& call) {
  WrittenForm forms[] = {reduction_form(), reduction_form()};
  forms[1].own_elements = true;
  derived_out_rule(call, forms, false);
  const TensorImpl* hist = call.tensor(call.args.size() - 2);
  call.require(!call[kByEdges["bins"]].is_tensor() || call.tensor(kByEdges["bins"]) != hist, "overlap",
               "the edges are in the memory of the counts, {}", hist->meta);
}

/// ATen checks the dtypes of written arguments first. It checks their memory last, after the range.
void bin_ct_written_rule(RuleCall& call) {
  require_cpu(call);
  const TensorMeta& self = call.meta(kHistogramBinCt["self"]);
  for (const size_t written : call.op.written) require_own_dtype(call, written, self.dtype);
  require_bins(call, call.sym(kHistogramBinCt["bins"]));
  if (!call.has(kHistogramBinCt["range"])) {
    const SymInt bins = call.sym(kHistogramBinCt["bins"]);
    require_range(call, 1);
    require_edges_of(call, {&bins, 1});
  }
  written_rule(call);
}

void edges_rule(RuleCall& call) {
  require_cpu(call);
  const auto bins = call.ints(kHistogramddBinEdges["bins"]);
  // PyTorch computes edges for integers and complex numbers too, if it does not need the range of the elements.
  const TensorMeta& self = call.meta(kHistogramddBinEdges["self"]);
  const bool looked_for = !call.has(kHistogramddBinEdges["range"]) && !size_eq(self.numel(), 0);
  // PyTorch checks the range before it checks the number of bins
  if (looked_for && self.dim() >= 2) require_range(call, bins.size());
  require_points(call, bins.size());
  if (!kFloats.has(self.dtype) && self.dtype != DType::Bool && !looked_for) call.not_modelled("edges of {}", self);
  require_range(call, bins.size());
  require_edges_of(call, bins);
  if (self.dtype == DType::Bool && !looked_for) call.not_modelled("edges of {}", self);
  call.require_dtype(self.dtype, kFloats);
  for (SymInt n : bins) answer_vector(call, n + 1);
}

void from_counts_rule(RuleCall& call) {
  require_cpu(call);
  const auto bins = call.ints(kHistogramddFromBinCts["bins"]);
  const bool looked_for = !call.has(kHistogramddFromBinCts["range"]);
  if (looked_for && call.meta(kHistogramddFromBinCts["self"]).dim() >= 2) require_range(call, bins.size());
  require_points(call, bins.size());
  require_range(call, bins.size());
  require_edges_of(call, bins);
  require_weights(call, kHistogramddFromBinCts["weight"], true);
  for (SymInt n : bins) require_bins(call, n);
  answer_counts(call, bins);
}

void from_edges_rule(RuleCall& call) {
  require_cpu(call);
  const auto edges = call.list(kHistogramddFromBinTensors["bins"]);
  require_points(call, edges.size());
  DimVec bins;
  for (const Value& v : edges) {
    require_edges(call, v.tensor_impl()->meta);
    bins.push_back(v.tensor_impl()->meta.sizes[0] - 1);
  }
  require_weights(call, kHistogramddFromBinTensors["weight"], true);
  answer_counts(call, bins);
}

void histogramdd(CompositeCall& call) {
  Value bins = call[kHistogramdd["bins"]];
  if (bins.kind() == Value::Kind::Int) {
    const TensorMeta& self = call.meta(kHistogramdd["self"]);
    call.require(self.dim() >= 2, "C5", "expects points as rows of self, it is {}", self);
    bins = DimVec(static_cast<size_t>(self.sizes.back().guard_int()), bins.as_int());
  }
  const bool given = call.op.schema.arguments[kHistogramdd["bins"]].type.base == BaseType::Tensor;
  if (given) {
    call.returns(call_op<"aten._histogramdd_from_bin_tensors.default">(
        call[kHistogramdd["self"]], bins, call[kHistogramdd["weight"]], call[kHistogramdd["density"]]));
    return call.returns(bins);
  }
  const Value edges = call_op_all<"aten._histogramdd_bin_edges.default">(
      call[kHistogramdd["self"]], bins, call[kHistogramdd["range"]], call[kHistogramdd["weight"]],
      call[kHistogramdd["density"]])[0];
  call.returns(
      call_op<"aten._histogramdd_from_bin_cts.default">(call[kHistogramdd["self"]], bins, call[kHistogramdd["range"]],
                                                        call[kHistogramdd["weight"]], call[kHistogramdd["density"]]));
  call.returns(edges);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& histc = r.add(kHistc)
                       .tag(Tag::FailsOnValues)
                       .with_rule(histc_rule)
                       .cpu(run_histc_cpu)
                       .dtypes(kFloats)
                       .dtypes_on_cuda(kIntegers | DTypeSet{DType::F32, DType::F64})
                       .sample("f32[3,4], 5")
                       .sample("f64[6], 3, -1, 1.5")
                       .refuses("C1", "f32[2], 0")
                       .refuses("C2", "f32[2], 3, 2, 1")
                       .refuses("C3", "c64[2], 3");
  r.add_out(histc, "out", reduction_form()).with_rule(histc_out_rule).sample("f32[3,4], 5, out=f32[0]");
  OpEntry& by_count = r.add(kHistogramBinCt)
                          .tag(Tag::FailsOnValues)
                          .with_rule(bin_ct_rule)
                          .cpu(run_cpu)
                          .sample("f32[3,4], 5")
                          .sample("f64[6], 3, range=[-1.0, 1.5], weight=f64[6], density=True", 0.5)
                          .refuses("C1", "f32[2], 0")
                          .refuses("C2", "f32[2], 3, range=[2.0, 1.0]")
                          .refuses("C3", "f32[2], 3, weight=f32[3]");
  OpEntry& by_edges = r.add(kHistogramBinsTensor)
                          .with_rule(bins_tensor_rule)
                          .cpu(run_cpu)
                          .sample("f32[3,4], f32[2]")
                          .refuses("C4", "f32[2], f64[2]");
  r.add(kHistogramddBinEdges)
      .tag(Tag::FailsOnValues)
      .with_rule(edges_rule)
      .cpu(run_edges_cpu)
      .sample("f32[5,2], [2, 3]")
      .refuses("C5", "f32[5], [2]");
  OpEntry& of_counts = r.add(kHistogramddFromBinCts)
                           .tag(Tag::FailsOnValues)
                           .with_rule(from_counts_rule)
                           .cpu(run_cpu)
                           .sample("f32[5,2], [2, 3]")
                           .refuses("C3", "f32[5,2], [2, 3], weight=f32[4]");
  OpEntry& of_edges = r.add(kHistogramddFromBinTensors)
                          .with_rule(from_edges_rule)
                          .cpu(run_cpu)
                          .sample("f32[5,2], [f32[2], f32[3]], weight=f32[5]")
                          .refuses("C1", "f32[5,1], [f32[1]]");
  r.add_out(by_count, "bin_ct_out", reduction_form(), {"hist", "bin_edges"})
      .with_rule(bin_ct_written_rule)
      .sample("f32[3,4], 5, hist=f32[0], bin_edges=f32[0]");
  r.add_out(by_edges, "bins_tensor_out", reduction_form(), {"hist", "bin_edges"})
      .with_rule(written_rule)
      .sample("f32[3,4], f32[2], hist=f32[0], bin_edges=f32[0]");
  r.add_out(of_counts, "out", kGeneratedForm).sample("f32[5,2], [2, 3], out=f32[0]");
  r.add_out(of_edges, "out", kGeneratedForm).sample("f32[5,2], [f32[2], f32[3]], out=f32[0]");
  r.add(kHistogramdd.with("", "int[]")).tag(Tag::FailsOnValues).with_composite(histogramdd).sample("f32[5,2], [2, 3]");
  r.add(kHistogramdd.with(".int_bins", "int"))
      .tag(Tag::FailsOnValues)
      .with_composite(histogramdd)
      .sample("f32[5,2], 3");
  r.add(kHistogramdd.with(".TensorList_bins", "Tensor[]"))
      .with_composite(histogramdd)
      .sample("f32[5,2], [f32[2], f32[3]]");
}

}  // namespace ersatz::op_histogram
