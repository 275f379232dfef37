// Devices of results, and mixes of devices that are refused, in fake runs without a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fake/mode/fake_mode.h"
#include "kernels/creation/empty.h"
#include "kernels/creation/full.h"
#include "kernels/creation/tensor.h"
#include "kernels/indexing/index.h"
#include "kernels/pointwise/pointwise.h"
#include "kernels/random/rand.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "kernels/shape/view_scatter.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

constexpr Device kUnresolvedCuda{DeviceType::CUDA, -1};

class Devices : public testing::Test {
 protected:
  Tensor make(const char* text) { return mode.make(meta_of(text)); }
  static std::string meta(const Tensor& t) {
    return t.is_fake() ? to_string(t.meta(), MetaStyle::People) : "not fake: " + to_string(t.meta());
  }
  static std::string meta_of_call(std::string_view op, std::initializer_list<Value> args) {
    return meta(call(op, args)[0].tensor());
  }
  static DimVec sizes(std::initializer_list<int64_t> v) {
    DimVec d;
    for (int64_t x : v) d.push_back(x);
    return d;
  }

  FakeMode mode;
  FakeScope scope{mode};
};

// DEV-01
TEST_F(Devices, TwoCpuTensorsBroadcastOnTheCpu) {
  EXPECT_EQ(meta(ops::add(make("f32[2,2]"), make("f32[4,2,2]"))), "f32[4,2,2]@cpu");
}
// DEV-02
TEST_F(Devices, ZeroDimCpuTensorYieldsToCudaAnywhere) {
  EXPECT_EQ(meta(ops::add(make("f32[]"), make("f32[4,4]@cuda:0"))), "f32[4,4]@cuda:0");
  EXPECT_EQ(meta(ops::add(make("f32[4,4]@cuda:0"), make("f32[]"))), "f32[4,4]@cuda:0");
}
// DEV-03
TEST_F(Devices, FirstNonScalarTensorSetsDevice) {
  const Tensor scalar = make("f32[]"), cpu = make("f32[1]"), cuda0 = make("f32[1]@cuda:0"),
               cuda1 = make("f32[1]@cuda:1");
  const auto where = [](const Tensor& a, const Tensor& b, const Tensor& c) {
    return meta_of_call("aten.addcmul.default", {a, b, c});
  };
  EXPECT_EQ(where(cuda0, cuda0, cuda0), "f32[1]@cuda:0");
  EXPECT_EQ(where(scalar, scalar, cuda0), "f32[1]@cuda:0") << "one that came from scalars alone is overwritten";
  EXPECT_EQ(where(cuda0, scalar, scalar), "f32[1]@cuda:0");
  EXPECT_EQ(where(scalar, scalar, scalar), "f32[]@cpu");
  EXPECT_THROW(where(scalar, cpu, cuda0), Error) << "a cpu tensor with dims is not overwritten";
  EXPECT_THROW(where(cpu, scalar, cuda0), Error);
  EXPECT_THROW(where(cuda0, scalar, cpu), Error);
  EXPECT_THROW(where(cuda0, cuda1, cuda0), Error);
}
// DEV-04
TEST_F(Devices, TwoDevicesAreAMismatchThatNamesBoth) {
  const Tensor x = make("f32[4]"), y = make("f32[4]@cuda:0");
  const Error out = error_of([&] { call(op_named("aten.sin.out"), std::vector<Value>{x}, {{{"out", y}}}); });
  EXPECT_EQ(out.kind, ErrorKind::DeviceMismatch);
  EXPECT_THAT(out.message, ContainsRegex("found.+two.+devices"));
  EXPECT_THAT(out.message, HasSubstr("sin: "));
  const Error inplace = error_of([&] { call("aten.add_.Tensor", {x, y}); });
  EXPECT_EQ(inplace.kind, ErrorKind::DeviceMismatch);
  EXPECT_THAT(inplace.message, ContainsRegex("found.+two.+devices"));
  EXPECT_THAT(inplace.message, HasSubstr("cpu, cuda:0"));
}
// DEV-05
TEST_F(Devices, LerpOfAScalarCudaAndCpuThrows) {
  const Error e = error_of([&] {
    call("aten.lerp.Tensor", {make("f32[]"), make("f32[4,4]@cuda:0"), make("f32[4,4]")});
  });
  EXPECT_EQ(e.kind, ErrorKind::DeviceMismatch);
}
// DEV-06
TEST_F(Devices, NumbersAloneMakeACpuTensor) {
  EXPECT_EQ(meta_of_call("aten.div.Tensor", {3, 2}), "f32[]@cpu");
  const Tensor ints = ops::zeros(sizes({2}), {DType::I32, {}});
  EXPECT_EQ(meta_of_call("aten.mul.Tensor", {ints, 2.0}), "f32[2]@cpu");
}
// DEV-07
TEST_F(Devices, NumbersAloneAreRefusedWhereTensorsAreNeeded) {
  const Error e = error_of([&] { call("aten.sin.default", {3.0}); });
  EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(e.message, HasSubstr("Could not find common device for aten.sin.default"));
  const Error beside = error_of([&] { call("aten.mm.default", {make("f32[2,2]"), 2}); });
  EXPECT_EQ(beside.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(beside.message, HasSubstr("argument 1 must be a tensor, it is 2"));
}
// DEV-08
TEST_F(Devices, AnExplicitDeviceWinsAndNumbersPassUnchanged) {
  const Tensor x = make("f32[2,3]");
  EXPECT_EQ(meta(ops::zeros_like(x, {{}, cuda(1)})), "f32[2,3]@cuda:1");
  EXPECT_EQ(meta(ops::new_full(x, sizes({2}), 1, {{}, cuda(0)})), "f32[2]@cuda:0");
  const Values size = call("aten.sym_size.int", {make("f32[2,3]@cuda:0"), 1});
  EXPECT_EQ(size[0], Value(3));
}
// DEV-09
TEST_F(Devices, CudaIndexIsResolvedWhenTensorIsMade) {
  const Tensor x = ops::empty(sizes({1}), {{}, kUnresolvedCuda});
  EXPECT_EQ(x.device(), cuda(0));
  EXPECT_EQ(meta(ops::add(x, ops::empty(sizes({1}), {{}, cuda(0)}))), "f32[1]@cuda:0");
}
// DEV-10
TEST_F(Devices, ToKeepsObjectOnSameDeviceOnly) {
  const Tensor x = make("f32[4]");
  EXPECT_TRUE(ops::to(x, kCPU).is(x));
  EXPECT_EQ(meta(ops::to(x, cuda(0))), "f32[4]@cuda:0");
  EXPECT_EQ(meta_of_call("aten.to.device", {x, kUnresolvedCuda, DType::F32}), "f32[4]@cuda:0");
  const Values by_keyword =
      call(op_named("aten.to.dtype_layout"), std::vector<Value>{x}, {{{"device", kUnresolvedCuda}}});
  EXPECT_EQ(meta(by_keyword[0].tensor()), "f32[4]@cuda:0");
}
// DEV-11
TEST_F(Devices, TypeAsTakesTheDeviceToo) {
  EXPECT_EQ(meta(ops::type_as(make("f32[4]"), make("f64[2]@cuda:0"))), "f64[4]@cuda:0");
}
// DEV-12
TEST_F(Devices, FactoriesTakeTheInputsArgumentsOrDefaultDevice) {
  const Tensor x = make("f32[4]");
  EXPECT_EQ(meta(ops::ones_like(x)), "f32[4]@cpu");
  EXPECT_EQ(meta(ops::ones_like(x, {{}, cuda(0)})), "f32[4]@cuda:0");
  EXPECT_EQ(meta(ops::ones(sizes({2}))), "f32[2]@cpu");
  ContextGuard guard([](RuleContext& c) { c.default_device = cuda(1); });
  EXPECT_EQ(meta(ops::ones(sizes({2}))), "f32[2]@cuda:1");
  EXPECT_EQ(meta(ops::ones_like(x)), "f32[4]@cpu");
}
// DEV-13
TEST_F(Devices, CopyIntoATensorKeepsItsDevice) {
  const Tensor x = make("f32[4]"), y = make("f32[4]@cuda:0");
  EXPECT_EQ(meta(ops::copy_(x, y)), "f32[4]@cpu");
  EXPECT_EQ(meta(ops::copy_(y, x)), "f32[4]@cuda:0");
}
// DEV-14
TEST_F(Devices, ReplacingViewTakesSelfsDeviceInBothDirections) {
  const Tensor x = make("f32[4,4]"), y = make("f32[4,4]@cuda:0"), part = make("f32[2,4]@cuda:0");
  EXPECT_EQ(meta(ops::copy(x, y)), "f32[4,4]@cpu");
  EXPECT_EQ(meta(ops::copy(y, x)), "f32[4,4]@cuda:0");
  const Tensor out = make("f32[4,4]");
  const Values copied = call(op_named("aten.copy.out"), std::vector<Value>{x, y}, {{{"out", out}}});
  EXPECT_TRUE(copied[0].tensor().is(out));
  EXPECT_EQ(out.device(), kCPU);
  EXPECT_EQ(meta(ops::slice_scatter(x, part, 0, SymInt(2))), "f32[4,4]@cpu");
  EXPECT_EQ(meta(ops::slice_scatter(y, make("f32[2,4]"), 0, SymInt(2))), "f32[4,4]@cuda:0");
  const Values scattered =
      call(op_named("aten.slice_scatter.out"), std::vector<Value>{x, part, 0, 2}, {{{"out", out}}});
  EXPECT_TRUE(scattered[0].tensor().is(out));
  EXPECT_EQ(out.device(), kCPU);
}
// DEV-15
TEST_F(Devices, CudaIsIndexedByCpuIndices) {
  const std::optional<Tensor> at[] = {make("i64[36]")};
  EXPECT_EQ(meta(ops::index(make("f32[2048]@cuda:0"), at)), "f32[36]@cuda:0");
  const std::optional<Tensor> two[] = {make("i64[]"), make("i64[]")};
  EXPECT_EQ(meta(ops::index(make("f32[4,4]@cuda:0"), two)), "f32[]@cuda:0");
}
// DEV-16
TEST_F(Devices, PutTakesCpuIndicesOnCudaNotReverse) {
  const std::optional<Tensor> on_cpu[] = {make("i64[2]")}, on_cuda[] = {make("i64[2]@cuda:0")};
  EXPECT_EQ(meta(ops::index_put(make("f32[4,4]@cuda:0"), on_cpu, make("f32[4]@cuda:0"))), "f32[4,4]@cuda:0");
  const Error e = error_of([&] { ops::index_put(make("f32[4,4]"), on_cuda, make("f32[4]")); });
  EXPECT_EQ(e.label, "index_put.device") << "PyTorch's kernel refuses it too";
}
// DEV-17
TEST_F(Devices, ResizeAsTakesSizesAndNotTheDevice) {
  const Tensor x = make("f32[4]");
  EXPECT_TRUE(ops::resize_as_(x, make("f32[8,8]@cuda:0")).is(x));
  EXPECT_EQ(meta(x), "f32[8,8]@cpu");
}
// OPS-16
TEST_F(Devices, InPlaceFormsReturnSelfOutFormsReturnOut) {
  const Tensor x = make("f32[4,4]@cuda:0"), values = make("f32[]"), out = make("f32[4,4]@cuda:0");
  const std::optional<Tensor> at[] = {make("i64[2]")};
  EXPECT_TRUE(ops::index_put_(x, at, values).is(x));
  EXPECT_TRUE(ops::copy_(x, values).is(x));
  const Value list[] = {make("i64[2]")};
  for (const Tensor& fresh : {ops::index_put(x, at, values), ops::copy(x, values),
                              call("aten._unsafe_index_put.default", {x, Value::list(list), values})[0].tensor(),
                              ops::slice_scatter(x, make("f32[1,4]"), 0, SymInt(0), SymInt(1))}) {
    EXPECT_FALSE(fresh.shares_storage(x));
    EXPECT_EQ(meta(fresh), "f32[4,4]@cuda:0");
  }
  EXPECT_TRUE(call(op_named("aten.copy.out"), std::vector<Value>{x, values}, {{{"out", out}}})[0].tensor().is(out));
}
// OPS-17
TEST_F(Devices, AColumnIsSetOnEitherDevice) {
  for (const char* text : {"f32[16,1]", "f32[16,1]@cuda:0"}) {
    const Tensor x = make(text);
    const Tensor column = call("aten.select.int", {x, -1, 0})[0].tensor();
    call("aten.fill_.Tensor", {column, ops::tensor(0)});
    EXPECT_EQ(x.version(), 1u) << text;
    EXPECT_EQ(meta(x), std::string(text) + (x.device().is_cpu() ? "@cpu" : ""));
  }
}

bool cuda_is_mapped() {
  std::stringstream maps;
  maps << std::ifstream("/proc/self/maps").rdbuf();
  return maps.str().find("libersatz_cuda") != std::string::npos || maps.str().find("libcuda") != std::string::npos;
}

/// A death test runs this function in a child process, because another test of this process may have loaded CUDA.
void make_on_cuda() {
  FakeMode mode;
  FakeScope scope(mode);
  const SymInt ten[] = {10};
  const FactoryOptions on_cuda{{}, kUnresolvedCuda};
  for (const Tensor& t :
       {ops::empty(ten, on_cuda), ops::ones(ten, on_cuda), ops::zeros(ten, on_cuda), ops::rand(ten, on_cuda),
        ops::tensor(3.14, on_cuda), ops::tensor({{3.14, 2}, {1, 2}}, on_cuda)}) {
    std::fprintf(stderr, "%s %s\n", to_string(t.meta(), MetaStyle::People).c_str(), mode.owns(t) ? "fake" : "real");
  }
  std::fprintf(stderr, "%s\n", cuda_is_mapped() ? "CUDA is loaded" : "no CUDA is loaded");
  std::exit(0);
}

// DEV-18, MODE-19: factories and literals load no driver. (PyTorch sets a flag for literals; ersatz needs none.)
TEST(FakeDevices, FactoriesAndLiteralsOnCudaLoadNoDriver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(make_on_cuda(), testing::ExitedWithCode(0),
              "f32.10.@cuda:0 fake\n.*f32.10.@cuda:0 fake\n.*f32.10.@cuda:0 fake\n.*f32.10.@cuda:0 "
              "fake\n.*f32..@cuda:0 fake\n.*f32.2,2.@cuda:0 fake\n.*no CUDA is loaded");
}

}  // namespace
}  // namespace ersatz
