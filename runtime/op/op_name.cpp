#include "runtime/op/op_name.h"

#include <algorithm>
#include <map>

#include "runtime/base/nearest.h"
#include "runtime/op/refused_names.h"

namespace ersatz {

namespace {

/// The parts of a name between dots, with `::` read as a dot. A name with `torch.ops.` or `::` has a namespace as its
/// first part.
struct NamePieces {
  explicit NamePieces(std::string_view name) {
    constexpr std::string_view prefix = "torch.ops.";
    begins_with_namespace = name.starts_with(prefix);
    if (begins_with_namespace) name.remove_prefix(prefix.size());
    if (const size_t colons = name.find("::"); colons != name.npos) {
      begins_with_namespace = true;
      pieces.emplace_back(name.substr(0, colons));
      name.remove_prefix(colons + 2);
    }
    for (size_t dot = name.find('.'); dot != name.npos; dot = name.find('.')) {
      pieces.emplace_back(name.substr(0, dot));
      name.remove_prefix(dot + 1);
    }
    pieces.emplace_back(name);
  }

  /// Is `all` a list that begins with these parts?
  bool begin(std::span<const std::string_view> all) const {
    return pieces.size() <= all.size() && std::equal(pieces.begin(), pieces.end(), all.begin());
  }

  std::vector<std::string_view> pieces;
  bool begins_with_namespace = false;
};

/// Returns a hint for a name that no operator has: the overloads of its base name, or else the most similar names.
std::string instead_of(std::string_view name) {
  const std::vector<const OpEntry*> ops = registry().all();
  const std::vector<std::string_view> pieces = NamePieces(name).pieces;
  const bool known_namespace =
      std::any_of(ops.begin(), ops.end(), [&](const OpEntry* op) { return op->schema.ns == pieces[0]; });
  const std::string ns = known_namespace ? std::string(pieces[0]) + "." : "";
  const std::string_view base = pieces[pieces.size() > 2 || (known_namespace && pieces.size() > 1) ? 1 : 0];
  std::map<std::string, std::string> full;  // key: the name without its namespace; value: the name with it
  std::string overloads;
  for (const OpEntry* op : ops) {
    if (!op->name.starts_with(ns)) continue;
    if (op->schema.base == base) overloads += (overloads.empty() ? "; there is " : ", ") + op->name;
    full.emplace(op->schema.base, op->schema.ns + "." + op->schema.base);
  }
  if (!overloads.empty()) return overloads;
  std::vector<std::string> names;
  for (const auto& [short_name, full_name] : full) names.push_back(short_name);
  std::vector<std::string> near = nearest_names(base, names);
  for (std::string& n : near) n = full[n];
  return did_you_mean(near);
}

}  // namespace

bool op_name_means(std::string_view written, std::string_view canonical) {
  const NamePieces name(written);
  const std::vector<std::string_view> all = NamePieces(canonical).pieces;
  const bool more_than_a_namespace = name.pieces.size() > 1;
  return (more_than_a_namespace && name.begin(all)) ||
         (!name.begins_with_namespace && name.begin(std::span(all).subspan(1)));
}

std::vector<std::string_view> bases_written(std::string_view written) {
  NamePieces name(written);
  std::vector<std::string_view>& pieces = name.pieces;
  if (pieces.size() > 2) return {pieces[1]};
  if (name.begins_with_namespace && pieces.size() > 1) pieces.erase(pieces.begin());
  return std::move(pieces);
}

std::vector<const OpEntry*> ops_meant(std::string_view written) {
  std::vector<const OpEntry*> meant;
  for (const OpEntry* op : registry().all()) {
    if (op_name_means(written, op->name)) meant.push_back(op);
  }
  return meant;
}

std::vector<const OpEntry*> ops_named(std::string_view written) {
  std::vector<const OpEntry*> meant = ops_meant(written);
  if (!meant.empty()) return meant;
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}", no_operator_named(written));
}

std::string no_operator_named(std::string_view written) {
  if (const std::string refused = refusal_by_name(written); !refused.empty())
    return fmt::format("{} is {}", written, refused);
  return fmt::format("no operator is named {}{}", written, instead_of(written));
}

const OpEntry& op_named(std::string_view name) {
  if (const OpEntry* op = registry().find(name)) return *op;
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "{}", no_operator_named(name));
}

}  // namespace ersatz
