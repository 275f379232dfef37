// A composite with a wrong record: later results make no new findings, and the run keeps the composite's values and
// views.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/crosscheck/crosscheck.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/meta_text.h"
#include "tests/tools/command_line.h"

namespace ersatz::tools {
namespace {

using ::testing::HasSubstr;

std::string closing(const std::string& program) {
  const std::string out = run_command({"crosscheck", scratch_file("composite.txt", program)}).out;
  return out.substr(out.rfind("crosscheck: "));
}

TEST(AWrongRecordOfAComposite, IsOneFindingWithWhatFollowsIt) {
  EXPECT_EQ(closing("graph(%m: f32[3,4]{1,3}, %u: f32[3], %v: f32[4]):\n"
                    "  %a: f32[3,4]{4,1} = aten.addr.default(%m, %u, %v, beta=0.0)\n"
                    "  %r: f32[3,4]{4,1} = aten.relu.default(%a)\n"
                    "  %s: f32[3,4]{4,1} = aten.sin.default(%r)\n"
                    "  return %s\n"),
            "crosscheck: 3 compared, 1 mismatched, 0 skipped\n");
}

TEST(AWrongRecordOfAComposite, LeavesDifferenceOfItsOwnBehindItFinding) {
  EXPECT_EQ(closing("graph(%m: f32[3,4]{1,3}, %u: f32[3], %v: f32[4]):\n"
                    "  %a: f32[3,4]{4,1} = aten.addr.default(%m, %u, %v, beta=0.0)\n"
                    "  %r: f64[3,4]{4,1} = aten.relu.default(%a)\n"
                    "  return %r\n"),
            "crosscheck: 2 compared, 2 mismatched, 0 skipped\n");
}

/// Calls an operator on real arguments, with a record of the result that has other strides.
CallOutcome call(Crosscheck& check, const char* name, const std::vector<Value>& real, const TensorMeta& record) {
  std::vector<Value> fake;
  for (const Value& v : real) fake.push_back(v.is_tensor() ? Value(check.fake_mode().make(v.tensor().meta())) : v);
  std::vector<ResultFacts> facts(1);
  facts[0].record = record;
  CallSite site;
  site.evidence.results = facts;
  return check.call(*registry().find(name), site, fake, real);
}

TEST(AWrongRecordOfAComposite, GivesRunItsLayoutAndLeavesItsValues) {
  Crosscheck check;
  const Tensor m = make_real_tensor(parse_meta("f32[2,2]{1,2}+0@cpu"));
  const std::vector<SymInt> two = {2};
  const Tensor u = tensor_from_values(DType::F32, std::vector<double>{1, 2}, two);
  const Tensor v = tensor_from_values(DType::F32, std::vector<double>{3, 5}, two);
  const CallOutcome made = call(check, "aten.addr.default", {m, u, v, 0.0, 1.0}, parse_meta("f32[2,2]{2,1}+0@cpu"));
  EXPECT_EQ(made.findings, 1u);
  const Tensor a = made.real[0].tensor();
  EXPECT_EQ(to_string(a.meta()), "f32[2,2]{2,1}+0@cpu");
  EXPECT_EQ(std::vector<float>(a.data<float>(), a.data<float>() + 4), (std::vector<float>{3, 5, 6, 10}));
}

TEST(AWrongRecordOfAComposite, LeavesViewInMemoryThatItShares) {
  ASSERT_TRUE(registry().find("aten.movedim.int")->composite);
  Crosscheck check;
  const Tensor m = make_real_tensor(parse_meta("f32[2,3]{3,1}+0@cpu"));
  const CallOutcome made =
      call(check, "aten.movedim.int", {m, int64_t(0), int64_t(1)}, parse_meta("f32[3,2]{2,1}+0@cpu"));
  EXPECT_EQ(made.findings, 1u);
  EXPECT_EQ(made.real[0].tensor().storage(), m.storage());
}

}  // namespace
}  // namespace ersatz::tools
