#include "tools/infer/prediction_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>

#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"
#include "tools/infer/advice.h"
#include "tools/infer/layout_words.h"

namespace ersatz::tools {

namespace {

using Pairs = std::span<const ResultPair>;
using Side = const RecordedTensor* ResultPair::*;

constexpr Side kPredicted = &ResultPair::predicted, kObserved = &ResultPair::observed;

bool all(Pairs pairs, const std::function<bool(const ResultPair&)>& holds) {
  return std::all_of(pairs.begin(), pairs.end(), holds);
}

class Causes {
 public:
  Causes(Pairs differing, Pairs known)
      : differing_(differing), known_(known), first_(*differing[0].record), schema_(first_) {}

  std::string stride() const;
  std::string dtype() const;
  std::string size() const;
  std::string offset() const;

 private:
  /// Returns the argument of `p`'s call that corresponds to the k-th tensor of the first call; null if that call has
  /// none.
  const RecordedTensor* argument(const ResultPair& p, size_t k) const {
    const auto [at, is_new] = schemas_.try_emplace(p.record, nullptr);
    if (is_new) at->second = std::make_unique<RecordedSchema>(*p.record);
    for (size_t i = 0; i < p.record->tensors.size(); ++i) {
      if (at->second->name(i) == schema_.name(k)) return &p.record->tensors[i];
    }
    return nullptr;
  }

  /// True if argument k exists in every call and `holds` returns true for it.
  bool of_argument(Pairs pairs, size_t k,
                   const std::function<bool(const ResultPair&, const TensorMeta&)>& holds) const {
    return all(pairs, [&](const ResultPair& p) {
      const RecordedTensor* a = argument(p, k);
      return a && holds(p, a->meta);
    });
  }

  /// True if in all differing calls the dims of `side` have the stride order of argument k. Arguments with expanded
  /// dims have no order.
  bool keeps_order_of(Side side, size_t k) const {
    bool shows = false;
    const bool keeps = of_argument(differing_, k, [&](const ResultPair& p, const TensorMeta& a) {
      const TensorMeta& t = (p.*side)->meta;
      shows |= is_ordered_like(t, a);
      return t.dim() == a.dim() && (has_expanded_dim(a) || lies_in_order(t, dims_outermost_first(a)));
    });
    return keeps && shows;
  }

  std::string dtype_source(Pairs pairs, Side side) const;
  std::string size_source(Pairs pairs, Side side, size_t dim) const;
  bool has_sizes_of(Pairs pairs, size_t argument) const;

  const Pairs differing_, known_;
  const CallRecord& first_;
  const RecordedSchema schema_;
  mutable std::map<const CallRecord*, std::unique_ptr<RecordedSchema>> schemas_;
};

bool row_major(const ResultPair& p, Side side) { return is_row_major((p.*side)->meta); }

bool Causes::has_sizes_of(Pairs pairs, size_t argument) const {
  return of_argument(pairs, argument,
                     [](const ResultPair& p, const TensorMeta& a) { return sym_eq(p.observed->meta.sizes, a.sizes); });
}

std::string Causes::stride() const {
  const TensorMeta& shown = differing_[0].observed->meta;
  const std::string gap = gap_of(shown);
  const auto padded = [](const ResultPair& p) {
    return !gap_of(p.observed->meta).empty() && gap_of(p.predicted->meta).empty();
  };
  if (all(differing_, padded)) {
    return with_sentence(
        fmt::format("the kernel's result is padded: {}, so it is a slice of wider memory; the prediction is dense",
                    differing_.size() == 1 ? gap : gap + " in the first call"),
        "Let the fake kernel make the wide result and slice it, or let the kernel return dense memory");
  }
  if (all(differing_, [](const ResultPair& p) { return row_major(p, kObserved); })) {
    const bool always = all(known_, [](const ResultPair& p) { return row_major(p, kObserved); });
    for (size_t k = 0; k < first_.tensors.size(); ++k) {
      const bool kept = of_argument(differing_, k, [](const ResultPair& p, const TensorMeta& a) {
        return is_ordered_like(p.predicted->meta, a);
      });
      if (!kept) continue;
      const std::string x = schema_.name(k), in_python = schema_.python(k);
      const std::string result = always ? fmt::format("contiguous whatever the layout of {}", x)
                                        : "contiguous in the calls that differ, in others it is not";
      const std::string advice =
          has_sizes_of(known_, k)
              ? fmt::format("torch.empty_like({}, dtype=out.dtype, memory_format=torch.contiguous_format)", in_python)
              : std::string("out.new_empty(out.shape)");
      return with_better_result(
          fmt::format(
              "the kernel's result is {}; the prediction keeps the order of {}'s dims, as empty_like, clone and "
              "elementwise ops do",
              result, x),
          advice);
    }
    return with_better_result(fmt::format("the kernel's result is contiguous{}, the prediction is not",
                                          always ? "" : " in the calls that differ"),
                              "out.new_empty(out.shape)");
  }
  for (size_t k = 0; k < first_.tensors.size(); ++k) {
    if (!keeps_order_of(kObserved, k) || keeps_order_of(kPredicted, k)) continue;
    const std::string x = schema_.name(k), in_python = schema_.python(k);
    std::string fake = "does not";
    for (size_t other = 0; other < first_.tensors.size(); ++other) {
      if (other != k && keeps_order_of(kPredicted, other))
        fake = fmt::format("keeps that of {}'s", schema_.name(other));
    }
    const std::string advice =
        has_sizes_of(known_, k)
            ? fmt::format("torch.empty_like({}, dtype=out.dtype)", in_python)
            : fmt::format(
                  "torch.empty_permuted(out.shape, sorted(range({0}.dim()), key={0}.stride, reverse=True), "
                  "dtype=out.dtype, device=out.device)",
                  in_python);
    return with_better_result(
        fmt::format("the kernel's result keeps the order of {}'s dims; the prediction {}", x, fake), advice);
  }
  // The text shows the call whose result has the most dims of size other than 1, because these dims show the order.
  const auto most =
      std::max_element(differing_.begin(), differing_.end(), [](const ResultPair& a, const ResultPair& b) {
        return without_ones(a.observed->meta).size() < without_ones(b.observed->meta).size();
      });
  const std::vector<size_t> order = dims_outermost_first(most->observed->meta);
  if (!all(differing_, [&](const ResultPair& p) { return lies_in_order(p.observed->meta, order); })) {
    return "the order in which the dims of the kernel's result lie in memory is another one from call to call, and not "
           "that of the prediction, nor that of one argument";
  }
  const bool two = shown.dim() == 2;
  return with_better_result(
      fmt::format("the kernel's result is {} of contiguous memory, as {} makes it; the prediction is not",
                  two ? "the transpose" : "a permutation",
                  two ? "a product of transposed operands" : "an op that works on permuted operands"),
      fmt::format("torch.empty_permuted(out.shape, ({}), dtype=out.dtype, device=out.device)", fmt::join(order, ", ")));
}

/// Returns the argument that has the dtype of `side` in all calls of `pairs`, as `the dtype of x`; empty if there is
/// none.
std::string Causes::dtype_source(Pairs pairs, Side side) const {
  const auto is_promoted = [&](const ResultPair& p) {
    const std::vector<RecordedTensor>& args = p.record->tensors;
    if (args.empty()) return false;
    std::optional<DType> together = args[0].meta.dtype;
    for (const RecordedTensor& t : args) {
      if (together) together = common_dtype(*together, t.meta.dtype);
    }
    return together == (p.*side)->meta.dtype;
  };
  const auto mixed = [](const ResultPair& p) {
    const std::vector<RecordedTensor>& args = p.record->tensors;
    return std::any_of(args.begin(), args.end(),
                       [&](const RecordedTensor& t) { return dtype_words(t) != dtype_words(args[0]); });
  };
  const std::string shown = dtype_words(*(pairs[0].*side));
  const bool constant = all(pairs, [&](const ResultPair& p) { return dtype_words(*(p.*side)) == shown; });
  std::vector<std::string> same;
  bool varies = false;
  for (size_t k = 0; k < first_.tensors.size(); ++k) {
    const auto dtype_of = [&](const ResultPair& p) {
      const RecordedTensor* a = argument(p, k);
      return a ? dtype_words(*a) : std::string();
    };
    varies |= !all(pairs, [&](const ResultPair& p) { return dtype_of(p) == dtype_of(pairs[0]); });
    if (all(pairs, [&](const ResultPair& p) { return dtype_of(p) == dtype_words(*(p.*side)); }))
      same.push_back(schema_.name(k));
  }
  if (constant && !varies && !same.empty())
    return fmt::format("{}, as {} {}", shown, fmt::join(same, " and "), same.size() == 1 ? "is" : "are");
  if (constant) return shown + (varies ? ", whatever the arguments' dtypes are" : "");
  if (std::any_of(pairs.begin(), pairs.end(), mixed) && all(pairs, is_promoted))
    return "the dtype that all arguments promote to";
  if (!same.empty()) return fmt::format("the dtype of {}", fmt::join(same, " and "));
  return {};
}

std::string Causes::dtype() const {
  const std::string kernel = dtype_source(known_, kObserved), fake = dtype_source(known_, kPredicted);
  if (kernel.empty() || kernel == fake) {
    return fmt::format("in the first call that differs the kernel's result is {}, the prediction {}",
                       dtype_words(*differing_[0].observed), dtype_words(*differing_[0].predicted));
  }
  const std::string has = kernel.starts_with("the dtype") ? "has " + kernel : "is " + kernel;
  const std::string takes = fake.empty()                    ? "takes another"
                            : fake.starts_with("the dtype") ? "takes that" + fake.substr(9)
                                                            : "is " + fake;
  const std::string cause = fmt::format("the kernel's result {}; the prediction {}", has, takes);
  if (!kernel.ends_with("promote to")) return cause;
  std::string names;
  for (size_t k = 0; k < first_.tensors.size(); ++k) {
    const std::string x = schema_.python(k) + ".dtype";
    names = k == 0 ? x : fmt::format("torch.promote_types({}, {})", names, x);
  }
  return with_sentence(cause, "Let the fake kernel make it with dtype=" + names);
}

/// Returns the source of the size of `dim` in all calls of `pairs`: a number, or `the size of dim 1 of x`; empty if
/// there is none.
std::string Causes::size_source(Pairs pairs, Side side, size_t dim) const {
  const auto size = [&](const ResultPair& p) { return (p.*side)->meta.sizes[dim].as_int(); };
  if (!all(pairs, [&](const ResultPair& p) { return dim < (p.*side)->meta.sizes.size(); })) return {};
  // A size that is the same in all calls is given as a number, because it may equal sizes of arguments by chance.
  const int64_t shown = size(pairs[0]);
  if (all(pairs, [&](const ResultPair& p) { return size(p) == shown; })) return std::to_string(shown);
  for (size_t k = 0; k < first_.tensors.size(); ++k) {
    for (size_t d = 0; d < first_.tensors[k].meta.sizes.size(); ++d) {
      const auto follows = [&](int64_t more) {
        return of_argument(pairs, k, [&](const ResultPair& p, const TensorMeta& a) {
          return d < a.sizes.size() && size(p) == a.sizes[d].as_int() + more;
        });
      };
      const std::string of = fmt::format("the size of dim {} of {}", d, schema_.name(k));
      if (follows(0)) return of;
      if (follows(1)) return of + " plus 1";
      if (follows(-1)) return of + " minus 1";
    }
  }
  return {};
}

std::string Causes::size() const {
  const auto rank = [](const ResultPair& p, Side side) { return (p.*side)->meta.sizes.size(); };
  const auto but_for_ones = [](const ResultPair& p) {
    return without_ones(p.predicted->meta) == without_ones(p.observed->meta);
  };
  if (all(differing_, but_for_ones)) {
    if (all(differing_, [&](const ResultPair& p) { return rank(p, kPredicted) > rank(p, kObserved); })) {
      return "the kernel drops a dim of size 1, as squeeze and reductions without keepdim do; the prediction keeps it";
    }
    if (all(differing_, [&](const ResultPair& p) { return rank(p, kPredicted) < rank(p, kObserved); }))
      return "the kernel keeps a dim of size 1, as keepdim=True does; the prediction drops it";
  }
  const ResultPair& first = differing_[0];
  const size_t o = rank(first, kObserved), p = rank(first, kPredicted);
  if (o != p) {
    const bool always = all(
        differing_, [&](const ResultPair& pair) { return rank(pair, kObserved) == o && rank(pair, kPredicted) == p; });
    return fmt::format("{}the kernel's result has {} dim{}, the prediction {}",
                       always ? "" : "in the first call that differs ", o, o == 1 ? "" : "s", p);
  }
  for (size_t d = 0; d < o; ++d) {
    const int64_t is = first.observed->meta.sizes[d].as_int(), said = first.predicted->meta.sizes[d].as_int();
    if (is == said) continue;
    const std::string kernel = size_source(known_, kObserved, d), fake = size_source(known_, kPredicted, d);
    if (kernel.empty() || kernel == fake) {
      return fmt::format(
          "dim {} of the kernel's result has another size than the prediction says: {} in the first "
          "call that differs, the prediction says {}{}",
          d, is, said, fake.empty() ? "" : fmt::format(" ({})", fake));
    }
    return fmt::format("dim {} of the kernel's result is {}; the prediction says {}", d, kernel,
                       fake.empty() ? fmt::format("another ({} in the first call that differs)", said) : fake);
  }
  return {};
}

std::string Causes::offset() const {
  return fmt::format(
      "the kernel's result starts elsewhere in its memory than the prediction's, at element {} and not {} in the first "
      "call that differs: another slice is taken",
      differing_[0].observed->meta.offset.as_int(), differing_[0].predicted->meta.offset.as_int());
}

}  // namespace

RecordedSchema::RecordedSchema(const CallRecord& record) {
  positions_.assign(record.tensors.size(), -1);
  items_.assign(record.tensors.size(), -1);
  if (record.schema.empty()) return;
  try {
    schema_ = parse_schema(record.schema);
  } catch (const Error&) {
    return;  // the schema has a type that ersatz cannot parse
  }
  known_ = true;
  for (const Argument& r : schema_.returns) lists_ |= r.type.is_list();
  int next = 0;
  const auto note = [&](const auto& self, const RecordedArgument& a, int position, int item) -> void {
    if (a.kind == RecordedArgument::Kind::Tensor) {
      positions_[static_cast<size_t>(a.tensor)] = position;
      items_[static_cast<size_t>(a.tensor)] = item;
    }
    int at = 0;
    for (const RecordedArgument& i : a.items) self(self, i, position, at++);
  };
  for (const RecordedArgument& a : record.args) {
    const int position = a.name.empty() ? next++ : schema_.find_argument(a.name);
    note(note, a, position < static_cast<int>(schema_.arguments.size()) ? position : -1, -1);
  }
}

std::string RecordedSchema::name(size_t tensor) const {
  const int at = positions_[tensor], item = items_[tensor];
  if (at < 0) return fmt::format("argument {}", tensor);
  const std::string& name = schema_.arguments[static_cast<size_t>(at)].name;
  return item < 0 ? name : fmt::format("{}[{}]", name, item);
}

std::string RecordedSchema::python(size_t tensor) const {
  return positions_[tensor] < 0 ? fmt::format("arguments[{}]", tensor) : name(tensor);
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

std::string dtype_words(const RecordedTensor& tensor) { return std::string(name(tensor.meta.dtype)); }

std::string cause_of_difference(FindingField field, std::span<const ResultPair> differing,
                                std::span<const ResultPair> known) {
  const Causes causes(differing, known);
  switch (field) {
    case FindingField::Stride:
      return causes.stride();
    case FindingField::DType:
      return causes.dtype();
    case FindingField::Size:
      return causes.size();
    case FindingField::Offset:
      return causes.offset();
    case FindingField::Device:
      return fmt::format("the kernel's result is on {}, the prediction on {}{}",
                         to_string(differing[0].observed->meta.device), to_string(differing[0].predicted->meta.device),
                         differing.size() == 1 ? "" : " in the first call that differs");
    default:
      return {};
  }
}

}  // namespace ersatz::tools
