#include "tests/fake/crosscheck_ops.h"

#include "runtime/tensor/layout.h"

namespace ersatz {
namespace {

TensorMeta plain(const TensorMeta& like) { return TensorMeta(like.dtype, like.sizes); }

/// Predicts the kernel's metadata, except for the field that the second argument names.
void claims_rule(RuleCall& call) {
  const std::string_view field = call.args[1].as_string();
  TensorMeta meta = plain(call.meta(0));
  if (field == "dtype") meta.dtype = DType::F64;
  if (field == "size") meta = TensorMeta(meta.dtype, DimVec{3, 2});
  if (field == "stride") meta.strides = DimVec{1, 2};
  if (field == "offset") meta.offset = 1;
  if (field == "device") meta.device = cuda(0);
  if (field == "conj") meta.conj = true;
  if (field == "neg") meta.neg = true;
  if (field == "requires_grad") meta.requires_grad = true;
  call.out.fresh(meta);
}
void fresh_cpu(KernelCall& call, Values& results) { results.push_back(make_real_tensor(plain(call.tensor(0).meta()))); }

/// The rule predicts a row-major result. The second argument selects the layout of the kernel's result.
void layout_rule(RuleCall& call) { call.out.fresh(plain(call.meta(0))); }
void layout_cpu(KernelCall& call, Values& results) {
  TensorMeta meta = plain(call.tensor(0).meta());
  if (call.args[1].as_string() == "channels_last") meta.strides = channels_last_strides(meta.sizes);
  if (call.args[1].as_string() == "odd_size_one") meta.strides[0] = 77;
  results.push_back(make_real_tensor(meta));
}
void library_rule(RuleCall& call) {
  layout_rule(call);
  call.out.outputs[0].unknown_layout = true;
}

/// Each result is the argument itself, a view of it or a new tensor. The second argument decides what the rule
/// predicts, and the third argument what the kernel returns.
void hangs_rule(RuleCall& call) {
  const std::string_view how = call.args[1].as_string();
  TensorMeta meta = call.meta(0);
  if (how == "same") call.out.same(call.tensor(0));
  if (how == "view") call.out.view(call.tensor(0), meta);
  if (how == "fresh") call.out.fresh(plain(meta));
}
void hangs_cpu(KernelCall& call, Values& results) {
  const std::string_view how = call.args[2].as_string();
  const Tensor self = call.tensor(0);
  results.push_back(how == "same"   ? self
                    : how == "view" ? make_view(self, self.meta())
                                    : make_real_tensor(plain(self.meta())));
}

/// The rule's view starts at the first element, the kernel's view at the second.
void first_rule(RuleCall& call) {
  TensorMeta meta = call.meta(0);
  meta.sizes[0] -= 1;
  call.out.view(call.tensor(0), meta);
}
void shifted_cpu(KernelCall& call, Values& results) {
  TensorMeta meta = call.tensor(0).meta();
  meta.sizes[0] -= 1;
  meta.offset += meta.strides[0];
  results.push_back(make_view(call.tensor(0), meta));
}
/// Returns the argument's memory, shifted by one element, in a new storage. The metadata agree with the rule's.
void stolen_shifted_cpu(KernelCall& call, Values& results) {
  const Tensor self = call.tensor(0);
  TensorMeta meta = self.meta();
  meta.sizes[0] -= 1;
  const int64_t n = self.storage()->nbytes().as_int() - 4;
  results.push_back(Tensor(std::move(meta), Storage::wrap(self.storage()->data() + 4, n, kCPU, nullptr, nullptr)));
}

void two_rule(RuleCall& call) {
  call.out.fresh(plain(call.meta(0)));
  call.out.fresh(plain(call.meta(0)));
}
void two_cpu(KernelCall& call, Values& results) {
  TensorMeta meta = plain(call.tensor(0).meta());
  results.push_back(make_real_tensor(meta));
  if (call.args[1].as_string() == "dtype") meta.dtype = DType::F64;
  results.push_back(call.args[1].as_string() == "shared" ? make_view(results[0].tensor(), meta)
                                                         : make_real_tensor(meta));
}

void list_rule(RuleCall& call) {
  for (int64_t i = 0; i < call.integer(1); ++i) call.out.fresh(plain(call.meta(0)));
}
void list_cpu(KernelCall& call, Values& results) {
  std::vector<Value> items(static_cast<size_t>(call.integer(2)), Value(make_real_tensor(plain(call.tensor(0).meta()))));
  results.push_back(Value::list(items));
}

void number_cpu(KernelCall&, Values& results) { results.push_back(Value(1.5)); }

void scribble_cpu(KernelCall& call, Values& results) {
  call.tensor(1).data<float>()[5] = 9;
  fresh_cpu(call, results);
}
void silent_scribble_cpu(KernelCall& call, Values&) { call.tensor(0).data<float>()[0] = 9; }
void transposes_cpu(KernelCall& call, Values& results) {
  TensorMeta& meta = call.args[0].tensor_impl()->meta;
  std::swap(meta.sizes[0], meta.sizes[1]);
  results.push_back(make_real_tensor(TensorMeta(meta.dtype, meta.sizes)));
}
void moves_cpu(KernelCall& call, Values& results) {
  TensorImpl* self = call.args[0].tensor_impl();
  fresh_cpu(call, results);
  self->storage = Storage::allocate(self->storage->nbytes().as_int(), kCPU);
}
void bumps_cpu(KernelCall& call, Values& results) {
  call.tensor(0).storage()->bump_version();
  fresh_cpu(call, results);
}

bool register_crosscheck_ops() {
  Registry& r = registry();
  const auto add = [&](const char* schema, Rule rule, ReturnKernel kernel) -> OpEntry& {
    return r.add(schema).with_rule(rule).cpu_returns(kernel).tag(Tag::Foreign);
  };
  add("xtest::claims(Tensor self, str field) -> Tensor", claims_rule, fresh_cpu);
  add("xtest::layout(Tensor self, str layout) -> Tensor", layout_rule, layout_cpu);
  add("xtest::library(Tensor self, str layout) -> Tensor", library_rule, layout_cpu).tag(Tag::LayoutByLibrary);
  add("xtest::hangs(Tensor(a) self, str rule, str kernel) -> Tensor(a)", hangs_rule, hangs_cpu);
  add("xtest::shifted(Tensor(a) self) -> Tensor(a)", first_rule, shifted_cpu);
  add("xtest::stolen_shifted(Tensor(a) self) -> Tensor(a)", first_rule, stolen_shifted_cpu);
  add("xtest::two(Tensor self, str second) -> (Tensor, Tensor)", two_rule, two_cpu);
  add("xtest::list(Tensor self, int rule, int kernel) -> Tensor[]", list_rule, list_cpu);
  add("xtest::number(Tensor self) -> Tensor", layout_rule, number_cpu);
  add("xtest::scribble(Tensor self, Tensor other) -> Tensor", layout_rule, scribble_cpu);
  add(
      "xtest::transposes(Tensor self) -> Tensor",
      [](RuleCall& call) {
        call.out.fresh(TensorMeta(DType::F32, DimVec{call.meta(0).sizes[1], call.meta(0).sizes[0]}));
      },
      transposes_cpu);
  add(
      "xtest::silent_scribble(Tensor self) -> ()", [](RuleCall&) {}, silent_scribble_cpu);
  add("xtest::moves(Tensor self) -> Tensor", layout_rule, moves_cpu);
  add("xtest::bumps(Tensor self) -> Tensor", layout_rule, bumps_cpu);
  return true;
}

}  // namespace

const OpEntry& crosscheck_op(std::string_view name) {
  [[maybe_unused]] static const bool registered = register_crosscheck_ops();
  return op_named("xtest." + std::string(name) + ".default");
}

Report check_in_mode(std::string_view op, std::vector<Value> args, CrosscheckOptions options) {
  CrosscheckMode mode(std::move(options));
  {
    ModeGuard guard(mode);
    call(crosscheck_op(op), args);
  }
  return mode.finish();
}

std::string first_mismatch(std::string_view op, std::vector<Value> args, CrosscheckOptions options) {
  options.stop_at_first = true;
  const Error e = error_of([&] { check_in_mode(op, args, options); });
  return e.kind == ErrorKind::MetadataMismatch ? e.message : "no mismatch: " + e.message;
}

}  // namespace ersatz
