// Each operator's gradient verdict equals PyTorch's (runtime/autograd/derivative.h lists the verdicts).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/autograd/derivative.h"
#include "runtime/op/registry.h"

namespace ersatz {
namespace {

namespace fs = std::filesystem;

/// Implicit composites with a derivative formula. PyTorch differentiates operators in their bodies that ersatz lacks:
/// slices that write a packed sequence, and `fake_quantize_per_tensor_affine_cachemask`. The nodes have their names.
const std::set<std::string> kRows = {"aten._pad_packed_sequence.default",
                                     "aten.fake_quantize_per_tensor_affine.default",
                                     "aten.fake_quantize_per_tensor_affine.tensor_qparams"};

/// A table of recorded facts; null if the data are missing.
nlohmann::json facts(const char* file) {
  const fs::path path = fs::path(ERSATZ_DATA) / file;
  if (std::string(ERSATZ_DATA).empty() || !fs::exists(path)) return {};
  return nlohmann::json::parse(std::ifstream(path));
}

bool has_gradient(GradientVerdict v) {
  return v == GradientVerdict::Row || v == GradientVerdict::Items || v == GradientVerdict::Parts;
}

TEST(GradientVerdicts, NoDifferentiableCoreOperatorIsMissing) {
  // PyTorch has no derivative for these operators either: backward raises, or the call is refused.
  const std::set<std::string> none = {"aten.atan2.out", "aten.copy.default", "aten.native_group_norm_backward.default"};
  std::set<std::string> missing;
  size_t differentiated = 0;
  for (const OpEntry* op : registry().all()) {
    if (!op->tags.has(Tag::Core)) continue;
    const GradientVerdict v = derivative_of(*op).verdict;
    if (v == GradientVerdict::Missing) missing.insert(op->name);
    differentiated += has_gradient(v);
  }
  EXPECT_EQ(missing, none);
  EXPECT_EQ(differentiated, 143u);
}

TEST(GradientVerdicts, ImplicitCompositesGoThroughTheirParts) {
  size_t parts = 0;
  for (const OpEntry* op : registry().all()) {
    if (!op->implicit || op->tags.has(Tag::Foreign)) continue;
    const GradientVerdict v = derivative_of(*op).verdict;
    EXPECT_NE(v, GradientVerdict::Items) << op->name;
    EXPECT_EQ(v == GradientVerdict::Row, kRows.contains(op->name)) << op->name << ": " << name(v);
    parts += v == GradientVerdict::Parts;
  }
  EXPECT_GT(parts, 500u);
}

TEST(GradientVerdicts, AreThoseOfPyTorch) {
  const nlohmann::json recorded = facts("gradients/derivatives.json");
  if (recorded.is_null()) GTEST_SKIP() << "ERSATZ_DATA names no folder with recorded gradients";
  // In-place operators on bools: the record has the gradient of the clone that they write.
  const std::set<std::string> of_the_clone = {"aten.logical_and_.default", "aten.logical_not_.default",
                                              "aten.logical_or_.default", "aten.logical_xor_.default"};
  size_t compared = 0;
  for (const auto& [op_name, fact] : recorded.items()) {
    const OpEntry* op = registry().find(op_name);
    if (!op || of_the_clone.contains(op_name)) continue;
    const GradientVerdict v = derivative_of(*op).verdict;
    const std::string verdict = fact.at("verdict");
    ++compared;
    if (verdict == "differentiable" || verdict == "composite") {
      EXPECT_TRUE(has_gradient(v)) << op_name << " is " << verdict << " in PyTorch and " << name(v) << " here";
    } else if (verdict == "non-differentiable" || verdict == "no tensor argument") {
      EXPECT_EQ(v, GradientVerdict::NoGradient) << op_name << " is " << verdict << " in PyTorch";
    }
  }
  EXPECT_GT(compared, 1900u);
}

TEST(GradientVerdicts, CompositesOfPyTorchHaveNoRow) {
  const nlohmann::json schemas = facts("conformance/schemas.json");
  if (schemas.is_null()) GTEST_SKIP() << "ERSATZ_DATA names no folder with schemas";
  for (const auto& [op_name, schema] : schemas.items()) {
    const OpEntry* op = registry().find(op_name);
    if (!op || !schema.value("composite_implicit", false)) continue;
    const GradientVerdict v = derivative_of(*op).verdict;
    EXPECT_TRUE(kRows.contains(op_name) || (v != GradientVerdict::Row && v != GradientVerdict::Items))
        << op_name << " is an implicit composite in PyTorch, and has a row";
  }
}

}  // namespace
}  // namespace ersatz
