// Runs every op's samples, and this folder's tests, again with propagate_real.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake/watch/poison.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/generator.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/propagating_run.h"
#include "tests/fake/real_ops.h"

namespace ersatz {
namespace {

using Args = std::vector<Value>;

Value converted(const FakeMode& mode, const Value& v) {
  if (v.is_tensor()) return Value(mode.from_tensor(v.tensor()));
  if (v.kind() != Value::Kind::List) return v;
  Args items;
  for (const Value& item : v.as_list()) items.push_back(converted(mode, item));
  return Value::list(items);
}

std::vector<Tensor> tensors_of(std::span<const Value> values) {
  std::vector<Tensor> found;
  for_each_tensor(values, [&](TensorImpl* t) { found.emplace_back(Ref<TensorImpl>(t)); });
  return found;
}

/// Returns the bytes of the elements in row-major order.
std::vector<std::byte> bytes_of(const Tensor& t) {
  std::vector<std::byte> bytes;
  const auto n = static_cast<size_t>(item_size(t.dtype()));
  for_each_element(t.meta(), [&](int64_t at) {
    const std::byte* p = t.storage()->data() + at;
    bytes.insert(bytes.end(), p, p + n);
  });
  return bytes;
}

int64_t storage_bytes(std::span<const Value> args) {
  int64_t total = 0;
  for_each_tensor(args, [&](const TensorImpl* t) { total += t->storage->nbytes().as_int(); });
  return total;
}

/// The outcome of a call: its results, or its error.
struct Outcome {
  Values results;
  std::string error;
};
Outcome outcome_of(const OpEntry& op, const Args& args) {
  Outcome o;
  manual_seed(3);
  try {
    dispatch(op, args, o.results);
  } catch (const Error& e) {
    o.error = e.message;
  }
  return o;
}

void expect_equal(std::span<const Value> fake, std::span<const Value> eager, bool values, const std::string& what) {
  const std::vector<Tensor> fakes = tensors_of(fake), reals = tensors_of(eager);
  ASSERT_EQ(fakes.size(), reals.size()) << what;
  for (size_t i = 0; i < fakes.size(); ++i) {
    const Tensor carried = real_value(fakes[i]);
    EXPECT_TRUE(fakes[i].is_fake()) << what;
    EXPECT_EQ(to_string(fakes[i].meta()), to_string(reals[i].meta())) << what << " tensor " << i;
    ASSERT_TRUE(carried) << what << " tensor " << i;
    EXPECT_EQ(to_string(carried.meta()), to_string(reals[i].meta())) << what << " tensor " << i;
    if (values && reals[i].storage()->has_bytes()) {
      EXPECT_TRUE(bytes_of(carried) == bytes_of(reals[i])) << what << " tensor " << i;
    }
  }
}

/// Returns whether the op is a test op, whose rule or kernel may be wrong on purpose.
bool is_test_op(const OpEntry& op) { return op.schema.ns == "realtest" || op.schema.ns == "faketest"; }

// REAL-10, REAL-02
TEST(RealSamples, EveryOpsSamplesGiveEagersMetadataAndValues) {
  int64_t compared = 0;
  for (const OpEntry* op : registry().all()) {
    if (is_test_op(*op) || op->tags.has(Tag::HigherOrder)) continue;
    // The values of uninitialised results (for example of `empty`) cannot be compared.
    const bool values = !op->tags.has(Tag::Uninitialized) && !op->tags.has(Tag::Nondeterministic);
    for (const Sample& sample : op->samples) {
      for (const SampleLayout layout : {SampleLayout::AsWritten, SampleLayout::Permuted, SampleLayout::Sliced}) {
        if (!layout_applies(*op, layout)) continue;
        const std::string what = fmt::format("{}({}) {}", op->name, sample.arguments, name(layout));
        const Args eager_args = sample_arguments(*op, sample, {layout}), args = sample_arguments(*op, sample, {layout});
        FakeMode mode(propagating());
        Args fake_args;
        for (const Value& v : args) fake_args.push_back(converted(mode, v));
        const int64_t bytes = storage_bytes(eager_args);
        const Outcome eager = outcome_of(*op, eager_args);
        const bool grown = storage_bytes(eager_args) > bytes;  // an argument was resized; new bytes are unwritten
        FakeScope scope(mode);
        const Outcome fake = outcome_of(*op, fake_args);
        ASSERT_EQ(fake.error, eager.error) << what;
        expect_equal(fake_args, eager_args, values && !grown, what + " arguments");
        expect_equal(fake.results, eager.results, values && !grown, what);
        EXPECT_TRUE(mode.real_report().losses.empty()) << what << to_string(mode.real_report());
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

// REAL-09, REAL-10
TEST(RealSamples, EveryErrorSampleIsRefusedInEagersWords) {
  int64_t compared = 0;
  for (const OpEntry* op : registry().all()) {
    if (is_test_op(*op)) continue;
    for (const ErrorSample& sample : op->error_samples) {
      FakeMode mode(propagating());
      Args fake_args;
      for (const Value& v : sample_arguments(*op, sample)) fake_args.push_back(converted(mode, v));
      const Outcome eager = outcome_of(*op, sample_arguments(*op, sample));
      FakeScope scope(mode);
      EXPECT_EQ(outcome_of(*op, fake_args).error, eager.error) << op->name << "(" << sample.arguments << ")";
      ++compared;
    }
  }
  EXPECT_GT(compared, 200);
}

/// Tests that do not hold with propagate_real, with the reason.
constexpr std::pair<const char*, const char*> kExceptions[] = {
    {"Real*.*:ValueLoss.*:DataUse.*:Undeclared*.*", "they set the option themselves"},
    {"FakeOptions.DefaultModeRefuses*:FakeOptions.DefaultsAreRead*", "they are about the option's own default"},
    {"*Cache*.*:Threads.RandomOps*:Threads.ThreadsShareOneMode", "they count what the cache does, and there is none"},
    {"DispatchOrder.CountersTellHowCallsCame*", "who answers there is counted otherwise"},
    {"DispatchOrder.DebugLogsCalls*", "the log has lines about skipped real runs in between"},
    {"FakeConverter.FakesMadeByOps*", "an op without a rule runs on the values and needs no fallback"},
    {"FakeMode.FakeCudaTensorLoads*:FakeMode.CudaFakesLoad*:FakeDevices.FactoriesAndLiteralsOnCuda*",
     "whether a GPU is there is asked, which loads the CUDA module"},
    {"SymbolicInputs.ValueOfZeroDimInput*", "a float that has a real value stays a number"},
    {"FakeObject.StartsWithNothing*", "it is about fakes without values"},
    {"LiveObjects.CountModes*", "a fake has the storage of its real tensor beside its own"},
};

// REAL-08
TEST(RealSuites, KnownValuesBehaveAsWithoutRealTensors) { EXPECT_EQ(run_propagating("Constant.*"), 0); }

// REAL-10
TEST(RealSuites, TheOtherSuitesPassWithDeclaredExceptions) {
  std::string filter = "*-Constant.*";
  for (const auto& [tests, reason] : kExceptions) filter += std::string(":") + tests;
  EXPECT_EQ(run_propagating(filter), 0);
}

}  // namespace
}  // namespace ersatz
