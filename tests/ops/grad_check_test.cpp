// Compares each derivative formula with central differences (see grad_check.h): one test for each operator.
#include "tests/ops/grad_check.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/op/registry.h"

namespace ersatz {
namespace {

using grad_check::Counts;

const grad_check::Skip* skip_of(const OpEntry& op) {
  for (const grad_check::Skip& s : grad_check::skips()) {
    if (s.op == op.name) return &s;
  }
  return nullptr;
}

std::vector<const OpEntry*> judged_rows() {
  std::vector<const OpEntry*> found;
  for (const OpEntry* op : grad_check::rows()) {
    if (!skip_of(*op)) found.push_back(op);
  }
  return found;
}

class GradCheck : public testing::TestWithParam<const OpEntry*> {
 protected:
  static void TearDownTestSuite() {
    std::printf(
        "%d rows: %d calls, %d of them complex; %d gradients, %d second ones; %d calls without second gradients\n",
        rows_, sum_.calls, sum_.complex_calls, sum_.first, sum_.second, sum_.second_missing);
  }
  static void count(const Counts& c) {
    ++rows_;
    sum_.calls += c.calls, sum_.complex_calls += c.complex_calls, sum_.first += c.first, sum_.second += c.second;
    sum_.second_missing += c.second_missing;
  }

 private:
  inline static int rows_ = 0;
  inline static Counts sum_;
};

TEST_P(GradCheck, AgreesWithDifferences) {
  const Counts counts = grad_check::check(*GetParam());
  EXPECT_GT(counts.first, 0) << GetParam()->name << ": no sample has a gradient that a difference can judge. "
                             << counts.refusal;
  for (size_t i = 0; i < std::min<size_t>(counts.failures.size(), 6); ++i) ADD_FAILURE() << counts.failures[i];
  count(counts);
}

std::string test_name(const testing::TestParamInfo<const OpEntry*>& row) {
  std::string name = row.param->name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(, GradCheck, testing::ValuesIn(judged_rows()), test_name);

// If the check of a skipped formula passes, the skip is not needed. A case must name an operator with a formula.
TEST(GradCheckTable, SkipsAreOfRowsThatDifferencesCannotJudge) {
  const std::vector<const OpEntry*> rows = grad_check::rows();
  const auto is_row = [&](std::string_view name) {
    return std::any_of(rows.begin(), rows.end(), [&](const OpEntry* op) { return op->name == name; });
  };
  for (const grad_check::Skip& s : grad_check::skips()) {
    ASSERT_TRUE(is_row(s.op)) << s.op;
    EXPECT_FALSE(s.reason.empty()) << s.op;
    const Counts counts = grad_check::check(*registry().find(s.op));
    EXPECT_TRUE(counts.first == 0 || !counts.failures.empty()) << s.op << " agrees with differences: " << s.reason;
  }
  for (const grad_check::Case& c : grad_check::cases()) EXPECT_TRUE(is_row(c.op)) << c.op;
}

}  // namespace
}  // namespace ersatz
