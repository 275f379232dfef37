#include "kernels/indexing/index_select.h"

#include "kernels/own_dtype.h"
#include "kernels/written_elements.h"
#include "runtime/op/derived.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/moves_tag.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_index_select {

Kernel index_select_cpu, gather_cpu, embedding_cpu;

namespace {

bool is_index_dtype(DType t) { return t == DType::I32 || t == DType::I64; }

void set_output(RuleCall& call, const TensorMeta& from, DimVec sizes) {
  TensorMeta& out = call.out.outputs.emplace_back().meta;
  out.dtype = from.dtype;
  out.device = from.device;
  out.strides = contiguous_strides(sizes);
  out.sizes = std::move(sizes);
}

/// Checks dim and index, which ATen checks before `out`. RETURNS: the dim, as a non-negative number.
int64_t selected_dim(const RuleCall& call) {
  const TensorMeta& index = call.meta(kIndexSelect["index"]);
  const int64_t dim = call.wrap_dim(call.integer(kIndexSelect["dim"]), call.meta(kIndexSelect["self"]).dim());
  call.require_index(index.dim() <= 1, "C1", "expects an index of at most one dim: index is {}", index);
  call.require(is_index_dtype(index.dtype), "C1", "expects an i32 or i64 index: index is {}", index);
  return dim;
}

void index_select_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kIndexSelect["self"]);
  const TensorMeta& index = call.meta(kIndexSelect["index"]);
  const int64_t dim = selected_dim(call);
  const SymInt count = index.dim() == 0 ? SymInt(1) : index.sizes[0];
  call.require(self.dim() > 0 || sym_eq(count, 1) || check_eq(count, 1), "C2",
               "a tensor without dims takes one index: index is {}", index);
  if (self.dim() > 0 && size_eq(self.sizes[dim], 0) && !size_eq(count, 0)) {
    call.refuse(self.dim() == 1 ? ErrorFamily::Index : ErrorFamily::Runtime, "C2",
                "a dim of size 0 takes no index: self is {}, index is {}", self, index);
  }
  DimVec sizes = self.sizes;
  if (self.dim() > 0) sizes[dim] = count;
  set_output(call, self, std::move(sizes));
}

// ATen checks an `out=` argument before it resizes it.
void index_select_out_rule(RuleCall& call) {
  const TensorMeta& out = call.meta(kIndexSelect.out());
  selected_dim(call);
  require_own_dtype(call, kIndexSelect.out(), call.meta(kIndexSelect["self"]).dtype);
  require_own_elements(call, "overlap", kIndexSelect.out());
  call.require(call.tensor(kIndexSelect.out()) != call.tensor(kIndexSelect["self"]), "overlap",
               "out is self, clone it first: {}", out);
  derived_out_rule(call);
}

void gather_rule(RuleCall& call) {
  const TensorMeta& self = call.meta(kGather["self"]);
  const TensorMeta& index = call.meta(kGather["index"]);
  const int64_t dim = call.wrap_dim(call.integer(kGather["dim"]), self.dim());
  bool empty = false;
  for (SymInt s : index.sizes) empty = empty || (s.is_int() && s.as_int() == 0);
  if (!empty) {
    call.require(is_index_dtype(index.dtype), "C1", "expects an i32 or i64 index: index is {}", index);
    call.require(std::max<int64_t>(self.dim(), 1) == std::max<int64_t>(index.dim(), 1), "C2",
                 "index and self must have equal ranks: self is {}, index is {}", self, index);
    for (int64_t d = 0; d < self.dim() && d < index.dim(); ++d) {
      call.require(d == dim || sym_eq(index.sizes[d], self.sizes[d]) || check_le(index.sizes[d], self.sizes[d]), "C3",
                   "index must not be larger than self except in dim {}: self is {}, index is {} (dim {}: {} vs {})",
                   dim, self, index, d, self.sizes[d], index.sizes[d]);
    }
  }
  set_output(call, self, index.sizes);
}

void embedding_rule(RuleCall& call) {
  const TensorMeta& weight = call.meta(kEmbedding["weight"]);
  const TensorMeta& indices = call.meta(kEmbedding["indices"]);
  call.require(weight.dim() == 2, "C1", "expects a weight of 2 dims: weight is {}", weight);
  call.require(is_index_dtype(indices.dtype), "C2", "expects i32 or i64 indices: indices are {}", indices);
  DimVec sizes = indices.sizes;
  sizes.push_back(weight.sizes[1]);
  set_output(call, weight, std::move(sizes));
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& index_select =
      r.add(kIndexSelect)
          .tag(Tag::FailsOnValues | Tag::Core | kMovesEveryDType)
          .with_rule(index_select_rule)
          .cpu(index_select_cpu)
          .with_index_domain({kIndexSelect["index"], kIndexSelect["self"], kIndexSelect["dim"], true})
          .sample("f32[4,3], 0, i64[2]", 0, 3)
          .refuses("C1", "f32[4], 0, f32[2]")
          .refuses("C2", "f32[], 0, i64[2]");
  r.add_out(index_select, "out", WrittenForm{.apart = true})
      .with_rule(index_select_out_rule)
      .sample("f32[4,3], 0, i64[2], out=f32[0]", 0, 3)
      .refuses("overlap", "f32[4,3], 0, i64[2], out=f32[5,3]{0,1}");
  OpEntry& gather = r.add(kGather)
                        .tag(Tag::FailsOnValues | Tag::Core)
                        .with_rule(gather_rule)
                        .cpu(gather_cpu)
                        .with_index_domain({kGather["index"], kGather["self"], kGather["dim"], true})
                        .sample("f32[4,3], 0, i64[2,3]", 0, 3)
                        .refuses("C1", "f32[4], 0, f32[2]")
                        .refuses("C2", "f32[4,3], 0, i64[2]")
                        .refuses("C3", "f32[4,3], 0, i64[2,4]");
  r.add_out(gather, "out", WrittenForm{.apart = true}).sample("f32[4,3], 0, i64[2,3], out=f32[0]", 0, 3);
  OpEntry& embedding = r.add(kEmbedding)
                           .tag(Tag::FailsOnValues | Tag::Core | kMovesEveryDType)
                           .with_rule(embedding_rule)
                           .cpu(embedding_cpu)
                           .with_index_domain({kEmbedding["indices"], kEmbedding["weight"], 0})
                           .sample("f32[4,3], i64[2,2]", 0, 3)
                           .refuses("C1", "f32[4], i64[2]")
                           .refuses("C2", "f32[4,3], f32[2]");
  r.add_out(embedding, "out", kGeneratedForm).sample("f32[4,3], i64[2,2], out=f32[0]", 0, 3);
}

}  // namespace ersatz::op_index_select
