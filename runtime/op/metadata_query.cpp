#include "runtime/op/metadata_query.h"

#include <array>

#include "runtime/op/registry.h"

namespace ersatz {

const OpEntry& querying_op(MetadataQuery query) {
  static const std::array<const OpEntry*, kMetadataQueryCount> found = [] {
    std::array<const OpEntry*, kMetadataQueryCount> ops{};
    for (const OpEntry* op : registry().all()) {
      const bool by_dim = op->query == MetadataQuery::Size || op->query == MetadataQuery::Stride;
      // This selects `sym_size.int` and not `size.int`, which returns a plain integer.
      const bool of_one = op->schema.arguments.size() == (by_dim ? 2u : 1u) && op->schema.returns.size() == 1 &&
                          op->schema.returns[0].type == SchemaType{BaseType::SymInt, {}};
      if (op->query != MetadataQuery::None && of_one) ops[static_cast<size_t>(op->query)] = op;
    }
    return ops;
  }();
  const OpEntry* op = found[static_cast<size_t>(query)];
  ERSATZ_ASSERT(op, "no operator is registered for a metadata query of kind {}", static_cast<int>(query));
  return *op;
}

}  // namespace ersatz
