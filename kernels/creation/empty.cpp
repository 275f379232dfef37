#include "kernels/creation/empty.h"

#include "kernels/shape/copy_layout.h"
#include "kernels/shape/dim_set.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/slice_tags.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_empty {
namespace {

void empty_rule(RuleCall& call) {
  const std::span<const SymInt> sizes = call.ints(kEmptyMemoryFormat["size"]);
  if (out_of_factory(call)) {
    call.require(!call.has(call.args.size() - 2), "C3", "memory_format cannot be given together with out");
    resized_out(call, sizes);
    return;
  }
  TensorMeta& out = start_factory(call, kEmptyMemoryFormat["dtype"], call.context.default_dtype, call.device);
  set_sizes(call, out, sizes);
  if (call.has(kEmptyMemoryFormat["memory_format"]))
    out.strides = format_strides(call, out.sizes, call[kEmptyMemoryFormat["memory_format"]].as_memory_format(), "C2");
}

// In PyTorch, `out=` overloads that take strides do not apply them: `out` gets the sizes and keeps its own strides.
// They have the constraints of the functional overloads.
void require_strides(const RuleCall& call, std::span<const SymInt> sizes, std::span<const SymInt> strides) {
  call.require(sizes.size() == strides.size(), "C2", "expects as many strides as sizes: {} vs {}", sizes, strides);
  for (SymInt s : strides) {
    call.require(check_ge(s, 0), "C1", "strides must not be negative: got {}", strides);
  }
}
void set_strided(const RuleCall& call, TensorMeta& out, std::span<const SymInt> sizes,
                 std::span<const SymInt> strides) {
  set_sizes(call, out, sizes);
  out.strides = DimVec(strides);
}

void strided_rule(RuleCall& call) {
  const std::span<const SymInt> sizes = call.ints(kEmptyStrided["size"]), strides = call.ints(kEmptyStrided["stride"]);
  require_strides(call, sizes, strides);
  if (resized_out(call, sizes, SharedElements::Refused)) return;
  set_strided(call, start_factory(call, kEmptyStrided["dtype"], call.context.default_dtype, call.device), sizes,
              strides);
}

// The rule of empty_permuted. The result is dense, with its dims in the order of physical_layout, the outermost first.
void permuted_rule(RuleCall& call) {
  const std::span<const SymInt> sizes = call.ints(kEmptyPermuted["size"]),
                                layout = call.ints(kEmptyPermuted["physical_layout"]);
  call.require(sizes.size() == layout.size(), "C4", "expects as many dims in the layout as sizes: {} vs {}", layout,
               sizes);
  DimSet seen;
  for (SymInt d : layout) {
    const int64_t dim = d.guard_int();
    call.require(dim >= 0 && dim < static_cast<int64_t>(sizes.size()) && seen.insert(dim), "C4",
                 "the layout must name each dim once: got {}", layout);
  }
  if (resized_out(call, sizes, SharedElements::Refused)) return;
  TensorMeta& out = start_factory(call, kEmptyPermuted["dtype"], call.context.default_dtype, call.device);
  set_sizes(call, out, sizes);
  SymInt step = 1;
  for (size_t i = layout.size(); i-- > 0;) {
    const size_t dim = static_cast<size_t>(layout[i].guard_int());
    out.strides[dim] = step;
    step *= sym_max(sizes[dim], 1);
  }
}

void like_rule(RuleCall& call) { answer_factory_like(call, kEmptyLike["dtype"], kEmptyLike["memory_format"], "C2"); }

void new_rule(RuleCall& call) {
  const TensorMeta& from = call.meta(kNewEmpty["self"]);
  answer_sized(call, kNewEmpty["dtype"], from.dtype, from.device, call.ints(kNewEmpty["size"]),
               SharedElements::Refused);
}

void new_strided_rule(RuleCall& call) {
  const std::span<const SymInt> sizes = call.ints(kNewEmptyStrided["size"]),
                                strides = call.ints(kNewEmptyStrided["stride"]);
  require_strides(call, sizes, strides);
  if (resized_out(call, sizes, SharedElements::Refused)) return;
  const TensorMeta& from = call.meta(kNewEmptyStrided["self"]);
  set_strided(call, start_factory(call, kNewEmptyStrided["dtype"], from.dtype, from.device), sizes, strides);
}

}  // namespace

void register_ops(Registry& r) {
  OpEntry& empty = r.add(kEmptyMemoryFormat)
                       .tag(Tag::Factory | Tag::Uninitialized | Tag::Core)
                       .with_rule(empty_rule)
                       .sample("[2, 3]")
                       .sample("[2, 3, 4, 5], dtype=f64, memory_format=channels_last")
                       .refuses("C1", "[-1]")
                       .refuses("C2", "[2], memory_format=channels_last");
  r.add_out_alike(empty, "out").sample("[2, 3], out=f32[0]").refuses("C3", "[2], memory_format=contiguous, out=f32[2]");
  OpEntry& strided = r.add(kEmptyStrided)
                         .tag(Tag::Factory | Tag::Uninitialized | Tag::Core)
                         .with_rule(strided_rule)
                         .sample("[2, 3], [1, 2]")
                         .refuses("C1", "[2], [-1]")
                         .refuses("C2", "[2], [1, 1]");
  r.add_out_alike(strided, "out").sample("[2, 3], [1, 2], out=f32[0]").refuses("C2", "[2, 3], [1], out=f32[0]");
  OpEntry& permuted = r.add(kEmptyPermuted)
                          .tag(Tag::Factory | Tag::Uninitialized)
                          .with_rule(permuted_rule)
                          .sample("[2, 3, 4], [2, 0, 1]")
                          .refuses("C1", "[-1], [0]")
                          .refuses("C4", "[2, 3], [0, 0]");
  r.add_out_alike(permuted, "out").sample("[2, 3], [1, 0], out=f32[0]").refuses("C4", "[2, 3], [1], out=f32[0]");
  OpEntry& like = r.add(kEmptyLike)
                      .tag(Tag::Uninitialized)
                      .with_rule(like_rule)
                      .sample("f32[2,3]{1,2}")
                      .refuses("C2", "f32[2,3], memory_format=channels_last");
  r.add_out_alike(like, "out").sample("f32[2,3], out=f32[0]");
  OpEntry& fresh = r.add(kNewEmpty)
                       .tag(Tag::Uninitialized)
                       .with_rule(new_rule)
                       .sample("f64[2], [3, 4]")
                       .refuses("C1", "f64[2], [-1]");
  r.add_out_alike(fresh, "out").sample("f64[2], [3, 4], out=f32[0]");
  OpEntry& fresh_strided = r.add(kNewEmptyStrided)
                               .tag(Tag::Uninitialized | kEmptyAlikeTag)
                               .with_rule(new_strided_rule)
                               .sample("f64[2], [3, 4], [1, 3]")
                               .refuses("C2", "f64[2], [3], [1, 3]");
  r.add_out_alike(fresh_strided, "out").sample("f64[2], [3, 4], [1, 3], out=f32[0]");
}

}  // namespace ersatz::op_empty
