// What PyTorch 2.15 eager names first on the CPU where an `out=` argument is wrong too, and calls whose `out=` argument
// is the input or is given twice.
#include <gtest/gtest.h>

#include "tests/ops/eager_answers.h"
#include "tests/ops/op_calls.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

TEST(EagerOuts, MissingKernelIsNamedBeforeTheDtypeOfOut) {
  expect_answers({
      {"aten.trace.out", "bool[3,3], out=f32[0]", ""},
      {"aten.trace.out", "i32[3,3], out=f32[0]", "trace.out_dtype"},
      {"aten.topk.values", "bool[3], 1, -1, True, True, values=f32[0], indices=i64[0]", ""},
      {"aten.topk.values", "bool[3], 4, -1, True, True, values=f32[0], indices=i64[0]", "topk.C1"},
      {"aten.topk.values", "f32[3], 1, -1, True, True, values=bool[0], indices=i64[0]", "topk.out_dtype"},
  });
}

TEST(EagerOuts, MeanOfALimitedDtypeIsSummedInTheDtypeOfOut) {
  expect_answers({
      {"aten.mean.out", "f8e5m2[2,3], [0], out=i32[0]", "mean.result_type"},
      {"aten.mean.out", "c32[2,3], [0], out=bool[0]", "mean.result_type"},
      {"aten.mean.out", "f8e5m2[2,3], [0], out=u16[0]", ""},
      {"aten.mean.out", "f8e5m2[0,3], [0], out=u16[0]", "mean.result_type"},
      {"aten.mean.out", "f8e5m2[2,3], [0], dtype=f32, out=i32[0]", "mean.out_dtype"},
      {"aten.mean.out", "f8e5m2[2,3], [0], out=f32[0]", "f32[3]"},
  });
}

TEST(EagerOuts, DtypeOfOutIsNamedBeforeAMissingKernelAndItsMemoryBehindIt) {
  constexpr std::string_view kInverse = "aten.cholesky_inverse.out", kCopy = "aten.index_copy.out";
  const auto lstsq = [](const char* dtype, const char* rank) {
    const Tensor solution = make("f32[0]"), residuals = make("f32[0]"), values = make("f32[0]");
    run("aten.linalg_lstsq.out",
        {make(fmt::format("{}[3,1]", dtype).c_str()), make(fmt::format("{}[3]", dtype).c_str()), 1.0},
        {{"solution", solution}, {"residuals", residuals}, {"rank", make(rank)}, {"singular_values", values}});
  };
  expect_refused([&] { lstsq("i64", "bool[0]"); }, ErrorFamily::Runtime, "linalg_lstsq.out_dtype");
  expect_answers({
      {kInverse, "bool[4,4], out=f32[4,4]{0,1}", ""},
      {"aten.nansum.out", "f64[2,3], [7], dtype=f16, out=f64[2,3]", "nansum.out_dtype"},
      {"aten.nansum.out", "f64[2,3], [7], dtype=f64, out=f64[2,3]", "nansum.dim"},
      {"aten.linalg_ldl_solve.default", "f64[3,3], i32[3], f32[2]", "linalg_ldl_solve.C3"},
      {"aten.linalg_ldl_solve.default", "f64[3,3], i32[3], f64[]", "linalg_ldl_solve.C4"},
      {kInverse, "f16[4,4], out=i32[4,4]{0,1}", "cholesky_inverse.result_type"},
      {kInverse, "f32[4,4], out=f32[4,4]{0,1}", "cholesky_inverse.overlap"},
      {kCopy, "f32[3], 0, i64[], f32[3], out=f32[3]{0}", "index_copy.C6"},
      {kCopy, "f32[3], 0, i64[], f32[3], out=f32[5]{0}", "index_copy.C3"},
      {kCopy, "f32[3], 0, i64[], f32[3], out=f64[3]{0}", "index_copy.out_dtype"},
  });
}

TEST(EagerOuts, OneTensorForBothResultsWithoutTheDim) {
  const Tensor x = ramp("i64[2,3]"), out = make("i64[0]");
  for (const char* op : {"aten.max.dim_max", "aten.min.dim_min", "aten.mode.values", "aten.kthvalue.values"}) {
    SCOPED_TRACE(op);
    const OpEntry& entry = op_named(op);
    const bool kth = entry.base() == "kthvalue";
    const auto call = [&](const Tensor& self, bool keepdim) {
      std::vector<Value> args{Value(self)};
      if (kth) args.emplace_back(int64_t(1));
      for (Value v : {Value(int64_t(0)), Value(keepdim), Value(out), Value(out)}) args.push_back(std::move(v));
      Values results;
      dispatch(entry, args, results);
    };
    expect_refused([&] { call(x, false); }, ErrorFamily::Runtime, fmt::format("{}.overlap.or_any", entry.base()));
    call(x, true);
    expect(out).meta("i64[1,3]");
    call(ramp("i64[3]"), false);
    expect(out).meta("i64[]");
  }
}

TEST(EagerOuts, NormsReadAnInputThatIsOutAfterItsResize) {
  const auto norm = [](const char* op, const char* sizes, bool keepdim) {
    const Tensor x = make(sizes);
    std::vector<Value> args{Value(x)};
    if (op_named(op).base() != "frobenius_norm") args.emplace_back(int64_t(2));
    const int64_t dim[] = {0};
    for (Value v : {Value::int_list(dim), Value(keepdim)}) args.push_back(std::move(v));
    const std::pair<std::string, Value> out[] = {{"out", Value(x)}};
    call(op_named(op), std::move(args), out);
    return x;
  };
  for (const char* op : {"aten.linalg_vector_norm.out", "aten.norm.out", "aten.frobenius_norm.out"}) {
    SCOPED_TRACE(op);
    expect_refused([&] { norm(op, "f32[2,3]", false); }, ErrorFamily::Runtime,
                   fmt::format("{}.overlap.or_any", op_named(op).base()));
    expect(norm(op, "f32[1,3]", true)).meta("f32[1,3]");
  }
}

TEST(EagerOuts, DimsOfAnInputThatIsOutAreThoseAfterItsResize) {
  const auto reduced = [](const char* op, const char* sizes, int64_t dim) {
    const Tensor x = make(sizes);
    const OpEntry& entry = op_named(op);
    const bool list = entry.schema.arguments[1].type.is_list();
    std::vector<Value> args{Value(x), list ? Value::int_list({&dim, 1}) : Value(dim)};
    const std::pair<std::string, Value> out[] = {{"out", Value(x)}};
    call(entry, std::move(args), out);
    return x;
  };
  for (const char* op : {"aten.sum.IntList_out", "aten.nansum.out", "aten.amin.out", "aten.amax.out",
                         "aten.prod.int_out", "aten.argmax.out", "aten.argmin.out"}) {
    SCOPED_TRACE(op);
    expect_refused([&] { reduced(op, "i64[2,3]", 1); }, ErrorFamily::Index, fmt::format("{}.dim", op_named(op).base()));
    expect(reduced(op, "i64[2,3]", -1)).meta("i64[2]");
  }
  expect(reduced("aten.nansum.out", "f32[2,3]", 1)).meta("f32[2]");
  for (const char* op : {"aten.all.out", "aten.any.out", "aten.all.dims_out", "aten.any.dims_out"}) {
    SCOPED_TRACE(op);
    expect_refused([&] { reduced(op, "bool[2,3]", 1); }, ErrorFamily::Index,
                   fmt::format("{}.dim", op_named(op).base()));
    expect(reduced(op, "bool[1,3]", 1)).meta("bool[1]");
  }
}

TEST(EagerOuts, ResizedOutFollowsTheOrderOfTheOperands) {
  const Tensor taken = make("f32[]");
  run("aten.take.out", {make("f32[5]"), make("i64[3,2]{1,3}")}, {{"out", taken}});
  expect(taken).meta("f32[3,2]{1,3}");

  const auto frexp = [](const char* mantissa, const char* exponent) {
    const Tensor m = make(mantissa), e = make(exponent);
    run("aten.frexp.Tensor_out", {make("f64[2,1,2,2]{1,2,4,2}")}, {{"mantissa", m}, {"exponent", e}});
    return std::pair(m, e);
  };
  expect(frexp("f64[2,1,2,2]", "i32[]").second).meta("i32[2,1,2,2]{4,8,2,1}");
  expect(frexp("f64[]", "i32[2,1,2,2]{2,2,1,4}").first).meta("f64[2,1,2,2]{2,4,1,4}");
  expect(frexp("f64[]", "i32[]").first).meta("f64[2,1,2,2]{1,2,4,2}");
}

TEST(EagerOuts, CopyOfNoMemoryBeginsAtItsBeginning) {
  const auto copied = [](int64_t bytes) {
    const DimVec sizes{2, 0, 1}, strides{2, 2, 2};
    const Tensor x(TensorMeta(DType::F32, sizes, strides, kCPU, 1), Storage::allocate(bytes, kCPU));
    return call_op<"aten.copy.default">(x, make("f32[]"), false).storage_offset().as_int();
  };
  EXPECT_EQ(copied(0), 0);
  EXPECT_EQ(copied(4), 1);
}

TEST(EagerOuts, NormLooksAtItsDimsBeforeItsOrder) {
  expect_answers({
      {"aten.norm.ScalarOpt_dim", "f32[2,3], (1+2j), [7], True", "norm.dim"},
      {"aten.norm.ScalarOpt_dim", "f32[2,3], (1+2j), [0, 0], True", "norm.C1"},
      {"aten.norm.ScalarOpt_dim", "f32[2,3], (1+2j), [0], True", "norm.C2"},
      {"aten.norm.ScalarOpt_dim_dtype", "f32[], (1+2j), [3], True, dtype=f32", "norm.dim"},
      {"aten.linalg_vector_norm.default", "f32[2,3], (1+2j), [7]", "linalg_vector_norm.C2"},
  });
}

TEST(EagerOuts, RowsAreNotSelectedIntoSelf) {
  for (const char* sizes : {"f32[0]", "f32[3]"}) {
    SCOPED_TRACE(sizes);
    const Tensor x = make(sizes);
    const std::pair<std::string, Value> out[] = {{"out", Value(x)}};
    const auto select = [&] {
      call(op_named("aten.index_select.out"), std::vector{Value(x), Value(int64_t(0)), Value(make("i64[1]"))}, out);
    };
    expect_refused(select, ErrorFamily::Runtime, "index_select.overlap");
  }
}

TEST(EagerOuts, SelectionsAreNotWrittenIntoTheirInput) {
  for (const char* sizes : {"f32[]", "f32[1]", "c64[1,1]"}) {
    SCOPED_TRACE(sizes);
    const Tensor x = make(sizes);
    const std::pair<std::string, Value> outs[] = {{"values", Value(x)}, {"indices", Value(make("i64[]"))}};
    expect_refused(
        [&] {
          call(op_named("aten.kthvalue.values"), std::vector{Value(x), Value(int64_t(1))}, outs);
        },
        ErrorFamily::Runtime, "kthvalue.overlap");
  }
  for (const char* sizes : {"i64[]", "i64[2,1]"}) {
    SCOPED_TRACE(sizes);
    const Tensor x = make(sizes);
    const std::pair<std::string, Value> named[] = {{"size", Value(int64_t(2))}, {"out", Value(x)}};
    expect_refused([&] { call(op_named("aten.nonzero_static.out"), std::vector{Value(x)}, named); },
                   ErrorFamily::Runtime, "nonzero_static.overlap");
  }
}

TEST(EagerOuts, MaskBeforeOtherIndicesHasItsSizesCheckedBeforeMemory) {
  const Tensor x = make("i64[4,1]");
  const auto put = [&](const char* mask, const char* value) {
    const Value indices[] = {Value(make(mask)), Value(x)};
    call(op_named("aten.index_put_.default"), std::vector{Value(x), Value::list(indices), Value(make(value))});
  };
  expect_refused([&] { put("bool[1]", "i64[]"); }, ErrorFamily::Index, "index_put_.C3");
  expect_refused([&] { put("bool[4]", "i64[]"); }, ErrorFamily::Runtime, "index_put_.C8");
  expect_refused([&] { put("bool[1]", "i64[4]"); }, ErrorFamily::Runtime, "index_put_.C8");
}

}  // namespace
}  // namespace ersatz
