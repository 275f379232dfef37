#include "fake/object/module_call.h"

#include <atomic>
#include <deque>
#include <optional>
#include <unordered_set>

#include "runtime/base/log.h"

namespace ersatz {

namespace {

thread_local constinit const ModulePlace* t_module = nullptr;

std::string joined(const std::string& outer, std::string_view name) {
  return outer.empty() ? std::string(name) : fmt::format("{}.{}", outer, name);
}

/// Returns the shortest path from a module to a descendant, and the first of several equally short ones. Returns
/// nullopt if `to` is no descendant of `from`.
std::optional<std::string> path_between(const Module& from, const Module& to) {
  std::deque<std::pair<const Module*, std::string>> left{{&from, ""}};
  std::unordered_set<const Module*> met{&from};
  while (!left.empty()) {
    const auto [module, path] = std::move(left.front());
    left.pop_front();
    for (const auto& [name, child] : module->children) {
      if (child.get() == &to) return joined(path, name);
      if (child && met.insert(child.get()).second) left.emplace_back(child.get(), joined(path, name));
    }
  }
  return std::nullopt;
}

ModulePlace place_of(const Module& module, std::optional<std::string_view> below) {
  ModulePlace place{next_place_id(), below ? std::string(*below) : "", module.type, &module, t_module};
  if (!t_module || !t_module->module) return place;
  if (!below) {
    const std::optional<std::string> found = path_between(*t_module->module, module);
    if (!found) {
      log().warn("Unable to find the path of the module {}: it is registered nowhere below {}, which called it",
                 module.type, t_module->type);
      place.module = nullptr;
      return place;
    }
    place.path = *found;
  }
  place.path = joined(t_module->path, place.path);
  return place;
}

}  // namespace

const ModulePlace* current_module() { return t_module; }

uint64_t next_place_id() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

ModulePlaceScope::ModulePlaceScope(const ModulePlace* place) : saved_(t_module) { t_module = place; }
ModulePlaceScope::~ModulePlaceScope() { t_module = saved_; }

ModuleCall::ModuleCall(const Module& module)
    : place_(place_of(module, std::nullopt)), scope_(place_.module ? &place_ : t_module) {}
ModuleCall::ModuleCall(const Module& module, std::string_view path) : place_(place_of(module, path)), scope_(&place_) {}

}  // namespace ersatz
