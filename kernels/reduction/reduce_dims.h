// The dims of a reduction, and the metadata of its result. Included by rules and kernels.
//
// Like PyTorch's resize_reduction, reductions give row-major results for inputs of any strides. A reduced dim is
// removed, or has size 1 with keepdim.
#pragma once

#include "runtime/op/derived.h"
#include "runtime/op/op_entry.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

/// The schema pattern of all reductions: `self` is the first argument.
inline constexpr Schema kReduced{"aten::{}(Tensor self, {}) -> {}"};

/// A set of reduced dims: one bit for each dim. kAllDims means all dims, of any rank.
using DimMask = uint64_t;
inline constexpr DimMask kAllDims = ~DimMask(0);
/// Whether dim `d` is in the mask. A dim from 64 on is reduced only if the mask is kAllDims.
constexpr bool reduces(DimMask mask, size_t d) { return d < 64 ? (mask >> d & 1) != 0 : mask == kAllDims; }

/// The order in which ATen checks a list of dims for dims out of range and for repeated dims.
enum class DimChecks : uint8_t {
  RangesFirst,  ///< checks that each dim is in range, then that none is repeated (`at::sum`)
  InTurn        ///< makes both checks for the first dim, then for the next (`at::var`)
};

/// Returns the dims in a list argument, wrapped. None and an empty list mean all dims. Raises IndexError for a dim out
/// of range. Refuses a repeated dim and a rank above 64 under `label`.
inline DimMask reduced_dims(const RuleCall& call, Position argument, int64_t rank, std::string_view label,
                            DimChecks checks = DimChecks::RangesFirst) {
  call.require(rank <= 64, label, "at most 64 dims can be reduced, the input has {}", rank);
  if (!call.has(argument)) return kAllDims;
  const auto dims = call.ints(argument);
  if (dims.empty()) return kAllDims;
  if (checks == DimChecks::RangesFirst) {
    for (const SymInt d : dims) call.wrap_dim(d.guard_int(), rank);
  }
  DimMask mask = 0;
  for (SymInt d : dims) {
    const DimMask bit = DimMask(1) << call.wrap_dim(d.guard_int(), rank);
    call.require(!(mask & bit), label, "dim {} appears twice in {}", d, dims);
    mask |= bit;
  }
  return mask;
}
/// Returns the mask with the dim in `argument`, which is one number. Refuses a rank above 64 under the label `rank`.
inline DimMask reduced_dim(const RuleCall& call, Position argument, int64_t rank) {
  const int64_t dim = call.wrap_dim(call.integer(argument), rank);
  call.require(rank <= 64, "rank", "at most 64 dims can be reduced, the input has {}", rank);
  return DimMask(1) << dim;
}

/// Returns the mask for the dims of a kernel's call. REQUIRES: the rule has checked the dims.
inline DimMask reduced_dims(std::span<const int64_t> dims, int64_t rank) {
  if (dims.empty()) return kAllDims;
  DimMask mask = 0;
  for (int64_t d : dims) mask |= DimMask(1) << (d < 0 ? d + std::max<int64_t>(rank, 1) : d);
  return mask;
}

/// Returns the metadata of the result of reducing `in` over `mask`.
inline TensorMeta reduced_meta(const TensorMeta& in, DimMask mask, bool keepdim, DType dtype, Device device) {
  TensorMeta out(dtype, std::span<const SymInt>(), std::span<const SymInt>(), device);
  if (keepdim || mask != kAllDims) {
    for (size_t d = 0; d < in.sizes.size(); ++d) {
      if (!reduces(mask, d)) {
        out.sizes.push_back(in.sizes[d]);
      } else if (keepdim) {
        out.sizes.push_back(1);
      }
    }
    out.strides = contiguous_strides(out.sizes);
  }
  return out;
}

/// If self is `out`, PyTorch checks the reduced dims only after it has resized `out`. Refuses dims that are then out of
/// range (IndexError). REQUIRES: `derived_out_rule` was called.
inline void require_dims_after_resize(const RuleCall& call, Position dim) {
  const OutputSpec& out = call.out.outputs.back();
  if (call.tensor(kReduced["self"]) != out.source || !out.metadata_changed || !call.has(dim)) return;
  if (call[dim].kind() == Value::Kind::Int) {
    call.wrap_dim(call.integer(dim), out.meta.dim());
  } else {
    for (const SymInt d : call.ints(dim)) call.wrap_dim(d.guard_int(), out.meta.dim());
  }
}

/// Rule of an out= form: derived_out_rule and require_dims_after_resize. `kReducedBy` are the schemas of the reduction.
template <const auto& kReducedBy>
void out_rule_after_resize(RuleCall& call) {
  derived_out_rule(call);
  require_dims_after_resize(call, kReducedBy["dim"]);
}

/// Refuses an empty reduced dim. Reductions without an identity (`amax`) call it.
inline void require_nonempty(const RuleCall& call, const TensorMeta& in, DimMask mask, std::string_view label) {
  for (size_t d = 0; d < in.sizes.size(); ++d) {
    if (!reduces(mask, d)) continue;
    call.require_index(check_ne(in.sizes[d], 0), label, "a reduced dim must not be empty: input is {} (dim {})", in, d);
  }
}

/// For an empty input, calls require_nonempty for each dim in the order of the list. Callers do so before they refuse
/// repeated dims.
inline void require_nonempty_in_turn(const RuleCall& call, const TensorMeta& in, Position dims,
                                     std::string_view label) {
  if (in.dim() > 64 || !call.has(dims) || !sym_eq(in.numel(), 0)) return;
  for (const SymInt d : call.ints(dims)) {
    require_nonempty(call, in, DimMask(1) << call.wrap_dim(d.guard_int(), in.dim()), label);
  }
}

}  // namespace ersatz
