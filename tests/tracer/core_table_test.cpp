// Decomposition tables: the calls that they record for an operator must give the operator's values.
#include "tracer/trace/core_decompositions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "include/ersatz/ops.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/meta_text.h"
#include "tracer/program/program.h"
#include "tracer/trace/trace.h"

namespace ersatz {
namespace {

using ::testing::ElementsAre;

Tensor matrix() { return tensor_of<float>({1, 2, 3, 4, 5, 6}, {2, 3}); }

Program traced(const TracedFunction& f, std::span<const Value> inputs, const DecompositionTable& table) {
  TraceOptions options;
  options.mode = TraceMode::Real;
  options.decompositions = &table;
  options.refuse_data_dependent = false;
  return trace(f, inputs, options);
}
std::vector<std::string> parts_of(std::string_view op, std::vector<Value> rest) {
  const Value inputs[] = {Value(matrix())};
  const Program p = traced(
      [&](std::span<const Value> x) {
        std::vector<Value> args{x[0]};
        args.insert(args.end(), rest.begin(), rest.end());
        Values results;
        dispatch(op_named(op), args, results);
        return std::vector<Value>{results[0]};
      },
      inputs, core_decompositions());
  std::vector<std::string> names;
  for (const Node& n : p.main().nodes) names.emplace_back(p.name(p.op(n).name));
  return names;
}

TEST(CoreTable, WriteIsPartsOfFunctionalOperatorAndCopy) {
  EXPECT_THAT(parts_of("aten.silu_.default", {}),
              ElementsAre("aten.sigmoid.default", "aten.mul.Tensor", "aten.copy_.default"));
  EXPECT_THAT(parts_of("aten.gelu_.default", {"none"}), ElementsAre("aten.gelu.default", "aten.copy_.default"));
}

TEST(CoreTable, InPlaceEluIsDecomposedThoughEluIsCore) {
  EXPECT_THAT(parts_of("aten.elu_.default", {2.0, 1, 1}),
              ElementsAre("aten.gt.Scalar", "aten.mul.Tensor", "aten.mul.Tensor", "aten.expm1.default",
                          "aten.mul.Tensor", "aten.where.self", "aten.copy_.default"));
}

TEST(CoreTable, SoftplusByItsDefaultsScalesNothing) {
  EXPECT_THAT(parts_of("aten.softplus.default", {1, 20}),
              ElementsAre("aten.exp.default", "aten.log1p.default", "aten.gt.Scalar", "aten.where.self"));
  EXPECT_THAT(parts_of("aten.softplus.default", {2, 20}),
              ElementsAre("aten.mul.Tensor", "aten.exp.default", "aten.log1p.default", "aten.div.Tensor",
                          "aten.gt.Scalar", "aten.where.self"));
}

TEST(CoreTable, TheSignOfRealNumbersIsOneOperator) {
  EXPECT_THAT(parts_of("aten.sgn.default", {}), ElementsAre("aten.sign.default"));
}

TEST(CoreTable, WriteAtIndicesIsOneIntoTensorItself) {
  EXPECT_THAT(parts_of("aten.index_fill_.int_Scalar", {0, Value(tensor_of<int64_t>({1}, {1})), 2}),
              ElementsAre("aten.scalar_tensor.default", "aten.expand.default", "aten.index_put_.default"));
}

TEST(CoreTable, ExportsOtherDecompositionsHaveTheirOwnTable) {
  const auto takes_apart = [](const DecompositionTable& table, std::string_view op) {
    return table.find(op_named(op)) != nullptr;
  };
  EXPECT_FALSE(takes_apart(core_decompositions(), "aten.native_batch_norm.default"));
  EXPECT_TRUE(takes_apart(exported_decompositions(), "aten.native_batch_norm.default"));
}

/// Returns the first difference between the results' dtypes, sizes and, up to rounding, elements.
std::string difference(const Values& got, const Values& expected, double tolerance) {
  std::vector<Tensor> a, b;
  for_each_tensor(got, [&](TensorImpl* t) { a.emplace_back(Ref<TensorImpl>(t)); });
  for_each_tensor(expected, [&](TensorImpl* t) { b.emplace_back(Ref<TensorImpl>(t)); });
  if (a.size() != b.size()) return fmt::format("{} tensors, {}", a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].dtype() != b[i].dtype() || !sym_eq(a[i].sizes(), b[i].sizes()))
      return fmt::format("{} / {}", a[i].meta(), b[i].meta());
    const Value close = call("aten.allclose.default", {Value(a[i]), Value(b[i]), tolerance, tolerance, true})[0];
    if (!close.as_bool()) return fmt::format("values of {}", a[i].meta());
  }
  return "";
}

TEST(CoreTable, EveryDecompositionGivesWhatItsOperatorGives) {
  int compared = 0;
  for (const OpEntry* op : registry().all()) {
    if (!op->decomposition || op->tags.has(Tag::Random) || op->tags.has(Tag::Uninitialized)) continue;
    for (const Sample& sample : op->samples) {
      const std::vector<Value> args = sample_arguments(*op, sample, {});
      const bool halves = std::any_of(args.begin(), args.end(), [](const Value& v) {
        return v.is_tensor() && is_reduced_float(v.tensor().dtype());
      });
      Values whole, parts;
      dispatch(*op, args, whole);
      try {
        traced(
            [&](std::span<const Value>) {
              dispatch(*op, args, parts);
              return std::vector<Value>{};
            },
            {}, core_decompositions());
        EXPECT_EQ(difference(parts, whole, halves ? 2e-2 : 1e-4), "") << op->name << " of " << sample.arguments;
      } catch (const Error& e) {
        ADD_FAILURE() << op->name << " of " << sample.arguments << ": " << e.message;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace ersatz
