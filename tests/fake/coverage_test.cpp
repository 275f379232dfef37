// Counts of sources that answered, and of checks that were skipped.
#include "fake/mode/coverage.h"

#include "tests/fake/crosscheck_ops.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

int64_t answers(const Coverage& coverage, std::string_view op, Source source) {
  for (const OpCoverage& row : coverage.ops()) {
    if (row.op == op) return row.sources[static_cast<size_t>(source)];
  }
  return 0;
}

FakeMode counting(CachePolicy cache = CachePolicy::Never) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.count_sources = true;
  options.cache = cache;
  options.propagate_real = false;  // with real values, the cache and known values are not used
  return FakeMode(options);
}

// BEY-28: sources rule, composite, fallback and none are counted per op.
TEST(Coverage, EachSourceIsCountedForItsOp) {
  const FakeMode mode = counting();
  const Tensor x = mode.make(meta_of("f32[2,3]"));
  call_test_op("twice", {x});
  call_test_op("four", {x});
  call_test_op("opaque", {x});
  error_of([&] { call_test_op("pick", {x}); });
  const Coverage c = mode.coverage();
  EXPECT_EQ(answers(c, "faketest.twice.default", Source::Rule), 3);  // the body of `four` makes two of these calls
  EXPECT_EQ(answers(c, "faketest.four.default", Source::Composite), 1);
  EXPECT_EQ(answers(c, "faketest.opaque.default", Source::Fallback), 1);
  EXPECT_EQ(answers(c, "faketest.pick.default", Source::None), 1);
  EXPECT_EQ(to_string(c), "answered by: rule 3, composite 1, fallback 1, none 1\n");
}

// BEY-28
TEST(Coverage, RememberedAnswersAndKnownValuesAreSourcesToo) {
  const FakeMode cached = counting(CachePolicy::Always);
  for (int i = 0; i < 3; ++i) call_test_op("twice", {cached.make(meta_of("f32[2]"))});
  EXPECT_EQ(answers(cached.coverage(), "faketest.twice.default", Source::Rule), 1);
  EXPECT_EQ(answers(cached.coverage(), "faketest.twice.default", Source::Cache), 2);
  const FakeMode mode = counting();
  call("aten.neg.default", {Value(mode.from_constant(tensor_of<float>({2}, {1})))});
  EXPECT_EQ(answers(mode.coverage(), "aten.neg.default", Source::Constant), 1);
}

TEST(Coverage, NothingIsCountedUnlessAskedFor) {
  FakeMode mode;
  call_test_op("twice", {mode.make(meta_of("f32[2]"))});
  EXPECT_TRUE(mode.coverage().empty());
}

// BEY-28: skipped checks are counted with their reasons.
TEST(Coverage, CrosscheckReportsUncheckedPartsWithReasons) {
  CrosscheckOptions options;
  options.poison = options.guards = options.hash_inputs = false;
  CrosscheckMode mode(options);
  {
    ModeGuard guard(mode);
    call_test_op("four", {ones_f32({2})});
    call_test_op("opaque", {ones_f32({2})});
    call_test_op("draw", {ones_f32({2})});
  }
  const Report report = mode.finish();
  EXPECT_EQ(to_string(report.coverage),
            "answered by: rule 2, composite 1, fallback 2\n"
            "not checked: metadata: unwitnessed 2\n"
            "not checked: unwritten: switched_off 2, own_results 2\n"
            "not checked: out_of_bounds: switched_off 2, own_results 2\n"
            "not checked: undeclared_write: switched_off 4\n"
            "not checked: values: random 1\n");
  EXPECT_EQ(answers(report.coverage, "faketest.draw.default", Source::Fallback), 1);
}

TEST(Coverage, WithEveryCheckOnlyTheUnwitnessedStays) {
  CrosscheckMode mode;
  {
    ModeGuard guard(mode);
    call_test_op("twice", {ones_f32({2})});
  }
  EXPECT_EQ(to_string(mode.finish().coverage), "answered by: rule 1\nnot checked: metadata: unwitnessed 1\n");
}

TEST(Coverage, CoveragesAddUp) {
  Coverage a, b;
  a.answered(test_op("twice"), Source::Rule);
  b.answered(test_op("twice"), Source::Rule);
  b.answered(test_op("add"), Source::Rule);
  b.unchecked(test_op("add"), Check::Values, NotChecked::Random, 2);
  a.add(b);
  EXPECT_EQ(to_string(a), "answered by: rule 3\nnot checked: values: random 2\n");
  EXPECT_EQ(a.ops().size(), 2u);
}

}  // namespace
}  // namespace ersatz
