// The options of a fake mode. They are read once, when the mode is made.
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

/// The ops whose answers a mode caches (fake/mode/dispatch_cache.h).
enum class CachePolicy : uint8_t {
  Auto,    ///< ops with a costly rule, and ops without a rule
  Always,  ///< every op whose answers can be cached
  Never
};

/// The defaults of options on this thread. A change affects only modes that are made later.
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
  /// Whether an op without a rule may run its kernel on synthetic inputs. `Rule`: if the op declares that it may.
  /// `Zeros`: unless the op declares that it must not. `Refuse`: never.
  FallbackPolicy fallback = FallbackPolicy::Rule;
  /// The elements of synthetic inputs. Nullopt: the fill that the op declares.
  std::optional<Fill> fill;
  /// For Fill::Sample: returns a real CPU tensor of the argument's dtype and sizes, or undefined for zeros. Called once
  /// for each tensor, with the schema position of its argument.
  std::function<Tensor(const OpEntry& op, size_t argument, const TensorMeta& meta)> fallback_sample;
  /// Ops that must not fall back; and, if the second list is not empty, the only ops that may. A name is like
  /// `aten.foo.default`, or `aten.*` for a namespace.
  std::vector<std::string> fallback_refused, fallback_only;
  /// Ops with a result size that depends on data may fall back too. The synthetic values then decide the size.
  bool allow_data_dependent = false;
  /// A fallback for fakes on CUDA runs the CPU's kernel if the device is missing or the op has no CUDA kernel.
  bool fallback_on_cpu = false;
  /// Answers a call of an op without a rule, by a rule that was inferred from examples (source `inferred`). It sets the
  /// outputs of `result`, or returns false if it has no answer; then a fallback is tried. May be empty.
  std::function<bool(const OpEntry& op, std::span<const Value> args, RuleResult& result)> inferred;
  /// The most bytes that synthetic inputs of one call may take, checked before allocation.
  int64_t fallback_bytes = int64_t(1) << 30;
  /// Real tensors among the arguments are converted instead of refused.
  bool allow_non_fake_inputs = false;
  /// Fakes may be on the meta device.
  bool allow_meta = fake_defaults().allow_meta;
  /// The data pointer of a fake is null. Without this option, reading it raises DataDependentOutput.
  bool allow_data_pointer = fake_defaults().allow_data_pointer;
  /// Every fake stores the call stack that made it (`creation_stack`). This takes about 1 us per fake.
  bool keep_stacks = fake_defaults().keep_stacks;
  /// Fakes carry real tensors, and every call also runs for real (fake/mode/real_values.h). No answer is cached then.
  bool propagate_real = fake_defaults().propagate_real;
  /// The most bytes that real tensors may take, checked before allocation. A value that does not fit is lost, and the
  /// report lists it.
  int64_t real_bytes = INT64_MAX;
  /// If rule and kernel disagree, the report lists it, and the fake has the kernel's metadata. Without this option, the
  /// call raises MetadataMismatch.
  bool collect_mismatches = false;
  CachePolicy cache = fake_defaults().cache;
  /// Each cached answer that is used is also computed again and compared.
  bool cache_crosscheck = fake_defaults().cache_crosscheck;
  /// The most answers in the cache. A full cache drops the least recently used answer.
  size_t cache_entries = 4096;
  /// Owns the symbols of sizes and numbers. Null: a call that needs a symbol raises. Modes may share one ShapeEnv.
  std::shared_ptr<ShapeEnv> shape_env;
  /// Whether `from_tensor` keeps sizes as numbers; if not, they become symbols of the ShapeEnv. Nullopt: sizes stay
  /// numbers only without a ShapeEnv.
  std::optional<bool> static_shapes;
  bool keeps_sizes() const { return static_shapes.value_or(!shape_env); }
  /// The kinds of tensors whose sizes never become symbols (fake/mode/symbolic_context.h).
  StaticTensors static_tensors;
  /// The program is traced for export, so `from_tensor` makes no symbol for the value of a 0-dim input.
  bool for_export = false;
  /// Numbers that depend on data (`item`) become symbols, also if the settings of the ShapeEnv do not allow it.
  bool allow_scalar_outputs = false;
  /// Counts, per op, the sources that answered its calls (`FakeMode::coverage`).
  bool count_sources = false;
};

}  // namespace ersatz
