#include "tools/program/facts_scope.h"

#include <algorithm>

namespace ersatz::tools {

void FactsScope::begin_other_run(const Facts& facts) {
  facts_ = &facts;
  apart_.assign(program_.main().values.size(), false);
}

bool FactsScope::hold_for(std::span<const ValueId> arguments) const {
  return !facts_ || std::none_of(arguments.begin(), arguments.end(), [&](ValueId id) { return apart_[id]; });
}

void FactsScope::see(ValueId value, const Value& actual, std::span<const ValueId> arguments) {
  if (!facts_) return;
  const ResultFact* fact = facts_->find_value(program_.name(program_.main().values[value].name));
  if (fact && fact->real && actual.is_tensor()) {
    TensorMeta recorded = *fact->real;
    recorded.device = actual.tensor_impl()->meta.device;
    apart_[value] = diff(actual.tensor_impl()->meta, recorded).is_significant();
  } else if (fact && fact->number && actual.is_number()) {
    apart_[value] = !(*fact->number == actual);
  } else {
    apart_[value] = !hold_for(arguments);
  }
}

}  // namespace ersatz::tools
