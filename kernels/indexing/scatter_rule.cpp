#include "kernels/indexing/scatter_rule.h"

#include "kernels/shape/scalar_fit.h"
#include "kernels/written_elements.h"
#include "runtime/op/derived.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

bool is_index_dtype(DType t) { return t == DType::I32 || t == DType::I64; }
int64_t rank_of(const TensorMeta& t) { return std::max<int64_t>(t.dim(), 1); }
bool holds_nothing(const TensorMeta& t) {
  for (SymInt s : t.sizes) {
    if (s.is_int() && s.as_int() == 0) return true;
  }
  return false;
}

/// Raises the error C6 if the index or the source shares memory with `written`.
void require_scattered_apart(const RuleCall& call, const TensorImpl* written) {
  require_reads_apart(call, "C6", written, {op_scatter::kScattered["index"], op_scatter::kScattered["{}"]});
}

}  // namespace

void check_scatter(const RuleCall& call) {
  const TensorMeta &self = call.meta(op_scatter::kScattered["self"]),
                   &index = call.meta(op_scatter::kScattered["index"]);
  const int64_t dim = call.wrap_dim(call.integer(op_scatter::kScattered["dim"]), self.dim());
  const bool from_tensor = call.is_tensor(op_scatter::kScattered["{}"]);
  if (from_tensor) {
    call.require(call.meta(op_scatter::kScattered["{}"]).dtype == self.dtype, "C4",
                 "src must have the dtype of self: {} and {}", call.meta(op_scatter::kScattered["{}"]), self);
  }
  if (holds_nothing(index)) return;
  call.require(is_index_dtype(index.dtype), "C1", "expects an i64 or i32 index: index is {}", index);
  call.require(rank_of(self) == rank_of(index), "C2",
               "index, src and self must have equal ranks: self is {}, index is {}", self, index);
  for (int64_t d = 0; d < index.dim(); ++d) {
    const size_t at = static_cast<size_t>(d);
    const SymInt of_self = self.dim() > 0 ? self.sizes[at] : SymInt(1);
    call.require(d == dim || sym_eq(index.sizes[at], of_self) || check_le(index.sizes[at], of_self), "C3",
                 "index must not be larger than self except in dim {}: self is {}, index is {}", dim, self, index);
  }
  for (int64_t d = 0; from_tensor && d < index.dim(); ++d) {
    const size_t at = static_cast<size_t>(d);
    const TensorMeta& src = call.meta(op_scatter::kScattered["{}"]);
    call.require_index(src.dim() == 0 || d < src.dim(), "C2", "src has no dim {} of the index: src is {}, index is {}",
                       d, src, index);
    const SymInt of_src = src.dim() > 0 ? src.sizes[at] : SymInt(1);
    call.require(sym_eq(index.sizes[at], of_src) || check_le(index.sizes[at], of_src), "C3",
                 "index must not be larger than src: src is {}, index is {}", src, index);
  }
  call.require(!from_tensor || rank_of(call.meta(op_scatter::kScattered["{}"])) == rank_of(index), "C2",
               "index, src and self must have equal ranks: src is {}, index is {}",
               from_tensor ? call.meta(op_scatter::kScattered["{}"]) : self, index);
  if (!from_tensor) require_written_number(call, call.scalar(op_scatter::kScattered["{}"]), self, "C5");
}

void check_index_add(const RuleCall& call) {
  const TensorMeta &self = call.meta(op_scatter::kScattered["self"]),
                   &index = call.meta(op_scatter::kScattered["index"]),
                   &source = call.meta(op_scatter::kScattered["{}"]);
  const int64_t dim = call.wrap_dim(call.integer(op_scatter::kScattered["dim"]), self.dim());
  const size_t at = static_cast<size_t>(dim);
  call.require_index(index.dim() <= 1, "C1", "expects an index of at most one dim: index is {}", index);
  call.require(is_index_dtype(index.dtype), "C1", "expects an i64 or i32 index: index is {}", index);
  call.require(source.dtype == self.dtype, "C2", "source must have the dtype of self: {} and {}", source, self);
  call.require(dim == 0 || dim < source.dim(), "C4", "source has no dim {}: source is {}, self is {}", dim, source,
               self);
  call.require_index(source.dim() > 0 || check_eq(index.numel(), 1), "C3",
                     "a source without dims takes one index: index is {}", index);
  const SymInt slices = source.dim() == 0 ? SymInt(1) : source.sizes[at];
  call.require(check_eq(index.numel(), slices), "C3", "as many indices as source has slices: index is {}, source is {}",
               index, source);
  DimVec a = self.sizes, b = source.sizes;
  if (!a.empty() && !b.empty()) a.erase(at), b.erase(at);
  call.require(check_eq(a, b), "C4", "source must have the sizes of self except in dim {}: {} and {}", dim, source,
               self);
}

void answer_scattered(RuleCall& call) {
  const TensorMeta& self = call.meta(op_scatter::kScattered["self"]);
  TensorMeta& out = call.out.fresh();
  out.dtype = self.dtype;
  out.device = call.device;
  out.sizes = self.sizes;
  out.strides = contiguous_strides(self.sizes);
}

void require_writes_apart(const RuleCall& call, Position written) {
  require_own_elements(call, "C6", written);
  require_scattered_apart(call, call.tensor(written));
}

void answer_scattered_inplace(RuleCall& call) {
  require_writes_apart(call, op_scatter::kScattered["self"]);
  call.out.same(call.tensor(op_scatter::kScattered["self"]));
}

void scattered_out_rule(RuleCall& call) {
  derived_out_rule(call);
  require_scattered_apart(call, call.tensor(call.args.size() - 1));
}

}  // namespace ersatz
