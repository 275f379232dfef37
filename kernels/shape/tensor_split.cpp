#include "kernels/shape/tensor_split.h"

#include "kernels/indexing/item.h"
#include "kernels/shape/slice.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_tensor_split {
namespace {

Value list_of(const std::vector<Tensor>& tensors) {
  std::vector<Value> items(tensors.begin(), tensors.end());
  return Value::list(items);
}

int64_t split_dim(const CompositeCall& call) {
  static constexpr Schemas kArgs2{kTensorSplitSections, kTensorSplitIndices, kTensorSplitTensorIndicesOrSections};
  const TensorMeta& self = call.meta(kEach["self"]);
  call.require(self.dim() > 0, "C1", "expects a tensor with dims: self is {}", self);
  return call.wrap_dim(call.integer(kArgs2["dim"]), self.dim());
}

void into_sections(CompositeCall& call, int64_t sections, int64_t dim) {
  static constexpr Schemas kArgs{kTensorSplitSections, kTensorSplitTensorIndicesOrSections, kTensorSplitInt};
  call.require(sections > 0, "C2", "sections must be positive: got {}", sections);
  const Tensor self = call.tensor(kArgs["self"]);
  const SymInt size = self.sizes()[static_cast<size_t>(dim)], least = floor_div(size, sections);
  // The first size % sections pieces have one more element. For a data-dependent size, the length of piece i is the
  // expression (size - i) / sections, rounded up.
  const std::optional<int64_t> larger =
      has_example(size) ? std::optional(floor_mod(size, sections).guard_int()) : std::nullopt;
  std::vector<Tensor> pieces;
  SymInt start = 0;
  for (int64_t i = 0; i < sections; ++i) {
    const SymInt length =
        larger ? least + SymInt(i < *larger ? 1 : 0) : floor_div(size - SymInt(i) + SymInt(sections - 1), sections);
    const SymInt end = i + 1 == sections ? size : start + length;
    pieces.push_back(ops::slice(self, dim, start, end, 1));
    start = end;
  }
  call.returns(list_of(pieces));
}

void at_indices(CompositeCall& call, std::span<const SymInt> indices, int64_t dim) {
  static constexpr Schemas kArgs{kTensorSplitIndices, kTensorSplitTensorIndicesOrSections, kTensorSplitArray};
  const Tensor self = call.tensor(kArgs["self"]);
  std::vector<Tensor> pieces;
  SymInt start = 0;
  for (SymInt end : indices) {
    pieces.push_back(ops::slice(self, dim, start, end, 1));
    start = end;
  }
  pieces.push_back(ops::slice(self, dim, start, self.sizes()[static_cast<size_t>(dim)], 1));
  call.returns(list_of(pieces));
}

void sections(CompositeCall& call) {
  const int64_t dim = split_dim(call);
  into_sections(call, call.integer(kTensorSplitSections["sections"]), dim);
}
void indices(CompositeCall& call) {
  const int64_t dim = split_dim(call);
  at_indices(call, call.ints(kTensorSplitIndices["indices"]), dim);
}

void from_tensor(CompositeCall& call) {
  const int64_t dim = split_dim(call);
  const Tensor where = call.tensor(kTensorSplitTensorIndicesOrSections["tensor_indices_or_sections"]);
  call.require(where.device().is_cpu() && where.dtype() == DType::I64 && where.dim() <= 1, "C3",
               "expects sections or indices as an i64 CPU tensor of one dim at most: got {}", where.meta());
  if (where.dim() == 0) return into_sections(call, ops::item(where).to_int(), dim);
  DimVec read;
  const int64_t n = where.sizes()[0].guard_int();
  for (int64_t i = 0; i < n; ++i) read.push_back(ops::item(ops::select(where, 0, i)).to_sym_int());
  at_indices(call, read, dim);
}

/// Checks that self has enough dims for hsplit, vsplit or dsplit, and returns the dim to split.
template <int64_t wanted>
int64_t named_dim(const CompositeCall& call) {
  static constexpr Schemas kArgs{kTensorSplitInt, kTensorSplitArray};
  constexpr int64_t least = wanted == 1 ? 1 : wanted == 0 ? 2 : 3;
  const TensorMeta& self = call.meta(kArgs["self"]);
  call.require(self.dim() >= least, "C1", "expects {} dims at least: self is {}", least, self);
  return wanted == 1 && self.dim() == 1 ? 0 : wanted;
}
template <int64_t wanted>
void named_sections(CompositeCall& call) {
  const int64_t dim = named_dim<wanted>(call), n = call.integer(kTensorSplitInt["sections"]);
  const SymInt size = call.meta(kTensorSplitInt["self"]).sizes[static_cast<size_t>(dim)];
  call.require(n != 0 && check_eq(floor_mod(size, n), 0), "C2", "{} sections must divide dim {} of size {}", n, dim,
               size);
  into_sections(call, n, dim);
}
template <int64_t wanted>
void named_indices(CompositeCall& call) {
  const int64_t dim = named_dim<wanted>(call);
  at_indices(call, call.ints(kTensorSplitArray["indices"]), dim);
}

// Returns pieces of the sizes that `chunk` gives, by an op whose schema declares no alias.
void unsafe_chunk(CompositeCall& call) {
  const Value &self = call[kUnsafeChunk["self"]], &chunks = call[kUnsafeChunk["chunks"]],
              &dim = call[kUnsafeChunk["dim"]];
  const Values pieces = call_op_all<"aten.chunk.default">(self, chunks, dim);
  DimVec sizes;
  const Tensor whole = self.tensor();
  for (const Value& piece : pieces[0].as_list()) {
    sizes.push_back(piece.tensor().sizes()[static_cast<size_t>(call.wrap_dim(dim.as_int64(), whole.dim()))]);
  }
  // Calls `unsafe_split` if possible, because `unsafe_split` has a derivative.
  if (!size_eq(sizes[0], 0)) {
    return call.returns(call_op_all<"aten.unsafe_split.Tensor">(self, sizes[0], dim)[0]);
  }
  call.returns(call_op_all<"aten.unsafe_split_with_sizes.default">(self, sizes, dim)[0]);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kTensorSplitSections)
      .tag(Tag::View)
      .with_composite(sections)
      .sample("f32[7,2], 3")
      .sample("f32[2,7]{1,2}, 3, -1")
      .refuses("C1", "f32[], 1")
      .refuses("C2", "f32[7], 0");
  r.add(kTensorSplitIndices)
      .tag(Tag::View)
      .with_composite(indices)
      .sample("f32[7,2], [1, 5, 9, -2]")
      .refuses("C1", "f32[], [1]");
  r.add(kTensorSplitTensorIndicesOrSections)
      .tag(Tag::View | Tag::DataDependent)
      .with_composite(from_tensor)
      .devices({DeviceRule::Same, DeviceRule::Any, DeviceRule::Any})
      .sample("f32[7,2], i64[]", 1, 3)
      .refuses("C1", "f32[], i64[]")
      .refuses("C3", "f32[7], f32[]");
  struct Named {
    const char* name;
    CompositeBody sections, indices;
    const char *sample, *thin;
  };
  for (const Named& n : {Named{"hsplit", named_sections<1>, named_indices<1>, "f32[2,6]", "f32[]"},
                         Named{"vsplit", named_sections<0>, named_indices<0>, "f32[6,2]", "f32[6]"},
                         Named{"dsplit", named_sections<2>, named_indices<2>, "f32[2,3,6]", "f32[6,6]"}}) {
    r.add(kTensorSplitInt.with(n.name))
        .tag(Tag::View)
        .with_composite(n.sections)
        .sample(fmt::format("{}, 3", n.sample))
        .refuses("C1", fmt::format("{}, 1", n.thin))
        .refuses("C2", fmt::format("{}, 4", n.sample));
    r.add(kTensorSplitArray.with(n.name))
        .tag(Tag::View)
        .with_composite(n.indices)
        .sample(fmt::format("{}, [1, 4]", n.sample))
        .refuses("C1", fmt::format("{}, [1]", n.thin));
  }
  r.add(kUnsafeChunk).tag(Tag::View).with_composite(unsafe_chunk).sample("f32[7,2], 3");
}

}  // namespace ersatz::op_tensor_split
