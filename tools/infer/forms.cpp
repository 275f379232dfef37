#include "tools/infer/forms.h"

#include <algorithm>
#include <numeric>

#include "kernels/pointwise/iterator_layout.h"
#include "runtime/base/context.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz::tools {

using Shape = ShapeForm::Kind;
using Seen = SeenArgument::Kind;

namespace {

const PlainMeta* tensor_of(std::span<const SeenArgument> arguments, int i) {
  if (i < 0 || arguments[static_cast<size_t>(i)].tensors.empty()) return nullptr;
  return &arguments[static_cast<size_t>(i)].tensors[0];
}

const SeenArgument* argument_at(std::span<const SeenArgument> arguments, int i) {
  return i < 0 ? nullptr : &arguments[static_cast<size_t>(i)];
}

std::optional<bool> flag_of(std::span<const SeenArgument> arguments, int i) {
  const SeenArgument* a = argument_at(arguments, i);
  if (!a || a->kind != Seen::Bool) return std::nullopt;
  return a->number != 0;
}

std::optional<int64_t> dim_of(std::span<const SeenArgument> arguments, int i, int64_t rank) {
  const SeenArgument* a = argument_at(arguments, i);
  if (!a || a->kind != Seen::Int) return std::nullopt;
  return dim_in(a->number, rank);
}

ShapeAnswer identity(const PlainMeta& t, int of) {
  ShapeAnswer s{t.sizes, std::vector<int>(t.sizes.size()), of};
  std::iota(s.from.begin(), s.from.end(), 0);
  return s;
}

std::optional<ShapeAnswer> broadcast(std::span<const SeenArgument> arguments) {
  Extents sizes;
  bool any = false;
  for (const SeenArgument& a : arguments) {
    for (const PlainMeta& t : a.tensors) {
      any = true;
      if (t.sizes.size() > sizes.size()) sizes.insert(sizes.begin(), t.sizes.size() - sizes.size(), 1);
      for (size_t k = 1; k <= t.sizes.size(); ++k) {
        int64_t& have = sizes[sizes.size() - k];
        const int64_t n = t.sizes[t.sizes.size() - k];
        if (have == n || n == 1) continue;
        if (have != 1) return std::nullopt;
        have = n;
      }
    }
  }
  if (!any) return std::nullopt;
  return ShapeAnswer{sizes, std::vector<int>(sizes.size(), -1), -1};
}

std::optional<ShapeAnswer> with_tail(const ShapeForm& form, std::span<const SeenArgument> arguments) {
  ShapeAnswer s;
  s.of = form.of;
  Extents tail;
  std::vector<int> tail_from;
  const PlainMeta* t = tensor_of(arguments, form.of);
  if (form.of >= 0 && (!t || t->rank() < form.drop)) return std::nullopt;
  for (const Expression& e : form.tail) {
    const std::optional<int64_t> n = value_of(e, arguments);
    if (!n || *n < 0) return std::nullopt;
    tail.push_back(*n);
    const Atom& a = e.atoms[0];
    const bool whole = e.kind == Expression::Kind::Plus && e.plus == 0 && a.kind == Atom::Kind::Size && t;
    tail_from.push_back(whole && a.argument == form.of ? static_cast<int>(a.dim < 0 ? a.dim + t->rank() : a.dim) : -1);
  }
  if (form.kind == Shape::Head) s.sizes = tail, s.from = tail_from;
  if (t) {
    const int64_t first = form.kind == Shape::Head ? form.drop : 0;
    const int64_t last = form.kind == Shape::Head ? t->rank() : t->rank() - form.drop;
    for (int64_t d = first; d < last; ++d) {
      s.sizes.push_back(t->sizes[static_cast<size_t>(d)]);
      s.from.push_back(static_cast<int>(d));
    }
  }
  if (form.kind == Shape::Tail) {
    s.sizes.insert(s.sizes.end(), tail.begin(), tail.end());
    s.from.insert(s.from.end(), tail_from.begin(), tail_from.end());
  }
  return s;
}

std::optional<ShapeAnswer> reduced(const ShapeForm& form, const PlainMeta& t, std::span<const SeenArgument> arguments) {
  bool keep = form.keep == 1;
  if (form.keep == 2) {
    const std::optional<bool> flag = flag_of(arguments, form.other);
    if (!flag) return std::nullopt;
    keep = *flag;
  }
  std::vector<bool> gone(t.sizes.size(), false);
  const SeenArgument* dims = argument_at(arguments, form.attribute);
  if (!dims || dims->kind == Seen::None || (dims->kind == Seen::Ints && dims->ints.empty())) {
    gone.assign(t.sizes.size(), true);
  } else {
    Extents list = dims->ints;
    if (dims->kind == Seen::Int) list = {dims->number};
    if (list.empty()) return std::nullopt;
    for (int64_t d : list) {
      const std::optional<int64_t> at = dim_in(d, t.rank());
      if (!at) return std::nullopt;
      if (*at < t.rank()) gone[static_cast<size_t>(*at)] = true;
    }
  }
  ShapeAnswer s;
  s.of = form.of;
  for (size_t d = 0; d < gone.size(); ++d) {
    if (gone[d] && !keep) continue;
    s.sizes.push_back(gone[d] ? 1 : t.sizes[d]);
    s.from.push_back(static_cast<int>(d));
  }
  return s;
}

std::optional<ShapeAnswer> permuted(const ShapeForm& form, const PlainMeta& t,
                                    std::span<const SeenArgument> arguments) {
  ShapeAnswer s = identity(t, form.of);
  if (form.kind == Shape::Swapped) {
    const auto a = dim_of(arguments, form.attribute, t.rank()), b = dim_of(arguments, form.other, t.rank());
    if (!a || !b) return std::nullopt;
    if (t.rank() == 0) return s;
    std::swap(s.from[static_cast<size_t>(*a)], s.from[static_cast<size_t>(*b)]);
  } else {
    const SeenArgument* order = argument_at(arguments, form.attribute);
    if (!order || order->kind != Seen::Ints || order->ints.size() != t.sizes.size()) return std::nullopt;
    for (size_t d = 0; d < t.sizes.size(); ++d) {
      const std::optional<int64_t> at = dim_in(order->ints[d], t.rank());
      if (!at) return std::nullopt;
      s.from[d] = static_cast<int>(*at);
    }
  }
  for (size_t d = 0; d < t.sizes.size(); ++d) s.sizes[d] = t.sizes[static_cast<size_t>(s.from[d])];
  return s;
}

std::optional<ShapeAnswer> listed(const ShapeForm& form, std::span<const SeenArgument> arguments) {
  const SeenArgument* list = argument_at(arguments, form.attribute);
  if (!list || list->kind != Seen::Ints) return std::nullopt;
  ShapeAnswer s{list->ints, std::vector<int>(list->ints.size(), -1), form.of};
  const PlainMeta* t = tensor_of(arguments, form.of);
  if (form.kind == Shape::Listed) {
    for (int64_t n : s.sizes) {
      if (n < 0) return std::nullopt;
    }
    return s;
  }
  if (!t) return std::nullopt;
  if (form.kind == Shape::Expanded) {
    if (s.sizes.size() < t->sizes.size()) return std::nullopt;
    const size_t missing = s.sizes.size() - t->sizes.size();
    for (size_t d = 0; d < s.sizes.size(); ++d) {
      if (s.sizes[d] == -1 && d < missing) return std::nullopt;
      if (d < missing) continue;
      const int64_t own = t->sizes[d - missing];
      if (s.sizes[d] == -1) s.sizes[d] = own;
      if (own != s.sizes[d] && own != 1) return std::nullopt;
      if (own == s.sizes[d]) s.from[d] = static_cast<int>(d - missing);
    }
    return s;
  }
  int64_t known = 1, all = 1, open = -1;
  for (int64_t n : t->sizes) all *= n;
  for (size_t d = 0; d < s.sizes.size(); ++d) {
    if (s.sizes[d] == -1 && open >= 0) return std::nullopt;
    if (s.sizes[d] == -1) {
      open = static_cast<int64_t>(d);
    } else {
      known *= s.sizes[d];
    }
  }
  if (open >= 0 && (known == 0 || all % known != 0)) return std::nullopt;
  if (open >= 0) s.sizes[static_cast<size_t>(open)] = all / known;
  if (open < 0 && known != all) return std::nullopt;
  return s;
}

}  // namespace

std::optional<ShapeAnswer> answer_of(const ShapeForm& form, std::span<const SeenArgument> arguments) {
  const PlainMeta* t = tensor_of(arguments, form.of);
  switch (form.kind) {
    case Shape::Broadcast:
      return broadcast(arguments);
    case Shape::Tail:
    case Shape::Head:
      return with_tail(form, arguments);
    case Shape::Listed:
    case Shape::Viewed:
    case Shape::Expanded:
      return listed(form, arguments);
    default:
      break;
  }
  if (!t) return std::nullopt;
  if (form.kind == Shape::SameAs) return identity(*t, form.of);
  if (form.kind == Shape::Reduced) return reduced(form, *t, arguments);
  if (form.kind == Shape::Permuted || form.kind == Shape::Swapped) return permuted(form, *t, arguments);
  const bool inserts = form.kind == Shape::Inserted;
  const std::optional<int64_t> d = dim_of(arguments, form.attribute, t->rank() + inserts);
  const std::optional<int64_t> n = value_of(form.tail[0], arguments);
  if (!d || !n || *n < 0 || (!inserts && t->rank() == 0)) return std::nullopt;
  ShapeAnswer s = identity(*t, form.of);
  if (inserts) {
    s.sizes.insert(s.sizes.begin() + *d, *n);
    s.from.insert(s.from.begin() + *d, -1);
  } else {
    s.sizes[static_cast<size_t>(*d)] = *n;
  }
  return s;
}

std::optional<DType> answer_of(const DTypeForm& form, std::span<const SeenArgument> arguments) {
  using Kind = DTypeForm::Kind;
  const PlainMeta* t = tensor_of(arguments, form.of);
  switch (form.kind) {
    case Kind::Constant:
      return form.dtype;
    case Kind::Named: {
      const SeenArgument& a = arguments[static_cast<size_t>(form.of)];
      if (a.kind != Seen::DType) return std::nullopt;
      return static_cast<DType>(a.number);
    }
    case Kind::Promoted:
    case Kind::PromotedTensors:
    case Kind::PromotedFloat: {
      ResultType common(rule_context().default_dtype);
      bool any = false;
      for (const SeenArgument& a : arguments) {
        for (const PlainMeta& m : a.tensors) common.add(tensor_meta(m)), any = true;
        if (form.kind == Kind::PromotedTensors) continue;
        if (a.kind == Seen::Bool) common.add(Scalar(a.number != 0));
        if (a.kind == Seen::Int) common.add(Scalar(a.number));
        if (a.kind == Seen::Float) common.add(Scalar(0.5));
        if (a.kind == Seen::Complex) common.add(Scalar(std::complex<double>(0.5, 1)));
      }
      if (!any) return std::nullopt;
      const DType d = common.result();
      return form.kind == Kind::PromotedFloat && is_integral(d) ? rule_context().default_dtype : d;
    }
    default:
      break;
  }
  if (!t) return std::nullopt;
  if (form.kind == Kind::OfArgument) return t->dtype;
  if (form.kind == Kind::Summed) return is_integral(t->dtype) ? DType::I64 : t->dtype;
  if (form.kind == Kind::RealOf) return real_dtype(t->dtype);
  const auto row = form.table.find(t->dtype);
  if (row == form.table.end()) return std::nullopt;
  return row->second;
}

namespace {

Extents plain(const DimVec& v) {
  const auto ints = as_ints(v);
  return Extents(ints.begin(), ints.end());
}

/// Returns the strides of a dense tensor whose dims are in the order `order`, outermost first.
Extents dense_in_order(const Extents& sizes, const std::vector<size_t>& order) {
  Extents strides(sizes.size(), 1);
  int64_t next = 1;
  for (size_t k = order.size(); k-- > 0;) {
    strides[order[k]] = next;
    next *= std::max<int64_t>(sizes[order[k]], 1);
  }
  return strides;
}

std::optional<Extents> elementwise(std::span<const SeenArgument> arguments, const ShapeAnswer& shape,
                                   std::optional<DType> converted) {
  std::vector<TensorMeta> metas;
  for (const SeenArgument& a : arguments) {
    for (const PlainMeta& t : a.tensors) metas.push_back(tensor_meta(t));
  }
  if (metas.empty()) return std::nullopt;
  std::vector<const TensorMeta*> operands;
  for (const TensorMeta& m : metas) operands.push_back(&m);
  TensorMeta result;
  BroadcastMismatch mismatch;
  if (!iterator_layout(operands, converted, result, mismatch)) return std::nullopt;
  if (plain(result.sizes) != shape.sizes) return std::nullopt;
  return plain(result.strides);
}

/// Returns a stride for each dim of the result: the stride of the dim of `t` that gave the dim its size. nullopt if a
/// dim is new.
std::optional<Extents> mapped(const PlainMeta& t, const ShapeAnswer& shape) {
  Extents strides;
  for (size_t d = 0; d < shape.sizes.size(); ++d) {
    if (shape.from[d] < 0) return std::nullopt;
    strides.push_back(t.strides[static_cast<size_t>(shape.from[d])]);
  }
  return strides;
}

}  // namespace

std::optional<Extents> answer_of(const StrideForm& form, std::span<const SeenArgument> arguments,
                                 const ShapeAnswer& shape, DType dtype) {
  using Kind = StrideForm::Kind;
  const PlainMeta* t = tensor_of(arguments, form.of);
  const DimVec sizes(shape.sizes.begin(), shape.sizes.end());
  switch (form.kind) {
    case Kind::Contiguous:
      return plain(contiguous_strides(sizes));
    case Kind::Elementwise:
      return elementwise(arguments, shape, std::nullopt);
    case Kind::Converted:
      return elementwise(arguments, shape, dtype);
    case Kind::ColumnMajor:
    case Kind::LastTwoSwapped: {
      std::vector<size_t> order(shape.sizes.size());
      std::iota(order.begin(), order.end(), 0);
      if (form.kind == Kind::ColumnMajor) std::reverse(order.begin(), order.end());
      if (form.kind == Kind::LastTwoSwapped) {
        if (order.size() < 2) return std::nullopt;
        std::swap(order[order.size() - 1], order[order.size() - 2]);
      }
      return dense_in_order(shape.sizes, order);
    }
    default:
      break;
  }
  if (!t) return std::nullopt;
  if (form.kind == Kind::ChannelsLast) {
    const MemoryFormat format = suggest_memory_format(tensor_meta(*t));
    if (format != MemoryFormat::Contiguous && shape.sizes.size() != t->sizes.size()) return std::nullopt;
    return plain(strides_for(sizes, format));
  }
  if (form.kind == Kind::Preserved) {
    if (shape.sizes != t->sizes) return std::nullopt;
    return plain(preserved_strides(sizes, DimVec(t->strides.begin(), t->strides.end())));
  }
  if (form.kind == Kind::Exact) {
    if (shape.sizes != t->sizes) return std::nullopt;
    return t->strides;
  }
  if (form.kind == Kind::ViewOf) {
    const TensorMeta m = tensor_meta(*t);
    const std::optional<DimVec> strides = view_strides(m.sizes, m.strides, sizes);
    if (!strides) return std::nullopt;
    return plain(*strides);
  }
  if (shape.of != form.of) return std::nullopt;
  const std::optional<Extents> strides = mapped(*t, shape);
  if (form.kind == Kind::Mapped || !strides) return strides;
  return plain(infer_dense_strides(sizes, DimVec(strides->begin(), strides->end())));
}

std::optional<int64_t> answer_of(const OffsetForm& form, std::span<const SeenArgument> arguments) {
  if (form.kind == OffsetForm::Kind::Zero) return 0;
  const PlainMeta* t = tensor_of(arguments, form.of);
  if (!t) return std::nullopt;
  if (form.kind == OffsetForm::Kind::OfArgument) return t->offset;
  const std::optional<int64_t> d = dim_of(arguments, form.dim, t->rank());
  const SeenArgument* index = argument_at(arguments, form.index);
  if (!d || *d >= t->rank() || !index || index->kind != Seen::Int) return std::nullopt;
  const auto k = static_cast<size_t>(*d);
  return t->offset + (index->number < 0 ? index->number + t->sizes[k] : index->number) * t->strides[k];
}

bool holds(const Condition& c, std::span<const SeenArgument> arguments) {
  if (c.kind == Condition::Kind::Pattern) return pattern_of(arguments) == c.text;
  const SeenArgument& a = arguments[static_cast<size_t>(c.argument)];
  if (c.kind == Condition::Kind::Rank) return !a.tensors.empty() && a.tensors[0].rank() == c.value;
  return (a.kind == Seen::Bool || a.kind == Seen::Int || a.kind == Seen::DType) && a.number == c.value;
}

}  // namespace ersatz::tools
