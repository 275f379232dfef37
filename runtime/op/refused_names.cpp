#include "runtime/op/refused_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/op/registry.h"

namespace ersatz {

namespace {

std::vector<RefusedName>& rows() {
  static std::vector<RefusedName> all;
  return all;
}

/// Returns `ns.base` of a canonical name `ns.base.overload`.
std::string_view without_overload(std::string_view canonical) {
  const size_t first = canonical.find('.');
  return canonical.substr(0, canonical.find('.', first == canonical.npos ? canonical.size() : first + 1));
}

bool covers(std::string_view pattern, std::string_view canonical) {
  const std::string_view op = without_overload(canonical);
  if (pattern.ends_with('*')) return op.starts_with(pattern.substr(0, pattern.size() - 1));
  if (op == pattern || canonical == pattern) return true;
  return pattern.find('.') == pattern.npos && op.substr(0, op.find('.')) == pattern;
}

}  // namespace

void refuse_name(RefusedName row) {
  for (RefusedName& known : rows()) {
    if (known.pattern == row.pattern) {
      known = std::move(row);
      return;
    }
  }
  rows().push_back(std::move(row));
}

const std::vector<RefusedName>& refused_names() {
  registry();  // filling the registry adds the rows
  return rows();
}

const RefusedName* refused_name(std::string_view name) {
  if (registry().find(name)) return nullptr;
  const std::string canonical = canonical_op_name(name);
  const auto& all = refused_names();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const RefusedName& r) { return covers(r.pattern, canonical); });
  return at == all.end() ? nullptr : &*at;
}

std::string refusal_by_name(std::string_view name) {
  const RefusedName* row = refused_name(name);
  return row ? fmt::format("refused by name: {}; {}", row->words, row->suggestion) : std::string();
}

}  // namespace ersatz
