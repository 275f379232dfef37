#include "kernels/limited_dtypes.h"

#include <cstring>
#include <string>
#include <unordered_map>

#include "runtime/op/kernel_search.h"
#include "runtime/op/registry.h"

namespace ersatz {
namespace {

constexpr std::string_view kNamespace = "aten.";

/// A table whose key is a packet or an overload: `cat`, `mul.Tensor`.
template <class Said>
using Rows = std::unordered_map<std::string_view, Said>;

template <class Said>
void add_rows(Rows<Said>& rows, Said said, std::string_view names) {
  for (size_t at = 0; at < names.size();) {
    const size_t end = std::min(names.find(' ', at), names.size());
    rows.emplace(names.substr(at, end - at), said);
    at = end + 1;
  }
}

/// Returns the row of the overload, else the row of its packet, else nullopt.
template <class Said>
std::optional<Said> row_of(const Rows<Said>& rows, std::string_view name) {
  auto at = rows.find(name);
  if (at == rows.end()) at = rows.find(name.substr(0, name.find('.')));
  return at == rows.end() ? std::nullopt : std::optional(at->second);
}

/// The 8-bit floats that have a sign bit.
constexpr DTypeSet kSignedFloat8s = kFloat8s.without({DType::F8E8M0FNU});

/// Adds `set` to the rows of `names`. For tables in which one operator has several rows.
void unite_rows(Rows<DTypeSet>& rows, DTypeSet set, std::string_view names) {
  Rows<DTypeSet> more;
  add_rows(more, set, names);
  for (const auto& [name, added] : more) rows[name] = rows[name] | added;
}

struct TakenRows {
  Rows<DTypeSet> on_cpu, on_cuda;  ///< on_cuda: dtypes that only CUDA kernels take, in addition to on_cpu
};
const TakenRows& taken_rows() {
  static const TakenRows all = [] {
    TakenRows rows;
#define LIMITED(set, names) add_rows(rows.on_cpu, DTypeSet(set), names);
#define ON_CUDA(set, names) unite_rows(rows.on_cuda, DTypeSet(set), names);
#include "kernels/limited_dtypes.def"
#undef LIMITED
#undef ON_CUDA
    return rows;
  }();
  return all;
}

struct SearchRows {
  Rows<KernelSearch::Order> order;
  Rows<DTypeSet> when_empty, asserted;
};
const SearchRows& search_rows() {
  static const SearchRows all = [] {
    SearchRows rows;
#define SEARCHED(when, names) add_rows(rows.order, KernelSearch::Order::when, names);
#define EMPTY(set, names) add_rows(rows.when_empty, DTypeSet(set), names);
#define ASSERTED(set, names) add_rows(rows.asserted, DTypeSet(set), names);
#include "kernels/kernel_search.def"
#undef SEARCHED
#undef EMPTY
#undef ASSERTED
    return rows;
  }();
  return all;
}

/// Returns the row of the overload or of its packet, else the row of the functional operator that `op` is derived from.
/// For an `out=` overload, only the row of the functional operator counts.
DTypeSet taken_by(const Rows<DTypeSet>& rows, const OpEntry& op) {
  if (op.functional && op.out_arguments > 0) return taken_by(rows, *op.functional);
  if (const auto own = row_of(rows, std::string_view(op.name).substr(kNamespace.size()))) return *own;
  return op.functional ? taken_by(rows, *op.functional) : DTypeSet();
}

/// Is the operator (or its functional operator) the copying variant of a view, as `select_copy.int` is of `select.int`?
bool copies_view(const Registry& registry, const OpEntry& op) {
  std::string view = op.functional ? op.functional->name : op.name;
  const size_t copy = view.find("_copy.");
  if (copy == std::string::npos) return false;
  const OpEntry* const entry = registry.find(view.erase(copy, std::strlen("_copy")));
  return entry && entry->tags.has(Tag::View);
}

}  // namespace

void set_limited_dtypes(Registry& registry) {
  for (const OpEntry* op : registry.all()) {
    const std::string_view name = op->name;
    if (!name.starts_with(kNamespace)) {
      registry.find_mutable(name)->limited_dtypes = kLimitedDTypes;
      continue;
    }
    const std::string_view row = name.substr(kNamespace.size());
    registry.find_mutable(name)->limited_dtypes =
        copies_view(registry, *op) ? kLimitedDTypes : taken_by(taken_rows().on_cpu, *op);
    KernelSearch search;
    search.taken_on_cuda = taken_by(taken_rows().on_cuda, *op);
    if (const auto order = row_of(search_rows().order, row)) search.order = *order;
    search.when_empty = row_of(search_rows().when_empty, row);
    if (const auto asserted = row_of(search_rows().asserted, row)) search.asserted = *asserted;
    if (search.order != KernelSearch::Order::AsRule || search.when_empty || search.asserted != DTypeSet() ||
        search.taken_on_cuda != DTypeSet())
      set_kernel_search(name, search);
  }
}

}  // namespace ersatz
