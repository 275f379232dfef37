// The live crosscheck inside PyTorch's dispatcher: a fallback for a dispatch key that comes after autograd and before
// the kernels. It makes each call and passes it to the ersatz session that watches this thread. `python -m ersatz
// build-glue` builds it against the installed PyTorch. Without the glue, a Python dispatch mode does the same.
#include <ATen/ATen.h>
#include <ATen/core/PythonFallbackKernel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "python/glue/watched_bytes.h"
#include "python/module/arena.h"
#include "python/module/live_interface.h"
#include "runtime/base/dtype_list.h"

using ersatz::python::Arena, ersatz::python::Filled, ersatz::python::Watched;

namespace {

constexpr c10::DispatchKey kKey = c10::DispatchKey::Fake;

struct Known {
  const ErsatzOpEntry* op = nullptr;
  std::string name;
  size_t taken = 0, returned = 0;  ///< numbers of values on the stack
  /// PyTorch only decomposes the operator; the calls of its decomposition are compared.
  bool has_parts = false;
  bool is_own = false;  ///< ersatz has no rule for the operator, so its fake kernel predicts the results
  /// The glue cannot read the operator's schema, so Python compares its calls by their records.
  bool in_python = false;
  const char* why = "no such operator here";  ///< reason if `op` is null
  uint32_t watched = 0;                       ///< number of calls of the operator whose bytes were checked
};

/// The buffers that describe a call. The next call reuses their memory.
struct CallBuffer {
  Arena<ErsatzTensorMeta> metas;
  Arena<int64_t> integers;
  Arena<ErsatzValue> items;
  Arena<char> text;
  std::vector<ErsatzValue> values;
  std::vector<const ErsatzTensorMeta*> tensor_metas;
  std::vector<int64_t> versions;
  std::vector<at::Tensor> tensors;
  const char* opaque = nullptr;
  uint32_t results = 0;  // number of elements of `values` that are not None
  const bool lasts;      ///< the described objects stay alive and unchanged until the call is compared

  explicit CallBuffer(bool lasts) : lasts(lasts) {}
  void clear() {
    metas.clear(), integers.clear(), items.clear(), text.clear();
    values.clear(), tensor_metas.clear(), versions.clear(), tensors.clear();
    opaque = nullptr;
    results = 0;
  }
  ErsatzValue unknown(const char* why) {
    if (!opaque) opaque = why;
    return {};
  }
};

struct Watch {
  const ErsatzLive* live = nullptr;
  Filled* filled = nullptr;  ///< not null while the kernel of a custom operator runs and its memory is checked
  CallBuffer before{false}, after{true};
  std::unordered_map<const void*, Known> operators;
  /// Metadata-only devices by PyTorch's device type; type 0: ersatz does not know the device.
  std::unordered_map<int32_t, ErsatzDevice> devices;
};
thread_local Watch t_watch;

/// The dtypes, indexed by at::ScalarType. A dtype that records cannot hold has 0 bits.
constexpr auto kDTypes = [] {
  std::array<ErsatzDType, 64> all = {};
#define ERSATZ_ROW(dtype, short_name, long_name, type, bytes, kind, c10, pt2, code, bits, lanes, ...) \
  all[c10] = {code, bits, lanes};
  ERSATZ_DTYPES(ERSATZ_ROW)
#undef ERSATZ_ROW
  return all;
}();
static_assert(size_t(at::ScalarType::NumOptions) <= kDTypes.size());
static_assert(kDTypes[size_t(at::kBFloat16)].code == 4 && kDTypes[size_t(at::kFloat8_e4m3fn)].code == 10 &&
                  kDTypes[size_t(at::kFloat8_e8m0fnu)].code == 14 && kDTypes[size_t(at::kUInt64)].bits == 64,
              "PyTorch numbers its dtypes in another way than runtime/base/dtype_list.h");

const ErsatzDType& dtype_code(at::ScalarType t) { return kDTypes[size_t(t)]; }

bool device_of(c10::Device d, ErsatzDevice& to) {
  to = {d.is_cpu() ? 1 : d.is_cuda() ? 2 : d.is_meta() ? 12 : 0, d.is_cuda() ? int32_t(d.index()) : 0};
  if (to.type != 0) return true;
  const auto [known, is_new] = t_watch.devices.try_emplace(int32_t(d.type()) << 8 | uint8_t(d.index()));
  const ErsatzLive* const live = t_watch.live;
  if (is_new)
    live->device(live->session, c10::DeviceTypeName(d.type(), true).c_str(), d.index(), d.is_privateuseone(),
                 &known->second);
  to = known->second;
  return to.type != 0;
}

int64_t version_of(const at::Tensor& t) { return t.is_inference() ? -1 : static_cast<int64_t>(t._version()); }

/// If a tensor has one of these dispatch keys, it is no plain tensor.
constexpr c10::DispatchKeySet kNotPlain({c10::DispatchKey::Python, c10::DispatchKey::Functionalize,
                                         c10::DispatchKey::FuncTorchBatched, c10::DispatchKey::FuncTorchGradWrapper,
                                         c10::DispatchKey::NestedTensor, c10::DispatchKey::Quantized,
                                         c10::DispatchKey::ZeroTensor});

/// Returns a reason with its subject: `dtype float8_e4m3fn` or `device xpu:0`. The text lives as long as the process.
template <class T>
const char* named(const char* what, const T& of) {
  static thread_local std::set<std::string> reasons;
  std::ostringstream text;
  text << what << ' ' << of;
  std::string lower = text.str();
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return reasons.insert(lower).first->c_str();
}

/// While it exists, memory that this thread allocates is filled with noise, unless `filled` is null.
class Filling {
 public:
  Filling(Watch& watch, Filled* filled) : watch_(watch) { watch_.filled = filled; }
  ~Filling() { watch_.filled = nullptr; }
  Filling(const Filling&) = delete;
  Filling& operator=(const Filling&) = delete;

 private:
  Watch& watch_;
};

/// Returns the first tensor subclass in a value; null if there is none.
const at::TensorImpl* subclass_in(const c10::IValue& x) {
  if (x.isTensor()) {
    const at::TensorImpl* impl = x.toTensor().defined() ? x.toTensor().unsafeGetTensorImpl() : nullptr;
    return impl && impl->key_set().has(c10::DispatchKey::Python) ? impl : nullptr;
  }
  if (!x.isList()) return nullptr;
  for (const c10::IValue& item : x.toListRef()) {
    if (const at::TensorImpl* found = subclass_in(item)) return found;
  }
  return nullptr;
}

/// Returns whether a fake mode of PyTorch made the call to get metadata from Meta kernels. Then Python dispatch is
/// excluded, and the dispatch keys have the Meta backend bit.
bool is_of_fakes(c10::DispatchKeySet keys) {
  return c10::impl::tls_is_dispatch_key_excluded(c10::DispatchKey::Python) &&
         keys.has_backend(c10::BackendComponent::MetaBit);
}

/// Returns the Python object of a tensor; null if it has none. In PyTorch 2.9 the member has another name.
template <class Slot>
void* object_of(const Slot* slot) {
  if constexpr (requires { slot->load_pyobj(); })
    return slot->load_pyobj();
  else
    return slot->check_pyobj().value_or(nullptr);
}

/// Returns whether the call returned a tensor subclass. If so, the session counts the call.
bool returns_subclass(const ErsatzLive* live, const Known& of, const torch::jit::Stack& stack) {
  for (const c10::IValue& x : torch::jit::last(stack, of.returned)) {
    if (const at::TensorImpl* found = subclass_in(x))
      return live->subclass(live->session, of.name.c_str(), object_of(found->pyobj_slot())) != 0;
  }
  return false;
}

/// Returns the reason why a tensor cannot be described; null if it can.
const char* unsupported_reason(const at::Tensor& t) {
  const at::TensorImpl* impl = t.unsafeGetTensorImpl();
  const c10::DispatchKeySet keys = impl->key_set();
  if (keys.has_any(kNotPlain)) {
    if (keys.has(c10::DispatchKey::Python)) return "tensor subclass";
    if (keys.has(c10::DispatchKey::Functionalize)) return "functional wrapper";
    if (keys.has(c10::DispatchKey::FuncTorchBatched) || keys.has(c10::DispatchKey::FuncTorchGradWrapper))
      return "functorch wrapper";
    if (t.layout() != at::kStrided) return "sparse layout";
    return t.is_nested() ? "nested tensor" : t.is_quantized() ? "quantized tensor" : "zero tensor";
  }
  if (t.layout() != at::kStrided) return "sparse layout";
  return impl->has_symbolic_sizes_strides() ? "symbolic sizes" : nullptr;
}

ErsatzValue store_tensor(CallBuffer& buffer, const at::Tensor& t) {
  if (!t.defined()) return {};
  const at::TensorImpl* impl = t.unsafeGetTensorImpl();
  if (const char* why = unsupported_reason(t)) return buffer.unknown(why);
  ErsatzTensorMeta m = {};
  m.dtype = dtype_code(t.scalar_type());
  if (m.dtype.bits == 0) return buffer.unknown(named("dtype", t.scalar_type()));
  if (!device_of(t.device(), m.device)) return buffer.unknown(named("device", t.device()));
  m.ndim = static_cast<int32_t>(t.dim());
  m.flags = (t.is_conj() ? uint32_t(ERSATZ_CONJ) : 0u) | (t.is_neg() ? uint32_t(ERSATZ_NEG) : 0u) |
            (impl->is_wrapped_number() ? uint32_t(ERSATZ_WRAPPED_NUMBER) : 0u);
  const at::IntArrayRef sizes = t.sizes(), strides = t.strides();
  m.sizes = sizes.data(), m.strides = strides.data();
  if (!buffer.lasts) {
    int64_t* const copy = buffer.integers.take(2 * sizes.size());
    m.sizes = std::copy(sizes.begin(), sizes.end(), copy) - sizes.size();
    m.strides = std::copy(strides.begin(), strides.end(), copy + sizes.size()) - sizes.size();
    buffer.tensors.push_back(t);
  }
  m.offset = t.storage_offset();
  const at::StorageImpl* storage = impl->unsafe_storage().unsafeGetStorageImpl();
  m.storage = reinterpret_cast<uint64_t>(storage);
  m.storage_bytes = static_cast<int64_t>(storage->nbytes());
  m.object = reinterpret_cast<uint64_t>(impl);
  buffer.tensor_metas.push_back(&(*buffer.metas.take() = m));
  buffer.versions.push_back(version_of(t));
  ErsatzValue v = {};
  v.kind = ERSATZ_TENSOR;
  v.as.meta = buffer.tensor_metas.back();
  return v;
}

ErsatzValue store(CallBuffer& buffer, const c10::IValue& x) {
  ErsatzValue v = {};
  if (x.isNone()) return v;
  if (x.isTensor()) return store_tensor(buffer, x.toTensor());
  if (x.isBool()) return v.kind = ERSATZ_BOOL, v.as.integer = x.toBool(), v;
  if (x.isInt()) return v.kind = ERSATZ_INT, v.as.integer = x.toInt(), v;
  if (x.isDouble()) return v.kind = ERSATZ_FLOAT, v.as.number[0] = x.toDouble(), v;
  if (x.isComplexDouble()) {
    const c10::complex<double> c = x.toComplexDouble();
    return v.kind = ERSATZ_COMPLEX, v.as.number[0] = c.real(), v.as.number[1] = c.imag(), v;
  }
  if (x.isSymInt() || x.isSymFloat() || x.isSymBool()) return buffer.unknown("symbolic sizes");
  if (x.isString()) {
    const std::string& s = x.toStringRef();  // copied, because the call frees its arguments before it is compared
    char* const copy = buffer.text.take(s.size() + 1);
    std::copy_n(s.c_str(), s.size() + 1, copy);
    return v.kind = ERSATZ_STRING, v.as.string = copy, v.length = static_cast<uint32_t>(s.size()), v;
  }
  if (x.isDevice()) {
    v.kind = ERSATZ_DEVICE;
    const c10::Device d = x.toDevice();
    if (!device_of(d, v.as.device)) return buffer.unknown(named("device", d));
    return v;
  }
  if (x.isGenerator()) return v.kind = ERSATZ_GENERATOR, v;
  if (x.isList()) {
    const auto items = x.toListRef();
    v.kind = ERSATZ_LIST;
    v.length = static_cast<uint32_t>(items.size());
    ErsatzValue* to = buffer.items.take(items.size());
    v.as.items = to;
    for (const c10::IValue& item : items) *to++ = store(buffer, item);
    return v;
  }
  return buffer.unknown("object");
}

void store_flat(CallBuffer& buffer, const c10::IValue& x) {
  if (x.isTensorList()) {
    for (const c10::IValue& item : x.toListRef()) store_flat(buffer, item);
  } else {
    buffer.values.push_back(store(buffer, x));
    buffer.results += !x.isNone() && (!x.isTensor() || x.toTensor().defined());
  }
}

const char* class_of(const c10::Error& e) {
  if (dynamic_cast<const c10::NotImplementedError*>(&e)) return "NotImplementedError";
  if (dynamic_cast<const c10::IndexError*>(&e)) return "IndexError";
  if (dynamic_cast<const c10::TypeError*>(&e)) return "TypeError";
  if (dynamic_cast<const c10::ValueError*>(&e)) return "ValueError";
  return "RuntimeError";
}

/// Returns the class of a Python exception whose text begins with the class: `IndexError: index 3 is ...`. null for any
/// other exception. `message` gets the first line.
const char* class_in(const std::exception_ptr& raised, std::string& message) {
  std::string text;
  try {
    std::rethrow_exception(raised);
  } catch (const std::exception& e) {
    text = e.what();
  } catch (...) {
    return nullptr;
  }
  const size_t colon = text.find(": ");
  for (const char* name : {"NotImplementedError", "IndexError", "TypeError", "ValueError", "RuntimeError"}) {
    if (colon == std::string::npos || text.compare(0, colon, name) != 0) continue;
    message = text.substr(colon + 2, text.find('\n') - colon - 2);
    return name;
  }
  return nullptr;
}

Known& known(Watch& watch, const c10::OperatorHandle& op) {
  const auto [at, is_new] = watch.operators.try_emplace(&op.schema());
  Known& k = at->second;
  if (!is_new) return k;
  const c10::OperatorName& name = op.operator_name();
  k.name = name.name + "." + (name.overload_name.empty() ? std::string("default") : name.overload_name);
  if (const size_t colons = k.name.find("::"); colons != std::string::npos) k.name.replace(colons, 2, ".");
  k.op = watch.live->ask->find_op(k.name.c_str());
  k.taken = op.schema().arguments().size(), k.returned = op.schema().returns().size();
  k.has_parts = op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
  if (k.op || k.has_parts) return k;
  std::ostringstream schema;
  schema << op.schema();
  k.op = watch.live->own(watch.live->session, k.name.c_str(), schema.str().c_str(), &k.why);
  k.is_own = k.op != nullptr;
  k.in_python = !k.is_own;
  return k;
}

/// Makes the call under the session's Python dispatch mode, which compares the call.
void judged_in_python(const c10::OperatorHandle& op, c10::DispatchKeySet below, torch::jit::Stack* stack) {
  const ErsatzLive* const live = t_watch.live;
  const c10::impl::ExcludeDispatchKeyGuard unseen(kKey);
  struct Mode {
    explicit Mode(const ErsatzLive* live) : live(live) { live->in_python(live->session, 1); }
    ~Mode() { live->in_python(live->session, 0); }
    const ErsatzLive* live;
  } mode(live);
  // PyTorch 2.11 asserts that the thread's dispatch keys have been stored before a Python dispatch mode is called.
  const at::impl::MaybeSetTLSOnEntryGuard noted;
  op.redispatchBoxed(below.add(c10::DispatchKey::Python), stack);
}

void judged(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
  const c10::DispatchKeySet below = keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey);
  Watch& watch = t_watch;
  const ErsatzLive* const live = watch.live;
  if (!live) return op.redispatchBoxed(below, stack);
  if (watch.filled) {  // the kernel of a custom operator makes the call
    op.redispatchBoxed(below, stack);
    if (!Filled::allocates(op)) return;
    const c10::impl::ExcludeDispatchKeyGuard unseen(kKey);
    if (torch::jit::last(*stack, 1)[0].isTensor()) watch.filled->fill(torch::jit::last(*stack, 1)[0].toTensor());
    return;
  }
  Known& of = known(watch, op);
  if (of.has_parts) return op.redispatchBoxed(below, stack);
  if (is_of_fakes(keys)) return op.redispatchBoxed(below, stack);
  if (of.in_python) return judged_in_python(op, below, stack);
  CallBuffer &buffer = watch.before, &then = watch.after;
  buffer.clear();
  if (of.op) {
    for (const c10::IValue& x : torch::jit::last(*stack, of.taken)) buffer.values.push_back(store(buffer, x));
  }
  ErsatzLiveCall call = {};
  std::string message;
  std::optional<Watched> bytes;
  std::vector<int32_t> rewritten;
  std::optional<Filled> filled;
  if (of.is_own && !buffer.opaque && live->watched_bytes && of.watched < live->watched_calls) {
    const c10::impl::ExcludeDispatchKeyGuard unseen(kKey);
    ++of.watched;
    bytes.emplace(buffer.tensors, live->watched_bytes);
    filled.emplace(live->watched_bytes);
  }
  std::exception_ptr raised;
  void* aside = nullptr;  ///< the exception that a Python kernel raised
  try {
    // Calls that the kernel makes skip this fallback, unless its memory is checked.
    std::optional<c10::impl::ExcludeDispatchKeyGuard> unseen;
    if (!filled) unseen.emplace(kKey);
    const Filling filling(watch, filled ? &*filled : nullptr);
    op.redispatchBoxed(below, stack);
  } catch (const c10::Error& e) {
    raised = std::current_exception();
    call.error = class_of(e);
    message = e.what_without_backtrace();
    message.resize(std::min(message.size(), message.find('\n')));
  } catch (...) {
    raised = std::current_exception();
    const char* text = "";
    aside = live->put_aside(live->session, &call.error, &text);
    message = text;
    if (!aside) call.error = class_in(raised, message);
  }
  // Arguments are described first. An argument that is also a result is described a second time.
  then.clear();
  for (const at::Tensor& t : buffer.tensors) store_tensor(then, t);
  if (!raised) {
    for (const c10::IValue& x : torch::jit::last(*stack, of.returned)) store_flat(then, x);
  }
  const char* why = !of.op ? of.why : buffer.opaque ? buffer.opaque : then.opaque;
  if (!why && raised && !call.error) why = "exception of another class";
  int stops = 0;
  const c10::impl::ExcludeDispatchKeyGuard unseen(kKey);  // a fake kernel makes calls, which are not compared
  if (bytes && !why) rewritten = bytes->changed(buffer.tensors);
  if (filled && !why && !raised) {
    for (const c10::IValue& x : torch::jit::last(*stack, of.returned)) filled->look_at(x, buffer.tensors);
    call.unwritten = filled->found.data(), call.unwritten_count = static_cast<uint32_t>(filled->found.size());
  }
  const bool wraps = why && why == then.opaque && !raised && returns_subclass(live, of, *stack);
  if (why && !wraps) {
    live->skip(live->session, of.op, of.name.c_str(), why, then.results);
  } else if (!why) {
    call.op = of.op;
    call.default_dtype = dtype_code(at::typeMetaToScalarType(at::get_default_dtype()));
    call.arguments = buffer.values.data(), call.argument_count = static_cast<uint32_t>(buffer.values.size());
    call.results = then.values.data(), call.result_count = static_cast<uint32_t>(then.values.size());
    call.after = then.tensor_metas.data(), call.tensor_count = static_cast<uint32_t>(buffer.tensor_metas.size());
    call.versions_before = buffer.versions.data(), call.versions_after = then.versions.data();
    call.message = message.c_str();
    call.rewritten = rewritten.data(), call.rewritten_count = static_cast<uint32_t>(rewritten.size());
    stops = live->judge(live->session, &call);
  }
  buffer.clear(), then.clear();  // so that no tensor is kept alive
  if (aside) live->raise_again(live->session, aside);
  if (raised) std::rethrow_exception(raised);
  TORCH_CHECK(!stops, "ersatz: ", of.name, " differs from its rule: the report has the finding");
}

void enter(int64_t live) {
  const auto* functions = reinterpret_cast<const ErsatzLive*>(live);
  TORCH_CHECK(functions->abi == ERSATZ_LIVE_ABI,
              "ersatz: this glue was built for another version: run `python -m ersatz build-glue`");
  TORCH_CHECK(!t_watch.live, "ersatz: this thread is watched already");
  t_watch.live = functions;
  t_watch.operators.clear();
  t_watch.devices.clear();
  c10::impl::tls_set_dispatch_key_included(kKey, true);
}

bool watching() { return t_watch.live != nullptr; }

void leave() {
  c10::impl::tls_set_dispatch_key_included(kKey, false);
  t_watch.live = nullptr;
}

}  // namespace

TORCH_LIBRARY(ersatz_glue, m) {
  m.def("enter(int live) -> ()", &enter);
  m.def("leave() -> ()", &leave);
  m.def("watching() -> bool", &watching);
}

TORCH_LIBRARY_IMPL(_, Fake, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&judged>()); }
