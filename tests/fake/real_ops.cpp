#include "tests/fake/real_ops.h"

#include <algorithm>
#include <atomic>

#include "fake/watch/poison.h"
#include "runtime/op/composite.h"
#include "runtime/tensor/generator.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

std::atomic<int64_t> g_runs = 0;

int64_t count(const Tensor& t) { return t.numel().as_int(); }

template <class F>
void each(const Tensor& t, const F& f) {
  float* p = t.data<float>();
  for (int64_t i = 0; i < count(t); ++i) f(p[i], i);
}

void like_input(RuleCall& call) { call.out.fresh(TensorMeta(call.meta(0).dtype, call.meta(0).sizes, call.device)); }
void itself(RuleCall& call) { call.out.same(call.tensor(0)); }

void twice(KernelCall& call) {
  ++g_runs;
  const float* from = call.tensor(0).data<float>();
  each(call.outputs[0], [&](float& v, int64_t i) { v = 2 * from[i]; });
}

void noise(KernelCall& call) {
  ++g_runs;
  const GeneratorState s = default_generator().reserve(static_cast<uint64_t>(count(call.outputs[0])));
  each(call.outputs[0], [&](float& v, int64_t i) {
    v = static_cast<float>(philox_4x32_10(s.seed, s.offset + static_cast<uint64_t>(i))[0] % 1000);
  });
}

void bump(KernelCall& call) {
  ++g_runs;
  each(call.tensor(0), [](float& v, int64_t) { v += 1; });
}

/// Adds 1 to elements in place, until it refuses a negative one.
void half_done(KernelCall& call) {
  each(call.tensor(0), [&](float& v, int64_t) {
    if (v < 0) fail_on_value(call, ErrorFamily::Runtime, "elements must not be negative, found {}", v);
    v += 1;
  });
}

void noisy_body(CompositeCall& call) {
  const Tensor x = call.tensor(0);
  call_op(real_op("bump_"), x);
  call.returns(call_op(real_op("twice"), call_op(real_op("noise"), x)));
}

/// Returns a result that differs from the rule's in the field that the second argument names.
void wrong(KernelCall& call, Values& results) {
  ++g_runs;
  const Tensor self = call.tensor(0);
  const std::string_view field = call.args[1].as_string();
  TensorMeta m(DType::F32, self.sizes());
  if (field == "rank") m = meta_of("f32[2,3,4]");
  if (field == "size") m = meta_of("f32[2,4]");
  if (field == "dtype") m.dtype = DType::F64;
  if (field == "stride") m = meta_of("f32[2,3]{1,2}");
  if (field == "size-one stride") m = meta_of("f32[1,3]{7,1}");
  if (field == "offset") m.offset = 1;
  if (field == "gap") m.strides = DimVec{3};
  if (field == "device") m.device = kMeta;
  if (field == "conj") m.conj = true;
  if (field == "neg") m.neg = true;
  if (field == "requires_grad") m.requires_grad = true;
  if (field == "alias") {
    results.push_back(make_view(self, self.meta()));
  } else if (field == "stolen") {
    results.push_back(
        Tensor(m, Storage::wrap(self.storage()->data(), self.storage()->nbytes().as_int(), kCPU, nullptr, nullptr)));
  } else if (field == "number") {
    results.push_back(Value(7));
  } else {
    const Tensor made = make_real_tensor(m);
    if (made.storage()->has_bytes()) {
      for_each_element(made.meta(), [&](int64_t at) { made.storage()->data()[at] = std::byte{0}; });
    }
    results.push_back(made);
  }
}

void answer_two(KernelCall&, Values& results) { results.push_back(Value(2)); }

/// Writes its second argument, which the schema does not mark as written.
void sneaky(KernelCall& call, Values& results) {
  ++g_runs;
  each(call.tensor(1), [](float& v, int64_t) { v = -1; });
  results.push_back(make_real_tensor(TensorMeta(DType::F32, call.tensor(0).sizes())));
}

void column_major(KernelCall& call, Values& results) {
  ++g_runs;
  const Tensor self = call.tensor(0);
  TensorMeta m(DType::F32, self.sizes());
  if (m.dim() == 2) m.strides = DimVec{1, self.size(0)};
  const Tensor made = make_real_tensor(m);
  each(made, [](float& v, int64_t) { v = 5; });
  results.push_back(made);
}

/// Returns two results on one storage, or one object twice. The rule predicts two fresh results.
void entangled(KernelCall& call, Values& results) {
  const Tensor made = make_real_tensor(TensorMeta(DType::F32, call.tensor(0).sizes()));
  each(made, [](float& v, int64_t) { v = 1; });
  results.push_back(made);
  results.push_back(call.args[1].as_string() == "object" ? made : make_view(made, made.meta()));
}

void hand_back(KernelCall& call, Values& results) {
  results.push_back(make_view(call.tensor(0), call.tensor(0).meta()));
}

bool register_ops() {
  Registry& r = registry();
  r.add("realtest::twice(Tensor self) -> Tensor").with_rule(like_input).cpu(twice);
  r.add("realtest::noise(Tensor self) -> Tensor").with_rule(like_input).cpu(noise).tag(Tag::Random);
  r.add("realtest::bump_(Tensor(a!) self) -> Tensor(a!)").with_rule(itself).cpu(bump);
  r.add("realtest::noisy(Tensor(a!) self) -> Tensor").with_composite(noisy_body);
  r.add("realtest::half_done_(Tensor(a!) self) -> Tensor(a!)").with_rule(itself).cpu(half_done).tag(Tag::FailsOnValues);
  r.add("realtest::wrong(Tensor self, str field) -> Tensor").with_rule(like_input).cpu_returns(wrong).tag(Tag::Foreign);
  r.add("realtest::one(Tensor self) -> int")
      .with_rule([](RuleCall& call) { call.out.number(Value(1)); })
      .cpu_returns(answer_two)
      .tag(Tag::Foreign);
  r.add("realtest::sneaky(Tensor self, Tensor weight) -> Tensor")
      .with_rule(like_input)
      .cpu_returns(sneaky)
      .tag(Tag::Foreign);
  r.add("realtest::entangled(Tensor self, str how) -> (Tensor, Tensor)")
      .with_rule([](RuleCall& call) {
        like_input(call);
        like_input(call);
      })
      .cpu_returns(entangled);
  r.add("realtest::ruleless(Tensor self) -> Tensor").cpu_returns(column_major);
  r.add("realtest::ruleless_made(Tensor self, str field) -> Tensor").cpu_returns(wrong);
  r.add("realtest::loses_symbol(Tensor self) -> Tensor")
      .with_rule([](RuleCall& call) {
        call.size_of_data({.max = 9});
        like_input(call);
      })
      .cpu_returns(column_major)
      .tag(Tag::DataDependent);
  r.add("realtest::hand_back(Tensor self) -> Tensor").cpu_returns(hand_back);
  r.add("realtest::view_back(Tensor(a) self) -> Tensor(a)").cpu_returns(hand_back);
  return true;
}

}  // namespace

const OpEntry& real_op(std::string_view name) {
  [[maybe_unused]] static const bool registered = register_ops();
  return op_named("realtest." + std::string(name) + ".default");
}

int64_t kernel_runs() { return g_runs; }

FakeOptions propagating(int64_t real_bytes) {
  FakeOptions options;
  options.propagate_real = true;
  options.real_bytes = real_bytes;
  return options;
}

std::vector<float> values_of(const Tensor& t) {
  const Tensor real = t.is_fake() ? real_value(t) : t;
  if (!real) return {};
  SuspendModes suspended;
  const Tensor dense = call("aten.clone.default", {Value(real)})[0].tensor();
  std::vector<float> values;
  for_each_element(dense.meta(), [&](int64_t at) {
    values.push_back(*reinterpret_cast<const float*>(dense.storage()->data() + at));
  });
  return values;
}

}  // namespace ersatz
