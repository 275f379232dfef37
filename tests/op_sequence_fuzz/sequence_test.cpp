// Sequences with a planted fault: they are found, shrunk to the calls that they need, and replayed from their text.
// Sequences with gradients run on several threads at once.
#include <gtest/gtest.h>

#include <thread>

#include "runtime/op/rule.h"
#include "runtime/tensor/live_objects.h"
#include "tests/op_sequence_fuzz/call_pool.h"
#include "tests/op_sequence_fuzz/shrink_sequence.h"

namespace ersatz {
namespace {

void answer(RuleCall& call, SymInt n, DType dtype = DType::F32) {
  const SymInt sizes[] = {n};
  call.out.fresh(TensorMeta(dtype, sizes, call.device));
}

/// Ops on samples with 3 elements. `seed` returns 7 elements, `grow` 7 more than its argument, `touch` as many as its
/// argument. For 21 elements, the rule of `show` predicts another dtype in the fake call.
const std::vector<const OpEntry*>& planted_ops() {
  static const std::vector<const OpEntry*> ops = [] {
    const auto add = [](std::string_view name, Rule rule) -> const OpEntry* {
      return &registry()
                  .add(fmt::format("planted::{}(Tensor x) -> Tensor", name))
                  .with_rule(rule)
                  .cpu([](KernelCall&) {})
                  .dtypes(kFloats)
                  .sample("f32[3]", 1, 2);
    };
    return std::vector<const OpEntry*>{
        add("seed", [](RuleCall& c) { answer(c, 7); }),
        add("grow", [](RuleCall& c) { answer(c, c.meta(Position(0)).numel() + 7); }),
        add("touch", [](RuleCall& c) { answer(c, c.meta(Position(0)).numel()); }), add("show", [](RuleCall& c) {
          static bool second = true;
          const bool wrong = sym_eq(c.meta(Position(0)).numel(), 21) && (second = !second);
          answer(c, 3, wrong ? DType::F64 : DType::F32);
        })};
  }();
  return ops;
}

/// The calls up to the first difference.
std::vector<SequenceCall> failing_sequence() {
  CallPool pool({}, 1, planted_ops());
  for (int i = 0; i < 20000; ++i) {
    if (!pool.step().empty()) return pool.calls();
  }
  ADD_FAILURE() << "nothing was found";
  return pool.calls();
}
std::vector<std::string> names(const std::vector<SequenceCall>& calls) {
  std::vector<std::string> result;
  for (const SequenceCall& c : calls) result.emplace_back(c.op->name);
  return result;
}

// BEY-39
TEST(Sequences, FaultIsShrunkToCallsThatItNeeds) {
  const std::vector<SequenceCall> calls = failing_sequence(), shrunk = shrink_sequence(calls, {});
  EXPECT_GT(calls.size(), 10u);
  EXPECT_EQ(names(shrunk), (std::vector<std::string>{"planted.seed.default", "planted.grow.default",
                                                     "planted.grow.default", "planted.show.default"}));
  EXPECT_TRUE(shrunk[0].swaps.empty());
}
TEST(Sequences, ShrunkOneIsMadeAgainOfItsText) {
  const std::vector<SequenceCall> shrunk = shrink_sequence(failing_sequence(), {});
  std::vector<SequenceCall> read;
  for (const SequenceCall& c : shrunk) read.push_back(parse_sequence_call("  " + to_string(c) + " # as it was made"));
  EXPECT_EQ(replay_sequence(read, {}).difference, "tensor 1: real f32[3]{1}+0@cpu, fake f64[3]{1}+0@cpu");
}
TEST(Sequences, TextOfACallNamesSwappedArguments) {
  const OpEntry* op = planted_ops()[1];
  const SequenceCall call{5, op, 0, {SampleLayout::Sliced, 9}, {{0, TensorOrigin{3, 1}}, {1, {}, -2}}};
  const std::string text = "5: planted.grow.default sample=0 layout=sliced seed=9 0=3.1 1=-2";
  EXPECT_EQ(to_string(call), text);
  EXPECT_EQ(to_string(parse_sequence_call(text)), text);
  for (const char* wrong : {"planted.grow.default", "5: planted.none.default", "5: planted.grow.default sample=1",
                            "5: planted.grow.default layout=none", "5: planted.grow.default 0=3.x",
                            "5: planted.grow.default region=none", "5: forwards 0=3.1"})
    EXPECT_THROW(parse_sequence_call(wrong), Error) << wrong;
}
TEST(Sequences, TextHasRequiredGradientsAndAutogradRequests) {
  for (const char* text : {"5: planted.grow.default sample=0 layout=sliced seed=9 region=no_grad wanted=5 0=3.1",
                           "6: backward seed=5 0=3.1", "7: grad seed=2 0=3.1 1=2.0"})
    EXPECT_EQ(to_string(parse_sequence_call(text)), text);
}

/// Returns the ops of sequence_ops() without those that differ on purpose.
std::vector<const OpEntry*> shipped_ops() {
  std::vector<const OpEntry*> ops = sequence_ops();
  std::erase_if(ops, [](const OpEntry* op) { return op->schema.ns == "planted"; });
  return ops;
}

// GRAD-04, GRAD-05, GRAD-06: fakes have the flags, nodes, versions and gradients of a real run, also if other threads
// run sequences at the same time.
TEST(Sequences, GradientsAgreeOnEightThreads) {
  const LiveObjects before = live_objects();
  std::vector<std::string> wrong(8);
  std::vector<SequenceCounts> counts(8);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      CallPool pool({}, 100 + i, shipped_ops(), /*gradients=*/true);
      for (int step = 0; step < 1500 && wrong[i].empty(); ++step) wrong[i] = pool.step();
      if (!wrong[i].empty()) wrong[i] = pool.pairs().text() + ": " + wrong[i];
      counts[i] = pool.pairs().counts();
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, std::vector<std::string>(8));
  for (const SequenceCounts& c : counts) {
    EXPECT_GT(c.followed, 100);
    EXPECT_GT(c.backward, 20);
  }
  EXPECT_EQ(live_objects(), before);
}

}  // namespace
}  // namespace ersatz
