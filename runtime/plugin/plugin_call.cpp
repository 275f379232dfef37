// Calls plugins' rules and kernels. Their results are not trusted: every field is checked before it is used.
#include "runtime/plugin/plugin_call.h"

#include <cstring>

#include "runtime/op/dispatch.h"
#include "runtime/plugin/codes.h"
#include "runtime/plugin/plugin_memory.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

namespace {

constexpr int32_t kMaxDims = 64;
constexpr int32_t kOtherOfInterface1 = 11;  // the kind of layouts, memory formats and generators in version 1 of the
                                            // interface

/// The state of one call; ErsatzCall::internal points to it.
class PluginCall {
 public:
  PluginCall(const OpEntry& op, std::span<const Value> args, RuleResult* rule) : op_(op), args_(args), rule_(rule) {
    host_.size = sizeof(ErsatzHost);
    host_.abi = static_cast<PluginOp*>(op.plugin_op)->abi;
    fill_call_functions(host_);
    for (const Value& v : args) values_.push_back(to_c(v));
    call_ = {sizeof(ErsatzCall),
             static_cast<uint32_t>(args.size()),
             values_.data(),
             &host_,
             this,
             static_cast<PluginOp*>(op.plugin_op)->argument_names.data()};
  }
  PluginCall(const PluginCall&) = delete;
  PluginCall& operator=(const PluginCall&) = delete;

  void run(ErsatzFunction f) {
    int status = 1;
    try {
      status = f(&call_, static_cast<PluginOp*>(op_.plugin_op)->state);
    } catch (...) {
      fail_plugin("threw an exception through its C interface");
    }
    if (error_) throw *error_;
    if (status != 0) fail_plugin(fmt::format("returned {} without saying why", status));
  }

  /// Matches the flat results with the schema's returns and makes lists of the results that belong to list returns.
  void take_results(Values& results) {
    std::vector<std::vector<Value>> items(op_.schema.returns.size());
    match_returns(results_.size(), [&](size_t r, size_t at) {
      const Value& v = results_[at];
      check_kind(r, v.is_none() || (wants_tensor(r) ? v.is_tensor() : v.is_number()), name(v.kind()));
      items[r].push_back(std::move(results_[at]));
    });
    for (size_t r = 0; r < items.size(); ++r) {
      results.push_back(op_.schema.returns[r].type.is_list() ? Value::list(items[r]) : std::move(items[r][0]));
    }
  }

  /// Checks the outputs of a rule against the schema's returns.
  void check_prediction() const {
    match_returns(rule_->outputs.size(), [&](size_t r, size_t at) {
      const OutputSpec::Kind kind = rule_->outputs[at].kind;
      const bool number = kind == OutputSpec::Kind::Number;
      check_kind(r, kind == OutputSpec::Kind::None || number != wants_tensor(r), number ? "number" : "tensor");
    });
  }

  // Bodies of the C functions of ErsatzHost. They raise Error; `guarded` turns the error into a status.

  void add_tensor(const ErsatzTensor& t, void (*deleter)(void*), void* context) {
    TensorMeta meta = read_meta(t);
    if (rule_) {
      check_device(meta.device);
      rule_->fresh(std::move(meta));
      return;
    }
    int64_t needed = storage_bytes_needed(meta).as_int();
    if (Ref<Storage> storage = block_of(t, needed)) {
      results_.emplace_back(Tensor(std::move(meta), std::move(storage)));
    } else if (auto view = view_of_argument(t, meta, needed)) {
      results_.emplace_back(std::move(*view));
      if (deleter) deleter(context);
    } else {
      if (!t.data && needed > 0) fail_plugin(fmt::format("gave no data for result {}", results_.size()));
      if (!deleter && needed > 0) {
        fail_plugin(fmt::format(
            "gave result {} memory that is neither allocated by the host, nor an argument's, nor has a deleter",
            results_.size()));
      }
      results_.emplace_back(
          Tensor(std::move(meta), Storage::wrap(t.data, needed, *device_from_c(t.device), deleter, context)));
    }
  }

  void add_view(uint32_t index, const ErsatzTensor& t) {
    if (!rule_) fail_plugin("called add_view in a kernel: a view is known by its data there");
    TensorImpl* source = argument_tensor(index);
    TensorMeta meta = read_meta(t);
    if (guard_gt(storage_bytes_needed(meta), source->storage->nbytes())) {
      fail_plugin(fmt::format("predicts a view {} that leaves the storage of argument {}", meta, index));
    }
    rule_->view(source, std::move(meta));
  }

  void add_argument(uint32_t index) {
    TensorImpl* source = argument_tensor(index);
    if (rule_) {
      rule_->same(source);
    } else {
      results_.push_back(args_[index]);
    }
  }

  void add_value(const ErsatzValue& v) {
    std::optional<Value> number = number_from_c(v);
    if (!number) fail_plugin(fmt::format("gave a result of kind {}, which is no number", v.kind));
    if (!rule_) {
      results_.push_back(*std::move(number));
    } else if (number->is_none()) {
      rule_->none();
    } else {
      rule_->number(*std::move(number));
    }
  }

  void* allocate(uint64_t bytes, ErsatzDevice where) {
    std::optional<Device> device = device_from_c(where);
    if (rule_ || !device || device->is_meta() || bytes > uint64_t(INT64_MAX)) return nullptr;
    blocks_.push_back(PluginMemory::allocate(static_cast<int64_t>(bytes), *device));
    return blocks_.back()->data();
  }

  /// Stores the first error of a call.
  void keep(Error error) {
    if (!error_) error_ = std::move(error);
  }
  void refuse(const char* label, const char* message) {
    std::string text = fmt::format("{}: {}", op_.base(), message ? message : "refused");
    Error e(ErrorKind::InvalidArgument, ErrorFamily::Runtime, std::move(text));
    e.op = op_.base();
    if (label && *label) {
      e.label = fmt::format("{}.{}", op_.base(), label);
      e.message += fmt::format(" [{}]", e.label);
    }
    e.value_failure = !rule_ && op_.tags.has(Tag::FailsOnValues);
    keep(std::move(e));
  }

 private:
  [[noreturn]] void fail_plugin(std::string_view what) const {
    const auto* plugin = static_cast<const PluginOp*>(op_.plugin_op);
    Error e(ErrorKind::InvalidArgument, ErrorFamily::Runtime,
            fmt::format("{}: the {} of {} {}", op_.base(), rule_ ? "rule" : "kernel", plugin->path, what));
    e.op = op_.base();
    throw e;
  }
  [[noreturn]] void fail_count(size_t got) const {
    fail_plugin(fmt::format("gave {} results for {}", got, to_string(op_.schema)));
  }

  bool wants_tensor(size_t r) const { return op_.schema.returns[r].type.base == BaseType::Tensor; }
  void check_kind(size_t r, bool fits, std::string_view kind) const {
    if (!fits) fail_plugin(fmt::format("gave a {} as result {} of {}", kind, r, to_string(op_.schema)));
  }

  /// Calls f(return, flat result) for each of `got` flat results. A list return gets all results that the later returns
  /// do not need.
  template <class F>
  void match_returns(size_t got, F&& f) const {
    size_t at = 0;
    const size_t returns = op_.schema.returns.size();
    for (size_t r = 0; r < returns; ++r) {
      const size_t behind = returns - r - 1;
      if (got < at + behind + !op_.schema.returns[r].type.is_list()) fail_count(got);
      const size_t end = op_.schema.returns[r].type.is_list() ? got - behind : at + 1;
      for (; at < end; ++at) f(r, at);
    }
    if (at != got) fail_count(got);
  }

  /// For plugins that were built with a header in which an unset device meant the CPU. Raises an error for a CPU result
  /// if all tensor arguments are on other devices and no argument is a Device. The author then probably forgot to set
  /// the result's device.
  void check_device(Device device) const {
    if (static_cast<const PluginOp*>(op_.plugin_op)->names_devices || !device.is_cpu()) return;
    std::optional<Device> other;
    bool known = false;
    for_each_tensor(args_, [&](const TensorImpl* t) {
      known |= t->meta.device == device;
      other = t->meta.device;
    });
    for (const Value& v : args_) known |= v.kind() == Value::Kind::Device;
    if (!other || known) return;
    fail_plugin(fmt::format(
        "predicts result {} on {}, where no argument is (they are on {}): in the plugin_op.h that it was built with, a "
        "Meta without a device meant the cpu; build it again, or give Meta the device",
        rule_->outputs.size(), to_string(device), to_string(*other)));
  }

  ErsatzValue to_c(const Value& v) {
    ErsatzValue c{};
    if (plain_to_c(v, c)) {
      if (c.kind > ERSATZ_DEVICE && host_.abi == 1) c.kind = kOtherOfInterface1;
      return c;
    }
    switch (v.kind()) {
      case Value::Kind::Tensor:
        c.kind = ERSATZ_TENSOR, c.as.tensor = to_c(v.tensor_impl());
        break;
      case Value::Kind::String: {
        const std::string& copy = strings_.emplace_back(v.as_string());
        c.kind = ERSATZ_STRING, c.as.string = copy.c_str(), c.length = static_cast<uint32_t>(copy.size());
        break;
      }
      case Value::Kind::IntList:
        c.kind = ERSATZ_INT_LIST, c.as.integers = copy_ints(v.as_ints());
        c.length = static_cast<uint32_t>(v.as_ints().size());
        break;
      case Value::Kind::List: {
        std::vector<ErsatzValue>& items = lists_.emplace_back();
        for (const Value& item : v.as_list()) items.push_back(to_c(item));
        c.kind = ERSATZ_LIST, c.as.items = items.data(), c.length = static_cast<uint32_t>(items.size());
        break;
      }
      default:
        break;
    }
    return c;
  }

  int64_t* copy_ints(std::span<const SymInt> v) {
    std::vector<int64_t>& copy = ints_.emplace_back();
    for (SymInt s : v) copy.push_back(s.guard_int());
    copy.reserve(1);  // so that data() is not null for an empty list
    return copy.data();
  }

  const ErsatzTensor* to_c(TensorImpl* t) {
    const TensorMeta& m = t->meta;
    if (m.conj || m.neg) {
      fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented,
           "{}: plugins take no lazily conjugated or negated tensor: {}", op_.base(), m);
    }
    ErsatzTensor& c = tensors_.emplace_back();
    c.data = rule_ || !t->storage->has_bytes() ? nullptr : t->storage->data();
    c.device = ersatz::to_c(m.device);
    c.ndim = static_cast<int32_t>(m.dim());
    c.dtype = ersatz::to_c(m.dtype);
    c.shape = copy_ints(m.sizes);
    c.strides = copy_ints(m.strides);
    c.byte_offset = static_cast<uint64_t>(m.offset.guard_int() * item_size(m.dtype));
    return &c;
  }

  TensorMeta read_meta(const ErsatzTensor& t) const {
    size_t n = rule_ ? rule_->outputs.size() : results_.size();
    std::optional<DType> dtype = dtype_from_c(t.dtype);
    std::optional<Device> device = device_from_c(t.device);
    if (!dtype) {
      fail_plugin(fmt::format("gave result {} an unknown dtype (code {}, bits {}, lanes {})", n, t.dtype.code,
                              t.dtype.bits, t.dtype.lanes));
    }
    if (!device)
      fail_plugin(fmt::format("gave result {} an unknown device ({}, {})", n, t.device.type, t.device.index));
    if (t.ndim < 0 || t.ndim > kMaxDims || (t.ndim > 0 && !t.shape)) {
      fail_plugin(fmt::format("gave result {} {} dims: 0 to {} are taken", n, t.ndim, kMaxDims));
    }
    int64_t item = item_size(*dtype);
    if (t.byte_offset > uint64_t(INT64_MAX) || t.byte_offset % static_cast<uint64_t>(item) != 0) {
      fail_plugin(fmt::format("gave result {} an offset of {} bytes, items have {}", n, t.byte_offset, item));
    }
    DimVec sizes, strides;
    for (int32_t d = 0; d < t.ndim; ++d) {
      if (t.shape[d] < 0 || (t.strides && t.strides[d] < 0)) {
        fail_plugin(fmt::format("gave result {} a negative size or stride in dim {}", n, d));
      }
      sizes.push_back(t.shape[d]);
      if (t.strides) strides.push_back(t.strides[d]);
    }
    if (!t.strides) strides = contiguous_strides(sizes);
    return TensorMeta(*dtype, sizes, strides, *device, static_cast<int64_t>(t.byte_offset) / item);
  }

  /// Returns the block from `allocate` that contains the result; null if none does. Several results may be in one
  /// block.
  Ref<Storage> block_of(const ErsatzTensor& t, int64_t needed) {
    for (const Ref<Storage>& b : blocks_) {
      if (b->data() != t.data) continue;
      if (!(b->device() == *device_from_c(t.device))) fail_plugin("moved allocated memory to another device");
      if (const int64_t bytes = b->nbytes().as_int(); needed > bytes) {
        fail_plugin(fmt::format("allocated {} bytes for result {}, which needs {}", bytes, results_.size(), needed));
      }
      return b;
    }
    return {};
  }

  /// If the result's first byte is in the storage of an argument, returns the result as a view of that argument; else
  /// nullopt.
  std::optional<Tensor> view_of_argument(const ErsatzTensor& t, const TensorMeta& meta, int64_t needed) {
    std::optional<Tensor> view;
    if (!t.data) return view;
    const auto* first = static_cast<const std::byte*>(t.data);
    for_each_tensor(args_, [&](TensorImpl* source) {
      const Storage& s = *source->storage;
      const std::byte* begin = s.data();
      int64_t bytes = s.nbytes().guard_int();
      if (view || !begin || first < begin || first >= begin + bytes) return;
      int64_t before = first - begin, item = item_size(meta.dtype);
      if (before % item != 0 || needed > bytes - before) {
        fail_plugin(fmt::format("gave result {} as a view that leaves its argument's storage", results_.size()));
      }
      TensorMeta moved = meta;
      moved.offset = meta.offset + before / item;
      view = Tensor(std::move(moved), source->storage);
    });
    return view;
  }

  TensorImpl* argument_tensor(uint32_t index) const {
    if (index >= args_.size()) fail_plugin(fmt::format("refers to argument {} of {}", index, to_string(op_.schema)));
    if (!args_[index].is_tensor()) fail_plugin(fmt::format("refers to argument {}, which is no tensor", index));
    return args_[index].tensor_impl();
  }

  const OpEntry& op_;
  std::span<const Value> args_;
  RuleResult* rule_;  ///< null in a call of a kernel
  ErsatzHost host_{};
  ErsatzCall call_{};
  std::vector<ErsatzValue> values_;
  std::deque<ErsatzTensor> tensors_;  // deques, because the plugin has pointers to the items
  std::deque<std::vector<int64_t>> ints_;
  std::deque<std::vector<ErsatzValue>> lists_;
  std::deque<std::string> strings_;
  std::vector<Ref<Storage>> blocks_;  // memory from `allocate`
  std::vector<Value> results_;
  std::optional<Error> error_;
};

/// Runs the body of a C function. If the body raises an error, stores it in the call and returns 1.
template <class F>
int guarded(const ErsatzCall* call, F&& f) {
  auto& state = *static_cast<PluginCall*>(call->internal);
  try {
    f(state);
    return 0;
  } catch (const Error& e) {
    state.keep(e);
  } catch (const std::exception& e) {
    state.keep(Error(ErrorKind::InvalidArgument, ErrorFamily::Runtime, e.what()));
  }
  return 1;
}

void run_kernel_of(KernelCall& call, ErsatzFunction kernel, Values& results) {
  PluginCall plugin(call.op, call.args, nullptr);
  plugin.run(kernel);
  plugin.take_results(results);
}

}  // namespace

void plugin_rule(RuleCall& call) {
  PluginCall plugin(call.op, call.args, &call.out);
  plugin.run(static_cast<PluginOp*>(call.op.plugin_op)->rule);
  plugin.check_prediction();
}

void plugin_cpu_kernel(KernelCall& call, Values& results) {
  run_kernel_of(call, static_cast<PluginOp*>(call.op.plugin_op)->cpu, results);
}

void plugin_cuda_kernel(KernelCall& call, Values& results) {
  run_kernel_of(call, static_cast<PluginOp*>(call.op.plugin_op)->cuda, results);
}

void fill_call_functions(ErsatzHost& host) {
  host.add_tensor = [](const ErsatzCall* call, const ErsatzTensor* t, void (*deleter)(void*), void* context) {
    return guarded(call, [&](PluginCall& c) { c.add_tensor(*t, deleter, context); });
  };
  host.add_view = [](const ErsatzCall* call, uint32_t index, const ErsatzTensor* t) {
    return guarded(call, [&](PluginCall& c) { c.add_view(index, *t); });
  };
  host.add_argument = [](const ErsatzCall* call, uint32_t index) {
    return guarded(call, [&](PluginCall& c) { c.add_argument(index); });
  };
  host.add_value = [](const ErsatzCall* call, const ErsatzValue* v) {
    return guarded(call, [&](PluginCall& c) { c.add_value(*v); });
  };
  host.allocate = [](const ErsatzCall* call, uint64_t bytes, ErsatzDevice device) {
    void* data = nullptr;
    guarded(call, [&](PluginCall& c) { data = c.allocate(bytes, device); });
    return data;
  };
  host.refuse = [](const ErsatzCall* call, const char* label, const char* message) {
    guarded(call, [&](PluginCall& c) { c.refuse(label, message); });
    return 1;
  };
}

}  // namespace ersatz
