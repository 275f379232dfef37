// Option cache_crosscheck: each cached answer is computed again and compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/op/sample.h"
#include "tests/fake/cache_calls.h"

namespace ersatz {
namespace {

using testing::HasSubstr;

/// Changes the outputs of the rule of `moody`. The cache key does not contain this function pointer, although the rule
/// depends on it.
void (*g_mood)(RuleCall& call) = nullptr;

void moody_rule(RuleCall& call) {
  TensorMeta meta = call.meta(0);
  call.out.fresh(meta);
  if (g_mood) g_mood(call);
}

void moody_kernel(KernelCall& call, Values& results) {
  TensorMeta meta = call.tensor(0).meta();
  if (g_mood) meta.sizes[0] += 1;
  results.push_back(make_real_tensor(meta));
}

void wrong_kernel(KernelCall&, Values&) { fail_argument("moody_kernel: not today"); }

const OpEntry& moody_op(std::string_view name) {
  [[maybe_unused]] static const bool registered = [] {
    Registry& r = registry();
    r.add("faketest::moody(Tensor self, Tensor(a!) other, *, int n=1) -> Tensor").with_rule(moody_rule);
    r.add("faketest::moody_kernel(Tensor self) -> Tensor").cpu_returns(moody_kernel);
    return true;
  }();
  return op_named("faketest." + std::string(name) + ".default");
}

class CacheCrosscheck : public testing::Test {
 protected:
  ~CacheCrosscheck() override { g_mood = nullptr; }

  static FakeMode checking_mode() {
    FakeOptions options;
    options.cache_crosscheck = true;
    options.fallback = FallbackPolicy::Zeros;
    return caching_mode(options);
  }

  /// Caches a call of `moody`, then lets its rule use `mood`, and returns the error of the next call.
  Error failure(void (*mood)(RuleCall&)) {
    mode.cache_clear();
    g_mood = nullptr;
    const Value args[] = {x, x, 1};
    call(moody_op("moody"), args);
    call(moody_op("moody"), args);
    EXPECT_EQ(counts(mode), Counts(1, 1));
    g_mood = mood;
    return error_of([&] { call(moody_op("moody"), args); });
  }

  FakeMode mode = checking_mode();
  const Tensor x = mode.make(meta_of("f32[2,3]"));
};

// CACHE-24, BEY-25: a difference in any field or in the alias graph is found
TEST_F(CacheCrosscheck, AnswerThatDiffersInAnyFieldIsMismatch) {
  const std::vector<void (*)(RuleCall&)> moods{
      [](RuleCall& c) { c.out.outputs[0].meta.dtype = DType::F64; },
      [](RuleCall& c) { c.out.outputs[0].meta.sizes[0] = 1; },
      [](RuleCall& c) { c.out.outputs[0].meta.strides[0] = 1; },
      [](RuleCall& c) { c.out.outputs[0].meta.offset = 1; },
      [](RuleCall& c) { c.out.outputs[0].meta.device = cuda(1); },
      [](RuleCall& c) { c.out.outputs[0].meta.conj = true; },
      [](RuleCall& c) { c.out.outputs[0].meta.neg = true; },
      [](RuleCall& c) { c.out.outputs[0].meta.requires_grad = true; },
      [](RuleCall& c) { c.out.outputs[0].meta.inference = true; },
      [](RuleCall& c) { c.out.outputs[0].source = c.tensor(0), c.out.outputs[0].kind = OutputSpec::Kind::View; },
      [](RuleCall& c) { c.out.outputs[0].source = c.tensor(0), c.out.outputs[0].kind = OutputSpec::Kind::Same; },
      [](RuleCall& c) { c.out.outputs[0].kind = OutputSpec::Kind::None; },
      [](RuleCall& c) { c.out.also_written.push_back(c.tensor(0)); },
      [](RuleCall& c) { c.out.none(); },
  };
  for (size_t i = 0; i < moods.size(); ++i) {
    const Error e = failure(moods[i]);
    EXPECT_EQ(e.kind, ErrorKind::MetadataMismatch) << i << ": " << e.message;
    EXPECT_THAT(e.message, HasSubstr("FakeTensor cache crosscheck failure")) << i;
  }
}

// CACHE-24 (T)
TEST_F(CacheCrosscheck, TheMessageSpellsTheCallAndBothAnswers) {
  const Error e = failure([](RuleCall& c) { c.out.outputs[0].meta.dtype = DType::F64; });
  EXPECT_EQ(e.message,
            "moody: FakeTensor cache crosscheck failure: func=faketest.moody.default, args=(f32[2,3]{3,1}+0@cpu, "
            "f32[2,3]{3,1}+0@cpu), kwargs={n: 1}: remembered [f32[2,3]{3,1}+0@cpu], now [f64[2,3]{3,1}+0@cpu]");
}

// CACHE-24 (T)
TEST_F(CacheCrosscheck, RuleThatRaisesWhenAskedAgainIsMismatch) {
  const Error e = failure([](RuleCall& c) { c.require(false, "C1", "not today"); });
  EXPECT_EQ(e.kind, ErrorKind::MetadataMismatch);
  EXPECT_THAT(e.message, HasSubstr("FakeTensor cache crosscheck failure: func=faketest.moody.default, args="));
  EXPECT_THAT(e.message, HasSubstr("Dispatch raised=moody: not today [moody.C1]"));
}

// CACHE-24, BEY-25: answers of fallbacks are checked too
TEST_F(CacheCrosscheck, RunOfKernelIsRepeatedAndCompared) {
  const Value args[] = {x};
  call(moody_op("moody_kernel"), args);
  call(moody_op("moody_kernel"), args);
  EXPECT_EQ(counts(mode), Counts(1, 1));
  EXPECT_EQ(mode.fallbacks().size(), 2u);
  g_mood = [](RuleCall&) {};
  EXPECT_THAT(error_of([&] { call(moody_op("moody_kernel"), args); }).message,
              HasSubstr("remembered [f32[2,3]{3,1}+0@cpu], now [f32[3,3]{3,1}+0@cpu]"));
  OpEntry& op = *registry().find_mutable("faketest.moody_kernel.default");
  op.return_kernels[0] = wrong_kernel;
  EXPECT_THAT(error_of([&] { call(op, args); }).message, HasSubstr("Dispatch raised=moody_kernel: not today"));
  op.return_kernels[0] = moody_kernel;
}

// CACHE-24, CACHE-23, BEY-25: no registered rule depends on something that the cache key does not have
TEST_F(CacheCrosscheck, EverySampleIsAnsweredAlikeTwice) {
  FakeOptions options;
  options.cache_crosscheck = true;
  options.cache_entries = 1 << 20;
  uint64_t calls = 0, refused = 0, hits = 0;
  for (const OpEntry* op : registry().all()) {
    for (const Sample& sample : op->samples) {
      for (SampleLayout layout : kSampleLayouts) {
        if (!layout_applies(*op, layout)) continue;
        SCOPED_TRACE(op->name + "(" + sample.arguments + ") " + std::string(name(layout)));
        const std::vector<Value> real = sample_arguments(*op, sample, {layout});
        FakeMode cached = caching_mode(options), plain;
        std::string texts[3];
        for (std::string& text : texts) {
          const FakeMode& m = &text == &texts[2] ? plain : cached;
          // The fakes are made anew for each call, because in-place calls change them.
          std::vector<Tensor> kept;
          std::vector<Value> args;
          const FakeMode convert = m;
          for (const Value& v : real) {
            if (v.is_tensor()) {
              args.emplace_back(kept.emplace_back(convert.from_tensor(v.tensor())));
            } else if (v.kind() == Value::Kind::List) {
              std::vector<Value> items;
              for (const Value& item : v.as_list()) {
                items.push_back(item.is_tensor() ? Value(convert.from_tensor(item.tensor())) : item);
              }
              args.push_back(Value::list(items));
            } else {
              args.push_back(v);
            }
          }
          FakeScope scope(m);
          try {
            Values results;
            dispatch(*op, args, results);
            for (const Value& v : results) text += to_string(v) + ";";
            for (const Value& v : args) text += to_string(v) + ",";
            for_each_tensor(args, [&](const TensorImpl* t) { text += fmt::format("v{},", t->storage->version()); });
          } catch (const Error& e) {
            ASSERT_NE(e.kind, ErrorKind::MetadataMismatch) << e.message;
            text = e.message;
            ++refused;
          }
        }
        ++calls;
        ASSERT_EQ(texts[1], texts[0]);
        ASSERT_EQ(texts[2], texts[0]);
        hits += cached.cache_info().hits;
      }
    }
  }
  EXPECT_GT(calls, 1000);
  EXPECT_GT(hits, calls * 4 / 5);
  EXPECT_LT(refused, calls / 10);  // calls whose results depend on data
}

}  // namespace
}  // namespace ersatz
