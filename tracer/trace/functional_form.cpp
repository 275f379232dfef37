#include "tracer/trace/functional_form.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "runtime/op/registry.h"

namespace ersatz {

namespace {

using Overloads = std::map<std::string, std::vector<const OpEntry*>, std::less<>>;

std::string base_of(const OpEntry& op) { return op.schema.ns + "." + op.schema.base; }

/// Returns all registered operators by namespace and base name.
const Overloads& overloads() {
  static const Overloads all = [] {
    Overloads made;
    for (const OpEntry* op : registry().all()) made[base_of(*op)].push_back(op);
    return made;
  }();
  return all;
}

bool takes_the_same(const OpEntry& op, const OpEntry& form) {
  if (!form.written.empty()) return false;
  std::vector<const SchemaType*> asked;
  for (const Argument& a : op.schema.arguments) {
    if (!is_out_argument(a)) asked.push_back(&a.type);
  }
  const std::vector<Argument>& takes = form.schema.arguments;
  return std::equal(asked.begin(), asked.end(), takes.begin(), takes.end(),
                    [](const SchemaType* a, const Argument& b) { return *a == b.type; });
}

/// Returns whether `form` has one result for each return of `op` and one for each written argument that `op` does not
/// return.
bool answers_the_same(const OpEntry& op, const OpEntry& form) {
  size_t returned = 0;
  for (size_t i = 0; i < op.schema.returns.size(); ++i) returned += written_by_return(op, i) >= 0;
  return form.schema.returns.size() == op.schema.returns.size() + op.written.size() - returned;
}

const OpEntry* search(const OpEntry& op) {
  const auto fits = [&](const OpEntry* form) { return takes_the_same(op, *form) && answers_the_same(op, *form); };
  if (op.functional && fits(op.functional)) return op.functional;
  const std::string& base = op.schema.base;
  std::vector<std::string> bases;
  if (base.starts_with("__i") && base.ends_with("__")) {
    bases.push_back("__" + base.substr(3));
  } else if (base.ends_with("_")) {
    bases.push_back(base.substr(0, base.size() - 1));
  } else {
    bases.push_back(base);
  }
  bases.push_back(bases[0] + "_functional");
  for (const std::string& name : bases) {
    const auto at = overloads().find(op.schema.ns + "." + name);
    if (at == overloads().end()) continue;
    const OpEntry* found = nullptr;
    for (const OpEntry* form : at->second) {
      if (fits(form) && (!found || form->schema.overload == op.schema.overload)) found = form;
    }
    if (found) return found;
  }
  return nullptr;
}

}  // namespace

bool is_out_argument(const Argument& a) { return a.keyword_only && a.is_write(); }

int written_by_return(const OpEntry& op, size_t i) {
  const Argument& r = op.schema.returns[i];
  if (!r.is_write()) return -1;
  for (const uint16_t p : op.written) {
    if (op.schema.arguments[p].alias->before == r.alias->before) return p;
  }
  return -1;
}

const OpEntry* functional_form(const OpEntry& op) {
  static std::mutex guard;
  static std::map<uint32_t, const OpEntry*> known;
  const std::lock_guard lock(guard);
  const auto [at, fresh] = known.try_emplace(op.id, nullptr);
  if (fresh) at->second = search(op);
  return at->second;
}

}  // namespace ersatz
