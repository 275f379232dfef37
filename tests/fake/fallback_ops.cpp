#include "tests/fake/fallback_ops.h"

#include <cmath>
#include <stdexcept>

#include "fake/watch/poison.h"
#include "runtime/base/dtype_switch.h"
#include "runtime/op/copy.h"
#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

std::vector<double> elements_of(const Tensor& t) {
  std::vector<double> found;
  dispatch_dtype<kReals | kBool>(t.dtype(), [&]<class T>() {
    for_each_element(t.meta(), [&](int64_t at) {
      found.push_back(static_cast<double>(*reinterpret_cast<const T*>(t.storage()->data() + at)));
    });
  });
  return found;
}

void look_cpu(KernelCall& call, Values& results) {
  const Tensor t = call.tensor(0);
  SeenInput& seen = seen_input();
  ++seen.runs;
  seen.text.meta = t.meta();
  seen.text.storage_bytes = t.storage()->nbytes();
  seen.tensor = WeakRef<TensorImpl>(t.ref());
  seen.elements = is_complex(t.dtype()) ? std::vector<double>() : elements_of(t);
  results.push_back(make_real_tensor(TensorMeta(t.dtype(), t.sizes())));
}

/// Returns rows of a table. Raises if an index is no row.
void lookup_cpu(KernelCall& call, Values& results) {
  const int64_t rows = call.tensor(0).size(0).as_int();
  for (const double i : elements_of(call.tensor(1))) {
    if (i < 0 || i >= static_cast<double>(rows)) {
      fail_on_value(call, ErrorFamily::Index, "index {} is out of range of {} rows", i, rows);
    }
  }
  seen_input().elements = elements_of(call.tensor(1));
  DimVec sizes = call.tensor(1).meta().sizes;
  sizes.push_back(call.tensor(0).size(1));
  results.push_back(make_real_tensor(TensorMeta(call.tensor(0).dtype(), sizes)));
}

/// Stores the values of its index tensors in `seen_input()`. They index each dim of a tensor, or a dim that an argument
/// names.
void indices_cpu(KernelCall& call, Values& results) {
  std::vector<double>& seen = seen_input().elements;
  seen.clear();
  const auto note = [&](const Tensor& t) {
    for (const double v : elements_of(t)) seen.push_back(v);
  };
  for (const Value& v : call.args.subspan(1)) {
    if (v.is_tensor()) note(v.tensor());
    if (v.kind() != Value::Kind::List) continue;
    for (const Value& item : v.as_list()) note(item.tensor());
  }
  results.push_back(Value(static_cast<int64_t>(seen.size())));
}

/// Returns the lower Cholesky factor. Raises if the matrix is not positive definite.
void cholesky_cpu(KernelCall& call, Values& results) {
  const int64_t n = call.tensor(0).size(0).as_int();
  const std::vector<double> a = elements_of(call.tensor(0));
  std::vector<double> l(a.size(), 0.0);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j <= i; ++j) {
      double sum = a[static_cast<size_t>(i * n + j)];
      for (int64_t k = 0; k < j; ++k) sum -= l[static_cast<size_t>(i * n + k)] * l[static_cast<size_t>(j * n + k)];
      if (i == j && sum <= 0) fail_on_value(call, ErrorFamily::Runtime, "minor {} is not positive definite", i + 1);
      l[static_cast<size_t>(i * n + j)] = i == j ? std::sqrt(sum) : sum / l[static_cast<size_t>(j * n + j)];
    }
  }
  results.push_back(make_real_tensor(TensorMeta(DType::F32, call.tensor(0).sizes())));
}

void sneak_cpu(KernelCall& call, Values& results) {
  ++seen_input().runs;
  results.push_back(call.tensor(0));
}

void broken_cpu(KernelCall&, Values&) { throw std::runtime_error("the device is on fire"); }

/// Calls another op. If a fake mode were active in the kernel, that call would raise or return a fake.
void nested_cpu(KernelCall& call, Values& results) {
  const Tensor y = call_test_op("twice", {call.tensor(0)});
  if (y.is_fake()) throw std::runtime_error("a mode saw what a kernel did");
  results.push_back(y);
}

void halves_cpu(KernelCall& call, Values& results) {
  const Tensor whole = make_real_tensor(TensorMeta(call.tensor(0).dtype(), call.tensor(0).sizes()));
  const int64_t n = whole.size(0).as_int() / 2;
  const SymInt sizes[] = {n}, strides[] = {1};
  results.push_back(make_view(whole, TensorMeta(DType::F32, sizes, strides)));
  results.push_back(make_view(whole, TensorMeta(DType::F32, sizes, strides, kCPU, n)));
}

/// Changes its input to a column vector, although no tag of the op declares a change of metadata.
void stand_up_cpu(KernelCall& call, Values& results) {
  Tensor self = call.tensor(0);
  self.impl()->meta.sizes = DimVec{self.size(0), 1};
  self.impl()->meta.strides = DimVec{1, 1};
  results.push_back(self);
}

bool register_fallback_ops() {
  Registry& r = registry();
  r.add("fbtest::look(Tensor self) -> Tensor").cpu_returns(look_cpu);
  r.add("fbtest::lookup(Tensor table, Tensor index) -> Tensor")
      .cpu_returns(lookup_cpu)
      .tag(Tag::FailsOnValues)
      .with_index_domain({1, 0});
  r.add("fbtest::lookup_anywhere(Tensor table, Tensor index) -> Tensor")
      .cpu_returns(lookup_cpu)
      .tag(Tag::FailsOnValues);
  r.add("fbtest::each_dim(Tensor self, Tensor[] indices) -> int")
      .cpu_returns(indices_cpu)
      .with_index_domain({1, 0, IndexDomain::kPosition});
  r.add("fbtest::one_dim(Tensor self, int dim, Tensor index) -> int")
      .cpu_returns(indices_cpu)
      .with_index_domain({2, 0, 1, true});
  r.add("fbtest::cholesky(Tensor self) -> Tensor").cpu_returns(cholesky_cpu).tag(Tag::FailsOnValues);
  r.add("fbtest::sneak_(Tensor(a!) self) -> Tensor(a!)").cpu_returns(sneak_cpu).tag(Tag::InplaceView);
  r.add("fbtest::broken(Tensor self) -> Tensor").cpu_returns(broken_cpu);
  r.add("fbtest::nested(Tensor self) -> Tensor").cpu_returns(nested_cpu);
  r.add("fbtest::halves(Tensor self) -> (Tensor, Tensor)").cpu_returns(halves_cpu);
  r.add("fbtest::stand_up_(Tensor(a!) self) -> Tensor(a!)").cpu_returns(stand_up_cpu);
  return true;
}

}  // namespace

const OpEntry& fallback_op(std::string_view name) {
  [[maybe_unused]] static const bool registered = register_fallback_ops();
  return op_named("fbtest." + std::string(name) + ".default");
}

SeenInput& seen_input() {
  static SeenInput seen;
  return seen;
}

FakeMode falling_back(std::optional<Fill> fill) {
  FakeOptions options;
  options.fallback = FallbackPolicy::Zeros;
  options.fill = fill;
  return FakeMode(options);
}

}  // namespace ersatz
