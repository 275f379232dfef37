#include "tracer/trace/trace.h"

#include "fake/mode/active_fake_mode.h"
#include "runtime/autograd/saved_tensor_hooks.h"
#include "runtime/op/autocast_cache.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/map_tensors.h"
#include "runtime/sym/sym_expr.h"
#include "tracer/program/graph_edit.h"
#include "tracer/program/program_facts.h"
#include "tracer/trace/tracer.h"

namespace ersatz {

namespace {
constexpr std::string_view kModeNames[] = {"real", "fake", "symbolic"};

/// Returns the fake mode of the inputs or, if they have none, of the thread; nullopt if there is none. RAISES
/// InvalidArgument if there are two.
std::optional<FakeMode> mode_at_hand(std::span<const Value> inputs) {
  std::optional<FakeMode> found;
  const auto see = [&](const FakeMode& mode) {
    if (found && !(*found == mode)) {
      fail_argument(
          "fake mode from an input doesn't match mode from elsewhere: a trace has one. The one was made\n{}\n"
          "the other one\n{}",
          found->stack(), mode.stack());
    }
    found = mode;
  };
  if (FakeModeState* active = active_fake_mode()) see(FakeMode(Ref<FakeModeState>(active)));
  for_each_tensor(inputs, [&](const TensorImpl* t) {
    if (const std::optional<FakeMode> mode = mode_of(Tensor(Ref<TensorImpl>(const_cast<TensorImpl*>(t))))) see(*mode);
  });
  return found;
}

FakeMode mode_of_trace(const TraceOptions& options, std::span<const Value> inputs) {
  const bool symbolic = options.mode == TraceMode::Symbolic;
  if (std::optional<FakeMode> found = mode_at_hand(inputs)) {
    if (symbolic && !found->options().shape_env)
      fail_argument("shape_env should be set if tracing with 'symbolic': the fake mode at hand has no ShapeEnv");
    return *found;
  }
  return make_trace_mode(options, std::make_shared<ShapeEnv>(), /*keeps_sizes=*/!symbolic);
}

/// Returns the value that the traced function gets for one leaf of the arguments.
Value traced_input(const Value& v, const std::string& name, const FakeMode& mode, bool symbolic) {
  if (v.is_tensor()) {
    FromTensorOptions asked;
    asked.source = name;
    return Value(mode.from_tensor(v.tensor(), asked));
  }
  if (!symbolic || v.kind() != Value::Kind::Int || v.is_symbolic() || mode.options().keeps_sizes()) return v;
  FreshSymbol wanted;
  wanted.prefix = "s";
  wanted.hint = v.as_int64();
  wanted.min = INT64_MIN;
  return Value(mode.options().shape_env->fresh(wanted));
}

/// Returns the type of the module in whose forward all nodes were made; empty if there is none.
std::string outermost_module(const Program& program) {
  uint32_t found = kNone;
  for (const Node& n : program.main().nodes) {
    const std::vector<uint32_t> stack = module_stack(program, n);
    if (stack.empty() || (found != kNone && found != stack[0])) return {};
    found = stack[0];
  }
  return found == kNone ? "" : std::string(program.name(program.modules[found].type));
}

std::string input_name(const TraceOptions& options, size_t i) {
  return i < options.input_names.size() ? options.input_names[i] : fmt::format("arg{}", i);
}
}  // namespace

std::string_view name(TraceMode m) { return kModeNames[static_cast<int>(m)]; }

TraceMode parse_trace_mode(std::string_view text) {
  for (size_t i = 0; i < std::size(kModeNames); ++i) {
    if (kModeNames[i] == text) return static_cast<TraceMode>(i);
  }
  fail_argument("Unexpected tracing type: {}; it is one of real, fake, symbolic", text);
}

FakeMode make_trace_mode(const TraceOptions& options, std::shared_ptr<ShapeEnv> env, bool keeps_sizes) {
  FakeOptions made;
  made.shape_env = std::move(env);
  made.static_shapes = keeps_sizes;
  made.allow_non_fake_inputs = options.allow_non_fake_inputs;
  made.propagate_real = false;  // otherwise real values would decide results that the program cannot reproduce
  made.fallback = options.mode == TraceMode::Symbolic ? FallbackPolicy::Refuse : FallbackPolicy::Zeros;
  return FakeMode(std::move(made));
}

Program trace(const TracedFunction& function, std::span<const Value> inputs, const TraceOptions& options) {
  const NoTracing outer;
  Program program;
  program.producer = options.producer;
  program.steals = options.steals;
  std::optional<FakeMode> mode;
  if (options.mode != TraceMode::Real) {
    mode = mode_of_trace(options, inputs);
    if (mode->options().shape_env) program.env = mode->options().shape_env;
  }
  Tracer tracer(program, program.main(), options, RegionState::of_program());
  std::vector<Value> given;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const std::string base = input_name(options, i);
    const bool list = inputs[i].kind() == Value::Kind::List;
    int leaf = 0;
    given.push_back(map_leaves(inputs[i], [&](const Value& v) {
      const std::string name = list ? fmt::format("{}_{}", base, leaf++) : base;
      Value actual = mode ? traced_input(v, name, *mode, options.mode == TraceMode::Symbolic) : v;
      tracer.add_input(name, actual);
      return actual;
    }));
  }
  {
    std::optional<FakeScope> fake;
    if (mode) fake.emplace(*mode);
    const ModeGuard recorded(tracer);
    const DeferSavedTensorHooks hooks_of_the_run;
    const NoAutocastCache each_cast_is_a_call;
    const std::vector<Value> results = function(given);
    if (options.functional) tracer.add_mutations();
    for (const Value& r : results) tracer.add_output(r);
  }
  tracer.finish();
  if (options.functional) remove_dead_nodes(program);
  program.function = options.function.empty() ? outermost_module(program) : options.function;
  if (mode && mode->options().shape_env) {
    add_conditions(program, RecordedCondition::Kind::Guard, program.env->guards());
    add_conditions(program, RecordedCondition::Kind::Assert, program.env->asserts());
    add_conditions(program, RecordedCondition::Kind::Assumption, program.env->assumptions());
  }
  return program;
}

Program trace_isolated(const TracedFunction& function, std::span<const Value> inputs,
                       std::vector<std::string> input_names) {
  const Tracer* outer = current_tracer();
  if (!outer) {
    fail(ErrorKind::TraceError, ErrorFamily::Runtime,
         "Unexpected tracer type: none. An isolated graph is recorded by a tracer like the one around it, and no trace "
         "runs on this thread");
  }
  TraceOptions options = outer->options();
  options.input_names = std::move(input_names);
  options.function.clear();
  options.steals.clear();
  return trace(function, inputs, options);
}

}  // namespace ersatz
