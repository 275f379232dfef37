// The cost of one call: `fake/NAME` on fakes, `real/NAME` on tiny real tensors, and `bare/NAME` for only the kernel of
// the real call, into existing results (views have none). `crosscheck/NAME` has the byte checks on and off, and
// `propagate/NAME` has fakes that carry real tensors. `cached/NAME` is fake/NAME with every answer cached: a lookup
// instead of the rule. One thread; arguments are boxed as in typed functions.
#include <benchmark/benchmark.h>

#include <functional>

#include "fake/crosscheck/crosscheck_mode.h"
#include "runtime/base/parallel.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

struct Case {
  const char* name;
  const char* op;
  std::vector<const char*> tensors;  ///< small metadata of the tensor arguments, equal for all three kinds
  /// Makes the call's complete arguments from these tensors.
  std::function<std::vector<Value>(const std::vector<Tensor>&)> arguments;
};

Value ints(std::initializer_list<int64_t> v) { return Value::int_list(std::vector<int64_t>(v)); }

const std::vector<Case>& cases() {
  using T = const std::vector<Tensor>&;
  using V = std::vector<Value>;
  static const std::vector<Case> all{
      {"add",
       "aten.add.Tensor",
       {"f32[2,3]", "f32[2,3]"},
       [](T t) {
         return V{t[0], t[1], Value(1)};
       }},
      {"mul_broadcast",
       "aten.mul.Tensor",
       {"f32[2,3]", "f32[3]"},
       [](T t) {
         return V{t[0], t[1]};
       }},
      {"mm",
       "aten.mm.default",
       {"f32[2,3]", "f32[3,4]"},
       [](T t) {
         return V{t[0], t[1]};
       }},
      {"view",
       "aten.view.default",
       {"f32[2,3]"},
       [](T t) {
         return V{t[0], ints({3, 2})};
       }},
      {"t", "aten.t.default", {"f32[2,3]"}, [](T t) { return V{t[0]}; }},
      {"relu", "aten.relu.default", {"f32[2,3]"}, [](T t) { return V{t[0]}; }},
      {"sum",
       "aten.sum.dim_IntList",
       {"f32[2,3]"},
       [](T t) {
         return V{t[0], ints({1}), Value(false), Value()};
       }},
      {"softmax",
       "aten._softmax.default",
       {"f32[2,3]"},
       [](T t) {
         return V{t[0], Value(1), Value(false)};
       }},
      {"cat",
       "aten.cat.default",
       {"f32[2,3]", "f32[2,3]"},
       [](T t) {
         return V{Value::list(V{t[0], t[1]}), Value(0)};
       }},
      {"conv2d",
       "aten.convolution.default",
       {"f32[1,2,5,5]", "f32[3,2,3,3]", "f32[3]"},
       [](T t) {
         return V{t[0], t[1], t[2], ints({1, 1}), ints({1, 1}), ints({1, 1}), Value(false), ints({0, 0}), Value(1)};
       }},
      {"layer_norm",
       "aten.native_layer_norm.default",
       {"f32[2,3]", "f32[3]", "f32[3]"},
       [](T t) {
         return V{t[0], ints({3}), t[1], t[2], Value(1e-5)};
       }},
      {"conv2d_composite",
       "aten.conv2d.default",
       {"f32[1,2,5,5]", "f32[3,2,3,3]", "f32[3]"},
       [](T t) {
         return V{t[0], t[1], t[2], ints({1, 1}), ints({1, 1}), ints({1, 1}), Value(1)};
       }},
      {"layer_norm_composite",
       "aten.layer_norm.default",
       {"f32[2,3]", "f32[3]", "f32[3]"},
       [](T t) { return V{t[0], ints({3}), t[1], t[2], Value(1e-5), Value(true)}; }},
  };
  return all;
}

std::vector<Tensor> real_tensors(const Case& c) {
  std::vector<Tensor> tensors;
  for (const char* meta : c.tensors) {
    Tensor t = make_real_tensor(parse_meta(meta));
    std::fill_n(t.data<float>(), t.numel().as_int(), 0.5f);
    tensors.push_back(std::move(t));
  }
  return tensors;
}

const OpEntry* find_op(benchmark::State& state, const Case& c) {
  const OpEntry* op = registry().find(c.op);
  if (!op) state.SkipWithError(fmt::format("{} is not there", c.op).c_str());
  return op;
}

/// Calls the op as a typed function does: arguments are borrowed, results are moved out.
void run_calls(benchmark::State& state, const OpEntry& op, const std::vector<Value>& owned) {
  std::vector<Tensor> tensors;
  tensors.reserve(owned.size());
  std::vector<Value> args;
  for (const Value& v : owned) {
    if (v.is_tensor()) {
      args.push_back(Value::borrow(tensors.emplace_back(v.tensor())));
    } else if (v.kind() == Value::Kind::List) {
      args.push_back(Value::borrow(v.as_list()));
    } else {
      args.push_back(v);
    }
  }
  for (auto _ : state) {
    Values results;
    dispatch(op, args, results);
    benchmark::DoNotOptimize(results);
  }
}

void fake_calls(benchmark::State& state, const Case& c, FakeOptions options = {}) {
  const OpEntry* op = find_op(state, c);
  if (!op) return;
  FakeMode mode(std::move(options));
  FakeScope scope(mode);
  std::vector<Tensor> tensors;
  for (const char* meta : c.tensors) tensors.push_back(mode.make(parse_meta(meta)));
  run_calls(state, *op, c.arguments(tensors));
}

void real_calls(benchmark::State& state, const Case& c) {
  if (const OpEntry* op = find_op(state, c)) run_calls(state, *op, c.arguments(real_tensors(c)));
}

void bare_kernel(benchmark::State& state, const Case& c) {
  const OpEntry* op = find_op(state, c);
  if (!op) return;
  if (!op->rule) return state.SkipWithError("a composite has no kernel of its own");
  const std::vector<Value> args = c.arguments(real_tensors(c));
  RuleResult rule;
  run_rule(*op, args, rule);
  const bool kernel = needs_kernel(*op, rule);
  OutputTensors outputs;
  make_outputs(rule, nullptr, outputs);
  if (!kernel) return state.SkipWithError("a view has no kernel");
  for (auto _ : state) run_kernel(*op, args, outputs, DeviceType::CPU);
}

/// Makes the fake call, and the real call on the tensors that the fakes carry.
void propagated_calls(benchmark::State& state, const Case& c) {
  const OpEntry* op = find_op(state, c);
  if (!op) return;
  FakeOptions options;
  options.propagate_real = true;
  FakeMode mode(options);
  FakeScope scope(mode);
  std::vector<Tensor> tensors;
  for (const Tensor& t : real_tensors(c)) tensors.push_back(mode.from_tensor(t));
  run_calls(state, *op, c.arguments(tensors));
}

void checked_calls(benchmark::State& state, const Case& c, bool bytes) {
  const OpEntry* op = find_op(state, c);
  if (!op) return;
  CrosscheckOptions options;
  options.poison = options.guards = options.hash_inputs = bytes;
  CrosscheckMode mode(options);
  ModeGuard guard(mode);
  run_calls(state, *op, c.arguments(real_tensors(c)));
}

}  // namespace
}  // namespace ersatz

int main(int argc, char** argv) {
  using namespace ersatz;
  set_pool_threads(1);
  const auto add = [](const char* kind, const Case& c, auto run) {
    benchmark::RegisterBenchmark(fmt::format("{}/{}", kind, c.name).c_str(), run);
  };
  for (const Case& c : cases()) {
    add("fake", c, [&c](benchmark::State& s) { fake_calls(s, c); });
    add("cached", c, [&c](benchmark::State& s) {
      FakeOptions options;
      options.cache = CachePolicy::Always;
      fake_calls(s, c, options);
    });
    add("real", c, [&c](benchmark::State& s) { real_calls(s, c); });
    add("bare", c, [&c](benchmark::State& s) { bare_kernel(s, c); });
    add("propagate", c, [&c](benchmark::State& s) { propagated_calls(s, c); });
    add("crosscheck", c, [&c](benchmark::State& s) { checked_calls(s, c, false); });
    add("crosscheck_bytes", c, [&c](benchmark::State& s) { checked_calls(s, c, true); });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
