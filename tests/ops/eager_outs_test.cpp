// Calls with a wrong `out=` argument and other faults, and calls whose `out=` is the input or is given twice: the first
// fault that PyTorch 2.15 eager reports on the CPU.
#include <gtest/gtest.h>

#include "tests/ops/eager_answers.h"
#include "tests/ops/op_calls.h"
#include "tests/ops/op_values.h"

namespace ersatz {
namespace {

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

TEST(EagerOuts, VdotResizesAnInputThatIsOut) {
  for (const int same : {0, 1}) {
    SCOPED_TRACE(same);
    const Tensor factors[] = {make("f64[3]"), make("f64[3]")};
    const std::pair<std::string, Value> out[] = {{"out", Value(factors[same])}};
    expect_refused(
        [&] {
          call(op_named("aten.vdot.out"), std::vector<Value>{Value(factors[0]), Value(factors[1])}, out);
        },
        ErrorFamily::Runtime, "vdot.overlap.or_any");
  }
}

TEST(EagerOuts, NormsReadInputOutAfterItsResize) {
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

TEST(EagerOuts, DimsOfAliasedInputFollowItsResize) {
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

TEST(EagerOuts, CopyOfNoMemoryBeginsAtItsBeginning) {
  const auto copied = [](int64_t bytes) {
    const DimVec sizes{2, 0, 1}, strides{2, 2, 2};
    const Tensor x(TensorMeta(DType::F32, sizes, strides, kCPU, 1), Storage::allocate(bytes, kCPU));
    return call_op<"aten.copy.default">(x, make("f32[]"), false).storage_offset().as_int();
  };
  EXPECT_EQ(copied(0), 0);
  EXPECT_EQ(copied(4), 1);
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

TEST(EagerOuts, FirstMaskHasItsSizesCheckedBeforeMemory) {
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
