// Calls on many threads at once: real calls, fake calls in own modes and in a shared mode, crosschecked calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "fake/crosscheck/crosscheck_mode.h"
#include "fake/mode/fake_mode_state.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/meta_text.h"
#include "tests/fake/cache_calls.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ERSATZ_SLOW_THREADS 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define ERSATZ_SLOW_THREADS 1
#endif

namespace ersatz {
namespace {

#ifdef ERSATZ_SLOW_THREADS
constexpr int kCalls = 100;
#else
constexpr int kCalls = 1000;
#endif
constexpr int kThreads = 8;

enum class Role { Real, OwnMode, SharedMode, Crosscheck };

/// Draws samples of registered ops at random. Two objects with one seed draw equal calls.
class DrawnCalls {
 public:
  explicit DrawnCalls(unsigned seed) : random_(seed) {
    for (const OpEntry* op : registry().all()) {
      for (const Sample& s : op->samples) all_.emplace_back(op, &s);
    }
  }

  const OpEntry& next(std::vector<Value>& args) {
    const auto [op, sample] = all_[random_() % all_.size()];
    SampleLayout layout = kSampleLayouts[random_() % std::size(kSampleLayouts)];
    if (!layout_applies(*op, layout)) layout = SampleLayout::AsWritten;
    args = sample_arguments(*op, *sample, {layout});
    return *op;
  }

 private:
  std::mt19937 random_;
  std::vector<std::pair<const OpEntry*, const Sample*>> all_;
};

std::vector<Value> fakes_of(const FakeMode& mode, std::span<const Value> args) {
  std::vector<Value> fakes;
  for (const Value& v : args) {
    if (v.is_tensor()) {
      fakes.emplace_back(mode.from_tensor(v.tensor()));
    } else if (v.kind() == Value::Kind::List) {
      fakes.push_back(Value::list(fakes_of(mode, v.as_list())));
    } else {
      fakes.push_back(v);
    }
  }
  return fakes;
}

/// Returns the metadata of a call's results, or its error, as text.
std::string outcome(const OpEntry& op, std::span<const Value> args) {
  std::string text = op.name + ": ";
  try {
    Values results;
    dispatch(op, args, results);
    for_each_tensor(results, [&](const TensorImpl* t) { text += to_string(t->meta, MetaStyle::Full) + "; "; });
  } catch (const Error& e) {
    text += e.message;
  }
  return text;
}

/// Makes `kCalls` drawn calls as `role` says (real, fake, crosschecked) and returns their outcomes.
std::vector<std::string> play(Role role, unsigned seed, const FakeMode& shared) {
  DrawnCalls calls(seed);
  std::vector<std::string> texts;
  std::vector<Value> args;
  CrosscheckMode crosscheck;
  const FakeMode own = caching_mode();
  for (int i = 0; i < kCalls; ++i) {
    const OpEntry& op = calls.next(args);
    if (role == Role::Real) {
      texts.push_back(outcome(op, args));
    } else if (role == Role::Crosscheck) {
      ModeGuard guard(crosscheck);
      texts.push_back(outcome(op, args));
    } else {
      const FakeMode& mode = role == Role::OwnMode ? own : shared;
      FakeScope scope(mode);
      texts.push_back(outcome(op, fakes_of(mode, args)));
    }
  }
  if (role == Role::Crosscheck) {
    for (const Finding& f : crosscheck.finish().findings) texts.push_back("finding: " + to_string(f));
  }
  return texts;
}

/// Returns a mode whose small cache is soon full.
FakeMode shared_mode() {
  FakeOptions options;
  options.cache_entries = 50;
  return caching_mode(options);
}

// BEY-37
TEST(Threads, RandomOpsInAllModesAnswerAlike) {
  const Role roles[] = {Role::Real, Role::OwnMode, Role::SharedMode, Role::Crosscheck};
  std::vector<std::string> alone[kThreads], together[kThreads];
  for (unsigned i = 0; i < kThreads; ++i) alone[i] = play(roles[i % 4], 100 + i, shared_mode());
  const FakeMode shared = shared_mode();
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] { together[i] = play(roles[i % 4], 100 + i, shared); });
  }
  for (std::thread& t : threads) t.join();
  for (int i = 0; i < kThreads; ++i) {
    EXPECT_EQ(together[i], alone[i]) << "thread " << i;
    EXPECT_GE(alone[i].size(), size_t(kCalls));
  }
  const CacheInfo info = shared.cache_info();
  EXPECT_EQ(info.size, 50u);
  EXPECT_GT(info.misses, 50u);
}

// BEY-37: each thread has its own active mode
TEST(Threads, ScopeOfAThreadIsInvisibleToOthers) {
  FakeMode mode;
  FakeScope scope(mode);
  std::thread([] {
    EXPECT_EQ(active_mode(ModeOrder::Fake), nullptr);
    EXPECT_FALSE(call_one("aten.relu.default", {ones_f32({2})}).is_fake());
  }).join();
  EXPECT_EQ(active_mode(ModeOrder::Fake), &mode.state());
}

// BEY-37, BEY-23: threads share the converter, known values, fallback log, cache and counters of one mode
TEST(Threads, ThreadsShareOneMode) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.cache_entries = 20;
  options.keep_stacks = true;
  const FakeMode mode = caching_mode(options);
  const Tensor real = ones_f32({4, 4}), literal = tensor_of<float>({3}, {});
  const Tensor fake = mode.from_tensor(real);
  const OpEntry& opaque = test_op("opaque");
  std::atomic<int> wrong{0};
  const auto work = [&](int thread) {
    for (int64_t i = 0; i < kCalls / 10; ++i) {
      wrong += !mode.from_tensor(real).is(fake);
      const Tensor known = mode.from_constant(literal);
      const Tensor sum = call_one("aten.add.Tensor", {known, known});
      wrong += sum.item_double() != 6;
      const Tensor x = mode.make(meta_of(fmt::format("f32[{},2]", i % 30 + 1)));
      const Value args[] = {x};
      Values results;
      dispatch(opaque, args, results);
      wrong += spelled(results[0].tensor()) != fmt::format("f32[{0},2]{{1,{0}}}+0@cpu", i % 30 + 1);
      const Tensor view = mode.make_on(sum.storage(), sum.meta());
      call_one("aten.add_.Tensor", {view, call_one("aten.sum.default", {x})});
      wrong += static_cast<bool>(known_value(sum));
      wrong += creation_stack(sum).empty();
      if (thread == 0) mode.cache_entries();
      wrong += mode.cache_info().size > 20;
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back(work, t);
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(wrong, 0);
  const CacheInfo info = mode.cache_info();
  // Each call of opaque, add_ and sum is a hit or a miss. Calls of add are computed on known values.
  EXPECT_EQ(info.hits + info.misses, uint64_t(3 * kThreads * (kCalls / 10)));
  EXPECT_EQ(info.bypasses.at("constant attribute"), uint64_t(kThreads * (kCalls / 10)));
}

}  // namespace
}  // namespace ersatz
