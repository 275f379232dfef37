// Gradient functions of views, copies, products and indexing that derivatives.def calls by name.
#include <algorithm>
#include <numeric>

#include "kernels/derivatives.h"
#include "kernels/gradient_math.h"
#include "runtime/autograd/formula.h"
#include "runtime/autograd/gradient_ops.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::derivatives {

namespace {

using namespace gradient_math;

/// Gradient of cat(tensors, dim): for each tensor a view of its part of the gradient; for skipped vectors, zeros.
Value cat_gradient(Arguments a) {
  const auto sizes = a[1].as_list();
  const auto dtypes = a[2].as_list();
  std::vector<Value> parts(sizes.size());
  if (a[0].is_none()) return Value::list(parts);
  const Tensor grad = a[0].tensor();
  const auto skipped = [](std::span<const SymInt> s) { return s.size() == 1 && size_eq(s[0], 0); };
  int64_t rank = 0;
  for (const Value& s : sizes) {
    if (!skipped(s.as_ints())) rank = static_cast<int64_t>(s.as_ints().size());
  }
  const int64_t dim = wrap(a[3].as_int64(), rank);
  SymInt start = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto s = sizes[i].as_ints();
    if (skipped(s)) {
      parts[i] = zeros(grad, s, dtypes[i]);
      continue;
    }
    const SymInt length = s[static_cast<size_t>(dim)];
    Tensor part = grad;
    if (!is_complex(dtypes[i].as_dtype()) && is_complex(grad.dtype())) part = gradient_ops().real_part(grad);
    parts[i] = narrow(part, dim, start, length);
    start = start + length;
  }
  return Value::list(parts);
}

/// Gradient of stack(tensors, dim): for tensor i, a view of the gradient at index i of the dim.
Value stack_gradient(Arguments a) {
  const auto dtypes = a[1].as_list();
  std::vector<Value> parts(dtypes.size());
  if (a[0].is_none()) return Value::list(parts);
  for (size_t i = 0; i < parts.size(); ++i) {
    Tensor grad = a[0].tensor();
    if (!is_complex(dtypes[i].as_dtype()) && is_complex(grad.dtype())) grad = gradient_ops().real_part(grad);
    parts[i] = call_op<"aten.select.int">(grad, a[2].as_int(), static_cast<int64_t>(i));
  }
  return Value::list(parts);
}

/// Gradient of block_diag(tensors): for each tensor a view of its block, of one row for vectors, 1 x 1 for numbers.
Value block_diag_gradient(Arguments a) {
  const auto sizes = a[1].as_list();
  const auto dtypes = a[2].as_list();
  std::vector<Value> parts(sizes.size());
  if (a[0].is_none()) return Value::list(parts);
  const Tensor grad = a[0].tensor();
  SymInt row = 0, column = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto s = sizes[i].as_ints();
    const SymInt rows = s.size() == 2 ? s[0] : SymInt(1), columns = s.empty() ? SymInt(1) : s[s.size() - 1];
    Tensor of = grad;
    if (!is_complex(dtypes[i].as_dtype()) && is_complex(grad.dtype())) of = gradient_ops().real_part(grad);
    of = narrow(narrow(of, 0, row, rows), 1, column, columns);
    // A vector's block stays [1, n]: the autograd engine sums the first dim away. A number's block becomes a 0-d view.
    if (s.size() < 2) of = call_op<"aten.squeeze.dim">(of, -1);
    if (s.empty()) of = call_op<"aten.squeeze.dim">(of, -1);
    parts[i] = of;
    row = row + rows;
    column = column + columns;
  }
  return Value::list(parts);
}

/// Returns `grads` with each gradient i that is None replaced by zeros of sizes `sizes(i)`. If all are None, returns an
/// empty vector.
template <class Sizes>
std::vector<Value> made_whole(std::span<const Value> grads, const Sizes& sizes) {
  Tensor any;
  for (const Value& g : grads) {
    if (g.is_tensor()) any = g.tensor();
  }
  std::vector<Value> parts;
  for (size_t i = 0; any && i < grads.size(); ++i)
    parts.push_back(grads[i].is_tensor() ? grads[i] : Value(zeros(any, sizes(i))));
  return parts;
}

/// Gradient of split(self, size or sizes, dim): joins the gradients of the pieces by cat.
Value split_gradient(Arguments a) {
  const auto sizes = a[1].as_ints();
  const auto dim = static_cast<size_t>(wrap(a[2].as_int64(), static_cast<int64_t>(sizes.size())));
  const auto part = [&](size_t i) {
    DimVec s(sizes);
    if (a[3].is_number()) {
      const SymInt whole = a[3].as_int(), left = sizes[dim] - whole * static_cast<int64_t>(i);
      s[dim] = guard_lt(left, whole) ? left : whole;
    } else {
      s[dim] = a[3].as_ints()[i];
    }
    return s;
  };
  const std::vector<Value> parts = made_whole(a[0].as_list(), part);
  if (parts.empty()) return {};
  return call_op<"aten.cat.default">(std::span<const Value>(parts), static_cast<int64_t>(dim));
}

Value unbind_gradient(Arguments a) {
  const auto sizes = a[1].as_ints();
  const int64_t dim = wrap(a[2].as_int64(), static_cast<int64_t>(sizes.size()));
  DimVec part(sizes);
  part.erase(static_cast<size_t>(dim));
  const std::vector<Value> parts = made_whole(a[0].as_list(), [&](size_t) { return part; });
  if (parts.empty()) return {};
  return call_op<"aten.stack.default">(std::span<const Value>(parts), dim);
}

/// Gradient of squeeze: inserts the removed dims again. a[2] has the dims that were passed to squeeze; None: all dims.
Value unsqueeze_to(Arguments a) {
  if (a[0].is_none()) return {};
  Tensor t = a[0].tensor();
  const auto sizes = a[1].as_ints();
  const auto rank = static_cast<int64_t>(sizes.size());
  std::vector<bool> squeezed(sizes.size(), a[2].is_none());
  const auto mark = [&](int64_t d) {
    if (rank > 0) squeezed[static_cast<size_t>(wrap(d, rank))] = true;
  };
  if (a[2].is_number()) {
    mark(a[2].as_int64());
  } else if (!a[2].is_none()) {
    for (SymInt d : a[2].as_ints()) mark(d.as_int());
  }
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (squeezed[d] && size_eq(sizes[d], 1)) t = call_op<"aten.unsqueeze.default">(t, static_cast<int64_t>(d));
  }
  return t;
}

Value sum_to(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor t = a[0].tensor();
  const auto sizes = a[1].as_ints();
  bool same = static_cast<size_t>(t.dim()) == sizes.size();
  for (size_t d = 0; same && d < sizes.size(); ++d) same = size_eq(t.sizes()[d], sizes[d]);
  return same ? t : gradient_ops().sum_to(t, sizes);
}

/// Gradient of permute(self, dims): permutes by the inverse of dims.
Value permute_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const auto dims = a[1].as_ints();
  DimVec inverse(dims.size(), 0);
  for (size_t d = 0; d < dims.size(); ++d) {
    inverse[static_cast<size_t>(wrap(dims[d].as_int(), static_cast<int64_t>(dims.size())))] = static_cast<int64_t>(d);
  }
  return call_op<"aten.permute.default">(a[0].tensor(), inverse);
}

/// Gradient of repeat(self, repeats): the sum of the gradients of all copies.
Value repeat_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  Tensor grad = a[0].tensor();
  const auto repeats = a[1].as_ints(), sizes = a[2].as_ints();
  for (SymInt r : repeats) {
    if (size_eq(r, 0)) return zeros(grad, sizes);
  }
  const size_t more = repeats.size() - sizes.size();
  if (more) {
    DimVec leading;
    for (size_t d = 0; d < more; ++d) leading.push_back(static_cast<int64_t>(d));
    grad = call_op<"aten.sum.dim_IntList">(grad, leading, false, Value());
  }
  DimVec parts, dims;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!size_eq(repeats[d + more], 1)) {
      dims.push_back(static_cast<int64_t>(parts.size()));
      parts.push_back(repeats[d + more]);
    }
    parts.push_back(sizes[d]);
  }
  if (dims.empty()) return grad;
  return call_op<"aten.sum.dim_IntList">(call_op<"aten.reshape.default">(grad, parts), dims, false, Value());
}

Value roll_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  DimVec back;
  for (SymInt s : a[1].as_ints()) back.push_back(SymInt(0) - s);
  return call_op<"aten.roll.default">(a[0].tensor(), back, a[2].as_ints());
}

Value pad_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  DimVec back;
  for (SymInt s : a[1].as_ints()) back.push_back(SymInt(0) - s);
  return call_op<"aten.constant_pad_nd.default">(a[0].tensor(), back, 0);
}

Value as_strided_row(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor();
  const TensorMeta base(grad.dtype(), a[1].as_ints(), a[2].as_ints(), grad.device(), a[3].as_int());
  return as_strided_gradient(grad, base, a[4].as_ints(), a[5].as_ints(), a[6].is_none() ? base.offset : a[6].as_int());
}

// ---- Products ------------------------------------------------------------------------------------------------------

Tensor t_of(const Tensor& t) { return call_op<"aten.t.default">(t); }
Tensor mm(const Tensor& a, const Tensor& b) { return call_op<"aten.mm.default">(a, b); }
Value times(const Tensor& t, const Value& alpha) {
  const bool one = alpha.kind() == Value::Kind::Complex ? alpha.as_complex() == 1.0 : alpha.as_double() == 1;
  return one ? Value(t) : Value(gradient_ops().arithmetic('*', Value(t), alpha));
}
Value conj_of(const Value& v) { return v.kind() == Value::Kind::Complex ? Value(std::conj(v.as_complex())) : v; }
/// Whether a matrix with these sizes and strides is column-major.
bool by_columns(std::span<const SymInt> sizes, std::span<const SymInt> strides) {
  return size_eq(strides[0], 1) && size_eq(strides[1], sizes[0]);
}

/// Gradient of mm(self, other) with respect to self: grad @ other^H, in the layout of self.
Value mm_self_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), other = a[1].tensor();
  const Tensor made =
      by_columns(a[2].as_ints(), a[3].as_ints()) ? t_of(mm(conj(other), t_of(grad))) : mm(grad, conj(t_of(other)));
  return times(made, conj_of(a[4]));
}
/// Gradient of mm(self, other) with respect to other: self^H @ grad, in the layout of other.
Value mm_other_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), self = a[1].tensor();
  const Tensor made =
      by_columns(a[2].as_ints(), a[3].as_ints()) ? t_of(mm(t_of(grad), conj(self))) : mm(conj(t_of(self)), grad);
  return times(made, conj_of(a[4]));
}

// ---- Indices -------------------------------------------------------------------------------------------------------

Value gather_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor();
  return call_op<"aten.scatter_add.default">(zeros(grad, a[1].as_ints()), a[2].as_int(), a[3].tensor(), grad);
}
Value index_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor(), whole = zeros(grad, a[1].as_ints(), a[2]);
  return call_op<"aten._index_put_impl_.default">(whole, a[3].as_list(), grad, true, true);
}
Value take_gradient(Arguments a) {
  if (a[0].is_none()) return {};
  const Tensor grad = a[0].tensor();
  return call_op<"aten.put_.default">(zeros(grad, a[1].as_ints()), a[2].tensor(), grad, true);
}

}  // namespace

Tensor as_strided_gradient(const Tensor& gradient, const TensorMeta& base, std::span<const SymInt> sizes,
                           std::span<const SymInt> strides, SymInt offset) {
  // `view` is the view's metadata without dims of size 1 and of stride 0. If a stride is 0, the view shows one element
  // several times, so the gradient is summed along that dim.
  Tensor grad = gradient;
  TensorMeta view(base.dtype, DimVec(), DimVec(), base.device);
  for (size_t d = sizes.size(); d-- > 0;) {
    if (size_eq(sizes[d], 0)) return zeros(gradient, base.sizes);
    const auto at = static_cast<int64_t>(d);
    if (size_eq(sizes[d], 1)) {
      grad = call_op<"aten.squeeze.dim">(grad, at);
    } else if (size_eq(strides[d], 0)) {
      grad = call_op<"aten.sum.dim_IntList">(grad, DimVec{at}, false, Value());
    } else {
      view.sizes.insert(0, sizes[d]);
      view.strides.insert(0, strides[d]);
    }
  }
  TensorMeta whole(base.dtype, DimVec(), DimVec(), base.device);
  DimVec shown_sizes, shown_strides;
  for (size_t d = 0; d < base.sizes.size(); ++d) {
    if (size_eq(base.sizes[d], 0)) return zeros(gradient, base.sizes);
    shown_sizes.push_back(base.sizes[d]);
    shown_strides.push_back(size_eq(base.sizes[d], 1) ? SymInt(0) : base.strides[d]);
  }
  whole.sizes = shown_sizes, whole.strides = shown_strides;
  // The gradients of base and view are put on one new storage. It begins at the first element of base or of view,
  // whichever is first in memory.
  const bool view_first = guard_lt(offset, base.offset);
  const SymInt first = view_first ? offset : base.offset;
  whole.offset = base.offset - first;
  view.offset = offset - first;
  const auto elements = [](const TensorMeta& m) {
    SymInt last = m.offset;
    for (size_t d = 0; d < m.sizes.size(); ++d) last = last + (m.sizes[d] - 1) * m.strides[d];
    return last + 1;
  };
  const SymInt count = sym_max(elements(whole), elements(view));
  const Tensor storage = zeros(grad, DimVec{count});
  const GradientOps& ops = gradient_ops();
  const auto numbers = [&](const TensorMeta& of) {  // the index in `storage` of each element
    const Tensor places = call_op<"aten.arange.default">(count, DType::I64, Value(), grad.device(), Value());
    return call_op<"aten.reshape.default">(ops.as_strided(places, of), DimVec{-1});
  };
  if (internal_overlap(view) != Overlap::No) {
    call_op<"aten.index_add_.default">(storage, 0, numbers(view), call_op<"aten.reshape.default">(grad, DimVec{-1}), 1);
  } else {
    ops.copy_into(ops.as_strided(storage, view), grad);
  }
  if (internal_overlap(whole) != Overlap::No) {  // elements that share memory get equal parts of the gradient
    const Tensor shares = zeros(storage, DimVec{count});
    const Tensor places = numbers(whole);
    call_op<"aten.index_add_.default">(shares, 0, places,
                                       ops.ones_like(call_op<"aten.index_select.default">(shares, 0, places)), 1);
    call_op<"aten.div_.Tensor">(storage, shares);
  }
  return call_op<"aten.as_strided.default">(storage, base.sizes, base.strides, whole.offset);
}

void add_shape_functions() {
  add_gradient_function("as_strided_gradient", as_strided_row);
  add_gradient_function("block_diag_gradient", block_diag_gradient);
  add_gradient_function("cat_gradient", cat_gradient);
  add_gradient_function("gather_gradient", gather_gradient);
  add_gradient_function("index_gradient", index_gradient);
  add_gradient_function("mm_other_gradient", mm_other_gradient);
  add_gradient_function("mm_self_gradient", mm_self_gradient);
  add_gradient_function("pad_gradient", pad_gradient);
  add_gradient_function("permute_gradient", permute_gradient);
  add_gradient_function("repeat_gradient", repeat_gradient);
  add_gradient_function("roll_gradient", roll_gradient);
  add_gradient_function("split_gradient", split_gradient);
  add_gradient_function("stack_gradient", stack_gradient);
  add_gradient_function("sum_to", sum_to);
  add_gradient_function("take_gradient", take_gradient);
  add_gradient_function("unbind_gradient", unbind_gradient);
  add_gradient_function("unsqueeze_to", unsqueeze_to);
}

}  // namespace ersatz::derivatives
