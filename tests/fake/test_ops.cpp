#include "tests/fake/test_ops.h"

#include <algorithm>

#include "runtime/op/composite.h"
#include "runtime/op/mode.h"
#include "runtime/tensor/generator.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

void same_as_input(RuleCall& call) { call.out.fresh(TensorMeta(call.meta(0).dtype, call.meta(0).sizes, call.device)); }

/// Returns pointers to the elements of a CPU f32 tensor with any strides, in row-major order.
std::vector<float*> elements(const Tensor& t) {
  std::vector<float*> found{t.data<float>()};
  for (int64_t d = 0; d < t.dim(); ++d) {
    std::vector<float*> wider;
    for (float* p : found) {
      for (int64_t i = 0; i < t.size(d).as_int(); ++i) wider.push_back(p + i * t.stride(d).as_int());
    }
    found = std::move(wider);
  }
  return found;
}

void twice_cpu(KernelCall& call) {
  const auto from = elements(call.tensor(0)), to = elements(call.outputs[0]);
  for (size_t i = 0; i < from.size(); ++i) *to[i] = 2 * *from[i];
}

void opaque_cpu(KernelCall& call, Values& results) {  // column-major
  TensorMeta meta = call.tensor(0).meta();
  std::reverse(meta.sizes.begin(), meta.sizes.end());
  meta.strides = contiguous_strides(meta.sizes);
  std::reverse(meta.sizes.begin(), meta.sizes.end());
  std::reverse(meta.strides.begin(), meta.strides.end());
  meta.offset = 0;
  results.push_back(make_real_tensor(meta));
}

void tail_cpu(KernelCall& call, Values& results) {
  TensorMeta meta = call.tensor(0).meta();
  meta.sizes[0] -= call.integer(1);
  meta.offset += meta.strides[0] * call.integer(1);
  results.push_back(make_view(call.tensor(0), meta));
}

void pair_cpu(KernelCall& call, Values& results) {
  Tensor first = make_real_tensor(TensorMeta(call.tensor(0).dtype(), call.tensor(0).sizes()));
  results.push_back(first);
  results.push_back(make_view(first, first.meta()));
}

void grow_cpu(KernelCall& call, Values& results) {
  Tensor self = call.tensor(0);
  TensorMeta& meta = self.impl()->meta;
  meta.sizes[0] *= 2;
  self.storage()->resize(storage_bytes_needed(meta));
  results.push_back(self);
}

/// Returns the input's memory in a new storage, like a plugin with a bug.
void stolen_cpu(KernelCall& call, Values& results) {
  const Tensor self = call.tensor(0);
  results.push_back(
      Tensor(TensorMeta(self.meta()),
             Storage::wrap(self.storage()->data(), self.storage()->nbytes().as_int(), kCPU, nullptr, nullptr)));
}

void unchanged(RuleCall& call) { call.out.same(call.tensor(0)); }

void draw_cpu(KernelCall& call, Values& results) {
  default_generator().reserve(7);
  results.push_back(make_real_tensor(call.tensor(0).meta()));
}

void total_cpu(KernelCall& call, Values& results) {
  double total = 0;
  for (const float* p : elements(call.tensor(0))) total += static_cast<double>(*p);
  results.push_back(Value(total));
}

void picky_cpu(KernelCall& call, Values& results) {
  for (const float* p : elements(call.tensor(0))) {
    if (!(*p > 0)) fail_on_value(call, ErrorFamily::Runtime, "elements must be positive, found {}", *p);
  }
  results.push_back(make_real_tensor(call.tensor(0).meta()));
}

void pick_cpu(KernelCall& call, Values& results) {
  int64_t kept = 0;
  for (const float* p : elements(call.tensor(0))) kept += *p != 0;
  const SymInt sizes[] = {kept};
  results.push_back(make_real_tensor(TensorMeta(DType::F32, sizes)));
}

/// Returns the distance in bytes between the first elements of two inputs; -1 if the inputs share no storage.
void distance_cpu(KernelCall& call, Values& results) {
  const Tensor a = call.tensor(0), b = call.tensor(1);
  results.push_back(Value(a.shares_storage(b) ? static_cast<int64_t>(b.raw_data() - a.raw_data()) : int64_t(-1)));
}

/// Writes the input, and returns a list of the input and a new tensor, and a number.
void fill_parts_cpu(KernelCall& call, Values& results) {
  for (float* p : elements(call.tensor(0))) *p = 5;
  const Value items[] = {call.tensor(0), make_real_tensor(call.tensor(0).meta())};
  results.push_back(Value::list(items));
  results.push_back(Value(1.5));
}

void flip_rule(RuleCall& call) {
  TensorMeta meta = call.meta(0);
  std::swap(meta.sizes[0], meta.sizes[1]);
  std::swap(meta.strides[0], meta.strides[1]);
  call.out.same(call.tensor(0), meta);
}

void make_rule(RuleCall& call) {
  const Device device = call.has(1) ? resolve(call.args[1].as_device()) : call.device;
  call.out.fresh(TensorMeta(DType::F32, call.ints(0), device));
}

void add_rule(RuleCall& call) {
  call.require(sym_eq(call.meta(0).sizes, call.meta(1).sizes), "C1", "sizes must match: {} and {}", call.meta(0),
               call.meta(1));
  call.out.fresh(TensorMeta(call.meta(0).dtype, call.meta(0).sizes, call.device));
}

void unmodelled_rule(RuleCall& call) { call.not_modelled("memory of this kind"); }

void broken_rule(RuleCall& call) { ERSATZ_ASSERT(call.args.empty(), "{} arguments", call.args.size()); }

void number_rule(RuleCall& call) { call.out.number(Value(0.0)); }

void second_rule(RuleCall& call) { call.out.view(call.tensor(1), call.meta(1)); }

void shifted_rule(RuleCall& call) { call.out.fresh(call.meta(0)).offset = 3; }

void mixed_rule(RuleCall& call) {
  call.out.number(Value(call.meta(0).numel()));
  call.out.none();
  call.out.same(call.tensor(0));
}

void four_body(CompositeCall& call) {
  call.returns(call_op(test_op("twice"), call_op(test_op("twice"), call.tensor(0))));
}

void modes_seen_rule(RuleCall& call) { call.out.number(Value(active_mode(ModeOrder::Fake) != nullptr)); }

bool register_test_ops() {
  Registry& r = registry();
  r.add("faketest::twice(Tensor self) -> Tensor").with_rule(same_as_input).cpu(twice_cpu);
  r.add("faketest::add(Tensor self, Tensor other) -> Tensor")
      .with_rule(add_rule)
      .devices({DeviceRule::CpuScalarOk, DeviceRule::CpuScalarOk});
  r.add("faketest::unmodelled(Tensor self) -> Tensor").with_rule(unmodelled_rule);
  r.add("faketest::four(Tensor self) -> Tensor").with_composite(four_body);
  r.add("faketest::make(int[] size, *, Device? device=None) -> Tensor")
      .with_rule(make_rule)
      .tag(Tag::Factory | Tag::Uninitialized);
  r.add("faketest::flip_(Tensor(a!) self) -> Tensor(a!)").with_rule(flip_rule).tag(Tag::InplaceView);
  r.add("faketest::read(Tensor self) -> Scalar").with_rule(number_rule).cpu_returns(total_cpu).tag(Tag::ScalarRead);
  r.add("faketest::pick(Tensor self) -> Tensor").cpu_returns(pick_cpu).tag(Tag::DataDependent);
  // Ops without a rule.
  r.add("faketest::opaque(Tensor self) -> Tensor").cpu_returns(opaque_cpu);
  r.add("faketest::willing(Tensor self) -> Tensor").cpu_returns(opaque_cpu).with_fallback(FallbackPolicy::Zeros);
  r.add("faketest::unwilling(Tensor self) -> Tensor").cpu_returns(opaque_cpu).with_fallback(FallbackPolicy::Refuse);
  r.add("faketest::tail(Tensor(a) self, int n) -> Tensor(a)").cpu_returns(tail_cpu);
  r.add("faketest::pair(Tensor self) -> (Tensor, Tensor)").cpu_returns(pair_cpu);
  r.add("faketest::grow_(Tensor(a!) self) -> Tensor(a!)").cpu_returns(grow_cpu);
  r.add("faketest::draw(Tensor self) -> Tensor").cpu_returns(draw_cpu).tag(Tag::Random);
  r.add("faketest::total(Tensor self) -> float").cpu_returns(total_cpu);
  r.add("faketest::picky(Tensor self) -> Tensor").cpu_returns(picky_cpu).tag(Tag::FailsOnValues);
  r.add("faketest::distance(Tensor self, Tensor other) -> int").cpu_returns(distance_cpu);
  // Ops whose kernel contradicts their rule.
  r.add("faketest::column_major(Tensor self) -> Tensor")
      .with_rule(same_as_input)
      .cpu_returns(opaque_cpu)
      .tag(Tag::Foreign);
  r.add("faketest::stolen(Tensor self) -> Tensor").with_rule(same_as_input).cpu_returns(stolen_cpu).tag(Tag::Foreign);
  r.add("faketest::bad_grow_(Tensor(a!) self, Tensor other) -> Tensor(a!)")
      .with_rule(unchanged)
      .cpu_returns(grow_cpu)
      .tag(Tag::Foreign);
  r.add("faketest::modes_seen(Tensor self) -> bool").with_rule(modes_seen_rule);
  r.add("faketest::lasting(Tensor self) -> Tensor").with_rule(same_as_input).tag(Tag::Foreign).with_costly_rule();
  r.add("faketest::fill_parts(Tensor(a!) self) -> (Tensor[], float)").cpu_returns(fill_parts_cpu);
  r.add("faketest::second(Tensor self, Tensor(a) other) -> Tensor(a)").with_rule(second_rule).tag(Tag::View);
  r.add("faketest::shifted(Tensor self) -> Tensor").with_rule(shifted_rule);
  r.add("faketest::mixed(Tensor(a!) self) -> (int, Tensor?, Tensor(a!))").with_rule(mixed_rule);
  r.add("faketest::store(Tensor self, Tensor(a!) to) -> ()");
  r.add("faketest::broken(Tensor self) -> Tensor").with_rule(broken_rule);
  return true;
}

}  // namespace

const OpEntry& test_op(std::string_view name) {
  [[maybe_unused]] static const bool registered = register_test_ops();
  return op_named("faketest." + std::string(name) + ".default");
}

TensorMeta meta_of(std::string text) {
  if (text.find('@') == std::string::npos) text.insert(std::min(text.find(' '), text.size()), "@cpu");
  return parse_meta(text);
}

Tensor ones_f32(std::initializer_list<int64_t> sizes) {
  const DimVec dims(sizes.begin(), sizes.end());
  const std::vector<double> values(static_cast<size_t>(TensorMeta(DType::F32, dims).numel().as_int()), 1.0);
  return tensor_from_values(DType::F32, values, dims);
}

}  // namespace ersatz
