#include "tools/infer/prediction_cause.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"

namespace ersatz::tools {

namespace {

using Dims = std::vector<int64_t>;

Dims numbers(std::span<const SymInt> values) {
  Dims out;
  for (const SymInt& v : values) out.push_back(v.as_int());
  return out;
}

bool same(std::span<const SymInt> a, std::span<const SymInt> b) {
  return sym_eq(DimVec(a.begin(), a.end()), DimVec(b.begin(), b.end()));
}

/// `(4, 3)`.
std::string tuple(const Dims& dims) {
  return fmt::format("({}{})", fmt::join(dims, ", "), dims.size() == 1 ? "," : "");
}

bool is_row_major(const TensorMeta& t) { return same(t.strides, contiguous_strides(t.sizes)) || is_contiguous(t); }

/// Where elements that follow each other lie apart: `rows of 4 elements lie 8 apart`; empty for dense memory.
std::string gap_of(const TensorMeta& t) {
  const std::vector<size_t> order = dims_outermost_first(t);
  int64_t dense = 1, inner = 1;
  for (size_t i = order.size(); i-- > 0;) {
    const size_t d = order[i];
    const int64_t size = t.sizes[d].as_int(), stride = t.strides[d].as_int();
    if (size == 1) continue;
    if (stride > dense) {
      return inner == 1 ? fmt::format("its elements lie {} apart", stride)
                        : fmt::format("its rows of {} elements lie {} apart", inner, stride);
    }
    if (stride < dense) return {};
    dense = inner = size * stride;
  }
  return {};
}

/// How torch makes such memory: `x.new_empty((4, 3)).permute((1, 0))`.
std::string made_by(const TensorMeta& t, const std::string& like) {
  const std::vector<size_t> order = dims_outermost_first(t);
  Dims memory, back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    memory.push_back(t.sizes[order[i]].as_int());
    back[order[i]] = static_cast<int64_t>(i);
  }
  return fmt::format("{}.new_empty({}).permute({})", like, tuple(memory), tuple(back));
}

class Cause {
 public:
  Cause(const CallRecord& record, const RecordedSchema& schema, const TensorMeta& predicted, const TensorMeta& observed)
      : record_(record), schema_(schema), predicted_(predicted), observed_(observed) {}

  std::string stride() const {
    const std::string like = schema_.known() && !record_.tensors.empty() ? schema_.name(0) : "x";
    const std::string gap = gap_of(observed_);
    if (!gap.empty() && gap_of(predicted_).empty()) {
      return fmt::format(
          "the kernel's result is padded: {}, so it is a slice of wider memory; the prediction is dense. Make the wide "
          "result and slice it, as the kernel does, or let the kernel return dense memory",
          gap);
    }
    if (is_row_major(observed_)) {
      if (const int k = ordered_like(predicted_); k >= 0) {
        const std::string x = schema_.name(static_cast<size_t>(k));
        return fmt::format(
            "the kernel's result is contiguous whatever the layout of {0}; the prediction keeps the order of {0}'s "
            "dims, as empty_like, clone and elementwise ops do: torch.empty_like({0}, "
            "memory_format=torch.contiguous_format), or {0}.new_empty(sizes)",
            x);
      }
      return fmt::format("the kernel's result is contiguous: {}.new_empty({})", like, tuple(numbers(observed_.sizes)));
    }
    if (const int k = ordered_like(observed_); k >= 0) {
      return fmt::format(
          "the kernel's result keeps the order of {0}'s dims; the prediction does not: torch.empty_like({0}) does, for "
          "other sizes new_empty of the sizes in that order and permute",
          schema_.name(static_cast<size_t>(k)));
    }
    const bool two = observed_.dim() == 2;
    return fmt::format("the kernel's result is {} of contiguous memory, as {} makes it; the prediction is not: {}",
                       two ? "the transpose" : "a permutation",
                       two ? "a product of transposed operands" : "an op that works on permuted operands",
                       two ? fmt::format("{}.new_empty({}).t()", like,
                                         tuple({observed_.sizes[1].as_int(), observed_.sizes[0].as_int()}))
                           : made_by(observed_, like));
  }

  std::string dtype() const {
    if (record_.tensors.empty()) return {};
    DType all = record_.tensors[0].meta.dtype;
    for (const RecordedTensor& t : record_.tensors) all = promote_types(all, t.meta.dtype);
    const std::string took = of_argument(predicted_.dtype), is = of_argument(observed_.dtype);
    const std::string prediction =
        took.empty() ? "the prediction takes another" : "the prediction takes that of " + took;
    if (record_.tensors.size() > 1 && all == observed_.dtype && all != predicted_.dtype && mixed()) {
      return fmt::format(
          "the kernel's result has the dtype that all arguments promote to; {}: torch.promote_types or "
          "torch.result_type",
          prediction);
    }
    if (!is.empty()) return fmt::format("the kernel's result has the dtype of {}; {}", is, prediction);
    return fmt::format("the kernel's result is {} for these dtypes; {}", name(observed_.dtype), prediction);
  }

  std::string size() const {
    const Dims p = numbers(predicted_.sizes), o = numbers(observed_.sizes);
    if (p.size() > o.size() && without_ones(p) == without_ones(o)) {
      return "the kernel drops a dim of size 1, as squeeze and reductions without keepdim do; the prediction keeps it";
    }
    if (p.size() < o.size() && without_ones(p) == without_ones(o)) {
      return "the kernel keeps a dim of size 1, as keepdim=True does; the prediction drops it";
    }
    if (p.size() != o.size())
      return fmt::format("the kernel's result has {} dims, the prediction {}", o.size(), p.size());
    for (size_t d = 0; d < p.size(); ++d) {
      if (p[d] != o[d])
        return fmt::format("dim {} of the kernel's result has size {}, the prediction says {}", d, o[d], p[d]);
    }
    return {};
  }

  std::string offset() const {
    return fmt::format(
        "the kernel's result starts at element {} of its memory, the prediction at {}: another slice is taken",
        observed_.offset.as_int(), predicted_.offset.as_int());
  }

 private:
  /// The argument whose dims lie in memory in the order of this result's, and not in their natural one; -1: none.
  int ordered_like(const TensorMeta& t) const {
    if (is_row_major(t)) return -1;
    for (size_t k = 0; k < record_.tensors.size(); ++k) {
      const TensorMeta& a = record_.tensors[k].meta;
      if (a.dim() == t.dim() && dims_outermost_first(a) == dims_outermost_first(t) && !is_row_major(a))
        return static_cast<int>(k);
    }
    return -1;
  }

  std::string of_argument(DType dtype) const {
    for (size_t k = 0; k < record_.tensors.size(); ++k) {
      if (record_.tensors[k].meta.dtype == dtype) return schema_.name(k);
    }
    return {};
  }

  bool mixed() const {
    return std::any_of(record_.tensors.begin(), record_.tensors.end(),
                       [&](const RecordedTensor& t) { return t.meta.dtype != record_.tensors[0].meta.dtype; });
  }

  static Dims without_ones(Dims dims) {
    std::erase(dims, 1);
    return dims;
  }

  const CallRecord& record_;
  const RecordedSchema& schema_;
  const TensorMeta &predicted_, &observed_;
};

}  // namespace

RecordedSchema::RecordedSchema(const CallRecord& record) {
  positions_.assign(record.tensors.size(), -1);
  if (record.schema.empty()) return;
  try {
    schema_ = parse_schema(record.schema);
  } catch (const Error&) {
    return;  // a type that no schema of ours has
  }
  known_ = true;
  for (const Argument& r : schema_.returns) lists_ |= r.type.is_list();
  int next = 0;
  const auto note = [&](const auto& self, const RecordedArgument& a, int position) -> void {
    if (a.kind == RecordedArgument::Kind::Tensor) positions_[static_cast<size_t>(a.tensor)] = position;
    for (const RecordedArgument& item : a.items) self(self, item, position);
  };
  for (const RecordedArgument& a : record.args) {
    const int position = a.name.empty() ? next++ : schema_.find_argument(a.name);
    note(note, a, position < static_cast<int>(schema_.arguments.size()) ? position : -1);
  }
}

std::string RecordedSchema::name(size_t tensor) const {
  const int at = positions_[tensor];
  return at < 0 ? fmt::format("argument {}", tensor) : schema_.arguments[static_cast<size_t>(at)].name;
}

bool RecordedSchema::is_written(size_t tensor) const {
  const int at = positions_[tensor];
  return !known_ || at < 0 || schema_.arguments[static_cast<size_t>(at)].is_write();
}

bool RecordedSchema::may_alias(size_t result) const {
  if (!known_) return true;
  const std::vector<Argument>& returns = schema_.returns;
  if (lists_ || result >= returns.size()) {
    return std::any_of(returns.begin(), returns.end(), [](const Argument& r) { return r.alias.has_value(); });
  }
  return returns[result].alias.has_value();
}

std::string cause_of_difference(const CallRecord& record, const RecordedSchema& schema, FindingField field,
                                const TensorMeta& predicted, const TensorMeta& observed) {
  const Cause cause(record, schema, predicted, observed);
  switch (field) {
    case FindingField::Stride:
      return cause.stride();
    case FindingField::DType:
      return cause.dtype();
    case FindingField::Size:
      return cause.size();
    case FindingField::Offset:
      return cause.offset();
    default:
      return {};
  }
}

}  // namespace ersatz::tools
