#include "runtime/tensor/tensor.h"

#include <fmt/format.h>

#include "runtime/base/dtype_switch.h"
#include "runtime/base/element.h"
#include "runtime/base/log.h"
#include "runtime/tensor/allocator.h"
#include "runtime/tensor/fake_owner.h"
#include "runtime/tensor/kernel_scope.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/live_objects.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {

ERSATZ_DEFINE_POOL(TensorImpl)
ERSATZ_DEFINE_POOL(TensorExtra)

thread_local constinit int detail::t_kernel_depth = 0;

namespace {
void count_tensor(const TensorImpl& t, int64_t change) {
  detail::count_live(detail::Live::Tensor, change);
  if (t.fake_mode) detail::count_live(detail::Live::Fake, change);
}
}  // namespace

TensorImpl::TensorImpl(TensorMeta&& m, Ref<Storage> s) : meta(std::move(m)), storage(std::move(s)) {
  count_tensor(*this, 1);
}
TensorImpl::TensorImpl(TensorMeta&& m, Ref<Storage> s, Ref<FakeOwner> owner)
    : meta(std::move(m)), storage(std::move(s)), fake_mode(std::move(owner)) {
  count_tensor(*this, 1);
}
TensorImpl::TensorImpl(const TensorMeta& m, Ref<Storage> s, Ref<FakeOwner> owner)
    : meta(m), storage(std::move(s)), fake_mode(std::move(owner)) {
  count_tensor(*this, 1);
}
TensorImpl::~TensorImpl() { count_tensor(*this, -1); }

uint64_t TensorImpl::make_identity() const {
  static std::atomic<uint64_t> last{0};
  uint64_t expected = 0;
  const uint64_t fresh = last.fetch_add(1, std::memory_order_relaxed) + 1;
  return identity_.compare_exchange_strong(expected, fresh, std::memory_order_relaxed) ? fresh : expected;
}

namespace {
int64_t checked_dim(const Tensor& t, int64_t d) {
  int64_t rank = t.dim();
  if (d < -rank || d >= rank) {
    fail(ErrorKind::InvalidArgument, ErrorFamily::Index, "dim {} is out of range for {} (expected {} to {})", d,
         t.meta(), -rank, rank - 1);
  }
  return d < 0 ? d + rank : d;
}
}  // namespace

SymInt Tensor::size(int64_t d) const { return sizes()[static_cast<size_t>(checked_dim(*this, d))]; }
SymInt Tensor::stride(int64_t d) const { return strides()[static_cast<size_t>(checked_dim(*this, d))]; }
bool Tensor::is_contiguous(MemoryFormat format) const { return ersatz::is_contiguous(meta(), format); }

std::byte* Tensor::raw_data() const {
  if (!impl_->storage->has_bytes()) {
    if (is_fake() && impl_->fake_mode->allows_data_pointer()) {
      log().warn("the data pointer of {} was asked for: it is null (deprecated; a fake has no bytes)", meta());
      return nullptr;
    }
    fail(ErrorKind::DataDependentOutput, ErrorFamily::Runtime, "{} {} has no data: its values cannot be read",
         is_fake() ? "fake tensor" : "meta tensor", meta());
  }
  // The caller may write through the returned pointer. A kernel needs no preparation here: it writes only arguments
  // that its op declares as written, and prepare_write() was called for these before the kernel.
  if (impl_->storage->shares_bytes() && detail::t_kernel_depth == 0) impl_->storage->prepare_write();
  return impl_->storage->data() + meta().offset.as_int() * item_size(dtype());
}

std::byte* Tensor::typed_data(DType expected) const {
  if (expected != dtype()) fail_argument("data of {} was asked as {}", meta(), name(expected));
  std::byte* p = raw_data();
  if (!device().is_cpu()) fail_argument("data of {} cannot be read on the host: copy it to the cpu first", meta());
  return p;
}

namespace {
const std::byte* single_element(const Tensor& t) {
  if (!guard_eq(t.numel(), 1)) fail_argument("a tensor with {} elements cannot be converted to a number", t.numel());
  return t.raw_data();
}
}  // namespace

double Tensor::item_double() const {
  if (is_fake() && impl_->extra && impl_->extra->constant) return impl_->extra->constant.item_double();
  const std::byte* p = single_element(*this);
  if (!device().is_cpu()) fail_argument("the value of {} cannot be read on the host: copy it to the cpu first", meta());
  double v = 0;
  dispatch_dtype<kEveryDType>(dtype(), [&]<class T>() { v = number_in(*reinterpret_cast<const T*>(p)).real(); });
  return v;
}

int64_t Tensor::item_int() const {
  if (is_fake() && impl_->extra && impl_->extra->constant) return impl_->extra->constant.item_int();
  const std::byte* p = single_element(*this);
  if (dtype() == DType::I64 && device().is_cpu()) return *reinterpret_cast<const int64_t*>(p);
  return static_cast<int64_t>(item_double());
}

Tensor make_real_tensor(TensorMeta meta) {
  int64_t nbytes = storage_bytes_needed(meta).guard_int();
  Device device = meta.device;
  return Tensor(std::move(meta), Storage::allocate(nbytes, device));
}

Tensor make_view(const Tensor& base, TensorMeta meta) {
  return Tensor(make_ref<TensorImpl>(std::move(meta), base.storage(), base.impl()->fake_mode));
}

Tensor tensor_from_values(DType dtype, std::span<const double> values, std::span<const SymInt> sizes) {
  Tensor t = make_real_tensor(TensorMeta(dtype, sizes));
  if (t.numel().as_int() != static_cast<int64_t>(values.size())) {
    fail_argument("tensor_from_values: {} values for {}", values.size(), t.meta());
  }
  dispatch_dtype<kEveryDType>(dtype, [&]<class T>() {
    T* p = t.data<T>();
    for (size_t i = 0; i < values.size(); ++i) p[i] = element_of<T>(values[i]);
  });
  return t;
}

namespace {

void print_element(std::string& out, DType dtype, const std::byte* p) {
  dispatch_dtype<kEveryDType>(dtype, [&]<class T>() {
    const T& v = *reinterpret_cast<const T*>(p);
    if constexpr (std::is_same_v<T, bool>) {
      out += v ? "True" : "False";
    } else if constexpr (is_packed_element<T>) {
      out += fmt::format("({}, {})", v.low(), v.high());
    } else if constexpr (std::is_same_v<T, complex_half>) {
      out += fmt::format("{}{:+}j", float(v.real()), float(v.imag()));
    } else if constexpr (is_complex_element<T>) {
      out += fmt::format("{}{:+}j", v.real(), v.imag());
    } else if constexpr (is_float(dtype_of<T>) && !std::is_floating_point_v<T>) {
      out += fmt::format("{}", float(v));
    } else {
      out += fmt::format("{}", v);
    }
  });
}

constexpr int64_t kEdgeItems = 3;  // a long dim shows its first and last three items
constexpr int64_t kShowAll = 8;

void print_dim(std::string& out, const Tensor& t, const std::byte* p, size_t d) {
  if (d == t.sizes().size()) return print_element(out, t.dtype(), p);
  int64_t n = t.sizes()[d].as_int();
  int64_t step = t.strides()[d].as_int() * item_size(t.dtype());
  out.push_back('[');
  for (int64_t i = 0; i < n; ++i) {
    if (i) out += ", ";
    if (n > kShowAll && i == kEdgeItems) {
      out += "..., ";
      i = n - kEdgeItems;
    }
    print_dim(out, t, p + i * step, d + 1);
  }
  out.push_back(']');
}

}  // namespace

std::string to_string(const Tensor& t) {
  if (!t) return "Tensor(undefined)";
  if (!t.storage()->has_bytes()) return fmt::format("{}({})", t.is_fake() ? "FakeTensor" : "Tensor", t.meta());
  if (!t.device().is_cpu()) return fmt::format("Tensor({})", t.meta());
  std::string out = fmt::format("Tensor({}, ", t.meta());
  if (t.numel().as_int() == 0) {
    out += "[]";
  } else {
    print_dim(out, t, t.raw_data(), 0);
  }
  out.push_back(')');
  return out;
}

}  // namespace ersatz
