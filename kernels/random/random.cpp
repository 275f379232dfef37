#include "kernels/random/random.h"

#include <limits>
#include <optional>

#include "kernels/random/draw.h"
#include "kernels/random/integer_bounds.h"
#include "kernels/shape/functional_forms.h"
#include "kernels/written_elements.h"
#include "runtime/op/dispatch.h"

namespace ersatz::op_random {
namespace {

/// Returns the largest integer that is drawn if the call has no bound.
int64_t largest(DType dtype) {
  switch (dtype) {
    case DType::Bool:
      return 1;
    case DType::U8:
      return std::numeric_limits<uint8_t>::max();
    case DType::I8:
      return std::numeric_limits<int8_t>::max();
    case DType::I16:
      return std::numeric_limits<int16_t>::max();
    case DType::I32:
      return std::numeric_limits<int32_t>::max();
    case DType::F16:
      return int64_t(1) << 11;
    case DType::BF16:
      return int64_t(1) << 8;
    case DType::F32:
      return int64_t(1) << 24;
    case DType::F64:
      return int64_t(1) << 53;
    default:
      return std::numeric_limits<int64_t>::max();
  }
}

void answer(RuleCall& call) {
  const TensorMeta& self = call.meta(kEach["self"]);
  require_own_elements(call, "C4", kEach["self"]);
  if (size_ne(self.numel(), 0)) call.require_dtype(self.dtype, kReals | kBool);
  call.out.same(call.tensor(kEach["self"]));
}
/// Checks that `from` and `last`, the largest integer that is drawn, are numbers of the dtype.
void check(const RuleCall& call, int64_t from, int64_t last) {
  const DType dtype = call.meta(kEach["self"]).dtype;
  call.require(holds_integer(dtype, from) && holds_integer(dtype, last), "C2", "{} to {} must be numbers of dtype {}",
               from, last, name(dtype));
}

void all_rule(RuleCall& call) { answer(call); }
void to_rule(RuleCall& call) {
  const int64_t to = call[kRandomTo["to"]].as_int64();
  call.require(to > 0, "C1", "expects from < to: 0 and {}", to);
  check(call, 0, to - 1);
  answer(call);
}
void from_rule(RuleCall& call) {
  const int64_t from = call[kRandomFrom["from"]].as_int64();
  if (call.has(kRandomFrom["to"])) {
    const int64_t to = call[kRandomFrom["to"]].as_int64();
    call.require(from < to, "C1", "expects from < to: {} and {}", from, to);
    check(call, from, to - 1);
  } else {
    check(call, from, from);
    const int64_t last = largest(call.meta(kRandomFrom["self"]).dtype);
    call.require(from <= last, "C1", "expects from <= {}, the largest number that is drawn: got {}", last, from);
  }
  answer(call);
}

/// Draws integers in [from, last].
void draw(KernelCall& call, Position generator, int64_t from, int64_t last) {
  const Tensor& out = call.outputs[0];
  draw_integers(out, generator_or_default(call[generator].as_generator(), out.device()), from,
                static_cast<int64_t>(static_cast<uint64_t>(last) + 1));
}
void run_all(KernelCall& call) { draw(call, kRandom["generator"], 0, largest(call.outputs[0].dtype())); }
void run_to(KernelCall& call) { draw(call, kRandomTo["generator"], 0, call[kRandomTo["to"]].as_int64() - 1); }
void run_from(KernelCall& call) {
  const int64_t last =
      call.has(kRandomFrom["to"]) ? call[kRandomFrom["to"]].as_int64() - 1 : largest(call.outputs[0].dtype());
  draw(call, kRandomFrom["generator"], call[kRandomFrom["from"]].as_int64(), last);
}

}  // namespace

void register_ops(Registry& r) {
  const auto add = [&](const Schema& schema, Rule rule, FillKernel kernel, std::string_view out,
                       const std::string& bounds) -> OpEntry& {
    OpEntry& copy =
        r.add(schema.with("", "", "")).tag(Tag::Random).with_composite(write_copy).sample("f32[2,3]{1,2}" + bounds);
    add_written_apart(r, copy, out).sample("i64[2,3]" + bounds + ", out=i64[0]");
    return r.add(schema.with("_", "(a!)", "(a!)"))
        .tag(Tag::Random)
        .with_rule(rule)
        .every_device(kernel)
        .sample("i64[2,3]" + bounds)
        .refuses("C4", "f32[2]{0}" + bounds);
  };
  add(kRandom, all_rule, run_all, "out", "").refuses("", "c64[2]");
  add(kRandomTo, to_rule, run_to, "to_out", ", 10").refuses("C1", "f32[2], 0").refuses("C2", "u8[2], 300");
  add(kRandomFrom, from_rule, run_from, "from_out", ", -5, 5")
      .refuses("C1", "f32[2], 5, 5")
      .refuses("C2", "u8[2], -1, None");
}

}  // namespace ersatz::op_random
