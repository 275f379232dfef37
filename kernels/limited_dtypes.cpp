#include "kernels/limited_dtypes.h"

#include <unordered_map>

#include "runtime/op/registry.h"

namespace ersatz {
namespace {

using Rows = std::unordered_map<std::string_view, DTypeSet>;

/// The floats of 8 bits that have a sign.
constexpr DTypeSet kSignedFloat8s = kFloat8s.without({DType::F8E8M0FNU});

/// By packet or overload: `cat`, `mul.Tensor`.
const Rows& rows() {
  static const Rows all = [] {
    Rows rows;
    const auto add = [&](DTypeSet set, std::string_view names) {
      for (size_t at = 0; at < names.size();) {
        const size_t end = std::min(names.find(' ', at), names.size());
        rows.emplace(names.substr(at, end - at), set);
        at = end + 1;
      }
    };
#define LIMITED(set, names) add(set, names);
#include "kernels/limited_dtypes.def"
#undef LIMITED
    return rows;
  }();
  return all;
}

std::optional<DTypeSet> row_of(std::string_view name) {
  const auto at = rows().find(name);
  return at == rows().end() ? std::nullopt : std::optional(at->second);
}

/// The row of the overload, of its packet, or of the functional op that it is derived from. For `out=` forms only that
/// op counts.
DTypeSet taken_by(const OpEntry& op, std::string_view name) {
  constexpr std::string_view kNamespace = "aten.";
  if (op.functional && op.out_arguments > 0)
    return taken_by(*op.functional, std::string_view(op.functional->name).substr(kNamespace.size()));
  if (const auto own = row_of(name)) return *own;
  if (const auto packet = row_of(name.substr(0, name.find('.')))) return *packet;
  return op.functional ? taken_by(*op.functional, std::string_view(op.functional->name).substr(kNamespace.size()))
                       : DTypeSet();
}

}  // namespace

void set_limited_dtypes(Registry& registry) {
  constexpr std::string_view kNamespace = "aten.";
  for (const OpEntry* op : registry.all()) {
    const std::string_view name = op->name;
    registry.find_mutable(name)->limited_dtypes =
        name.starts_with(kNamespace) ? taken_by(*op, name.substr(kNamespace.size())) : kLimitedDTypes;
  }
}

}  // namespace ersatz
