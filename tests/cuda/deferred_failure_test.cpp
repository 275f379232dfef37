// An invalid value in a call on a device raises when the host waits for the device, or at the next call there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "fake/crosscheck/crosscheck_mode.h"
#include "fake/mode/fake_mode.h"
#include "runtime/base/context.h"
#include "runtime/base/source_line.h"
#include "runtime/cuda/driver.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/sample.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/cuda_module.h"
#include "tests/cuda/device_samples.h"

namespace ersatz {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

void wait() { check_cuda(cuda_functions().synchronize(0), cuda(0), "synchronize", 0); }

template <class F>
std::optional<DeferredError> deferred(F&& f) {
  try {
    f();
  } catch (const DeferredError& e) {
    return e;
  }
  return std::nullopt;
}
/// Returns the error that the next wait raises.
std::optional<DeferredError> raised_when_waiting() { return deferred(wait); }

/// Returns the error that `f` raises itself.
std::optional<Error> error_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const DeferredError& e) {
    ADD_FAILURE() << "raised late: " << e.message;
  } catch (const Error& e) {
    return e;
  }
  return std::nullopt;
}

template <class T>
Tensor vector_on_gpu(std::initializer_list<T> values) {
  return tensor_on(cuda(0), tensor_of<T>(values, {static_cast<int64_t>(values.size())}));
}
Tensor on_gpu(std::initializer_list<int64_t> values) { return vector_on_gpu<int64_t>(values); }
Tensor table() { return tensor_on(cuda(0), tensor_of<float>({1, 2, 3, 4, 5, 6, 7, 8}, {4, 2})); }
Tensor embedded(const Tensor& index) {
  return call("aten.embedding.default", {Value(table()), Value(index)})[0].tensor();
}
std::vector<float> floats(const Tensor& t) {
  const Tensor here = tensor_on(kCPU, t);
  const float* data = here.data<float>();
  return {data, data + here.numel().as_int()};
}

TEST(CudaDeferredFailure, is_raised_when_device_is_next_waited_for) {
  embedded(on_gpu({1, 9, 0}));
  const auto e = raised_when_waiting();
  ASSERT_TRUE(e);
  EXPECT_EQ(e->message,
            "embedding: index 9 at position 1 is out of range for a dim of size 4 (found when cuda:0 was next waited "
            "for) [embedding.value]");
  EXPECT_EQ(e->op, "embedding");
  EXPECT_EQ(e->label, "embedding.value");
  EXPECT_EQ(name(e->family), "index");
  EXPECT_TRUE(e->value_failure);
  EXPECT_EQ(e->arguments.size(), 0u) << "those of the call are not known, and no other's are given for them";
}

TEST(CudaDeferredFailure, is_raised_by_a_copy_to_the_host) {
  const Tensor out = embedded(on_gpu({9}));
  const auto e = deferred([&] { tensor_on(kCPU, out); });
  ASSERT_TRUE(e);
  EXPECT_EQ(e->op, "embedding");
}

TEST(CudaDeferredFailure, is_raised_before_the_next_call_does_anything) {
  const Tensor x = vector_on_gpu<float>({1, 2});
  embedded(on_gpu({9}));
  const auto e = deferred([&] { call("aten.neg_.default", {Value(x)}); });
  if (has_gpu() && !e) {  // the launch may not have ended at the next call
    EXPECT_TRUE(raised_when_waiting());
    return;
  }
  ASSERT_TRUE(e);
  EXPECT_THAT(e->message, AllOf(StartsWith("embedding: index 9"), HasSubstr("(found by the next call after cuda:0")));
  EXPECT_EQ(e->op, "embedding");
  EXPECT_EQ(e->arguments.size(), 0u);
  EXPECT_EQ(floats(x), (std::vector<float>{1, 2}));
}

TEST(CudaDeferredFailure, is_not_raised_by_calls_of_its_kernel) {
  const OpEntry& op = op_named("aten.max_pool2d_with_indices_backward.default");
  const char* args = "f32[1,1,1], f32[1,2,2], [2], [], [0], [1], False, i64[1,1,1]";
  Values results;
  dispatch(op, arguments_on(cuda(0), sample_arguments(op, args, 9, 9)), results);
  const auto e = raised_when_waiting();
  ASSERT_TRUE(e);
  EXPECT_THAT(e->message, HasSubstr("(found when cuda:0 was next waited for)"));
}

TEST(CudaDeferredFailure, is_raised_once_and_the_device_goes_on) {
  embedded(on_gpu({9}));
  EXPECT_TRUE(raised_when_waiting());
  EXPECT_FALSE(raised_when_waiting());
  EXPECT_EQ(floats(embedded(on_gpu({3, 0}))), (std::vector<float>{7, 8, 1, 2}));
}

TEST(CudaDeferredFailure, reads_nothing_outside_and_leaves_zeros_there) {
  const Tensor out = embedded(on_gpu({1, 4, -1, int64_t(1) << 60, 3}));
  EXPECT_TRUE(raised_when_waiting());
  EXPECT_EQ(floats(out), (std::vector<float>{3, 4, 0, 0, 0, 0, 0, 0, 7, 8}));
}

TEST(CudaDeferredFailure, writes_nothing_outside_and_the_rest_as_ever) {
  const Tensor x = vector_on_gpu<float>({1, 2, 3, 4});
  call("aten.index_fill_.int_Scalar", {Value(x), Value(0), Value(on_gpu({1, 4, -1, -5})), Value(9.0)});
  EXPECT_TRUE(raised_when_waiting());
  EXPECT_EQ(floats(x), (std::vector<float>{1, 9, 3, 9}));
}

TEST(CudaDeferredFailure, an_empty_table_is_not_read) {
  const Tensor empty = tensor_on(cuda(0), make_real_tensor(TensorMeta(DType::F32, std::vector<SymInt>{0, 2})));
  const Tensor out = call("aten.embedding.default", {Value(empty), Value(on_gpu({0, 1}))})[0].tensor();
  const auto e = raised_when_waiting();
  ASSERT_TRUE(e);
  EXPECT_THAT(e->message, HasSubstr("is out of range for a dim of size 0"));
}

TEST(CudaDeferredFailure, deterministic_calls_raise_it_themselves) {
  const ContextGuard deterministic([](RuleContext& c) { c.deterministic = true; });
  const auto e = error_of([] { embedded(on_gpu({1, 9})); });
  ASSERT_TRUE(e);
  EXPECT_EQ(e->message, "embedding: index 9 at position 1 is out of range for a dim of size 4 [embedding.value]");
  EXPECT_EQ(e->arguments.size(), 5u);
}

TEST(CudaDeferredFailure, checks_at_once_raise_and_write_nothing) {
  const Tensor x = vector_on_gpu<float>({1, 2, 3, 4});
  const std::initializer_list<Value> args = {Value(x), Value(0), Value(on_gpu({1, 4})), Value(9.0)};
  {
    const ChecksAtOnce at_once;
    EXPECT_TRUE(error_of([&] { call("aten.index_fill_.int_Scalar", args); }));
  }
  EXPECT_EQ(floats(x), (std::vector<float>{1, 2, 3, 4}));
}

/// A death test, because the variable is read once in a process, so a child process has to read it.
TEST(CudaDeferredFailureDeathTest, the_environment_has_calls_raise_it_themselves) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  setenv("ERSATZ_CUDA_CHECK_AT_ONCE", "1", 1);
  EXPECT_EXIT(std::exit(error_of([] { embedded(on_gpu({9})); }) ? 7 : 1), testing::ExitedWithCode(7), "");
  unsetenv("ERSATZ_CUDA_CHECK_AT_ONCE");
}

TEST(CudaDeferredFailure, a_crosscheck_judges_the_call_by_it) {
  CrosscheckMode mode;
  const Tensor weight = table(), index = on_gpu({9});
  {
    const ModeGuard guard(mode);
    const auto e = error_of([&] { call("aten.embedding.default", {Value(weight), Value(index)}); });
    ASSERT_TRUE(e);
    EXPECT_THAT(e->message, HasSubstr("index 9 at position 0 is out of range for a dim of size 4 [embedding.value]"));
  }
  const Report report = mode.finish();
  EXPECT_EQ(report.value_failures, 1);
  EXPECT_EQ(report.compared, 0);
  EXPECT_EQ(report.mismatched, 0);
}

TEST(CudaDeferredFailure, before_a_crosscheck_is_no_finding) {
  const Tensor weight = table(), good = on_gpu({1});
  embedded(on_gpu({9}));
  CrosscheckMode mode;
  {
    const ModeGuard guard(mode);
    EXPECT_TRUE(deferred([&] { call("aten.embedding.default", {Value(weight), Value(good)}); }));
    call("aten.embedding.default", {Value(weight), Value(good)});
  }
  const Report report = mode.finish();
  EXPECT_EQ(report.compared, 1);
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.mismatched, 0);
}

TEST(CudaDeferredFailure, fakes_with_real_values_meet_it_in_call) {
  FakeOptions options;
  options.propagate_real = true;
  FakeMode mode(options);
  const Tensor weight = mode.from_tensor(table()), index = mode.from_tensor(on_gpu({9}));
  const auto e = error_of([&] { call("aten.embedding.default", {Value(weight), Value(index)}); });
  ASSERT_TRUE(e);
  EXPECT_THAT(e->message, HasSubstr("index 9 at position 0"));
  EXPECT_FALSE(raised_when_waiting());
}

TEST(CudaDeferredFailure, oldest_of_several_is_raised_with_their_number) {
  const Tensor index = on_gpu({9}), zero = on_gpu({0}), seven = on_gpu({7});
  const Tensor wide = table();
  const auto queue = [&] {  // these calls do not find the failure yet, because the device is late
    embedded(index);
    call("aten.floor_divide.default", {Value(seven), Value(zero)});
    call("aten.take.default", {Value(wide), Value(index)});
  };
  const auto at_next_call = deferred(queue);
  if (!has_gpu()) {
    ASSERT_TRUE(at_next_call) << "the emulated device is never behind";
    EXPECT_THAT(at_next_call->message, StartsWith("embedding: "));
    return;
  }
  if (at_next_call) return;
  const auto e = raised_when_waiting();
  ASSERT_TRUE(e);
  EXPECT_THAT(e->message, AllOf(StartsWith("embedding: "), HasSubstr("; 2 more since then)")));
}

TEST(CudaDeferredFailure, names_the_source_line_of_its_call) {
  {
    const SourceLine line("model.py:12: x = self.table(i)");
    embedded(on_gpu({9}));
  }
  const SourceLine other("model.py:13: return x");
  const auto e = raised_when_waiting();
  ASSERT_TRUE(e);
  EXPECT_EQ(e->source, "model.py:12: x = self.table(i)");
}

TEST(CudaDeferredFailure, an_integer_divided_by_zero_is_one) {
  for (const char* op : {"aten.floor_divide.default", "aten.remainder.Tensor", "aten.fmod.Tensor"}) {
    call(op, {Value(on_gpu({7, 8})), Value(on_gpu({2, 0}))});
    const auto e = raised_when_waiting();
    ASSERT_TRUE(e) << op;
    EXPECT_THAT(e->message, HasSubstr(": integers cannot be divided by zero (found when")) << op;
    EXPECT_EQ(name(e->family), "runtime");
  }
}

TEST(CudaDeferredFailure, an_index_list_names_the_dim) {
  const Tensor x = table();
  const Tensor rows = on_gpu({3, 0}), columns = on_gpu({1, 2});
  const Value list = Value::list(std::vector<Value>{Value(rows), Value(columns)});
  const Tensor out = call("aten.index.Tensor", {Value(x), list})[0].tensor();
  const auto e = raised_when_waiting();
  ASSERT_TRUE(e);
  EXPECT_THAT(e->message, StartsWith("index: index 2 is out of bounds for dim 1 of size 2 (found"));
  EXPECT_EQ(floats(out), (std::vector<float>{8, 0}));
}

TEST(CudaDeferredFailure, a_probability_that_is_none_is_one) {
  call("aten.bernoulli.default", {Value(vector_on_gpu<float>({0.5, 1.5}))});
  const auto e = raised_when_waiting();
  ASSERT_TRUE(e);
  EXPECT_THAT(e->message, StartsWith("bernoulli: probability 1.5 at position 1 does not lie in [0, 1] (found"));
}

TEST(CudaDeferredFailure, bad_sorter_is_noted_and_not_followed) {
  const OpEntry& op = op_named("aten.searchsorted.Tensor");
  std::vector<Value> args = sample_arguments(op, "f32[3], f32[2]", 0, 1);
  args[5] = Value(tensor_of<int64_t>({0, 1, int64_t(1) << 50}, {3}));
  args = arguments_on(cuda(0), args);
  Values results;
  dispatch(op, args, results);
  const auto e = raised_when_waiting();
  ASSERT_TRUE(e);
  EXPECT_THAT(e->message, HasSubstr("the sorter must hold positions in 3 elements, it holds 1125899906842624"));
}

TEST(CudaDeferredFailure, has_no_position_for_a_strided_index) {
  const OpEntry& op = op_named("aten.embedding.default");
  const std::vector<Value> args = arguments_on(cuda(0), sample_arguments(op, "f32[4,2], i64[3,2]{1,3}", 9, 9));
  Values results;
  dispatch(op, args, results);
  const auto e = raised_when_waiting();
  ASSERT_TRUE(e);
  EXPECT_THAT(e->message, StartsWith("embedding: index 9 is out of range for a dim of size 4 (found"));
}

TEST(CudaDeferredFailure, a_call_allocates_its_result_and_no_flag) {
  const Tensor weight = table(), index = on_gpu({1, 2});
  const auto allocations = [&] {
    const int64_t before = cuda_memory(cuda(0)).allocations;
    call("aten.embedding.default", {Value(weight), Value(index)});
    return cuda_memory(cuda(0)).allocations - before;
  };
  allocations();  // the first note of a device allocates their memory
  EXPECT_EQ(allocations(), 1);
  const ChecksAtOnce at_once;
  EXPECT_EQ(allocations(), 2);
}

/// The emulated device's driver table, which counts its waits.
int g_waits = 0;
cuda_module::Driver counting_driver() {
  cuda_module::Driver counting = cuda_module::linked_driver();
  counting.stream_synchronize = [](cuda_module::StreamHandle s) {
    ++g_waits;
    return cuda_module::linked_driver().stream_synchronize(s);
  };
  counting.event_synchronize = [](cuda_module::EventHandle e) {
    ++g_waits;
    return cuda_module::linked_driver().event_synchronize(e);
  };
  return counting;
}

TEST(CudaDeferredFailure, call_waits_only_if_it_checks_at_once) {
  if (cuda_functions().driver != &cuda_module::linked_driver())
    GTEST_SKIP() << "counts the waits of the emulated device, and another one is loaded";
  const cuda_module::Driver counting = counting_driver();
  cuda_module::use_driver(&counting);
  {
    const Tensor weight = table(), index = on_gpu({1, 2}), seven = on_gpu({7, 8}), order = on_gpu({1, 0});
    const Value list = Value::list(std::vector<Value>{Value(index)});
    const auto waits = [&](const char* op, std::initializer_list<Value> args) {
      const int before = g_waits;
      call(op, args);
      return g_waits - before;
    };
    const auto of_all = [&](int each) {
      EXPECT_EQ(waits("aten.embedding.default", {Value(weight), Value(index)}), each);
      EXPECT_EQ(waits("aten.index_select.default", {Value(weight), Value(0), Value(index)}), each);
      EXPECT_EQ(waits("aten.index.Tensor", {Value(weight), list}), each);
      EXPECT_EQ(waits("aten.take.default", {Value(weight), Value(index)}), each);
      EXPECT_EQ(waits("aten.index_copy.default", {Value(seven), Value(0), Value(order), Value(seven)}), each);
      EXPECT_EQ(waits("aten.floor_divide.default", {Value(seven), Value(index)}), each);
      EXPECT_EQ(waits("aten.one_hot.default", {Value(index), Value(5)}), each);
    };
    waits("aten.embedding.default", {Value(weight), Value(index)});  // the first call allocates the memory of the notes
    of_all(0);
    const ChecksAtOnce at_once;
    of_all(1);
  }
  cuda_module::use_driver(nullptr);
}

}  // namespace
}  // namespace ersatz
