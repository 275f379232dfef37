// Which operators tracers take apart, held against PyTorch's schemas: those that PyTorch calls CompositeImplicitAutograd.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/op/registry.h"

namespace ersatz {
namespace {

/// Whole here although PyTorch says them by others, and why.
const std::set<std::string, std::less<>> kWhole{
    "aten._pad_packed_sequence.default",  // its sizes are values of its input
    "aten.cov.default",                   // looks at values
    "aten.empty.out",                     // a resize of its argument
    "aten.mish_backward.default",         // autograd calls it as one op
    "aten.randn.out",                     // a resize and a draw
    "aten.silu_backward.default",         // autograd calls it as one op
    "aten.to_sparse.sparse_dim",          // refused
};
/// Answers about tensors and dtypes: no tracer records them.
bool asks_only(const OpEntry& op) {
  return op.query != MetadataQuery::None || op.base() == "can_cast" || op.base() == "promote_types" ||
         op.base() == "result_type";
}

TEST(Composites, AreTakenApartWherePyTorchHasNothingButTheirParts) {
  std::ifstream file(ERSATZ_SOURCE_DIR "/tests/data/schemas.json");
  const nlohmann::json schemas = nlohmann::json::parse(file);
  int compared = 0;
  for (const auto& [name, schema] : schemas.items()) {
    const OpEntry* op = registry().find(name);
    if (!op || asks_only(*op)) continue;
    ++compared;
    const bool implicit = schema.at("composite_implicit").get<bool>();
    if (kWhole.count(name)) {
      EXPECT_TRUE(implicit && !op->implicit) << name << " needs no exception";
      continue;
    }
    EXPECT_EQ(op->implicit, implicit) << name;
    EXPECT_TRUE(!op->implicit || op->parts()) << name << " has no parts";
  }
  EXPECT_GT(compared, 1900);
}

}  // namespace
}  // namespace ersatz
