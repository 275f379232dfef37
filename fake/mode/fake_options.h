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

/// When a mode remembers answers of rules (fake/mode/dispatch_cache.h).
enum class CachePolicy : uint8_t {
  Auto,    ///< where the op declares that looking up is cheaper than asking its rule
  Always,  ///< every op that can be remembered
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
  /// For ops without a rule. `Rule`: as each op declares; `Zeros`: they run their kernel on made-up inputs unless the
  /// op refuses that; `Refuse`: none does, whatever it declares.
  FallbackPolicy fallback = FallbackPolicy::Rule;
  /// The elements of synthetic inputs; empty: as the op declares.
  std::optional<Fill> fill;
  /// For Fill::Sample: a real CPU tensor of the argument's dtype and sizes, or undefined for zeros. Asked once for each
  /// tensor, with its argument's position in the schema.
  std::function<Tensor(const OpEntry& op, size_t argument, const TensorMeta& meta)> fallback_sample;
  /// Ops that must not fall back, and (where not empty) the only ones that may: names like `aten.foo.default`, or
  /// `aten.*` for a namespace.
  std::vector<std::string> fallback_refused, fallback_only;
  /// Ops whose result's size depends on data fall back too: the size is that of the made-up values.
  bool allow_data_dependent = false;
  /// A fallback for fakes on CUDA runs the CPU's kernel where the device is not here or the op has no kernel for it.
  bool fallback_on_cpu = false;
  /// Answers calls of ops without a rule from one that was found from examples (source `inferred`), before a fallback:
  /// sets the outputs, or returns false where it does not speak for such a call. May be empty.
  std::function<bool(const OpEntry& op, std::span<const Value> args, RuleResult& result)> inferred;
  /// The most bytes that synthetic inputs of one call may take, checked before allocation.
  int64_t fallback_bytes = int64_t(1) << 30;
  /// Real tensors among the arguments are converted instead of refused.
  bool allow_non_fake_inputs = false;
  /// May fakes live on the meta device?
  bool allow_meta = fake_defaults().allow_meta;
  /// May the data pointer of a fake be asked for? It is null then; else asking raises DataDependentOutput.
  bool allow_data_pointer = fake_defaults().allow_data_pointer;
  /// Every fake remembers where it was made (`creation_stack`): about a microsecond each.
  bool keep_stacks = fake_defaults().keep_stacks;
  /// Fakes carry real tensors, and every call also runs for real (fake/mode/real_values.h). No answer is cached then.
  bool propagate_real = fake_defaults().propagate_real;
  /// The most bytes that real tensors may take, checked before they are allocated. What does not fit is lost: the
  /// report says so.
  int64_t real_bytes = INT64_MAX;
  /// Where rule and kernel disagree, the report says so and the fake is what the kernel made; else MetadataMismatch.
  bool collect_mismatches = false;
  CachePolicy cache = fake_defaults().cache;
  /// Each remembered answer is worked out again and compared.
  bool cache_crosscheck = fake_defaults().cache_crosscheck;
  /// The most answers that are remembered; the one used longest ago makes room.
  size_t cache_entries = 4096;
  /// Where sizes that depend on data become symbols; none: a call that needs one is refused. Modes may share it.
  std::shared_ptr<ShapeEnv> shape_env;
  /// Does `from_tensor` keep sizes as numbers? Else the sizes of what it converts become symbols where there is a
  /// ShapeEnv. Empty: only without a ShapeEnv.
  std::optional<bool> static_shapes;
  bool keeps_sizes() const { return static_shapes.value_or(!shape_env); }
  /// Which tensors keep their sizes whatever is asked for (fake/mode/symbolic_context.h).
  StaticTensors static_tensors;
  /// The program is traced for export, so that the values of 0-dim inputs stay unknown.
  bool for_export = false;
  /// Numbers that depend on data (`item`) become symbols even where the environment's settings do not allow it.
  bool allow_scalar_outputs = false;
  /// Counts for each op which sources answered its calls (`FakeMode::coverage`).
  bool count_sources = false;
};

}  // namespace ersatz
