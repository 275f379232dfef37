// The options of a fake mode, which are fixed when the mode is made.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fake/mode/symbolic_context.h"
#include "runtime/op/op_entry.h"
#include "runtime/tensor/tensor.h"

namespace ersatz {

class ShapeEnv;

/// Selects the ops whose answers a mode caches (fake/mode/dispatch_cache.h).
enum class CachePolicy : uint8_t {
  Auto,    ///< ops with a costly rule, and ops without a rule
  Always,  ///< every op whose answers can be cached
  Never
};

/// This thread's defaults of options. A change affects only modes that are made later.
struct FakeDefaults {
  bool propagate_real = false;  ///< the environment variable ERSATZ_PROPAGATE_REAL=1 sets it for the process
  CachePolicy cache = CachePolicy::Auto;
  bool cache_crosscheck = false;
  bool allow_meta = true;
  bool allow_data_pointer = false;
  bool keep_stacks = false;  ///< the environment variable ERSATZ_FAKE_STACKS=1 sets it for the process
};
const FakeDefaults& fake_defaults();

/// Replaces this thread's defaults until the end of the scope.
///   FakeDefaultsGuard guard([](FakeDefaults& d) { d.propagate_real = true; });
class FakeDefaultsGuard {
 public:
  template <class F>
  explicit FakeDefaultsGuard(F&& change) : saved_(fake_defaults()) {
    FakeDefaults changed = saved_;
    change(changed);
    set(changed);
  }
  ~FakeDefaultsGuard() { set(saved_); }
  FakeDefaultsGuard(const FakeDefaultsGuard&) = delete;
  FakeDefaultsGuard& operator=(const FakeDefaultsGuard&) = delete;

 private:
  static void set(const FakeDefaults& d);
  FakeDefaults saved_;
};

struct FakeOptions {
  /// Says whether an op without a rule may run its kernel on synthetic inputs. `Rule`: if the op declares that it may.
  /// `Zeros`: unless the op declares that it must not. `Refuse`: never.
  FallbackPolicy fallback = FallbackPolicy::Rule;
  /// The elements of synthetic inputs. Nullopt: the fill that the op declares.
  std::optional<Fill> fill;
  /// For Fill::Sample: a function that returns a real CPU tensor of the argument's dtype and sizes, or an undefined
  /// tensor for zeros. It is called once for each tensor, with the schema position of the tensor's argument.
  std::function<Tensor(const OpEntry& op, size_t argument, const TensorMeta& meta)> fallback_sample;
  /// Ops in the first list must not fall back. If the second list is not empty, only ops in it may fall back. A name in
  /// a list is `aten.foo.default`, or `aten.*` for a namespace.
  std::vector<std::string> fallback_refused, fallback_only;
  /// Allows a fallback for ops with a result size that depends on data. The synthetic values then determine the size.
  bool allow_data_dependent = false;
  /// If the device is missing or the op has no CUDA kernel, a fallback for fakes on CUDA runs the CPU's kernel.
  bool fallback_on_cpu = false;
  /// A function that answers calls of ops without a rule, by rules that were inferred from examples (source
  /// `inferred`). It sets the outputs of `result`; if it returns false, a fallback is tried. May be empty.
  std::function<bool(const OpEntry& op, std::span<const Value> args, RuleResult& result)> inferred;
  /// The most bytes that the synthetic inputs of one call may have. This is checked before they are allocated.
  int64_t fallback_bytes = int64_t(1) << 30;
  /// Converts real tensors among the arguments to fakes. Without this option they are refused.
  bool allow_non_fake_inputs = false;
  /// Allows fakes on the meta device.
  bool allow_meta = fake_defaults().allow_meta;
  /// Returns null as the data pointer of a fake. Without this option, reading it raises DataDependentOutput.
  bool allow_data_pointer = fake_defaults().allow_data_pointer;
  /// Stores in every fake the call stack that made it (`creation_stack`), which takes about 1 us per fake.
  bool keep_stacks = fake_defaults().keep_stacks;
  /// Makes fakes carry real tensors and runs every call for real too (fake/mode/real_values.h). No answer is cached
  /// then.
  bool propagate_real = fake_defaults().propagate_real;
  /// The most bytes that real tensors may have. This is checked before they are allocated. A value that does not fit is
  /// lost, and the report lists the loss.
  int64_t real_bytes = INT64_MAX;
  /// If a rule and its kernel disagree, lists the disagreement in the report and gives the fake the kernel's metadata.
  /// Without this option, the call raises MetadataMismatch.
  bool collect_mismatches = false;
  CachePolicy cache = fake_defaults().cache;
  /// Whenever a cached answer is used, also computes the answer again and compares both.
  bool cache_crosscheck = fake_defaults().cache_crosscheck;
  /// The most answers in the cache. A full cache drops the least recently used answer.
  size_t cache_entries = 4096;
  /// The owner of the symbols for sizes and numbers. Null: a call that needs a symbol raises an error. Modes may share
  /// one ShapeEnv.
  std::shared_ptr<ShapeEnv> shape_env;
  /// True: `from_tensor` keeps sizes as numbers. False: sizes become symbols of the ShapeEnv. Nullopt: false if there
  /// is a ShapeEnv, else true.
  std::optional<bool> static_shapes;
  bool keeps_sizes() const { return static_shapes.value_or(!shape_env); }
  /// The kinds of tensors whose sizes never become symbols (fake/mode/symbolic_context.h).
  StaticTensors static_tensors;
  /// Set if the program is traced for export: `from_tensor` then makes no symbol for the value of a 0-dim input.
  bool for_export = false;
  /// Makes symbols for numbers that depend on data (`item`), even if the settings of the ShapeEnv do not allow it.
  bool allow_scalar_outputs = false;
  /// Counts how often each source answers calls of each op (`FakeMode::coverage`).
  bool count_sources = false;
};

}  // namespace ersatz
