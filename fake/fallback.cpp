#include "fake/fallback.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include "fake/saved_generators.h"
#include "fake/storage_fill.h"
#include "runtime/allocator.h"
#include "runtime/dispatch.h"
#include "runtime/layout.h"
#include "runtime/log.h"

namespace ersatz {

std::string_view name(Fill fill) {
  constexpr std::string_view names[] = {"zeros", "ones", "ramp", "random"};
  return names[static_cast<int>(fill)];
}

std::string_view name(FallbackPolicy policy) {
  constexpr std::string_view names[] = {"rule", "zeros", "refuse"};
  return names[static_cast<int>(policy)];
}

namespace {

[[noreturn]] void unsupported(const OpEntry& op, std::span<const Value> args, const std::string& why) {
  fail(ErrorKind::UnsupportedOperator, ErrorFamily::NotImplemented, "{}: {}: {}", op.name, why, render_call(op, args));
}

bool symbolic(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::Tensor:
      return v.tensor_impl()->meta.is_symbolic() || v.tensor_impl()->storage->nbytes().is_symbolic();
    case Value::Kind::Int:
      return v.as_int().is_symbolic();
    case Value::Kind::IntList:
      return !all_int(v.as_ints());
    case Value::Kind::List: {
      const auto items = v.as_list();
      return std::any_of(items.begin(), items.end(), symbolic);
    }
    default:
      return false;
  }
}

/// Raises why the op may not fall back, if it may not.
void check_allowed(const FakeModeState& mode, const OpEntry& op, std::span<const Value> args) {
  if (!fallback_allowed(mode, op)) {
    unsupported(op, args,
                "the op has no rule, and a run of its kernel on made-up inputs is not allowed (policy zeros, of the op "
                "or of the mode, would allow it)");
  }
  if (op.tags.has(Tag::InplaceView)) unsupported(op, args, "an in-place view op needs a rule");
  if (std::any_of(args.begin(), args.end(), symbolic)) {
    unsupported(op, args, "the op has no rule, and made-up inputs need sizes that are plain integers");
  }
}

/// The made-up inputs of one call and the way back from them.
class StandIns {
 public:
  StandIns(FakeModeState& mode, Fill fill) : mode_(mode), fill_(fill) {}

  /// Bytes that the stand-ins take: each storage once. Nothing is allocated.
  int64_t bytes_needed(std::span<const Value> args) {
    std::unordered_map<const Storage*, int64_t> storages;
    SymInt total = 0;
    for_each_tensor(args, [&](TensorImpl* t) {
      if (storages.emplace(t->storage.get(), 0).second) total += t->storage->nbytes();
      if (t->meta.device.is_cuda()) device_ = t->meta.device;
      meta_device_ |= t->meta.device.is_meta();
    });
    return total.as_int();
  }
  Device device() const { return device_; }
  bool on_meta() const { return meta_device_; }

  std::vector<Value> make(std::span<const Value> args) {
    std::vector<Value> real;
    real.reserve(args.size());
    for (const Value& v : args) real.push_back(stand_in(v));
    return real;
  }

  /// A result of the kernel as the mode's own.
  Value map_back(const Value& v, int& numbers) {
    if (v.is_tensor()) return Value(fake_of(v.tensor()));
    if (v.kind() == Value::Kind::List) {
      std::vector<Value> items;
      for (const Value& item : v.as_list()) items.push_back(map_back(item, numbers));
      return Value::list(items);
    }
    numbers += v.is_number();
    return v;
  }

  /// What the kernel changed about its inputs happens to the fakes.
  void map_changes() {
    for (auto& [fake, real] : tensors_) {
      TensorMeta meta = real.meta();
      meta.requires_grad = fake->meta.requires_grad;
      fake->meta = std::move(meta);
      fake->storage = fake_storage(real.storage());  // `set_` may have given it another one
    }
    for (auto& [fake, real] : storages_) {
      if (real->version() != 0) {
        fake->bump_version();
        mode_.constants.forget(*fake);
      }
      if (!sym_eq(fake->nbytes(), real->nbytes())) fake->resize(real->nbytes());
    }
  }

 private:
  Value stand_in(const Value& v) {
    if (v.is_tensor()) return Value(stand_in(v.tensor_impl()));
    if (v.kind() != Value::Kind::List) return v;
    std::vector<Value> items;
    for (const Value& item : v.as_list()) items.push_back(stand_in(item));
    return Value::list(items);
  }

  Tensor stand_in(TensorImpl* fake) {
    for (auto& [known, real] : tensors_) {
      if (known == fake) return real;
    }
    TensorMeta meta = fake->meta;
    meta.requires_grad = false;
    Tensor real(std::move(meta), real_storage(fake));
    tensors_.emplace_back(fake, real);
    return real;
  }

  Ref<Storage> real_storage(TensorImpl* fake) {
    for (auto& [known, real] : storages_) {
      if (known == fake->storage) return real;
    }
    const int64_t bytes = fake->storage->nbytes().as_int();
    const Device device = fake->meta.device;
    Ref<Storage> real = Storage::allocate(bytes, device);
    const uint64_t seed = storages_.size() + 1;
    if (device.is_cpu()) {
      fill_storage(*real, fake->meta.dtype, fill_, seed);
    } else if (bytes > 0) {
      Ref<Storage> host = Storage::allocate(bytes, kCPU);
      fill_storage(*host, fake->meta.dtype, fill_, seed);
      copy_bytes(real->data(), device, host->data(), kCPU, bytes);
    }
    storages_.emplace_back(fake->storage, real);
    return real;
  }

  Tensor fake_of(const Tensor& real) {
    for (auto& [fake, known] : tensors_) {
      if (known.is(real)) return Tensor(Ref<TensorImpl>(fake));
    }
    for (auto& [known, fake] : results_) {
      if (known.is(real)) return fake;
    }
    Tensor fake(make_ref<TensorImpl>(TensorMeta(real.meta()), fake_storage(real.storage()), Ref<FakeOwner>(&mode_)));
    results_.emplace_back(real, fake);
    return fake;
  }

  /// An input's fake storage, or one fake storage for each one that the kernel made.
  Ref<Storage> fake_storage(const Ref<Storage>& real) {
    for (auto& [fake, known] : storages_) {
      if (known == real) return fake;
    }
    for (auto& [known, fake] : made_) {
      if (known == real) return fake;
    }
    Ref<Storage> fake = Storage::make_fake(real->nbytes(), real->device());
    made_.emplace_back(real, fake);
    return fake;
  }

  FakeModeState& mode_;
  Fill fill_;
  Device device_ = kCPU;
  bool meta_device_ = false;
  std::vector<std::pair<TensorImpl*, Tensor>> tensors_;          // fake input -> stand-in
  std::vector<std::pair<Ref<Storage>, Ref<Storage>>> storages_;  // fake storage -> real
  std::vector<std::pair<Tensor, Tensor>> results_;               // real result -> fake
  std::vector<std::pair<Ref<Storage>, Ref<Storage>>> made_;      // real storage of a result -> fake
};

/// Once per op and mode; the events have the rest.
void log_first_use(const FakeModeState& mode, const FallbackEvent& event) {
  if (!log().should_log(spdlog::level::info)) return;
  const auto same_op = [&](const FallbackEvent& e) { return e.op == event.op; };
  if (std::any_of(mode.fallbacks.begin(), mode.fallbacks.end(), same_op)) return;
  log().info("fallback: {} has no rule: its kernel runs on {} bytes of made-up inputs (fill {})", event.op, event.bytes,
             name(event.fill));
}

}  // namespace

bool fallback_allowed(const FakeModeState& mode, const OpEntry& op) {
  const FallbackPolicy wanted = mode.options.fallback;
  if (wanted == FallbackPolicy::Refuse || op.fallback == FallbackPolicy::Refuse) return false;
  return wanted == FallbackPolicy::Zeros || op.fallback == FallbackPolicy::Zeros;
}

void run_fallback(FakeModeState& mode, const OpEntry& op, std::span<const Value> args, Values& results) {
  check_allowed(mode, op, args);
  const Fill fill = mode.options.fill.value_or(op.fill);
  StandIns inputs(mode, fill);
  FallbackEvent event{op.name, "no rule", fill, inputs.bytes_needed(args), 0, 0, false};
  if (inputs.on_meta()) unsupported(op, args, "the op has no rule, and the meta device has no kernel to ask");
  if (event.bytes > mode.options.fallback_bytes) {
    unsupported(op, args,
                fmt::format("the op has no rule, and made-up inputs would take {} bytes (the mode's cap is {})",
                            event.bytes, mode.options.fallback_bytes));
  }
  const DeviceType device = inputs.device().type;
  if (!op.has_kernel(device)) {
    unsupported(op, args, fmt::format("the op has neither a rule nor a kernel for {}", name(device)));
  }

  const auto start = std::chrono::steady_clock::now();
  const auto finish = [&](bool failed) {
    event.nanoseconds = std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
    event.failed = failed;
    log_first_use(mode, event);
    mode.fallbacks.push_back(event);
  };
  try {
    KeepGenerators generators(args, inputs.device());
    const std::vector<Value> real = inputs.make(args);
    Values answers;
    {
      SuspendModes real_calls;
      run_real(op, real, answers);
    }
    inputs.map_changes();
    for (const Value& v : answers) results.push_back(inputs.map_back(v, event.numbers));
  } catch (Error& e) {
    finish(true);
    e.message += fmt::format(" (from the kernel of {}, run on made-up inputs, fill {})", op.name, name(fill));
    throw;
  }
  finish(false);
}

}  // namespace ersatz
