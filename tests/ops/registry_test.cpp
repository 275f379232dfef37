// Compares the registry's entries for ATen's operators with ATen's own list (tests/data/schemas.json).
#include "runtime/op/registry.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace ersatz {
namespace {

const nlohmann::json& aten() {
  static const nlohmann::json list = nlohmann::json::parse(std::ifstream(ERSATZ_SOURCE_DIR "/tests/data/schemas.json"));
  return list;
}

/// Calls `see(op, facts)` for every registered op in ATen's list.
template <class F>
int for_each_aten_op(F&& see) {
  int seen = 0;
  for (const OpEntry* op : registry().all()) {
    const auto at = aten().find(op->name);
    if (at == aten().end()) continue;
    see(*op, *at);
    ++seen;
  }
  return seen;
}

/// True for overloads for named tensors, which ATen has removed. Older programs may have them, and get an error.
bool is_of_named_tensors(const OpEntry& op) { return op.schema.overload == "names"; }

TEST(Registry, EveryNameUnderAtenIsAtens) {
  int seen = 0;
  for (const OpEntry* op : registry().all()) {
    if (op->schema.ns != "aten") continue;
    EXPECT_TRUE(aten().contains(op->name) || is_of_named_tensors(*op)) << op->name << " from " << op->source;
    ++seen;
  }
  EXPECT_GT(seen, 1300);
}

TEST(Registry, EverySchemaIsAtens) {
  const int seen = for_each_aten_op([](const OpEntry& op, const nlohmann::json& facts) {
    EXPECT_EQ(to_string(op.schema), facts["schema"].get<std::string>());
  });
  EXPECT_GT(seen, 700);
}

TEST(Registry, CoreOperatorsAreAtens) {
  for_each_aten_op([](const OpEntry& op, const nlohmann::json& facts) {
    EXPECT_EQ(op.tags.has(Tag::Core), facts["core"].get<bool>()) << op.name;
  });
}

TEST(Registry, OutFormsThatAtenGeneratesResizeRowMajor) {
  for_each_aten_op([](const OpEntry& op, const nlohmann::json& facts) {
    const auto& tags = facts["tags"];
    const bool generated = std::find(tags.begin(), tags.end(), "generated") != tags.end();
    if (!generated || !op.functional || op.out_arguments == 0) return;
    EXPECT_TRUE(op.form.row_major) << op.name;
  });
}

}  // namespace
}  // namespace ersatz
