// Fake CUDA tensors need no CUDA: the process has not mapped a CUDA library.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "fake/mode/fake_mode.h"
#include "runtime/autograd/backward.h"
#include "runtime/op/autocast.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

bool is_mapped(const std::string& name) {
  std::stringstream maps;
  maps << std::ifstream("/proc/self/maps").rdbuf();
  return maps.str().find(name) != std::string::npos;
}

/// A death test runs this function in a child process, because another test of this process may have loaded CUDA.
void run_fake_on_cuda() {
  FakeMode mode;
  Tensor x = mode.make(parse_meta("f32[4,4]{4,1}+0@cuda:1"));
  Tensor y = call_test_op("twice", {x});
  const bool loaded = is_mapped("libersatz_cuda") || is_mapped("libcuda");
  std::fprintf(stderr, "%s, %s\n", to_string(y.meta()).c_str(), loaded ? "CUDA is loaded" : "no CUDA is loaded");
  std::exit(0);
}

/// Calls factories, literals, moves with and without a device index, random ops, in-place ops and ops that need no
/// fallback, autocast, backward and printing.
void do_much_on_cuda() {
  FakeMode mode;
  FakeScope scope(mode);
  const Value size = Value::int_list(std::vector<int64_t>{2, 3});
  const auto on = [&](std::string_view op, Device device, std::vector<Value> args) {
    const std::vector<std::pair<std::string, Value>> keywords{{"device", Value(device)}};
    return call(op_named(op), args, keywords)[0].tensor();
  };
  const Tensor zeros = on("aten.zeros.default", Device(DeviceType::CUDA), {size});
  const Tensor drawn = on("aten.randn.default", cuda(1), {size});
  const Tensor here = call("aten.ones.default", {size})[0].tensor();
  const Tensor there = on("aten._to_copy.default", cuda(1), {Value(here)});
  const Tensor moved = on("aten._to_copy.default", Device(DeviceType::CUDA), {Value(here)});
  call("aten.uniform_.default", {Value(moved)});
  const Tensor sum = call("aten.add.Tensor", {Value(there), Value(drawn)})[0].tensor();
  const Tensor product =
      call("aten.mm.default", {Value(sum), Value(call("aten.t.default", {Value(drawn)})[0])})[0].tensor();
  const AutocastScope autocast(DeviceType::CUDA, true, DType::BF16);
  const Tensor narrow = call("aten.mm.default", {Value(product), Value(product)})[0].tensor();
  const Tensor weight = on("aten.zeros.default", cuda(1), {Value::int_list(std::vector<int64_t>{2, 2})});
  set_requires_grad(weight);
  const Tensor loss =
      call("aten.sum.default", {call("aten.mm.default", {Value(product), Value(weight)})[0]})[0].tensor();
  backward(loss);
  const bool loaded = is_mapped("libersatz_cuda") || is_mapped("libcuda");
  std::fprintf(stderr, "%s %s %s %s %s, %s\n", to_string(zeros).c_str(), to_string(moved).c_str(),
               to_string(product).c_str(), to_string(narrow).c_str(), to_string(grad(weight)).c_str(),
               loaded ? "CUDA is loaded" : "no CUDA is loaded");
  std::exit(0);
}

/// Gradients of a product, of an LSTM and of a convolution. Fallbacks are off, so each operator needs a rule.
void run_backward_on_cuda() {
  FakeOptions options;
  options.fallback = FallbackPolicy::Refuse;
  FakeMode mode(options);
  const FakeScope scope(mode);
  const auto wanted = [&](std::string_view meta) {
    const Tensor t = mode.make(parse_meta(meta));
    set_requires_grad(t);
    return t;
  };
  const auto sum = [](const Tensor& t) { return call("aten.sum.default", {Value(t)})[0].tensor(); };
  const Tensor p = wanted("f32[4,2]@cuda:0"), x = mode.make(parse_meta("f32[8,4]@cuda:0"));
  const Tensor product = call("aten.mm.default", {Value(x), Value(p)})[0].tensor();
  backward(sum(call("aten.square.default", {Value(product)})[0].tensor()));

  std::vector<Value> weights;
  for (const char* sizes : {"12,2", "12,3", "12", "12"})
    weights.emplace_back(wanted(fmt::format("f32[{}]@cuda:0", sizes)));
  const Value state(mode.make(parse_meta("f32[1,5,3]@cuda:0"))), states[] = {state, state};
  const Value lstm = call("aten.lstm.input",
                          {Value(mode.make(parse_meta("f32[4,5,2]@cuda:0"))), Value::list(states), Value::list(weights),
                           Value(true), Value(1), Value(0.0), Value(true), Value(false), Value(false)})[0];
  backward(sum(lstm.tensor()));

  const Tensor image = wanted("f32[2,3,8,8]{192,1,24,3}@cuda:0"), kernel = wanted("f32[4,3,3,3]@cuda:0"),
               bias = mode.make(parse_meta("f32[4]@cuda:0"));
  const Value one = Value::int_list(std::vector<int64_t>{1, 1}), none = Value::int_list(std::vector<int64_t>{0, 0});
  backward(sum(call("aten.convolution.default",
                    {Value(image), Value(kernel), Value(bias), one, one, one, Value(false), none, Value(1)})[0]
                   .tensor()));
  const bool loaded = is_mapped("libersatz_cuda") || is_mapped("libcuda");
  std::string text;
  for (const Tensor& t : {p, weights[0].tensor(), weights[1].tensor(), weights[3].tensor(), image, kernel})
    text += to_string(grad(t).meta()) + " ";
  std::fprintf(stderr, "%s%s, %s\n", text.c_str(), grad(bias) ? "and a bias's" : "and no bias's",
               loaded ? "CUDA is loaded" : "no CUDA is loaded");
  std::exit(0);
}

// GRAD-01, GRAD-02, GRAD-09
TEST(FakeMode, BackwardOfCudaFakesNeedsNoDriver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      run_backward_on_cuda(), testing::ExitedWithCode(0),
      R"(f32\[4,2\]\{2,1\}\+0@cuda:0 f32\[12,2\]\{2,1\}\+0@cuda:0 f32\[12,3\]\{3,1\}\+0@cuda:0 f32\[12\]\{1\}\+0@cuda:0 f32\[2,3,8,8\]\{192,1,24,3\}\+0@cuda:0 f32\[4,3,3,3\]\{27,9,3,1\}\+0@cuda:0 and no bias's, no CUDA)");
}

// BEY-27
TEST(FakeMode, CudaFakesLoadNeitherModuleNorDriver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      do_much_on_cuda(), testing::ExitedWithCode(0),
      R"(FakeTensor\(f32\[2,3\]@cuda:0\) FakeTensor\(f32\[2,3\]@cuda:0\) FakeTensor\(f32\[2,2\]@cuda:1\) FakeTensor\(bf16\[2,2\]@cuda:1\) FakeTensor\(f32\[2,2\]@cuda:1\), no CUDA)");
}

TEST(FakeMode, FakeCudaTensorLoadsNeitherModuleNorDriver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_fake_on_cuda(), testing::ExitedWithCode(0), R"(f32\[4,4\]\{4,1\}\+0@cuda:1, no CUDA is loaded)");
}

}  // namespace
}  // namespace ersatz
