#include "kernels/view_inverses.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"

namespace ersatz {
namespace {

/// A call that made a view of `base`, and `changed`, the elements that the view has after a write.
struct Change {
  const ViewStep& step;
  const Tensor& base;
  const Tensor& changed;

  const Value& arg(size_t i) const { return step.args[i]; }
  int64_t wrapped(int64_t dim) const { return dim < 0 ? dim + std::max<int64_t>(base.dim(), 1) : dim; }
  int64_t dim(size_t i) const { return wrapped(arg(i).as_int64()); }
};
using Inverse = Tensor (*)(const Change& c);

Tensor itself(const Change& c) { return c.changed; }
/// Calls the view operator on `changed`, because `t`, `transpose` and `_conj` are their own inverses.
Tensor same_call(const Change& c) { return view_again(c.step, c.changed); }

Tensor sized_as_base(const Change& c) { return call_op<"aten.reshape.default">(c.changed, c.base.sizes()); }
Tensor shrunk_to_base(const Change& c) {
  if (c.base.numel().guard_int() == c.changed.numel().guard_int()) return sized_as_base(c);
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
       "a write through {} of {} has no functional form: several elements of the result are one of the base",
       c.step.op->name, c.base.meta());
}
Tensor in_slice(const Change& c) {
  return call_op<"aten.slice_scatter.default">(c.base, c.changed, c.arg(1), c.arg(2), c.arg(3), c.arg(4));
}
Tensor in_select(const Change& c) {
  return call_op<"aten.select_scatter.default">(c.base, c.changed, c.arg(1), c.arg(2));
}
Tensor in_unbound(const Change& c) {
  return call_op<"aten.select_scatter.default">(c.base, c.changed, c.arg(1), static_cast<int64_t>(c.step.result));
}
Tensor in_diagonal(const Change& c) {
  return call_op<"aten.diagonal_scatter.default">(c.base, c.changed, c.arg(1), c.arg(2), c.arg(3));
}
Tensor in_piece(const Change& c, const SymInt& start) {
  const int64_t dim = c.dim(2);
  return call_op<"aten.slice_scatter.default">(c.base, c.changed, dim, start, start + c.changed.size(dim), 1);
}
Tensor in_equal_piece(const Change& c) {
  return in_piece(c, c.arg(1).as_int() * SymInt(static_cast<int64_t>(c.step.result)));
}
Tensor in_sized_piece(const Change& c) {
  SymInt start = 0;
  for (size_t i = 0; i < c.step.result; ++i) start = start + c.arg(1).as_ints()[i];
  return in_piece(c, start);
}
Tensor permuted_back(const Change& c) {
  const auto dims = c.arg(1).as_ints();
  DimVec back(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) back[c.wrapped(dims[i].as_int())] = static_cast<int64_t>(i);
  return call_op<"aten.permute.default">(c.changed, back);
}
Tensor squeezed_back(const Change& c) {
  const int64_t rank = c.base.dim() + 1, dim = c.arg(1).as_int64();
  return call_op<"aten.squeeze.dim">(c.changed, dim < 0 ? dim + rank : dim);
}
/// The inverse of squeeze, squeeze.dim and squeeze.dims: inserts the dims of size 1 that the view dropped.
Tensor unsqueezed_back(const Change& c) {
  std::vector<bool> asked(c.base.dim(), c.step.args.size() == 1);
  if (c.step.args.size() > 1 && c.arg(1).kind() == Value::Kind::Int) {
    if (c.base.dim() > 0) asked[c.dim(1)] = true;
  } else if (c.step.args.size() > 1) {
    for (const SymInt d : c.arg(1).as_ints()) {
      if (c.base.dim() > 0) asked[c.wrapped(d.as_int())] = true;
    }
  }
  Tensor back = c.changed;
  for (int64_t d = 0; d < c.base.dim(); ++d) {
    if (asked[d] && c.base.size(d).guard_int() == 1) back = call_op<"aten.unsqueeze.default">(back, d);
  }
  return back;
}
Tensor as_complex(const Change& c) { return call_op<"aten.view_as_complex.default">(c.changed); }
Tensor as_real(const Change& c) { return call_op<"aten.view_as_real.default">(c.changed); }
Tensor as_base_dtype(const Change& c) { return call_op<"aten.view.dtype">(c.changed, c.base.dtype()); }

/// The inverse of any view in which no element occurs twice, by the view's sizes, strides and offset.
Tensor in_strides(const Change& c) {
  const Tensor view = view_again(c.step, c.base);
  return call_op<"aten.as_strided_scatter.default">(c.base, c.changed, view.sizes(), view.strides(),
                                                    view.storage_offset());
}

struct Row {
  std::string_view view;
  Inverse inverse;
};
constexpr Row kInverses[] = {
    {"aten._conj.default", same_call},
    {"aten._neg_view.default", same_call},
    {"aten._unsafe_view.default", sized_as_base},
    {"aten.alias.default", itself},
    {"aten.as_strided.default", in_strides},
    {"aten.detach.default", itself},
    {"aten.diagonal.default", in_diagonal},
    {"aten.expand.default", shrunk_to_base},
    {"aten.lift.default", itself},
    {"aten.lift_fresh.default", itself},
    {"aten.permute.default", permuted_back},
    {"aten.select.int", in_select},
    {"aten.slice.Tensor", in_slice},
    {"aten.split.Tensor", in_equal_piece},
    {"aten.split_with_sizes.default", in_sized_piece},
    {"aten.squeeze.default", unsqueezed_back},
    {"aten.squeeze.dim", unsqueezed_back},
    {"aten.squeeze.dims", unsqueezed_back},
    {"aten.t.default", same_call},
    {"aten.transpose.int", same_call},
    {"aten.unbind.int", in_unbound},
    {"aten.unsqueeze.default", squeezed_back},
    {"aten.view.default", sized_as_base},
    {"aten.view.dtype", as_base_dtype},
    {"aten.view_as_complex.default", as_real},
    {"aten.view_as_real.default", as_complex},
};

Inverse inverse_of(const OpEntry& view) {
  static const std::unordered_map<uint32_t, Inverse> by_id = [] {
    std::unordered_map<uint32_t, Inverse> made;
    for (const Row& r : kInverses) made.emplace(op_named(r.view).id, r.inverse);
    return made;
  }();
  const auto at = by_id.find(view.id);
  return at == by_id.end() ? in_strides : at->second;
}

}  // namespace

Tensor view_again(const ViewStep& step, const Tensor& base) {
  std::vector<Value> args = step.args;
  args[step.position] = Value(base);
  Values results, flat;
  dispatch(*step.op, args, results);
  flatten(results, flat);
  return flat[step.result].tensor();
}

Tensor with_changed_view(const ViewStep& step, const Tensor& base, const Tensor& changed) {
  return inverse_of(*step.op)({step, base, changed});
}

Tensor converted_copy(const Tensor& t, DType dtype) {
  return call_op<"aten._to_copy.default">(t, dtype, Value(), Value(), Value(), false, Value());
}

}  // namespace ersatz
