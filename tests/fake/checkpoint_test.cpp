// KeepGenerators, Checkpoint, require_no_fakes and timed: runs that start from one state.
#include "fake/object/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "fake/mode/fake_mode.h"
#include "fake/object/parameter.h"
#include "fake/observe/timed_run.h"
#include "fake/watch/saved_generators.h"
#include "kernels/random/rand.h"
#include "runtime/op/copy.h"
#include "tests/fake/test_ops.h"

namespace ersatz {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Tensor random(int64_t n) { return ops::rand(DimVec{n}); }

uint64_t drawn() { return default_generator(kCPU).state().offset; }

// DBG-18: random numbers drawn inside the scope do not change the numbers drawn after it
TEST(KeepGenerators, DrawsInsideLeaveTheNextOnesAlone) {
  manual_seed(5);
  const std::string next = to_string(Value(random(2)));
  manual_seed(5);
  {
    const KeepGenerators keep({});
    random(7);
    EXPECT_NE(drawn(), 0u);
  }
  EXPECT_EQ(to_string(Value(random(2))), next);
}

// DBG-18: the scope also restores after an exception, and inside the scope of a fake mode
TEST(KeepGenerators, HoldsThroughExceptionsAndFakeScopes) {
  manual_seed(5);
  const FakeMode mode;
  const FakeScope scope(mode);
  try {
    const KeepGenerators keep({});
    const SuspendModes real;
    random(7);
    throw std::runtime_error("after a draw");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(drawn(), 0u);
}

// DBG-18: the generator of a CUDA device is restored too
TEST(KeepGenerators, KeepsThoseOfTheDevice) {
  default_generator(cuda()).manual_seed(9);
  {
    const KeepGenerators keep({}, cuda());
    default_generator(cuda()).reserve(3);
  }
  EXPECT_EQ(default_generator(cuda()).state(), (GeneratorState{9, 0}));
}

struct Model {
  Module module;
  Tensor weight = Parameter(tensor_of<float>({1, 2}, {2}));
  Tensor mean = tensor_of<float>({0, 0}, {2});
  Model() {
    module.parameters = {{"weight", weight}};
    auto norm = std::make_shared<Module>();
    norm->buffers = {{"mean", mean}, {"view", make_view(mean, meta_of("f32[1]{1}+1"))}};
    module.children = {{"norm", norm}};
  }
};

/// Writes a tensor and increases its version, like an in-place op.
void write(const Tensor& t, float value) {
  std::fill_n(t.data<float>(), t.numel().as_int(), value);
  t.storage()->bump_version();
}

// DBG-19: written tensors and the generators are restored
TEST(Checkpoint, RestoresWhatARunWrote) {
  Model m;
  manual_seed(3);
  Checkpoint before(m.module);
  write(m.mean, 7);
  random(4);
  before.restore();
  EXPECT_EQ(to_string(m.mean), "Tensor(f32[2]@cpu, [0, 0])");
  EXPECT_EQ(drawn(), 0u);
}

// DBG-19: tensors with an unchanged version are not written
TEST(Checkpoint, LeavesWhatNobodyWroteAlone) {
  Model m;
  Checkpoint before(m.module);
  write(m.mean, 7);
  const uint32_t version = m.weight.version();
  m.weight.data<float>()[0] = 8;  // a write that does not increase the version
  before.restore();
  EXPECT_EQ(m.weight.version(), version);
  EXPECT_EQ(m.weight.data<float>()[0], 8);
  EXPECT_EQ(m.mean.version(), 2u);
}

TEST(Checkpoint, RestoresEachTime) {
  Model m;
  Checkpoint before(m.module);
  for (const float value : {7.0f, 8.0f}) {
    write(m.mean, value);
    before.restore();
    EXPECT_EQ(to_string(m.mean), "Tensor(f32[2]@cpu, [0, 0])");
  }
  const uint32_t version = m.mean.version();
  before.restore();
  EXPECT_EQ(m.mean.version(), version);
}

// DBG-31: a module of real tensors passes; the error names the first fake, and the option that keeps its stack
TEST(RequireNoFakes, NamesTheFirstFake) {
  Model m;
  EXPECT_NO_THROW(require_no_fakes(m.module));
  const FakeMode mode;
  m.module.children[0].second->buffers[0].second = mode.from_tensor(m.mean);
  const Error buffer = error_of([&] { require_no_fakes(m.module); });
  EXPECT_EQ(buffer.kind, ErrorKind::InvalidArgument);
  EXPECT_THAT(buffer.message, HasSubstr("Unexpected fake buffer norm.mean, "));
  EXPECT_THAT(buffer.message, HasSubstr("FakeOptions::keep_stacks"));
  m.module.parameters[0].second = mode.from_tensor(m.weight);
  EXPECT_THAT(error_of([&] { require_no_fakes(m.module); }).message, HasSubstr("Unexpected fake param weight, "));
}

// DBG-31: if the fake's mode keeps stacks, the message has the stack
TEST(RequireNoFakes, SaysWhereTheFakeWasMade) {
  Model m;
  FakeOptions options;
  options.keep_stacks = true;
  const FakeMode mode(options);
  m.module.parameters[0].second = mode.from_tensor(m.weight);
  EXPECT_THAT(error_of([&] { Checkpoint c(m.module); }).message, HasSubstr("made here:\n  at "));
}

TEST(RequireNoFakes, ATreeThatHoldsItselfIsVisitedOnce) {
  auto module = std::make_shared<Module>();
  module->buffers = {{"b", ones_f32({1})}};
  module->children = {{"self", module}};
  std::vector<std::string> names;
  visit_tensors(*module, [&](const std::string& name, const Tensor&, bool) { names.push_back(name); });
  EXPECT_THAT(names, ElementsAre("b"));
  module->children.clear();
}

// DBG-20: `timed` runs n times from seed 1337, and returns the last result and the seconds of all runs
TEST(TimedRun, RunsFromOneSeedAndKeepsLastResult) {
  manual_seed(8);
  std::vector<GeneratorState> states;
  const TimedRun run = timed(
      [&](std::span<const Value> inputs) {
        states.push_back(default_generator(kCPU).state());
        default_generator(kCPU).reserve(2);
        return std::vector<Value>{inputs[0], Value(static_cast<int64_t>(states.size()))};
      },
      std::vector<Value>{Value(4)}, 3);
  EXPECT_THAT(states, ElementsAre(GeneratorState{1337, 0}, GeneratorState{1337, 2}, GeneratorState{1337, 4}));
  EXPECT_EQ(run.results, (std::vector<Value>{Value(4), Value(3)}));
  EXPECT_GT(run.seconds, 0);
  EXPECT_EQ(default_generator(kCPU).state(), (GeneratorState{8, 0}));
}

}  // namespace
}  // namespace ersatz
