#include "fake/mode/fallback.h"

#include <algorithm>
#include <chrono>

#include "fake/mode/fallback_log.h"
#include "fake/mode/real_symbols.h"
#include "fake/mode/synthetic_inputs.h"
#include "fake/watch/kernel_memory.h"
#include "fake/watch/saved_generators.h"
#include "runtime/base/log.h"
#include "runtime/base/source_line.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/value_checks.h"
#include "runtime/tensor/cuda_module.h"

namespace ersatz {
namespace {

[[noreturn]] void unsupported(const OpEntry& op, std::span<const Value> args, const std::string& why) {
  Error e(ErrorKind::UnsupportedOperator, ErrorFamily::NotImplemented,
          fmt::format("{}: {}: {}", op.name, why, render_call(op, args)));
  e.op = op.base();
  describe_error(e, args);
  throw e;
}

/// Returns whether the list contains the op's name, or its namespace as `aten.*`.
bool names(const std::vector<std::string>& list, std::string_view op) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view row) {
    if (!row.ends_with(".*")) return row == op;
    row.remove_suffix(1);
    return op.starts_with(row);
  });
}

/// Returns the reason why an op may not fall back; empty if it may.
std::string_view why_not(const FakeModeState& mode, const OpEntry& op) {
  const FakeOptions& o = mode.options;
  if (o.fallback == FallbackPolicy::Refuse) return "the mode lets no op fall back";
  if (op.fallback == FallbackPolicy::Refuse) return "the op declares that it must not run on made-up inputs";
  if (names(o.fallback_refused, op.name)) return "it is on the mode's list of ops that must not";
  if (!o.fallback_only.empty() && !names(o.fallback_only, op.name))
    return "it is not on the mode's list of ops that may";
  const bool asked_for = op.tags.has(Tag::DataDependent) && o.allow_data_dependent;
  if (o.fallback == FallbackPolicy::Zeros || op.fallback == FallbackPolicy::Zeros || asked_for) return {};
  return "it declares no policy: zeros, declared by it or chosen for the mode, would allow it";
}

/// Raises UnsupportedOperator with the reason if the call may not fall back.
void check_allowed(const FakeModeState& mode, const OpEntry& op, std::span<const Value> args) {
  const std::string_view why = why_not(mode, op);
  if (!why.empty()) {
    unsupported(op, args,
                fmt::format("the op has no rule, and a run of its kernel on made-up inputs is not allowed ({})", why));
  }
  if (op.tags.has(Tag::InplaceView)) unsupported(op, args, "an in-place view op needs a rule");
  if (holds_symbols(args)) {
    unsupported(op, args, "the op has no rule, and made-up inputs need sizes that are plain integers");
  }
}

/// Chooses the device whose kernel runs. Raises UnsupportedOperator if there is none, before anything is allocated.
DeviceType choose_device(const FakeModeState& mode, const OpEntry& op, std::span<const Value> args,
                         SyntheticInputs& inputs) {
  if (inputs.on_meta()) unsupported(op, args, "the op has no rule, and the meta device has no kernel to ask");
  const Device device = inputs.device();
  const bool here = device.is_cpu() || device.index < cuda_device_count();
  if (here && op.has_kernel(device.type)) return device.type;
  const bool cpu_could = device.is_cuda() && op.has_kernel(DeviceType::CPU);
  if (cpu_could && mode.options.fallback_on_cpu) {
    inputs.use_cpu_in_place_of_device();
    return DeviceType::CPU;
  }
  if (!here) {
    unsupported(
        op, args,
        fmt::format("the op has no rule, and a run of its kernel on made-up inputs needs {}, which is not here{}",
                    to_string(device),
                    cpu_could ? " (FakeOptions::fallback_on_cpu would ask its cpu kernel instead)" : ""));
  }
  unsupported(op, args, fmt::format("the op has neither a rule nor a kernel for {}", name(device.type)));
}

/// Adds to a kernel's error message that the kernel ran on synthetic inputs, and which fill they had.
void explain(Error& e, const OpEntry& op, Fill fill, std::span<const Value> args) {
  if (e.message.find(op.base()) == std::string::npos) e.message = fmt::format("{}: {}", op.base(), e.message);
  e.message += fmt::format(" (from the kernel of {}, run on made-up inputs, fill {}", op.name, name(fill));
  if (e.value_failure || op.tags.has(Tag::FailsOnValues)) {
    std::string others;
    for (int f = 0; f <= static_cast<int>(Fill::Sample); ++f) {
      if (static_cast<Fill>(f) == fill) continue;
      others += fmt::format("{}{}", others.empty() ? "" : ", ", name(static_cast<Fill>(f)));
    }
    e.message += fmt::format("; the fill may be the problem, not the call: other fills are {}", others);
    e.suggestion = fmt::format("another fill: {}", others);
  }
  e.message += ")";
  if (e.op.empty()) e.op = op.base();
  e.arguments.clear();  // removed because they describe the synthetic inputs
  describe_error(e, args);
}

}  // namespace

bool fallback_allowed(const FakeModeState& mode, const OpEntry& op) { return why_not(mode, op).empty(); }

void run_fallback(FakeModeState& mode, const OpEntry& op, std::span<const Value> args, Answer& answer) {
  check_allowed(mode, op, args);
  const Fill fill = mode.options.fill.value_or(op.fill);
  SyntheticInputs inputs(mode, op, fill);
  FallbackEvent event;
  event.op = op.name;
  event.reason = op.tags.has(Tag::DataDependent) ? "the size of its result depends on data" : "no rule";
  event.fill = fill;
  event.bytes = inputs.bytes_needed(args);
  event.source = current_source_line();
  if (event.bytes > mode.options.fallback_bytes) {
    unsupported(op, args,
                fmt::format("the op has no rule, and made-up inputs would take {} bytes (the mode's cap is {})",
                            event.bytes, mode.options.fallback_bytes));
  }
  const DeviceType device = choose_device(mode, op, args, inputs);
  event.on_cpu = device == DeviceType::CPU && inputs.device().is_cuda();

  const auto start = std::chrono::steady_clock::now();
  const auto finish = [&](bool failed) {
    event.nanoseconds = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
    event.failed = failed;
    answer.fell_back = true;
    const bool first = mode.fallbacks.add(event);
    if (!first || !log().writes(LogLevel::Info)) return;
    log().info("fallback: {} ({}): its kernel runs on {} bytes of made-up inputs (fill {}){}", event.op, event.reason,
               event.bytes, name(fill), event.on_cpu ? ", on the cpu in place of cuda" : "");
  };
  try {
    KeepGenerators generators(args, device == DeviceType::CPU ? kCPU : inputs.device());
    const std::vector<Value> real = inputs.make(args);
    Values answers;
    {
      SuspendModes real_calls;
      const ChecksAtOnce judged;                   // this call raises errors of values, not a later call
      const KernelMemory memory(/*guards=*/true);  // without guards, a write out of bounds would damage the heap
      run_real(op, real, answers);
      for (const GuardZones::Damage& d : memory.find_damage()) {
        fail_argument("{}: the kernel asked for {} bytes, and {} was written", op.base(), d.storage->nbytes(),
                      to_string(d));
      }
    }
    inputs.map_changes();
    for (const Value& v : answers) answer.results.push_back(inputs.map_back(v, event.numbers));
  } catch (Error& e) {
    finish(true);
    explain(e, op, fill, args);
    throw;
  } catch (const std::exception& foreign) {  // from a plugin's kernel, or std::bad_alloc
    finish(true);
    Error e(ErrorKind::InvalidArgument, ErrorFamily::Runtime, foreign.what());
    explain(e, op, fill, args);
    throw e;
  }
  finish(false);
  answer.source = Source::Fallback;
}

}  // namespace ersatz
