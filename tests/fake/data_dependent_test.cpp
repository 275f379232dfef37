// Results whose sizes or values depend on data, in modes with a ShapeEnv.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fake/mode/data_dependent_symbols.h"
#include "kernels/indexing/item.h"
#include "runtime/sym/sym_value.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/checked.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A mode with its ShapeEnv.
struct Symbols {
  explicit Symbols(ShapeEnvSettings settings = {}, FakeOptions options = {})
      : env(std::make_shared<ShapeEnv>(settings)), mode(with(std::move(options), env)) {}
  static FakeMode with(FakeOptions options, const std::shared_ptr<ShapeEnv>& env) {
    options.shape_env = env;
    return FakeMode(options);
  }
  Tensor fake(std::string_view meta) const { return mode.make(parse_meta(meta, env.get())); }
  std::shared_ptr<ShapeEnv> env;
  FakeMode mode;
};

Values run(std::string_view op, std::initializer_list<Value> args) { return call(op, args); }
std::string meta_of(const Value& v) { return to_string(v.tensor_impl()->meta); }
std::vector<std::string> metas(const Values& results) {
  std::vector<std::string> out;
  for (const Value& v : results) out.push_back(meta_of(v));
  return out;
}
std::string range(const Symbols& s, std::string_view symbol) {
  const auto [lo, hi] = s.env->range(s.env->symbol(symbol));
  return hi == INT64_MAX ? fmt::format("{}..", lo) : fmt::format("{}..{}", lo, hi);
}
ErrorKind kind_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.kind;
  }
  ADD_FAILURE() << "nothing was raised";
  return ErrorKind::InternalError;
}

// OPS-05, OPS-06: the result has the kernel's strides, with dense columns.
TEST(DataDependent, NonzeroHasAFreshSize) {
  const Symbols s;
  EXPECT_EQ(meta_of(run("aten.nonzero.default", {s.fake("f32[4,5]")})[0]), "i64[u0,2]{1,u0}+0@cpu");
  EXPECT_EQ(range(s, "u0"), "0..20");
  EXPECT_EQ(meta_of(run("aten.nonzero.default", {s.fake("f32[2]")})[0]), "i64[u1,1]{1,u1}+0@cpu");
  EXPECT_EQ(range(s, "u1"), "0..");  // not 0..2: a size assumed to be neither 0 nor 1 could then only be 2
  EXPECT_EQ(meta_of(run("aten.nonzero.default", {s.fake("f32[0,3]")})[0]), "i64[0,2]{1,0}+0@cpu");
  s.env->symbol("s0", 6);
  EXPECT_EQ(meta_of(run("aten.nonzero.default", {s.fake("f32[s0]")})[0]), "i64[u2,1]{1,u2}+0@cpu");
  EXPECT_EQ(s.env->statically({SymCompare::Le, s.env->symbol("u2"), s.env->symbol("s0")}), true);
  EXPECT_EQ(s.env->provenance("u0")->site.op, "aten.nonzero.default");
}

// OPS-07
TEST(DataDependent, NonzeroTwiceIsOneSizeUntilAWrite) {
  const Symbols s;
  const Tensor mask = s.fake("bool[4,5]"), x = s.fake("f32[4,5]"), y = s.fake("f64[4,5,2]");
  const auto pick = [&](const Tensor& from) {
    const Value index[] = {mask};
    return run("aten.index.Tensor", {from, Value::list(index)})[0].tensor().size(0);
  };
  const SymInt first = pick(x);
  EXPECT_TRUE(first.is_identical(pick(y)));
  EXPECT_TRUE(first.is_identical(run("aten.nonzero.default", {mask})[0].tensor().size(0)));
  run("aten.logical_not_.default", {mask});
  const SymInt second = pick(x);
  EXPECT_FALSE(first.is_identical(second));
  s.mode.state().advance_epoch();
  EXPECT_FALSE(second.is_identical(pick(x)));
}

// OPS-08: inverse and counts are int64 (BEY-34).
TEST(DataDependent, UniqueOfElements) {
  const Symbols s;
  const Tensor x = s.fake("f32[4,5]");
  EXPECT_THAT(metas(run("aten._unique2.default", {x, true, true, true})),
              ElementsAre("f32[u0]{1}+0@cpu", "i64[4,5]{5,1}+0@cpu", "i64[u0]{1}+0@cpu"));
  EXPECT_THAT(metas(run("aten._unique2.default", {x, true, false, false})),
              ElementsAre("f32[u0]{1}+0@cpu", "i64[0]{1}+0@cpu", "i64[0]{1}+0@cpu"));
  EXPECT_THAT(metas(run("aten._unique.default", {x, true, true})),
              ElementsAre("f32[u0]{1}+0@cpu", "i64[4,5]{5,1}+0@cpu"));
  EXPECT_EQ(range(s, "u0"), "1..20");
  EXPECT_THAT(metas(run("aten.unique_consecutive.default", {x, true, true}))[0], "f32[u1]{1}+0@cpu");
  EXPECT_THAT(metas(run("aten._unique2.default", {s.fake("f32[0]"), true, true, true})),
              ElementsAre("f32[0]{1}+0@cpu", "i64[0]{1}+0@cpu", "i64[0]{1}+0@cpu"));
}

// OPS-09
TEST(DataDependent, UniqueOfSlices) {
  const Symbols s;
  const Tensor x = s.fake("f32[4,5,6]");
  EXPECT_THAT(metas(run("aten.unique_dim.default", {x, -2, true, false, false})),
              ElementsAre("f32[4,u0,6]{6,24,1}+0@cpu", "i64[5]{1}+0@cpu", "i64[u0]{1}+0@cpu"));
  EXPECT_EQ(range(s, "u0"), "1..5");
  EXPECT_THAT(metas(run("aten.unique_dim.default", {x, 1, true, false, false}))[0], "f32[4,u1,6]{6,24,1}+0@cpu");
  const Tensor far = s.fake("f32[4,5]@cuda:0");
  EXPECT_THAT(metas(run("aten.unique_dim.default", {far, 0, true, false, true})),
              ElementsAre("f32[u2,5]{5,1}+0@cuda:0", "i64[4]{1}+0@cuda:0", "i64[u2]{1}+0@cuda:0"));
}

// OPS-10
TEST(DataDependent, MaskedSelectHasItsOwnSizeEachTime) {
  const Symbols s;
  const Tensor x = s.fake("f32[4,5]"), mask = s.fake("bool[5]");
  EXPECT_EQ(meta_of(run("aten.masked_select.default", {x, mask})[0]), "f32[u0]{1}+0@cpu");
  EXPECT_EQ(meta_of(run("aten.masked_select.default", {x, mask})[0]), "f32[u1]{1}+0@cpu");
  EXPECT_EQ(range(s, "u1"), "0..20");
  run("aten.masked_select.default", {s.fake("f32[2]"), s.fake("bool[2]")});
  EXPECT_EQ(range(s, "u2"), "0..");
}

// OPS-11
TEST(DataDependent, RepeatInterleaveTakesThePromisedSize) {
  const Symbols s;
  const Tensor repeats = s.fake("i64[3]");
  EXPECT_EQ(meta_of(run("aten.repeat_interleave.Tensor", {repeats, 7})[0]), "i64[7]{1}+0@cpu");
  EXPECT_TRUE(s.env->symbols().empty());
  EXPECT_EQ(meta_of(run("aten.repeat_interleave.Tensor", {repeats})[0]), "i64[u0]{1}+0@cpu");
  EXPECT_EQ(meta_of(run("aten.repeat_interleave.self_Tensor", {s.fake("f32[3,4]"), repeats, 0})[0]),
            "f32[u1,4]{4,1}+0@cpu");
}

// OPS-12, SYM-01
TEST(DataDependent, ItemIsASymbolOfTheTensorsKind) {
  const Symbols s;
  const Tensor i = s.fake("i64[]"), small = s.fake("u8[1]"), f = s.fake("f32[]"), b = s.fake("bool[]");
  EXPECT_EQ(to_string(run("aten.item.default", {i})[0]), "u0");
  EXPECT_EQ(to_string(run("aten.item.default", {i})[0]), "u0");
  EXPECT_EQ(to_string(run("aten.item.default", {small})[0]), "u1");
  EXPECT_EQ(range(s, "u1"), "0..255");
  EXPECT_EQ(to_string(run("aten.item.default", {f})[0]), "float(zuf0)");
  EXPECT_EQ(to_string(run("aten.item.default", {b})[0]), "bool(Eq(u2,1))");
  run("aten.add_.Scalar", {i, 1});
  EXPECT_EQ(to_string(run("aten.item.default", {i})[0]), "u3");
  const Tensor c = s.fake("c64[]");
  const Error e = error_of([&] { run("aten.item.default", {c}); });
  EXPECT_EQ(e.kind, ErrorKind::NotSupported);
  EXPECT_THAT(e.message, HasSubstr("local_scalar_dense/item NYI for c64"));
}

// OPS-14
TEST(DataDependent, AMaskIndexesLikeItsNonzero) {
  const Symbols s;
  const Tensor x = s.fake("f32[4,5,6]");
  const Value by_mask[] = {Value(), s.fake("bool[5]")};
  EXPECT_EQ(meta_of(run("aten.index.Tensor", {x, Value::list(by_mask)})[0]), "f32[4,u0,6]{6*Max(1,u0),6,1}+0@cpu");
  const Value by_bytes[] = {s.fake("u8[4,5]")};
  EXPECT_EQ(meta_of(run("aten.index.Tensor", {x, Value::list(by_bytes)})[0]), "f32[u1,6]{6,1}+0@cpu");
  const Value by_numbers[] = {s.fake("i64[3,1]"), s.fake("i64[2]")};
  EXPECT_EQ(meta_of(run("aten.index.Tensor", {x, Value::list(by_numbers)})[0]), "f32[3,2,6]{12,6,1}+0@cpu");
  const FakeMode plain;
  const Value mask[] = {plain.make(parse_meta("bool[4]"))};
  EXPECT_EQ(kind_of([&] {
              run("aten.index.Tensor", {plain.make(parse_meta("f32[4]")), Value::list(mask)});
            }),
            ErrorKind::DynamicOutputShape);
}

// SYM-10, OPS-05, OPS-06, OPS-10, OPS-11, OPS-12
TEST(DataDependent, PermissionsDecideEachForItsOwnOps) {
  const Symbols no_shapes({.allow_dynamic_output_shapes = false}), no_numbers({.allow_scalar_outputs = false});
  const Symbols by_mode({.allow_scalar_outputs = false}, {.allow_scalar_outputs = true});
  for (const char* op : {"aten.nonzero.default", "aten.argwhere.default", "aten._unique2.default"}) {
    EXPECT_EQ(kind_of([&] { run(op, {no_shapes.fake("f32[4]")}); }), ErrorKind::DynamicOutputShape) << op;
    EXPECT_NO_THROW(run(op, {no_numbers.fake("f32[4]")})) << op;
  }
  EXPECT_EQ(kind_of([&] { run("aten.repeat_interleave.Tensor", {no_shapes.fake("i64[4]")}); }),
            ErrorKind::DynamicOutputShape);
  EXPECT_EQ(kind_of([&] {
              run("aten.masked_select.default", {no_shapes.fake("f32[4]"), no_shapes.fake("bool[4]")});
            }),
            ErrorKind::DynamicOutputShape);
  EXPECT_EQ(to_string(run("aten.item.default", {no_shapes.fake("i64[]")})[0]), "u0");
  EXPECT_EQ(kind_of([&] { run("aten.item.default", {no_numbers.fake("i64[]")}); }), ErrorKind::DataDependentOutput);
  EXPECT_EQ(to_string(run("aten.item.default", {by_mode.fake("i64[]")})[0]), "u0");
}

// SYM-11
TEST(DataDependent, MemoIsValidForOneVersionAndEpoch) {
  const Symbols s;
  const Tensor x = s.fake("f32[4]");
  const SymInt u = s.env->fresh();
  TensorImpl& t = *x.impl();
  EXPECT_EQ(memo_of(t, MemoSlot::Nonzero, 0), std::nullopt);
  set_memo(t, MemoSlot::Nonzero, 0, u);
  EXPECT_TRUE(memo_of(t, MemoSlot::Nonzero, 0));
  EXPECT_FALSE(memo_of(t, MemoSlot::Unique, 0));
  t.storage->bump_version();
  EXPECT_FALSE(memo_of(t, MemoSlot::Nonzero, 0));
  EXPECT_TRUE(t.extra->memos.empty());  // the stale read has cleared it
  set_memo(t, MemoSlot::Nonzero, 0, u);
  EXPECT_FALSE(memo_of(t, MemoSlot::Nonzero, 1));
  set_memo(t, MemoSlot::Nonzero, 1, u);
  set_memo(t, MemoSlot::Nonzero, 1, std::nullopt);
  EXPECT_FALSE(memo_of(t, MemoSlot::Nonzero, 1));
  {
    const ContextGuard inference([](RuleContext& c) { c.inference_mode = true; });
    set_memo(t, MemoSlot::Nonzero, 1, u);
  }
  EXPECT_FALSE(memo_of(t, MemoSlot::Nonzero, 1));
}

// OPS-12: a symbol in the tensor's memo is returned also if new symbols are not allowed.
TEST(DataDependent, AnItemThatIsKnownNeedsNoPermission) {
  const Symbols s({.allow_scalar_outputs = false});
  const Tensor x = s.fake("i64[]");
  const SymInt u = s.env->fresh();
  set_memo(*x.impl(), MemoSlot::Item, s.mode.state().epoch(), u);
  EXPECT_TRUE(run("aten.item.default", {x})[0].as_int().is_identical(u));
}

// SYM-09: by default the symbols have no lower bound of 2.
TEST(DataDependent, ToListGivesASymbolForEachElement) {
  const Symbols s, strict({.tolist_at_least_two = true});
  std::set<std::string> names;
  for (const Value& v : ops::tolist(s.fake("i64[10]"))) {
    names.insert(to_string(v));
    EXPECT_FALSE(size_eq(v.as_int(), 1));  // size_eq assumes that a symbolic size is neither 0 nor 1
    EXPECT_EQ(s.env->statically({SymCompare::Ge, v.as_int(), 2}), std::nullopt);
  }
  EXPECT_EQ(names.size(), 10U);
  const std::vector<Value> checked = ops::tolist(strict.fake("i64[10]"));
  ASSERT_EQ(checked.size(), 10U);
  for (const Value& v : checked) EXPECT_EQ(strict.env->statically({SymCompare::Ge, v.as_int(), 2}), true);
  const Error e = error_of([&] { ops::tolist(s.fake("i64[2,2]")); });
  EXPECT_EQ(e.kind, ErrorKind::NotSupported);
  EXPECT_THAT(e.message, HasSubstr("NYI for higher dims"));
  EXPECT_EQ(ops::tolist(tensor_of<int64_t>({4, 7}, {2}))[1], Value(7));
}

// OPS-27: broadcasting asks first whether a size is 1. The assumption is no, so the two sizes must be equal.
TEST(DataDependent, UnbackedSizeIsAssertedEqualToFixedOne) {
  const Symbols s;
  const Tensor x = run("aten.masked_select.default", {s.fake("f32[20]"), s.fake("bool[20]")})[0].tensor();
  const Tensor sum = run("aten.add.Tensor", {x, s.fake("f32[5]")})[0].tensor();
  EXPECT_EQ(sum.dim(), 1);
  const std::vector<Guard> asserts = s.env->asserts();
  ASSERT_EQ(asserts.size(), 1U);
  EXPECT_EQ(asserts[0].text, "u0 == 5");
  ASSERT_EQ(s.env->assumptions().size(), 1U);
  EXPECT_EQ(s.env->assumptions()[0].text, "u0 != 1");
  EXPECT_TRUE(s.env->guards().empty());
  const auto real = [](int64_t n) { return [n](std::string_view) { return std::optional(n); }; };
  EXPECT_EQ(s.env->failed(real(5)).size(), 0U);
  EXPECT_EQ(s.env->failed(real(6)).size(), 1U);
}

// SYM-04: layouts assume that an unbacked size is neither 0 nor 1; elsewhere the size may be 0.
TEST(DataDependent, LayoutsReadSizeAsNeitherZeroNorOne) {
  const Symbols s;
  const Tensor x = run("aten.nonzero.default", {s.fake("f32[30]")})[0].tensor();
  const Tensor rows = run("aten.squeeze.default", {x})[0].tensor();
  EXPECT_EQ(to_string(rows.meta()), "i64[u0]{1}+0@cpu");
  ASSERT_EQ(s.env->assumptions().size(), 1U);
  EXPECT_EQ(s.env->assumptions()[0].text, "u0 != 1");
  EXPECT_EQ(s.env->statically({SymCompare::Eq, s.env->symbol("u0"), 0}), std::nullopt);
  EXPECT_EQ(kind_of([&] { (void)guard_eq(s.env->symbol("u0"), 0); }), ErrorKind::GuardOnDataDependent);
}

// SYM-03
TEST(DataDependent, AssertedRangeNarrowsTheFacts) {
  const Symbols s;
  const Value n = run("aten.item.default", {s.fake("i64[]")})[0];
  run("aten.sym_constrain_range_for_size.default", {n, Value(), 20});
  EXPECT_EQ(range(s, "u0"), "0..20");
  EXPECT_FALSE(size_eq(n.as_int(), 1));  // size_eq assumes that a symbolic size is neither 0 nor 1
  run("aten._assert_scalar.default", {Value::truth(truth_of({SymCompare::Ge, n.as_int(), 3})), "three at least"});
  EXPECT_EQ(range(s, "u0"), "3..20");
  const std::vector<Guard> failed = s.env->failed([](std::string_view) { return std::optional<int64_t>(2); });
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].message, "three at least");
  EXPECT_EQ(error_of([&] {
              run("aten._assert_scalar.default", {Value::truth(truth_of({SymCompare::Gt, n.as_int(), 20})), "never"});
            }).message.find("_assert_scalar: never"),
            0U);
}

// The size of a slice up to a symbol is an expression, and no guard is recorded.
TEST(DataDependent, SliceUpToSymbolIsExpression) {
  const Symbols s;
  const Value n = run("aten.item.default", {s.fake("i64[]")})[0];
  const Tensor x = s.fake("f32[10,2]");
  const Tensor part = run("aten.slice.Tensor", {x, 0, 0, n, 1})[0].tensor();
  ASSERT_TRUE(part.size(0).is_symbolic());
  for (int64_t v : {-12, -3, 0, 4, 10, 30}) {
    const int64_t expected = std::clamp<int64_t>(v < 0 ? v + 10 : v, 0, 10);
    EXPECT_EQ(evaluate(part.size(0), [&](std::string_view) { return std::optional(v); }), expected) << v;
  }
  EXPECT_TRUE(s.env->guards().empty());
  EXPECT_TRUE(s.env->asserts().empty());
}

// Recorded symbols keep their names, and the op's bound of a size becomes a fact about the symbol.
TEST(DataDependent, RecordedSymbolsAreUsedAgain) {
  const Symbols s;
  const SymInt recorded[] = {s.env->symbol("u7")};
  const Tensor x = s.fake("f32[40]");
  {
    const RecordedSymbols names(recorded);
    EXPECT_EQ(to_string(run("aten.nonzero.default", {x})[0].tensor().size(0)), "u7");
    EXPECT_EQ(to_string(run("aten.nonzero.default", {s.fake("f32[30]")})[0].tensor().size(0)),
              "u0");  // all recorded names are used
  }
  EXPECT_EQ(range(s, "u7"), "0..40");
}

// BEY-35: an error about an unbacked symbol names the op that made the symbol, and values that were seen.
TEST(DataDependent, ErrorTellsWhereUnknownSizeComesFrom) {
  const Symbols s;
  const Tensor where = run("aten.nonzero.default", {s.fake("f32[40]")})[0].tensor();
  s.env->note_value("u0", 3);
  s.env->note_value("u0", 9);
  const Error e = error_of([&] { run("aten.split.Tensor", {where, 4, 0}); });
  EXPECT_EQ(e.kind, ErrorKind::GuardOnDataDependent);
  EXPECT_THAT(e.message, HasSubstr("u0 has no hint (made by aten.nonzero.default) (seen: 3, 9)"));
}

/// Returns a mode with propagate_real and a ShapeEnv.
Symbols carrying() { return Symbols({}, {.propagate_real = true, .static_shapes = true}); }

// REAL-05: the symbol has its real value, after a direct call and after a call in a composite op's body.
TEST(DataDependentReal, TheSymbolKnowsTheRealValue) {
  const Symbols s = carrying();
  const Tensor x = s.mode.from_tensor(tensor_of<float>({0, 1, 2, 0, 3}, {5}));
  const Tensor where = run("aten.nonzero.default", {x})[0].tensor();
  EXPECT_EQ(to_string(where.meta()), "i64[u0,1]{1,u0}+0@cpu");
  EXPECT_EQ(s.env->real_value(where.size(0)), 3);
  EXPECT_EQ(to_string(real_value(where).meta()), "i64[3,1]{1,3}+0@cpu");
  const Tensor rows = run("aten.argwhere.default", {s.mode.from_tensor(tensor_of<float>({1, 0}, {2}))})[0].tensor();
  EXPECT_EQ(to_string(rows.size(0)), "u1");
  EXPECT_EQ(s.env->real_value(rows.size(0)), 1);
}

// REAL-04: later calls with the symbol run for real with its value.
TEST(DataDependentReal, SymbolicArgumentsEnterRealRunAsTheirValues) {
  const Symbols s = carrying();
  const Tensor x = s.mode.from_tensor(tensor_of<float>({0, 1, 2, 0, 3}, {5}));
  const Tensor where = run("aten.nonzero.default", {x})[0].tensor();
  const SymInt n = where.size(0);
  const Tensor ones = run("aten.expand.default", {x, Value(DimVec{n, SymInt(5)})})[0].tensor();
  EXPECT_EQ(to_string(ones.meta()), "f32[u0,5]{0,1}+0@cpu");
  ASSERT_TRUE(real_value(ones));
  EXPECT_EQ(to_string(real_value(ones).meta()), "f32[3,5]{0,1}+0@cpu");
  EXPECT_TRUE(s.mode.real_report().mismatches.empty());
  EXPECT_TRUE(s.mode.real_report().losses.empty());
}

// REAL-06
TEST(DataDependentReal, BranchTakesRealValueAndLeavesAssert) {
  const Symbols s = carrying();
  const Tensor x = s.mode.from_tensor(tensor_of<float>({0, 1, 2, 0, 3}, {5}));
  const SymInt n = run("aten.nonzero.default", {x})[0].tensor().size(0);
  EXPECT_TRUE(guard_le(n, 5));  // a fact about the symbol decides it
  EXPECT_TRUE(s.env->asserts().empty());
  EXPECT_TRUE(guard_eq(n, 3));
  const std::vector<Guard> asserts = s.env->asserts();
  ASSERT_EQ(asserts.size(), 1U);
  EXPECT_EQ(asserts[0].text, "u0 == 3");
  EXPECT_THAT(asserts[0].message, HasSubstr("propagate_real_tensors"));
}

// REAL-03: a call with a symbol without a real value does not run for real.
TEST(DataDependentReal, SymbolWithoutValueEndsRealSide) {
  const Symbols s = carrying();
  const Tensor x = s.mode.from_tensor(tensor_of<float>({1, 2}, {2}));
  const SymInt u = s.env->fresh();
  const Tensor wide = run("aten.expand.default", {x, Value(DimVec{u, SymInt(2)})})[0].tensor();
  EXPECT_EQ(to_string(wide.size(0)), "u0");
  EXPECT_FALSE(real_value(wide));
  ASSERT_EQ(s.mode.real_report().losses.size(), 1U);
  EXPECT_EQ(s.mode.real_report().losses[0].reason, "an argument is symbolic");
}

}  // namespace
}  // namespace ersatz
