#include "tools/infer/candidates.h"

#include <algorithm>

namespace ersatz::tools {

using ShownKind = SeenArgument::Kind;
using ShapeKind = ShapeForm::Kind;

namespace {

/// Returns the arguments that have one of these kinds in at least one example.
std::vector<int> arguments_of(const ExampleList& examples, std::initializer_list<ShownKind> kinds) {
  std::vector<int> found;
  for (size_t i = 0; i < examples[0]->arguments.size(); ++i) {
    const bool any = std::any_of(examples.begin(), examples.end(), [&](const Observation* o) {
      return std::find(kinds.begin(), kinds.end(), o->arguments[i].kind) != kinds.end();
    });
    if (any) found.push_back(static_cast<int>(i));
  }
  return found;
}
std::vector<int> tensor_arguments(const ExampleList& e) {
  return arguments_of(e, {ShownKind::Tensor, ShownKind::Tensors});
}

const PlainMeta* tensor_in(const Observation& o, int argument) {
  const SeenArgument& a = o.arguments[static_cast<size_t>(argument)];
  return a.tensors.empty() ? nullptr : &a.tensors[0];
}

/// Searches two kinds of ShapeForm. One adds new dims before or after the dims of an argument. The other gives a new
/// size to a dim that an argument names.
class TailSearch {
 public:
  TailSearch(const ExampleList& examples, size_t result, std::vector<ShapeForm>& found)
      : examples_(examples), result_(result), found_(found) {}

  void ends(ShapeKind kind, int of) {
    constexpr int64_t kMostOwn = 4;
    for (int64_t drop = 0; drop <= (of < 0 ? 0 : kMostOwn - 1); ++drop) {
      const std::optional<int64_t> own = own_dims(of, drop);
      if (!own || *own < 0 || *own > kMostOwn) continue;
      if (of >= 0 && *own == 0 && drop == 0) continue;  // equals the form SameAs
      ShapeForm form{kind, of, -1, -1, drop, 0, {}};
      if (!others_match(form, *own)) continue;
      std::vector<std::vector<Expression>> columns;
      for (int64_t d = 0; d < *own; ++d) {
        columns.push_back(explained(-1, [&](const Extents& sizes) {
          const int64_t n = static_cast<int64_t>(sizes.size());
          return sizes[static_cast<size_t>(kind == ShapeKind::Tail ? n - *own + d : d)];
        }));
        if (columns.back().empty()) break;
      }
      take(form, columns, static_cast<size_t>(*own));
    }
  }

  void in_named_dim(ShapeKind kind, int of, int attribute) {
    const int64_t more = kind == ShapeKind::Inserted;
    std::vector<int64_t> dims;
    for (const Observation* o : examples_) {
      const PlainMeta* t = tensor_in(*o, of);
      const SeenArgument& a = o->arguments[static_cast<size_t>(attribute)];
      const Extents& sizes = o->results[result_].meta.sizes;
      if (!t || a.kind != ShownKind::Int) return;
      const std::optional<int64_t> d = dim_in(a.number, t->rank() + more);
      if (!d || static_cast<int64_t>(sizes.size()) != t->rank() + more || *d >= static_cast<int64_t>(sizes.size()))
        return;
      for (size_t k = 0; k < t->sizes.size(); ++k) {
        if (!more && static_cast<int64_t>(k) == *d) continue;
        if (sizes[k + (more && static_cast<int64_t>(k) >= *d)] != t->sizes[k]) return;
      }
      dims.push_back(*d);
    }
    size_t next = 0;
    const auto column =
        explained(attribute, [&](const Extents& sizes) { return sizes[static_cast<size_t>(dims[next++])]; });
    if (!column.empty()) take({kind, of, attribute, -1, 0, 0, {}}, {column}, 1);
  }

 private:
  template <class Pick>
  std::vector<Expression> explained(int at, const Pick& pick) const {
    std::vector<Example> rows;
    for (const Observation* o : examples_) rows.push_back({o->arguments, pick(o->results[result_].meta.sizes)});
    return explain(rows, at);
  }

  std::optional<int64_t> own_dims(int of, int64_t drop) const {
    std::optional<int64_t> own;
    for (const Observation* o : examples_) {
      int64_t n = o->results[result_].meta.rank();
      if (of >= 0) {
        const PlainMeta* t = tensor_in(*o, of);
        if (!t || t->rank() < drop) return std::nullopt;
        n -= t->rank() - drop;
      }
      if (own && *own != n) return std::nullopt;
      own = n;
    }
    return own;
  }

  bool others_match(const ShapeForm& form, int64_t own) const {
    if (form.of < 0) return true;
    return std::all_of(examples_.begin(), examples_.end(), [&](const Observation* o) {
      const Extents &sizes = o->results[result_].meta.sizes, &from = tensor_in(*o, form.of)->sizes;
      if (form.kind == ShapeKind::Tail) return std::equal(sizes.begin(), sizes.end() - own, from.begin());
      return std::equal(sizes.begin() + own, sizes.end(), from.begin() + form.drop);
    });
  }

  /// Adds `form` with the simplest expression for each dim, and variants in which a single dim has another expression.
  void take(ShapeForm form, const std::vector<std::vector<Expression>>& columns, size_t dims) {
    if (columns.size() != dims || (dims > 0 && columns.back().empty())) return;
    for (const auto& c : columns) form.tail.push_back(c[0]);
    found_.push_back(form);
    for (size_t d = 0; d < columns.size(); ++d) {
      for (size_t k = 1; k < columns[d].size(); ++k) {
        found_.push_back(form);
        found_.back().tail[d] = columns[d][k];
      }
    }
  }

  const ExampleList& examples_;
  const size_t result_;
  std::vector<ShapeForm>& found_;
};

void add_reductions(const ExampleList& e, int of, std::vector<ShapeForm>& found) {
  std::vector<int> dims = arguments_of(e, {ShownKind::Int, ShownKind::Ints});
  const std::vector<int> flags = arguments_of(e, {ShownKind::Bool});
  for (int attribute : dims) {
    found.push_back({ShapeKind::Reduced, of, attribute, -1, 0, 0, {}});
    found.push_back({ShapeKind::Reduced, of, attribute, -1, 0, 1, {}});
    for (int flag : flags) found.push_back({ShapeKind::Reduced, of, attribute, flag, 0, 2, {}});
  }
}

}  // namespace

std::vector<ShapeForm> shape_candidates(const ExampleList& e, size_t result) {
  std::vector<ShapeForm> found;
  const std::vector<int> tensors = tensor_arguments(e);
  const std::vector<int> ints = arguments_of(e, {ShownKind::Int}), lists = arguments_of(e, {ShownKind::Ints});
  for (int t : tensors) found.push_back({ShapeKind::SameAs, t, -1, -1, 0, 0, {}});
  if (!tensors.empty()) found.push_back({ShapeKind::Broadcast, -1, -1, -1, 0, 0, {}});
  for (int t : tensors) {
    add_reductions(e, t, found);
    for (int a : lists) {
      for (ShapeKind kind : {ShapeKind::Permuted, ShapeKind::Expanded, ShapeKind::Viewed})
        found.push_back({kind, t, a, -1, 0, 0, {}});
    }
    for (int a : ints) {
      for (int b : ints) {
        if (a < b) found.push_back({ShapeKind::Swapped, t, a, b, 0, 0, {}});
      }
    }
  }
  for (int a : lists) found.push_back({ShapeKind::Listed, -1, a, -1, 0, 0, {}});
  TailSearch search(e, result, found);
  for (int t : tensors) {
    search.ends(ShapeKind::Tail, t);
    search.ends(ShapeKind::Head, t);
    for (int a : ints) {
      search.in_named_dim(ShapeKind::Replaced, t, a);
      search.in_named_dim(ShapeKind::Inserted, t, a);
    }
  }
  search.ends(ShapeKind::Tail, -1);
  return found;
}

std::vector<DTypeForm> dtype_candidates(const ExampleList& e, size_t result) {
  using Kind = DTypeForm::Kind;
  const std::vector<int> tensors = tensor_arguments(e);
  std::vector<DTypeForm> found;
  for (int t : tensors) found.push_back({Kind::OfArgument, t, DType::F32, {}});
  for (int a : arguments_of(e, {ShownKind::DType})) found.push_back({Kind::Named, a, DType::F32, {}});
  found.push_back({Kind::Constant, -1, e[0]->results[result].meta.dtype, {}});
  for (Kind kind : {Kind::PromotedTensors, Kind::Promoted, Kind::PromotedFloat})
    found.push_back({kind, -1, DType::F32, {}});
  for (int t : tensors) found.push_back({Kind::Summed, t, DType::F32, {}});
  for (int t : tensors) found.push_back({Kind::RealOf, t, DType::F32, {}});
  for (int t : tensors) {
    DTypeForm table{Kind::Table, t, DType::F32, {}};
    for (const Observation* o : e) {
      if (const PlainMeta* m = tensor_in(*o, t)) table.table.emplace(m->dtype, o->results[result].meta.dtype);
    }
    found.push_back(std::move(table));
  }
  return found;
}

std::vector<StrideForm> stride_candidates(const ExampleList& e, size_t result) {
  using Kind = StrideForm::Kind;
  const std::vector<int> tensors = tensor_arguments(e);
  std::vector<StrideForm> found;
  const bool view =
      std::all_of(e.begin(), e.end(), [&](const Observation* o) { return o->results[result].storage_of >= 0; });
  if (view) {
    for (int t : tensors) {
      for (Kind kind : {Kind::Exact, Kind::Mapped, Kind::ViewOf}) found.push_back({kind, t});
    }
    return found;
  }
  found.push_back({Kind::Contiguous, -1});
  for (int t : tensors) found.push_back({Kind::Preserved, t});
  found.push_back({Kind::Elementwise, -1});
  found.push_back({Kind::Converted, -1});
  for (int t : tensors) {
    for (Kind kind : {Kind::ChannelsLast, Kind::DenseLike, Kind::Mapped}) found.push_back({kind, t});
  }
  found.push_back({Kind::ColumnMajor, -1});
  found.push_back({Kind::LastTwoSwapped, -1});
  return found;
}

std::vector<OffsetForm> offset_candidates(const ExampleList& e, size_t) {
  std::vector<OffsetForm> found{{}};
  const std::vector<int> ints = arguments_of(e, {ShownKind::Int});
  for (int t : tensor_arguments(e)) {
    found.push_back({OffsetForm::Kind::OfArgument, t, -1, -1});
    for (int d : ints) {
      for (int i : ints) {
        if (d != i) found.push_back({OffsetForm::Kind::Selected, t, d, i});
      }
    }
  }
  return found;
}

std::vector<AliasForm> alias_candidates(const ExampleList& e) {
  std::vector<AliasForm> found{{}};
  for (int t : tensor_arguments(e)) {
    found.push_back({t, false});
    found.push_back({t, true});
  }
  return found;
}

}  // namespace ersatz::tools
