// Random sequences of calls, among them views, in-place and out= ones, are recorded and run again on new inputs.
//
// A script is drawn by making its calls: an op of the registry and a sample of it, with some of the sample's tensors
// replaced by existing ones. The script is recorded as a function of its inputs. On other values the program must equal
// the function, bit by bit, for every tensor and for the inputs. ERSATZ_TRACED_CALLS is the number of calls to make,
// and ERSATZ_TRACED_SEED the first script's seed; the test is a short run.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "fake/object/module_call.h"
#include "runtime/base/context.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/registry.h"
#include "runtime/op/sample.h"
#include "runtime/tensor/generator.h"
#include "runtime/tensor/meta_text.h"
#include "tests/tracer/traced_lines.h"
#include "tracer/program/verify.h"
#include "tracer/tensors/synthetic.h"
#include "tracer/text/text_form.h"
#include "tracer/trace/tracer.h"

namespace ersatz {
namespace {

constexpr size_t kCallsPerScript = 12;
constexpr int64_t kMostElements = 512;

/// An argument: a value, the index of an existing tensor, or a list of arguments.
struct Piece {
  Value value;
  int living = -1;
  bool list = false;
  std::vector<Piece> items;
};
struct ScriptedCall {
  const OpEntry* op;
  std::vector<Piece> args;
};

/// Returns a copy on a storage of its own, without any mode seeing it.
Tensor copy_of(const Tensor& t) { return Tensor(t.meta(), Storage::lazy_copy(t.storage())); }

/// Returns whether the op may leave memory unwritten without declaring it. The results of these ops are not compared.
bool leaves_memory_unwritten(const OpEntry& op) {
  return op.schema.base.starts_with("resize") || op.schema.base == "set_";
}

class Script {
 public:
  /// Without `seeded`, the script draws no random numbers, because threads share the generator.
  explicit Script(uint64_t seed, bool seeded = true) : random_(seed), seeded_(seeded) {
    std::vector<Tensor> living = inputs(1);
    for (int attempt = 0; calls_.size() < kCallsPerScript && attempt < 100; ++attempt) {
      ScriptedCall call = draw(living);
      try {
        manual_seed(7);
        make(call, living);
        calls_.push_back(std::move(call));
      } catch (const Error&) {
        living = inputs(1);  // the writes of a refused call are unknown, so start over
        for (const ScriptedCall& made : calls_) make(made, living);
      }
    }
  }

  std::vector<Tensor> inputs(uint64_t seed) const {
    std::vector<Tensor> made;
    for (const DimVec& sizes : {DimVec{2, 3}, DimVec{3}, DimVec{4, 3}}) {
      made.push_back(make_real_tensor(TensorMeta(DType::F32, sizes)));
      fill_synthetic(made.back(), "x", seed + made.size(), SyntheticRole::Input);
    }
    return made;
  }
  /// Returns every tensor that exists at the end, inputs first. Throws before call `fails_at`.
  std::vector<Value> run(std::span<const Value> inputs, size_t fails_at = SIZE_MAX) const {
    std::vector<Tensor> living;
    for (const Value& v : inputs) living.push_back(v.tensor());
    for (size_t i = 0; i < calls_.size(); ++i) {
      if (i == fails_at) fail_argument("thrown on purpose");
      make(calls_[i], living);
    }
    std::vector<Value> all;
    for (const Tensor& t : living) all.emplace_back(t);
    return all;
  }
  size_t size() const { return calls_.size(); }

 private:
  size_t below(size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random_); }

  Piece piece(const Value& sample, const std::vector<Tensor>& living) {
    Piece p;
    if (sample.kind() == Value::Kind::List) {
      p.list = true;
      for (const Value& item : sample.as_list()) p.items.push_back(piece(item, living));
      return p;
    }
    p.value = sample;
    if (!sample.is_tensor()) return p;
    for (int attempt = 0; attempt < 6; ++attempt) {
      const size_t i = below(living.size());
      if (living[i].dim() == sample.tensor().dim() && living[i].dtype() == sample.tensor().dtype()) p.living = int(i);
    }
    return p;
  }

  ScriptedCall draw(const std::vector<Tensor>& living) {
    static const std::vector<const OpEntry*> ops = [] {
      std::vector<const OpEntry*> found;
      for (const OpEntry* op : registry().all()) {
        if (!op->tags.has(Tag::Foreign) && !op->tags.has(Tag::Uninitialized) && !leaves_memory_unwritten(*op) &&
            !op->samples.empty() && op->name.starts_with("aten."))
          found.push_back(op);
      }
      return found;
    }();
    const OpEntry* drawn = nullptr;
    do drawn = ops[below(ops.size())];
    while (!seeded_ && drawn->tags.has(Tag::Random));
    const OpEntry& op = *drawn;
    SampleOptions options;
    options.seed = random_();
    ScriptedCall call{&op, {}};
    for (const Value& v : sample_arguments(op, op.samples[below(op.samples.size())], options))
      call.args.push_back(piece(v, living));
    return call;
  }

  static Value argument(const Piece& p, const std::vector<Tensor>& living) {
    if (p.list) {
      std::vector<Value> items;
      for (const Piece& item : p.items) items.push_back(argument(item, living));
      return Value::list(items);
    }
    if (p.living >= static_cast<int>(living.size()))
      fail_argument("argument {} of {} tensors at hand: an earlier call gave fewer than when it was drawn", p.living,
                    living.size());
    if (p.living >= 0) return Value(living[static_cast<size_t>(p.living)]);
    return p.value.is_tensor() ? Value(copy_of(p.value.tensor())) : p.value;
  }

  static void make(const ScriptedCall& call, std::vector<Tensor>& living) {
    std::vector<Value> args;
    for (const Piece& p : call.args) args.push_back(argument(p, living));
    Values results;
    dispatch(*call.op, args, results);
    for_each_tensor(results, [&](const TensorImpl* t) {
      const SymInt n = t->meta.numel();
      if (!n.is_int() || n.as_int() <= kMostElements) living.emplace_back(Ref<TensorImpl>(const_cast<TensorImpl*>(t)));
    });
  }

  std::mt19937_64 random_;
  bool seeded_;
  std::vector<ScriptedCall> calls_;
};

/// Returns metadata and bytes in row-major order.
std::string text_of(const Value& v) {
  const Tensor t = v.tensor();
  std::string text = to_string(t.meta()) + '\0';
  if (!t.device().is_cpu()) return text;
  const Tensor rows = call("aten.contiguous.default", {v})[0].tensor();
  const size_t bytes = static_cast<size_t>(rows.numel().as_int()) * static_cast<size_t>(item_size(rows.dtype()));
  const std::byte* first = rows.storage()->data() + rows.meta().offset.as_int() * item_size(rows.dtype());
  if (bytes) text.append(reinterpret_cast<const char*>(first), bytes);
  return text;
}
struct Outcome {
  std::vector<std::string> tensors;  ///< results, then inputs after the call
  bool raised = false;
  bool operator==(const Outcome&) const = default;
};
template <class F>
Outcome outcome(const F& f, const std::vector<Tensor>& inputs) {
  Outcome o;
  manual_seed(11);
  std::vector<Value> given;
  for (const Tensor& t : inputs) given.emplace_back(t);
  try {
    for (const Value& v : f(given)) o.tensors.push_back(text_of(v));
  } catch (const Error&) {
    o.raised = true;
    o.tensors.clear();
    return o;
  }
  for (const Value& v : given) o.tensors.push_back(text_of(v));
  return o;
}

/// Returns the first tensor in which two outcomes differ.
std::string difference(const Outcome& got, const Outcome& expected) {
  if (got.raised != expected.raised) return got.raised ? "the replay raised" : "the direct call raised";
  for (size_t i = 0; i < std::min(got.tensors.size(), expected.tensors.size()); ++i) {
    const std::string &a = got.tensors[i], &b = expected.tensors[i];
    if (a != b) return fmt::format("tensor {}: {} and {}", i, a.substr(0, a.find('\0')), b.substr(0, b.find('\0')));
  }
  return "the number of tensors";
}

struct Counts {
  int64_t calls = 0, replayed = 0, refused = 0, undecided = 0;
};

/// Draws a script, records it in a mode, and compares the program with the script. A decomposed composite may differ in
/// its last bits from the whole one, so with `whole` false the script runs under a tracer that decomposes composites.
void try_script(uint64_t seed, TraceMode mode, bool whole, Counts& counts, bool seeded = true) {
  const Script script(seed, seeded);
  counts.calls += static_cast<int64_t>(script.size());
  TraceOptions options = in_mode(mode);
  options.allow_non_fake_inputs = true;
  options.keep_composites = whole;
  TraceOptions watched = options;
  watched.mode = TraceMode::Real;
  const auto f = [&](std::span<const Value> x) {
    if (whole) return script.run(x);
    std::vector<Value> seen;
    trace([&](std::span<const Value> again) { return seen = script.run(again); }, x, watched);
    return seen;
  };
  const Outcome expected = outcome(f, script.inputs(2));
  if (outcome(f, script.inputs(2)) != expected) {  // the script read unwritten memory
    ++counts.undecided;
    return;
  }
  std::vector<Value> example;
  for (const Tensor& t : script.inputs(1)) example.emplace_back(t);
  std::optional<Program> p;
  try {
    manual_seed(7);
    p.emplace(trace([&](std::span<const Value> x) { return script.run(x); }, example, options));
  } catch (const Error&) {
    ++counts.refused;
    ASSERT_TRUE(active_modes().empty());
    return;
  }
  verify_program(*p, "traced");
  if (!p->conditions.empty()) {  // other inputs need not satisfy its conditions
    ++counts.undecided;
    return;
  }
  if (expected.raised && !whole) return;  // under the tracer the script read a value
  ++counts.replayed;
  const Outcome got = outcome([&](const std::vector<Value>& x) { return run(*p, x); }, script.inputs(2));
  EXPECT_TRUE(got == expected) << "seed " << seed << ", " << name(mode) << ": " << difference(got, expected) << "\n"
                               << print_program(*p);
}

Counts try_scripts(uint64_t first, int64_t calls, bool seeded = true) {
  Counts counts;
  for (uint64_t seed = first; counts.calls < calls && !::testing::Test::HasFailure(); ++seed)
    try_script(seed, seed % 2 ? TraceMode::Real : TraceMode::Fake, seed % 4 < 2, counts, seeded);
  return counts;
}

int64_t setting(const char* variable, int64_t otherwise) {
  const char* set = std::getenv(variable);
  return set ? std::atoll(set) : otherwise;
}

TEST(TracedSequences, ProgramEqualsItsFunctionOnFreshInputs) {
  const Counts c =
      try_scripts(static_cast<uint64_t>(setting("ERSATZ_TRACED_SEED", 1)), setting("ERSATZ_TRACED_CALLS", 3000));
  std::printf("%lld calls, %lld scripts replayed, %lld refused, %lld undecided\n", static_cast<long long>(c.calls),
              static_cast<long long>(c.replayed), static_cast<long long>(c.refused),
              static_cast<long long>(c.undecided));
  EXPECT_GT(c.replayed, c.refused + c.undecided);
}

// TRACE-26
TEST(TracedSequences, ErrorAnywhereLeavesThreadAsItWas) {
  std::mt19937_64 random(5);
  for (uint64_t seed = 1; seed < 40; ++seed) {
    const Script script(seed);
    if (!script.size()) continue;
    const size_t at = random() % script.size();
    const RuleContext before = rule_context();
    std::vector<Value> example;
    for (const Tensor& t : script.inputs(1)) example.emplace_back(t);
    const auto module = std::make_shared<Module>();
    const auto f = [&](std::span<const Value> x) {
      const ModuleCall scope(*module);
      return script.run(x, at);
    };
    TraceOptions options = in_mode(seed % 2 ? TraceMode::Real : TraceMode::Fake);
    options.allow_non_fake_inputs = true;
    options.pre_dispatch = seed % 3 == 0;
    EXPECT_THROW(trace(f, example, options), Error);
    EXPECT_TRUE(active_modes().empty());
    EXPECT_EQ(current_tracer(), nullptr);
    EXPECT_EQ(current_module(), nullptr);
    EXPECT_TRUE(rule_context() == before);
  }
}

TEST(TracedSequences, EightThreadsRecordEachTheirOwn) {
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 8; ++i) threads.emplace_back([i] { try_scripts(1000 * (i + 1), 120, /*seeded=*/false); });
  for (std::thread& t : threads) t.join();
}

}  // namespace
}  // namespace ersatz
