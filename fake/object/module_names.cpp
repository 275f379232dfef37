#include "fake/object/module_names.h"

#include <unordered_set>

namespace ersatz {

ModuleNames::ModuleNames(const Module& root) {
  std::vector<std::pair<const Module*, std::string>> modules{{&root, ""}};
  std::unordered_set<const Module*> met{&root};
  for (size_t i = 0; i < modules.size(); ++i) {
    const auto [module, path] = modules[i];
    const std::string before = path.empty() ? "" : path + ".";
    const auto add = [&](const std::pair<std::string, Tensor>& named, bool parameter) {
      if (named.second)
        by_identity_.try_emplace(named.second.impl()->identity(), Name{before + named.first, parameter});
    };
    for (const auto& named : module->parameters) add(named, true);
    for (const auto& named : module->buffers) add(named, false);
    for (const auto& [name, child] : module->children) {
      if (child && met.insert(child.get()).second) modules.emplace_back(child.get(), before + name);
    }
  }
}

const ModuleNames::Name* ModuleNames::find(const Tensor& t) const {
  const auto at = by_identity_.find(t.impl()->identity());
  return at == by_identity_.end() ? nullptr : &at->second;
}

}  // namespace ersatz
