#include "kernels/synonyms/the_op.h"

namespace ersatz {

void call_entry(CompositeCall& call, const OpEntry& entry, std::span<const Value> arguments) {
  Values all, results;
  for (const Value& v : arguments) all.push_back(v.borrowed());
  for (size_t k = all.size(); k < entry.schema.arguments.size(); ++k)
    all.push_back(*entry.schema.arguments[k].default_value);
  dispatch(entry, all, results);
  for (Value& v : results) call.returns(std::move(v));
}

}  // namespace ersatz
