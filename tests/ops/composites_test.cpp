// Tracers decompose the operators that are CompositeImplicitAutograd in PyTorch, except for a list.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/op/registry.h"

namespace ersatz {
namespace {

/// Operators that are composite in PyTorch but not decomposed by ersatz's tracers; each comment has the reason.
const std::set<std::string, std::less<>> kWhole{
    "aten._pack_padded_sequence_backward.default",  // its batch sizes are values of its input
    "aten._pad_packed_sequence.default",            // its sizes are values of its input
    "aten._shape_as_tensor.default",                // reads sizes and calls no other operator
    "aten.data.default",                            // returns a view without an autograd history
    "aten.empty.out",                               // only resizes its argument
    "aten.mish_backward.default",                   // autograd calls it as one op
    "aten.pin_memory.default",                      // refused
    "aten.randn.out",                               // resizes its argument and draws numbers
    "aten.silu_backward.default",                   // autograd calls it as one op
    "aten.to_sparse.sparse_dim",                    // refused
};
/// True if the operator returns no tensor: tracers do not record it.
bool asks_only(const OpEntry& op) {
  const auto is_tensor = [](const Argument& r) { return r.type.base == BaseType::Tensor; };
  return std::none_of(op.schema.returns.begin(), op.schema.returns.end(), is_tensor);
}

TEST(Composites, AreDecomposedWherePyTorchHasOnlyParts) {
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
