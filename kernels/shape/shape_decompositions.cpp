// Decompositions into core operators: views, indexing and tensor factories.
#include <algorithm>
#include <numeric>

#include "kernels/core_decompositions.h"
#include "kernels/decomposition.h"

namespace ersatz::decomposition {
namespace {

int64_t wrapped(int64_t dim, int64_t rank) { return dim < 0 ? dim + std::max<int64_t>(rank, 1) : dim; }
Tensor alias(const Tensor& t) { return call_op<"aten.alias.default">(t); }

void transpose(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const int64_t a = wrapped(given(call, 1).as_int64(), x.dim()), b = wrapped(given(call, 2).as_int64(), x.dim());
  if (a == b) return call.returns(alias(x));
  DimVec dims;
  for (int64_t d = 0; d < x.dim(); ++d) dims.push_back(d == a ? b : d == b ? a : d);
  call.returns(call_op<"aten.permute.default">(x, dims));
}
void t(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  call.returns(x.dim() < 2 ? alias(x) : call_op<"aten.permute.default">(x, DimVec{SymInt(1), SymInt(0)}));
}
void same_elements(CompositeCall& call) { call.returns(alias(tensor(call, 0))); }
void unsafe_view(CompositeCall& call) { call.returns(call_op<"aten.view.default">(tensor(call, 0), given(call, 1))); }
void lift_fresh_copy(CompositeCall& call) { call.returns(call_op<"aten.clone.default">(tensor(call, 0), Value())); }
void squeeze_all(CompositeCall& call) {
  DimVec dims;
  for (int64_t d = 0; d < tensor(call, 0).dim(); ++d) dims.push_back(d);
  call.returns(call_op<"aten.squeeze.dims">(tensor(call, 0), dims));
}
void squeeze_dim(CompositeCall& call) {
  call.returns(call_op<"aten.squeeze.dims">(tensor(call, 0), DimVec{given(call, 1).as_int()}));
}
void stack(CompositeCall& call) {
  const auto& tensors = given(call, 0).as_list();
  DimVec sizes = sizes_of(tensors[0].tensor());
  const int64_t rank = static_cast<int64_t>(sizes.size()), dim = wrapped(given(call, 1).as_int64(), rank + 1);
  DimVec stacked;
  for (int64_t d = 0; d <= rank; ++d) {
    if (d == dim) stacked.push_back(static_cast<int64_t>(tensors.size()));
    if (d < rank) stacked.push_back(sizes[d]);
  }
  if (dim == rank) {  // the new dim is the last: each tensor gets it before cat
    Values wider;
    for (const Value& v : tensors) wider.push_back(Value(unsqueeze(v.tensor(), dim)));
    return call.returns(call_op<"aten.cat.default">(Value::list(wider), given(call, 1)));
  }
  call.returns(view(call_op<"aten.cat.default">(given(call, 0), dim), stacked));
}
template <OpName op>
void split(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const int64_t dim = wrapped(given(call, 2).as_int64(), x.dim());
  const int64_t size = x.size(dim).guard_int(), each = given(call, 1).as_int().guard_int();
  DimVec sizes;
  int64_t left = size;
  do {
    sizes.push_back(std::min(left, each));
    left -= each;
  } while (left > 0 && each > 0);
  Values pieces = call_op_all<"aten.split_with_sizes.default">(x, sizes, given(call, 2));
  call.returns(std::move(pieces[0]));
}
void unsafe_split_with_sizes(CompositeCall& call) {
  Values pieces = call_op_all<"aten.split_with_sizes.default">(tensor(call, 0), given(call, 1), given(call, 2));
  call.returns(std::move(pieces[0]));
}
void unbind(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const int64_t dim = wrapped(given(call, 1).as_int64(), x.dim()), size = x.size(dim).guard_int();
  std::vector<Tensor> slices;
  for (int64_t i = 0; i < size; ++i) slices.push_back(call_op<"aten.slice.Tensor">(x, dim, i, i + 1, 1));
  Values pieces;
  for (const Tensor& s : slices) pieces.push_back(Value(call_op<"aten.squeeze.dims">(s, DimVec{SymInt(dim)})));
  call.returns(Value::list(pieces));
}

// Tensor factories. The last arguments of their schemas are dtype, layout, device, pin_memory.
DType dtype_or(const CompositeCall& call, size_t i, DType otherwise) {
  return given(call, i).is_none() ? otherwise : given(call, i).as_dtype();
}
Value or_given(const Value& v, const Value& otherwise) { return v.is_none() ? otherwise : v; }
Tensor full_as(const CompositeCall& call, const Value& sizes, const Value& value, size_t options, DType dtype,
               Device device) {
  const Value type = dtype_or(call, options, dtype);
  const bool truth = type.as_dtype() == DType::Bool && value.kind() == Value::Kind::Int;
  return call_op<"aten.full.default">(
      sizes, truth ? Value(value.as_int64() != 0) : value, type, or_given(given(call, options + 1), Layout::Strided),
      or_given(given(call, options + 2), device), or_given(given(call, options + 3), false));
}
template <int value>
void made_full(CompositeCall& call) {
  call.returns(full_as(call, given(call, 0), value, 1, call.context.default_dtype, call.context.default_device));
}
template <int value>
void new_of(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  call.returns(full_as(call, given(call, 1), value, 2, x.dtype(), x.device()));
}
void new_full(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  call.returns(full_as(call, given(call, 1), given(call, 2), 3, x.dtype(), x.device()));
}
void new_empty(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  call.returns(call_op<"aten.empty.memory_format">(
      given(call, 1), dtype_or(call, 2, x.dtype()), or_given(given(call, 3), Layout::Strided),
      or_given(given(call, 4), x.device()), or_given(given(call, 5), false), Value()));
}
template <int value>
void full_like(CompositeCall& call) {
  call.returns(call_op<"aten.full_like.default">(tensor(call, 0), value, given(call, 1), given(call, 2), given(call, 3),
                                                 or_given(given(call, 4), false),
                                                 or_given(given(call, 5), MemoryFormat::Preserve)));
}
void zero(CompositeCall& call) {
  call.returns(
      call_op<"aten.full_like.default">(tensor(call, 0), 0, Value(), Value(), Value(), false, MemoryFormat::Preserve));
}
void fill_scalar(CompositeCall& call) {
  call.returns(
      call_op<"aten.full_like.default">(tensor(call, 0), given(call, 1), Value(), Value(), Value(), false, Value()));
}
void fill_tensor(CompositeCall& call) {
  call.returns(call_op<"aten.copy.default">(tensor(call, 0), tensor(call, 1), false));
}
void arange_end(CompositeCall& call) {
  call.returns(call_op<"aten.arange.start_step">(
      0, given(call, 0), 1, given(call, 1), or_given(given(call, 2), Layout::Strided),
      or_given(given(call, 3), call.context.default_device), or_given(given(call, 4), false)));
}
void arange_start(CompositeCall& call) {
  call.returns(call_op<"aten.arange.start_step">(
      given(call, 0), given(call, 1), 1, given(call, 2), or_given(given(call, 3), Layout::Strided),
      or_given(given(call, 4), call.context.default_device), or_given(given(call, 5), false)));
}
Device device_or(const CompositeCall& call, size_t i) {
  return given(call, i).is_none() ? call.context.default_device : given(call, i).as_device();
}
void eye_of(CompositeCall& call, const Value& rows, const Value& columns, size_t options) {
  const Device device = device_or(call, options + 2);
  const bool small = rows.as_int().guard_int() <= 255 && columns.as_int().guard_int() <= 255;
  const Value dtype = small ? DType::U8 : DType::I64;
  const Tensor row = range(0, rows, device, dtype), column = range(0, columns, device, dtype);
  const Tensor equal = call_op<"aten.eq.Tensor">(unsqueeze(row, -1), column);
  call.returns(cast(equal, dtype_or(call, options, call.context.default_dtype)));
}
void eye(CompositeCall& call) { eye_of(call, given(call, 0), given(call, 0), 1); }
void eye_m(CompositeCall& call) { eye_of(call, given(call, 0), given(call, 1), 2); }
/// Arguments: linspace(start, end, steps, dtype, layout, device, pin_memory). Like PyTorch, computes the
/// first half of the steps from `start`, and the second half backwards from `end`.
void linspace(CompositeCall& call) {
  const Value &start = given(call, 0), &end = given(call, 1);
  const int64_t steps = given(call, 2).as_int64();
  const bool complex = start.kind() == Value::Kind::Complex || end.kind() == Value::Kind::Complex;
  const DType plain = call.context.default_dtype, common = plain == DType::F64 ? DType::C128 : DType::C64;
  const DType dtype = dtype_or(call, 3, complex ? common : plain);
  if (steps < 2) {
    const Value value = steps ? start : Value(0);
    return call.returns(full_as(call, DimVec{SymInt(steps)}, value, 3, dtype, call.context.default_device));
  }
  const Tensor places = call_op<"aten.arange.start_step">(
      0, steps, 1, Value(), or_given(given(call, 4), Layout::Strided),
      or_given(given(call, 5), call.context.default_device), or_given(given(call, 6), false));
  const Tensor first = call_op<"aten.lt.Scalar">(places, static_cast<double>(steps) / 2);
  const double gaps = static_cast<double>(steps - 1);
  const Value step = complex ? Value((end.as_complex() - start.as_complex()) / gaps)
                             : Value((end.as_double() - start.as_double()) / gaps);
  const bool counts = !is_float(dtype) && !is_complex(dtype);  // integer places times a float step are floats
  const auto times_step = [&](const Tensor& t) {
    return mul(counts ? t : cast(t, is_reduced_float(dtype) ? DType::F32 : dtype), step);
  };
  const Tensor from_start = add(times_step(places), start);
  const Tensor from_end = sub(end, times_step(sub(steps - 1, places)));
  call.returns(cast(where(first, from_start, from_end), dtype));
}
void empty_like(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  std::vector<int64_t> order(x.dim());
  std::iota(order.begin(), order.end(), 0);
  const bool preserve = given(call, 5).is_none() || given(call, 5).as_memory_format() == MemoryFormat::Preserve;
  if (preserve) {
    const DimVec dense = infer_dense_strides(x.sizes(), x.strides());
    const auto outer_first = [&](int64_t d) { return std::pair(-dense[d].guard_int(), -x.size(d).guard_int()); };
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return outer_first(a) < outer_first(b); });
  } else if (given(call, 5).as_memory_format() != MemoryFormat::Contiguous) {
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  }
  DimVec dims;
  for (const int64_t d : order) dims.push_back(d);
  call.returns(call_op<"aten.empty_permuted.default">(
      x.sizes(), dims, dtype_or(call, 1, x.dtype()), or_given(given(call, 2), Layout::Strided),
      or_given(given(call, 3), x.device()), or_given(given(call, 4), false)));
}
void bernoulli(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const Tensor drawn = call_op<"aten.rand.default">(x.sizes(), DType::F32, Value(), x.device(), false);
  call.returns(cast(call_op<"aten.lt.Tensor">(drawn, x), x.dtype()));
}

// Triangles, rotations and padding by indices.
template <OpName compare>
void triangle(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const Tensor columns = unsqueeze(range(0, x.size(-1), x.device()), -2),
               rows = unsqueeze(range(0, x.size(-2), x.device()), -1);
  const Tensor inside = call_op<compare>(sub(columns, rows), given(call, 1));
  if (x.dtype() == DType::Bool) return call.returns(call_op<"aten.logical_and.default">(inside, x));
  call.returns(laid_out(where(inside, x, number(0, x.dtype(), x.device()))));
}
/// Reflection and replication pads: calls `index` once for each padded dim, the first dim first. `places` returns the
/// indices.
template <class F>
void pad_by_index(CompositeCall& call, const F& places) {
  Tensor x = tensor(call, 0);
  const auto pad = given(call, 1).as_ints();
  const size_t rank = static_cast<size_t>(x.dim()), padded = pad.size() / 2;
  for (size_t i = padded; i-- > 0;) {
    const size_t dim = rank - 1 - i;
    const SymInt size = x.sizes()[dim];
    Values index(rank);
    index[dim] = Value(places(range(-pad[2 * i], size + pad[2 * i + 1], x.device()), size - 1));
    x = call_op<"aten.index.Tensor">(x, Value::list(index));
  }
  call.returns(laid_out(x, suggest_memory_format(tensor(call, 0).meta())));
}
void reflection_pad(CompositeCall& call) {
  pad_by_index(call, [](const Tensor& range, const SymInt& last) {
    const auto mirrored = [&](const Tensor& t) { return sub(last, call_op<"aten.abs.default">(t)); };
    return mirrored(mirrored(range));
  });
}
void replication_pad(CompositeCall& call) {
  pad_by_index(call, [](const Tensor& range, const SymInt& last) {
    return call_op<"aten.clamp.default">(range, 0, Scalar(last));
  });
}
Tensor rolled(const Tensor& x, const SymInt& shift, int64_t dim) {
  const int64_t size = x.size(dim).guard_int();
  int64_t start = size ? (size - shift.guard_int()) % size : 0;
  if (start < 0) start += size;
  const Tensor from = call_op<"aten.fmod.Scalar">(add(range(0, size, x.device()), start), size);
  return call_op<"aten.index_select.default">(x, dim, from);
}
void roll(CompositeCall& call) {
  Tensor x = tensor(call, 0);
  const auto shifts = given(call, 1).as_ints(), dims = given(call, 2).as_ints();
  if (x.numel().guard_int() == 0) return call.returns(call_op<"aten.clone.default">(x, Value()));
  if (dims.empty()) {
    const Tensor flat = view(call_op<"aten.clone.default">(x, MemoryFormat::Contiguous), {SymInt(-1)});
    return call.returns(view(rolled(flat, shifts[0], 0), sizes_of(x)));
  }
  for (size_t i = 0; i < dims.size(); ++i) x = rolled(x, shifts[i], wrapped(dims[i].as_int(), x.dim()));
  call.returns(x);
}
void rot90(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  const auto dims = given(call, 2).as_ints();
  const int64_t a = wrapped(dims[0].as_int(), x.dim()), b = wrapped(dims[1].as_int(), x.dim());
  const int64_t turns = ((given(call, 1).as_int64() % 4) + 4) % 4;
  const auto flip = [&](DimVec of) { return call_op<"aten.flip.default">(x, of); };
  if (turns == 0) return call.returns(call_op<"aten.clone.default">(x, MemoryFormat::Contiguous));
  if (turns == 2) return call.returns(flip({SymInt(a), SymInt(b)}));
  DimVec swapped;
  for (int64_t d = 0; d < x.dim(); ++d) swapped.push_back(d == a ? b : d == b ? a : d);
  call.returns(call_op<"aten.permute.default">(flip({SymInt(turns == 1 ? b : a)}), swapped));
}
void linalg_cross(CompositeCall& call) {
  const Tensor x = tensor(call, 0), y = tensor(call, 1);
  const int64_t dim = wrapped(given(call, 2).as_int64(), x.dim());
  const Tensor index = range(0, 3, x.device());
  const auto turned = [&](const Tensor& of, int by) {
    return call_op<"aten.index_select.default">(of, dim, call_op<"aten.remainder.Scalar">(add(index, by), 3));
  };
  const Tensor x1 = turned(x, 1), first = mul(x1, turned(y, 2));
  const Tensor x2 = turned(x, 2);
  call.returns(sub(first, mul(x2, turned(y, 1))));
}
/// Returns the list of indices with which `index_put` selects along dim `dim` only.
Value indices_in(int64_t dim, const Tensor& index) {
  Values all;
  for (int64_t d = 0; d < dim; ++d) all.push_back(Value());
  all.push_back(Value(index));
  return Value::list(all);
}
template <bool in_place = false>
Tensor put(const Tensor& into, int64_t dim, const Tensor& index, const Tensor& values, bool accumulate) {
  const bool number = into.dim() == 0;
  const Tensor wide = number ? unsqueeze(into, 0) : into;
  if (in_place) {
    const Tensor made = call_op<"aten.index_put_.default">(wide, indices_in(dim, index), values, accumulate);
    return number ? into : made;
  }
  const Tensor made = call_op<"aten.index_put.default">(wide, indices_in(dim, index), values, accumulate);
  return number ? call_op<"aten.squeeze.dims">(made, DimVec{SymInt(0)}) : made;
}
template <bool in_place>
void index_add(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  Tensor source = tensor(call, 3);
  const Value& alpha = given(call, 4);
  if (alpha.kind() != Value::Kind::Int || alpha.as_int64() != 1) source = mul(source, alpha);
  call.returns(put<in_place>(x, wrapped(given(call, 1).as_int64(), x.dim()), tensor(call, 2), source, true));
}
template <bool in_place>
void index_copy(CompositeCall& call) {
  const Tensor x = tensor(call, 0);
  call.returns(put<in_place>(x, wrapped(given(call, 1).as_int64(), x.dim()), tensor(call, 2), tensor(call, 3), false));
}
template <bool in_place>
void index_fill(CompositeCall& call) {
  const Tensor x = tensor(call, 0), index = tensor(call, 2);
  const int64_t dim = wrapped(given(call, 1).as_int64(), x.dim());
  const Tensor value =
      given(call, 3).is_tensor() ? cast(tensor(call, 3), x.dtype()) : number(given(call, 3), x.dtype(), x.device());
  DimVec sizes = sizes_of(x.dim() ? x : unsqueeze(x, 0));
  sizes[dim] = index.numel();
  call.returns(put<in_place>(x, dim, index, call_op<"aten.expand.default">(value, sizes, false), false));
}
void take(CompositeCall& call) {
  const Tensor flat = call_op<"aten.reshape.default">(tensor(call, 0), DimVec{SymInt(-1)});
  call.returns(call_op<"aten.index.Tensor">(flat, Value::list(Values{given(call, 1)})));
}
void select_scatter(CompositeCall& call) {
  const Tensor x = tensor(call, 0), source = tensor(call, 1);
  const int64_t dim = wrapped(given(call, 2).as_int64(), x.dim());
  SymInt index = given(call, 3).as_int();
  if (index.is_int() && index.as_int() < 0) index = index + x.size(dim);
  DimVec shape(x.dim(), SymInt(1));
  shape[dim] = SymInt(-1);
  const Tensor here = call_op<"aten.eq.Scalar">(view(range(0, x.size(dim), x.device()), shape), index);
  call.returns(where(here, call_op<"aten.expand.default">(unsqueeze(source, dim), x.sizes(), false), x));
}
void diag_embed(CompositeCall& call) {
  Tensor x = tensor(call, 0);
  const int64_t rank = x.dim() + 1, offset = given(call, 1).as_int64();
  int64_t a = wrapped(given(call, 2).as_int64(), rank), b = wrapped(given(call, 3).as_int64(), rank);
  int64_t shift = offset;
  if (a > b) std::swap(a, b), shift = -shift;
  const int64_t longer = std::abs(shift);
  SymInt last = x.size(-1) + SymInt(longer);
  if (longer) {
    DimVec sizes = sizes_of(x);
    sizes.back() = longer;
    const Tensor zeros = filled(sizes, 0, x.dtype(), x.device());
    const Tensor parts[] = {shift > 0 ? zeros : x, shift > 0 ? x : zeros};
    x = call_op<"aten.cat.default">(Value::list(Values{Value(parts[0]), Value(parts[1])}), -1);
  }
  x = unsqueeze(x, a);
  DimVec order;
  for (int64_t d = 0, next = 0; d < rank; ++d) {  // the last dim moves to position b
    if (d == b) {
      order.push_back(rank - 1);
    } else {
      order.push_back(next++);
    }
  }
  x = call_op<"aten.permute.default">(x, order);
  const Tensor columns = range(0, last, x.device(), DType::I64), rows = range(0, last, x.device(), DType::I64);
  const Tensor moved = shift ? add(rows, shift) : rows;
  DimVec shape(rank, SymInt(1));
  shape[a] = shape[b] = last;
  const Tensor here = view(call_op<"aten.eq.Tensor">(columns, unsqueeze(moved, -1)), shape);
  const Value zero = x.dtype() == DType::Bool ? Value(false) : Value(0);
  call.returns(laid_out(where(here, x, number(zero, x.dtype(), x.device()))));
}
void unfold_backward(CompositeCall& call) {
  const Tensor grad = tensor(call, 0);
  const auto sizes = given(call, 1).as_ints();
  const int64_t rank = static_cast<int64_t>(sizes.size()), dim = wrapped(given(call, 2).as_int64(), rank);
  const Tensor places = range(0, sizes[dim], grad.device(), DType::I32);
  const Tensor windows = call_op<"aten.unfold.default">(places, 0, given(call, 3), given(call, 4));
  const Tensor index = call_op<"aten.reshape.default">(call_op<"aten.clone.default">(windows, MemoryFormat::Contiguous),
                                                       DimVec{SymInt(-1)});
  DimVec order, joined;
  for (int64_t d = 0; d < rank; ++d) {
    order.push_back(d);
    joined.push_back(d == dim ? index.size(0) : grad.size(d));
    if (d == dim) order.push_back(rank);
  }
  const Tensor values = call_op<"aten.reshape.default">(call_op<"aten.permute.default">(grad, order), joined);
  call.returns(put(filled(DimVec(sizes), 0, grad.dtype(), grad.device()), dim, index, values, true));
}
void block_diag(CompositeCall& call) {
  std::vector<Tensor> blocks;
  SymInt width = 0, before = 0;
  for (const Value& v : given(call, 0).as_list()) {
    Tensor block = v.tensor();
    while (block.dim() < 2) block = unsqueeze(block, 0);
    blocks.push_back(block);
    width = width + block.size(1);
  }
  const DType dtype = blocks[0].dtype();
  Values rows;
  for (const Tensor& b : blocks) {
    const SymInt after = width - before - b.size(1);
    const Tensor left = filled({b.size(0), before}, 0, dtype, b.device());
    const Tensor right = filled({b.size(0), after}, 0, dtype, b.device());
    rows.push_back(Value(call_op<"aten.cat.default">(Value::list(Values{Value(left), Value(b), Value(right)}), 1)));
    before = before + b.size(1);
  }
  call.returns(call_op<"aten.cat.default">(Value::list(rows), 0));
}
void glu(CompositeCall& call) {
  Formula f(call);
  const Tensor x = f[0];
  const int64_t dim = wrapped(given(call, 1).as_int64(), x.dim()), size = x.size(dim).guard_int();
  const Tensor a = call_op<"aten.slice.Tensor">(x, dim, 0, size / 2, 1);
  const Tensor b = call_op<"aten.slice.Tensor">(x, dim, size / 2, size, 1);
  f.returns(mul(a, call_op<"aten.sigmoid.default">(b)));
}

constexpr Row kShapeRows[] = {
    {"aten._unsafe_view.default", unsafe_view},
    {"aten.arange.default", arange_end},
    {"aten.arange.start", arange_start},
    {"aten.bernoulli.default", bernoulli},
    {"aten.block_diag.default", block_diag},
    {"aten.detach.default", same_elements},
    {"aten.diag_embed.default", diag_embed},
    {"aten.empty_like.default", empty_like},
    {"aten.eye.default", eye},
    {"aten.eye.m", eye_m},
    {"aten.fill.Scalar", fill_scalar},
    {"aten.fill.Tensor", fill_tensor},
    {"aten.glu.default", glu},
    {"aten.index_add.default", index_add<false>},
    {"aten.index_copy.default", index_copy<false>},
    {"aten.index_fill.int_Scalar", index_fill<false>},
    {"aten.index_fill.int_Tensor", index_fill<false>},
    {"aten.lift_fresh_copy.default", lift_fresh_copy},
    {"aten.linalg_cross.default", linalg_cross},
    {"aten.linspace.default", linspace},
    {"aten.new_empty.default", new_empty},
    {"aten.new_full.default", new_full},
    {"aten.new_ones.default", new_of<1>},
    {"aten.new_zeros.default", new_of<0>},
    {"aten.ones.default", made_full<1>},
    {"aten.ones_like.default", full_like<1>},
    {"aten.reflection_pad1d.default", reflection_pad},
    {"aten.reflection_pad2d.default", reflection_pad},
    {"aten.reflection_pad3d.default", reflection_pad},
    {"aten.replication_pad1d.default", replication_pad},
    {"aten.replication_pad2d.default", replication_pad},
    {"aten.replication_pad3d.default", replication_pad},
    {"aten.roll.default", roll},
    {"aten.rot90.default", rot90},
    {"aten.select_scatter.default", select_scatter},
    {"aten.split.Tensor", split<"aten.split_with_sizes.default">},
    {"aten.squeeze.default", squeeze_all},
    {"aten.squeeze.dim", squeeze_dim},
    {"aten.stack.default", stack},
    {"aten.t.default", t},
    {"aten.take.default", take},
    {"aten.transpose.int", transpose},
    {"aten.tril.default", triangle<"aten.le.Scalar">},
    {"aten.triu.default", triangle<"aten.ge.Scalar">},
    {"aten.unbind.int", unbind},
    {"aten.unfold_backward.default", unfold_backward},
    {"aten.unsafe_split.Tensor", split<"aten.split_with_sizes.default">},
    {"aten.unsafe_split_with_sizes.default", unsafe_split_with_sizes},
    {"aten.zero.default", zero},
    {"aten.zeros.default", made_full<0>},
    {"aten.zeros_like.default", full_like<0>},
};

constexpr Row kInPlace[] = {
    {"aten.index_add_.default", index_add<true>},
    {"aten.index_copy_.default", index_copy<true>},
    {"aten.index_fill_.int_Scalar", index_fill<true>},
    {"aten.index_fill_.int_Tensor", index_fill<true>},
};

}  // namespace

std::span<const Row> shape_rows() { return kShapeRows; }
std::span<const Row> indexed_in_place_rows() { return kInPlace; }

}  // namespace ersatz::decomposition
