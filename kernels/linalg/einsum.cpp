#include "kernels/linalg/einsum.h"

#include <array>
#include <numeric>

#include "kernels/creation/full.h"
#include "kernels/linalg/mm.h"
#include "kernels/linalg/sumproduct.h"
#include "kernels/pointwise/arithmetic.h"
#include "kernels/shape/reshape.h"
#include "kernels/shape/slice.h"
#include "kernels/shape/written_result.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"

namespace ersatz::op_einsum {
namespace {

constexpr int kEllipsis = 52, kLetters = 52;

Tensor unsqueeze(const Tensor& t, int64_t dim) { return call_op<"aten.unsqueeze.default">(t, dim); }
Tensor sum(const Tensor& t, const DimVec& dims, bool keepdim) {
  return call_op<"aten.sum.dim_IntList">(t, dims, keepdim, Value());
}

using Labels = std::vector<int>;  ///< one number for each letter, with capitals first, or kEllipsis for `...`

/// Parses `text`, the part of the equation for one operand or for the result. Raises [einsum.C2] for characters that an
/// equation may not have.
Labels read_labels(const CompositeCall& call, std::string_view text) {
  Labels labels;
  bool ellipsis = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (c == '.') {
      call.require(text.substr(i, 3) == "..." && !ellipsis, "C2", "a dot is no part of one ellipsis: '{}'", text);
      labels.push_back(kEllipsis);
      ellipsis = true;
      i += 2;
      continue;
    }
    const bool capital = c >= 'A' && c <= 'Z', small = c >= 'a' && c <= 'z';
    call.require(capital || small, "C2", "subscripts must be letters: '{}'", text);
    labels.push_back(capital ? c - 'A' : c - 'a' + 26);
  }
  return labels;
}

/// The parsed equation. All operands are permuted to one common order of dims. First come the dims of the result, then
/// the dims that are summed.
struct Equation {
  std::vector<Labels> operands;
  std::array<int64_t, kLetters> place;  ///< the position of each letter in the common order; -1: not used
  int64_t ellipsis_dims = 0, ellipsis_place = 0, out_dims = 0, dims = 0;

  Equation(const CompositeCall& call, std::span<const Value> tensors) {
    const std::string_view text = call[kEinsum["equation"]].as_string();
    const size_t arrow = text.find("->");
    std::string_view left = text.substr(0, arrow);
    for (size_t comma; (comma = left.find(',')) != std::string_view::npos; left.remove_prefix(comma + 1))
      operands.push_back(read_labels(call, left.substr(0, comma)));
    operands.push_back(read_labels(call, left));
    call.require(operands.size() == tensors.size(), "C2", "the equation has {} operands, given are {}", operands.size(),
                 tensors.size());
    std::array<int, kLetters> count{};
    for (size_t i = 0; i < operands.size(); ++i) {
      const bool ellipsis = std::find(operands[i].begin(), operands[i].end(), kEllipsis) != operands[i].end();
      const int64_t named = static_cast<int64_t>(operands[i].size()) - ellipsis, rank = tensors[i].tensor().dim();
      call.require(ellipsis ? named <= rank : named == rank, "C3", "operand {} names {} dims: it is {}", i, named,
                   tensors[i].tensor().meta());
      if (ellipsis) ellipsis_dims = std::max(ellipsis_dims, rank - named);
      for (const int label : operands[i]) {
        if (label != kEllipsis) ++count[static_cast<size_t>(label)];
      }
    }
    place.fill(-1);
    bool ellipsis_out = true;
    if (arrow == std::string_view::npos) {
      dims = ellipsis_dims;
      for (size_t l = 0; l < kLetters; ++l) {
        if (count[l] == 1) place[l] = dims++;
      }
    } else {
      ellipsis_out = false;
      for (const int label : read_labels(call, text.substr(arrow + 2))) {
        if (label == kEllipsis) {
          ellipsis_place = dims;
          dims += ellipsis_dims;
          ellipsis_out = true;
          continue;
        }
        const size_t l = static_cast<size_t>(label);
        call.require(count[l] > 0 && place[l] == -1, "C4", "the result must name letters of operands, each once: '{}'",
                     text);
        place[l] = dims++;
      }
    }
    out_dims = dims;
    if (!ellipsis_out) {
      ellipsis_place = dims;
      dims += ellipsis_dims;
    }
    for (size_t l = 0; l < kLetters; ++l) {
      if (count[l] > 0 && place[l] == -1) place[l] = dims++;
    }
  }

  /// Returns `t`, which is operand i, with all dims in the common order. A dim that the operand does not name has size
  /// 1.
  Tensor bring(const CompositeCall& call, size_t i, Tensor t) const {
    const int64_t rank = t.dim();
    std::vector<int64_t> from(static_cast<size_t>(dims), -1);
    int64_t next = 0;
    for (const int label : operands[i]) {
      if (label == kEllipsis) {
        const int64_t own = rank - (static_cast<int64_t>(operands[i].size()) - 1);
        for (int64_t k = own; k < ellipsis_dims; ++k) t = unsqueeze(t, next);
        for (int64_t k = 0; k < ellipsis_dims; ++k) from[static_cast<size_t>(ellipsis_place + k)] = next++;
        continue;
      }
      int64_t& dim = from[static_cast<size_t>(place[static_cast<size_t>(label)])];
      if (dim == -1) {
        dim = next++;
        continue;
      }
      const SymInt a = t.sizes()[static_cast<size_t>(dim)], b = t.sizes()[static_cast<size_t>(next)];
      call.require(check_eq(a, b), "C3", "operand {} has sizes {} and {} for one letter", i, a, b);
      t = call_op<"aten.movedim.int">(call_op<"aten.diagonal.default">(t, int64_t(0), dim, next), int64_t(-1), dim);
    }
    DimVec order;
    for (int64_t& dim : from) {
      if (dim == -1) {
        t = unsqueeze(t, next);
        dim = next++;
      }
      order.push_back(dim);
    }
    return call_op<"aten.permute.default">(t, order);
  }
};

Tensor einsum(const CompositeCall& call) {
  const std::span<const Value> given = call.list(kEinsum["tensors"]);
  call.require(!given.empty(), "C1", "expects one operand at least");
  const Equation equation(call, given);
  std::vector<Tensor> operands;
  for (size_t i = 0; i < given.size(); ++i) operands.push_back(equation.bring(call, i, given[i].tensor()));
  const size_t dims = static_cast<size_t>(equation.dims), first_summed = static_cast<size_t>(equation.out_dims);
  std::vector<int> users(dims, 0);  // for each dim, the number of remaining operands whose size is not 1 in that dim
  for (size_t d = 0; d < dims; ++d) {
    SymInt size = 1;
    for (const Tensor& t : operands) {
      if (size_eq(t.sizes()[d], 1)) continue;
      call.require(users[d]++ == 0 || check_eq(t.sizes()[d], size), "C3",
                   "operands have sizes {} and {} for one letter", size, t.sizes()[d]);
      size = t.sizes()[d];
    }
  }
  const bool by_path = call.has(kEinsum["path"]);
  const std::span<const SymInt> path = by_path ? call.ints(kEinsum["path"]) : std::span<const SymInt>();
  call.require(!by_path || operands.size() == 1 || path.size() == 2 * (operands.size() - 1), "C5",
               "path must name two operands for each of {} products: {}", operands.size() - 1, path);
  for (size_t step = 0; operands.size() > 1; ++step) {
    int64_t i = by_path ? path[2 * step].guard_int() : 0, j = by_path ? path[2 * step + 1].guard_int() : 1;
    if (j < i) std::swap(i, j);
    call.require(i >= 0 && i < j && j < static_cast<int64_t>(operands.size()), "C5",
                 "path must name two different of {} operands: {} and {}", operands.size(), i, j);
    Tensor a = operands[static_cast<size_t>(i)], b = operands[static_cast<size_t>(j)];
    operands.erase(operands.begin() + j);
    operands.erase(operands.begin() + i);
    DimVec of_a, of_b, of_both;
    for (size_t d = first_summed; d < dims; ++d) {
      const bool in_a = !size_eq(a.sizes()[d], 1), in_b = !size_eq(b.sizes()[d], 1);
      DimVec* where = nullptr;
      if (in_a && in_b) {
        if (--users[d] == 1) where = &of_both;
      } else if (users[d] == 1) {
        where = in_a ? &of_a : in_b ? &of_b : nullptr;
      }
      if (!where) continue;
      where->push_back(static_cast<int64_t>(d));
      users[d] = 0;
    }
    if (!of_a.empty()) a = sum(a, of_a, true);
    if (!of_b.empty()) b = sum(b, of_b, true);
    operands.insert(by_path ? operands.end() : operands.begin(), sumproduct(call, "C3", a, b, of_both));
  }
  const Tensor result = operands[0];
  if (dims == first_summed) return result;
  if (given.size() > 1) return call_op<"aten.view.default">(result, result.sizes().subspan(0, first_summed));
  DimVec rest;
  for (size_t d = first_summed; d < dims; ++d) rest.push_back(static_cast<int64_t>(d));
  return sum(result, rest, false);
}

/// Returns the sum over all elements of a * b. Like in ATen, `dot` computes the sum if both tensors are contiguous,
/// else `mul` and `sum` do. These operators have kernels for other dtypes than `mm`.
Tensor one_number(const Tensor& a, const Tensor& b) {
  if (!is_contiguous(a.meta()) || !is_contiguous(b.meta()))
    return call_op<"aten.sum.default">(ops::mul(call_op<"aten.squeeze.default">(a), call_op<"aten.squeeze.default">(b)),
                                       a.dtype());
  const SymInt all[] = {-1};
  return call_op<"aten.dot.default">(ops::reshape(a, all), ops::reshape(b, all));
}

Tensor tensordot(const CompositeCall& call) {
  Tensor a = call.tensor(kTensordot["self"]), b = call.tensor(kTensordot["other"]);
  const std::span<const SymInt> of_a = call.ints(kTensordot["dims_self"]), of_b = call.ints(kTensordot["dims_other"]);
  call.require(of_a.size() == of_b.size(), "C1", "expects as many dims of both: {} and {}", of_a, of_b);
  call.require(a.dtype() == b.dtype(), "C2", "expects one dtype: {} and {}", a.meta(), b.meta());
  std::vector<bool> contracted_a(static_cast<size_t>(a.dim()), false),
      contracted_b(static_cast<size_t>(b.dim()), false);
  DimVec dims_a, dims_b, order_a, order_b, sizes;
  SymInt terms = 1, rows = 1, columns = 1;
  const TensorMeta whole_a = a.meta(), whole_b = b.meta();
  for (size_t i = 0; i < of_a.size(); ++i) {
    const int64_t da = call.wrap_dim(of_a[i].guard_int(), a.dim()), db = call.wrap_dim(of_b[i].guard_int(), b.dim());
    call.require_index(a.dim() > 0 && b.dim() > 0, "dim", "a tensor without dims has none to contract: {} and {}",
                       whole_a, whole_b);
    const SymInt na = whole_a.sizes[static_cast<size_t>(da)], nb = whole_b.sizes[static_cast<size_t>(db)];
    call.require(!contracted_a[static_cast<size_t>(da)] && !contracted_b[static_cast<size_t>(db)], "C1",
                 "a dim occurs twice: {} and {}", of_a, of_b);
    contracted_a[static_cast<size_t>(da)] = contracted_b[static_cast<size_t>(db)] = true;
    if (size_eq(nb, 1)) {
      a = call_op<"aten.sum.dim_IntList">(a, DimVec{SymInt(da)}, true, a.dtype());
    } else if (size_eq(na, 1)) {
      b = call_op<"aten.sum.dim_IntList">(b, DimVec{SymInt(db)}, true, b.dtype());
    } else {
      call.require(check_eq(na, nb), "C3", "contracted dims must have one size: {} and {}", na, nb);
      terms *= na;
    }
    dims_a.push_back(da);
    dims_b.push_back(db);
  }
  for (int64_t d = 0; d < a.dim(); ++d) {
    if (contracted_a[static_cast<size_t>(d)]) continue;
    order_a.push_back(d);
    sizes.push_back(a.sizes()[static_cast<size_t>(d)]);
    rows *= sizes.back();
  }
  for (const SymInt d : dims_a) order_a.push_back(d);
  order_b = dims_b;
  for (int64_t d = 0; d < b.dim(); ++d) {
    if (contracted_b[static_cast<size_t>(d)]) continue;
    order_b.push_back(d);
    sizes.push_back(b.sizes()[static_cast<size_t>(d)]);
    columns *= sizes.back();
  }
  a = call_op<"aten.permute.default">(a, order_a), b = call_op<"aten.permute.default">(b, order_b);
  if (size_eq(rows, 1) && size_eq(columns, 1)) return ops::reshape(one_number(a, b), sizes);
  const Tensor left = ops::reshape(a, DimVec{rows, terms}), right = ops::reshape(b, DimVec{terms, columns});
  return ops::reshape(ops::mm(left, right), sizes);
}

/// Returns for each of `rank` dims whether the list argument at position `at` names the dim. Raises if the list names a
/// dim twice.
std::vector<bool> named(const CompositeCall& call, Position at, int64_t rank) {
  std::vector<bool> result(static_cast<size_t>(rank), false);
  for (const SymInt d : call.ints(at)) {
    const size_t dim = static_cast<size_t>(call.wrap_dim(d.guard_int(), rank));
    call.require(!result[dim], "C1", "dim {} occurs twice in {}", dim, call.ints(at));
    result[dim] = true;
  }
  return result;
}

Tensor trilinear(const CompositeCall& call) {
  const Position firsts[] = {kTrilinear["expand1"], kTrilinear["expand2"], kTrilinear["expand3"]};
  std::array<Tensor, 3> t{call.tensor(kTrilinear["i1"]), call.tensor(kTrilinear["i2"]), call.tensor(kTrilinear["i3"])};
  const int64_t rank = t[0].dim() + static_cast<int64_t>(call.ints(firsts[0]).size());
  const int64_t unroll = call.integer(kTrilinear["unroll_dim"]);
  call.require(unroll >= 0 && unroll < rank, "C1", "unroll_dim must be one of {} dims: it is {}", rank, unroll);
  std::array<std::vector<bool>, 3> expanded;
  for (size_t i = 0; i < 3; ++i) expanded[i] = named(call, firsts[i], rank);
  const std::vector<bool> summed = named(call, kTrilinear["sumdim"], rank);
  DimVec sizes, first_sums, last_sums;
  SymInt steps = 0;
  for (int64_t d = 0; d < rank; ++d) {
    SymInt size = 0;
    const size_t at = static_cast<size_t>(d);
    for (size_t i = 0; i < 3; ++i) {
      if (expanded[i][at]) {
        t[i] = unsqueeze(t[i], d);
      } else {
        call.require_index(t[i].dim() > 0, "dim", "operand {} has no dim {}: it is {}", i, d, t[i].meta());
        size = t[i].sizes()[static_cast<size_t>(call.wrap_dim(d, t[i].dim()))];
      }
    }
    if (summed[at] && d != unroll) (expanded[2][at] ? first_sums : last_sums).push_back(d);
    sizes.push_back(summed[at] ? SymInt(1) : size);
    if (d == unroll) steps = size;
  }
  Tensor out = ops::zeros(sizes, {.dtype = t[0].dtype(), .device = t[0].device()});
  const bool nothing = size_eq(t[0].numel(), 0) || size_eq(t[1].numel(), 0) || size_eq(t[2].numel(), 0);
  for (int64_t k = 0; !nothing && k < steps.guard_int(); ++k) {
    const auto part = [&](size_t i) {
      const int64_t from = expanded[i][static_cast<size_t>(unroll)] ? 0 : k;
      return ops::slice(t[i], unroll, SymInt(from), SymInt(from + 1));
    };
    const Tensor product = sumproduct(call, "C2", part(0), part(1), first_sums);
    const Tensor term = sumproduct(call, "C2", product, part(2), last_sums);
    const bool whole = summed[static_cast<size_t>(unroll)];
    const Tensor to = whole ? out : ops::slice(out, unroll, SymInt(k), SymInt(k + 1));
    call_op<"aten.add_.Tensor">(to, term, Scalar(1));
  }
  for (int64_t d = rank - 1; d >= 0; --d) {
    if (summed[static_cast<size_t>(d)]) out = call_op<"aten.squeeze_.dim">(out, d);
  }
  return out;
}

Tensor bilinear(const CompositeCall& call) {
  const Tensor a = call.tensor(kBilinear["input1"]), b = call.tensor(kBilinear["input2"]),
               weight = call.tensor(kBilinear["weight"]);
  call.require(a.dtype() == b.dtype() && a.dtype() == weight.dtype(), "C3",
               "inputs and weight must have one dtype: they are {}, {} and {}", a.meta(), b.meta(), weight.meta());
  bool fits = a.dim() == b.dim();
  for (size_t d = 0; fits && d + 1 < a.sizes().size(); ++d) fits = check_eq(a.sizes()[d], b.sizes()[d]);
  call.require(fits, "C1", "inputs must have the same sizes but for the last: they are {} and {}", a.meta(), b.meta());
  call.require_index(a.dim() > 0 && weight.dim() > 0, "dim", "inputs and weight must have dims: {} and {}", a.meta(),
                     weight.meta());
  call.require(weight.dim() == 3 && check_eq(a.sizes().back(), weight.sizes()[1]) &&
                   check_eq(b.sizes().back(), weight.sizes()[2]),
               "C1", "weight must be [out, {}, {}]: it is {}", a.sizes().back(), b.sizes().back(), weight.meta());
  const Tensor bias = call.tensor(kBilinear["bias"]);
  call.require(!bias || (bias.dim() > 0 && check_eq(bias.sizes()[0], weight.sizes()[0])), "C2",
               "bias must have {} elements: it is {}", weight.sizes()[0], bias ? bias.meta() : weight.meta());
  const auto flat = [](const Tensor& t) { return ops::reshape(t, DimVec{SymInt(-1), t.sizes().back()}); };
  const SymInt expand1[] = {1, 3}, expand2[] = {0}, expand3[] = {1, 2}, sumdim[] = {2, 3};
  DimVec sizes = a.sizes();
  sizes.back() = weight.sizes()[0];
  const Tensor rows_a = flat(a), rows_b = flat(b);
  const Tensor out = ops::reshape(ops::_trilinear(rows_a, weight, rows_b, expand1, expand2, expand3, sumdim), sizes);
  return bias ? ops::add(out, bias) : out;
}

template <auto result>
void run(CompositeCall& call) {
  call.returns(result(call));
}
template <auto result>
void run_out(CompositeCall& call) {
  write_result(call, result(call), call.args.size() - 1);
}

}  // namespace

void register_ops(Registry& r) {
  r.add(kEinsum)
      .with_composite(run<einsum>)
      .sample("\"bij,bjk->bki\", [f32[2,3,4], f32[2,4,5]]")
      .refuses("C1", "\"i\", []")
      .refuses("C2", "\"i1\", [f32[2,2]]")
      .refuses("C3", "\"ij\", [f32[2]]")
      .refuses("C4", "\"i->j\", [f32[2]]")
      .refuses("C5", "\"i,i->\", [f32[2], f32[2]], path=[0,0]");
  OpEntry& dot = r.add(kTensordot)
                     .with_composite(run<tensordot>)
                     .sample("f32[2,3,4], f32[4,3,5], [2,1], [0,1]")
                     .refuses("C1", "f32[2], f32[2], [0], []")
                     .refuses("C2", "f32[2], f64[2], [0], [0]")
                     .refuses("C3", "f32[2], f32[3], [0], [0]");
  r.add_out_alike(dot, "out").with_composite(run_out<tensordot>).sample("f32[2,3], f32[3,4], [1], [0], out=f32[0]");
  const char* sample = "f32[6,3], f32[5,3,4], f32[6,4], [1,3], [0], [1,2], [2,3]";
  OpEntry& three = r.add(kTrilinear)
                       .with_composite(run<trilinear>)
                       .sample(sample)
                       .refuses("C1", std::string(sample) + ", 4")
                       .refuses("C2", "f32[6,3], f32[5,2,4], f32[6,4], [1,3], [0], [1,2], [2,3]");
  r.add_out_alike(three, "out").with_composite(run_out<trilinear>).sample(std::string(sample) + ", out=f32[0]");
  r.add(kBilinear)
      .with_composite(run<bilinear>)
      .sample("f32[2,3], f32[2,4], f32[5,3,4], f32[5]")
      .refuses("C1", "f32[2,3], f32[2,4], f32[5,4,3]")
      .refuses("C2", "f32[2,3], f32[2,4], f32[5,3,4], f32[4]");
}

}  // namespace ersatz::op_einsum
