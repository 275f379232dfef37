#include "runtime/op/tagged_op.h"

namespace ersatz {

const OpEntry& op_with_tag(Tag tag, std::string_view what) {
  const OpEntry* found = nullptr;
  for (const OpEntry* op : registry().all()) {
    if (!op->tags.has(tag)) continue;
    if (op->schema.overload.empty()) return *op;
    if (!found) found = op;
  }
  ERSATZ_ASSERT(found, "no operator is tagged as one that {}", what);
  return *found;
}

}  // namespace ersatz
