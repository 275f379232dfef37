#include "kernels/creation/linspace.h"

#include <cmath>

#include "kernels/shape/scalar_fit.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/type_promotion.h"
#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz::op_linspace {

namespace {

bool is_complex_end(const RuleCall& call, Position i) {
  return call.is_tensor(i) ? is_complex(call.meta(i).dtype) : call.scalar(i).is_complex();
}

template <bool log>
void check_ends(const RuleCall& call, const TensorMeta& out) {
  const int64_t steps = call.integer(kEach["steps"]);
  if (steps < 2) call.require_dtype(out.dtype, steps == 0 ? kEveryDType : kEveryDType.without(kFloat4s));
  if (steps == 0) return;
  if (steps == 1) {  // ATen fills `out` with one number, which is possible for bool too
    if (call.is_tensor(kEach["start"])) return;
    const Scalar start = call.scalar(kEach["start"]);
    const bool power = log && !start.is_complex();
    return require_fill_number(call, power ? Scalar(std::pow(call.real(kLogspace["base"]), start.to_double())) : start,
                               out, "C3");
  }
  call.require_dtype(out.dtype, kNumbers);
  for (Position i : {kEach["start"], kEach["end"]}) {
    if (!call.is_tensor(i)) require_written_number(call, call.scalar(i), out, "C3");
  }
}

void check_arguments(const RuleCall& call) {
  for (Position i : {kEach["start"], kEach["end"]}) {
    if (!call.is_tensor(i)) continue;
    call.require(call.meta(i).dim() == 0, "C4", "expects ends without dims: got {}", call.meta(i));
    // an element of a packed dtype holds several numbers
    if (is_packed(call.meta(i).dtype)) call.require_dtype_first(call.meta(i).dtype, kNumbers);
  }
  call.require(call.integer(kEach["steps"]) >= 0, "C1", "steps must not be negative: got {}",
               call.integer(kEach["steps"]));
}

template <bool log>
void rule(RuleCall& call) {
  constexpr Position options = log ? kLogspace["dtype"] : kLinspace["dtype"];
  check_arguments(call);
  const DType real = call.context.default_dtype;
  const bool complex_ends = is_complex_end(call, kEach["start"]) || is_complex_end(call, kEach["end"]);
  const DType dtype = dtype_of_factory(call, options, complex_ends ? complex_of_parts(real) : real);
  call.require(out_of_factory(call) || is_complex(dtype) || !complex_ends, "C2", "complex ends do not fit dtype {}",
               name(dtype));
  const int64_t n = call.integer(kEach["steps"]);
  answer_vector(call, options, dtype, call.context.default_device, n,
                n > 1 ? SharedElements::Refused : SharedElements::Allowed);
  check_ends<log>(call, call.out.outputs[0].meta);
}

template <bool log>
void add(Registry& r) {
  const Schema& schema = log ? kLogspace : kLinspace;
  for (const char* kinds : {"Scalar Scalar", "Tensor Tensor", "Tensor Scalar", "Scalar Tensor"}) {
    const std::string_view start(kinds, 6), end(kinds + 7, 6);
    const bool numbers = start == "Scalar" && end == "Scalar";
    const std::string overload = numbers ? "" : fmt::format(".{}_{}", start, end);
    const std::string arguments =
        fmt::format("{}, {}, 5", start == "Scalar" ? "0.5" : "f32[]", end == "Scalar" ? "2" : "i64[]");
    OpEntry& entry = r.add(schema.with(overload, start, end))
                         .tag(Tag::Factory)
                         .with_rule(rule<log>)
                         .cpu(log ? logspace_cpu : linspace_cpu)
                         .sample(arguments);
    OpEntry& out = r.add_out_alike(entry, numbers ? "out" : overload.substr(1) + "_out")
                       .sample(fmt::format("{}, out=f32[0]", arguments));
    if (numbers) {
      entry.sample("1, 7, 4, dtype=i64")
          .refuses("C1", "0, 1, -1")
          .refuses("C2", "(1+2j), 1, 3, dtype=f32")
          .refuses("C3", "0, 300, 3, dtype=u8");
      continue;
    }
    // Start and end may be on any device, because their elements are read as numbers.
    for (OpEntry* e : {&entry, &out}) {
      e->tag(Tag::FailsOnValues);
      e->device_rules.assign(e->schema.arguments.size(), DeviceRule::Any);
    }
    out.device_rules.back() = DeviceRule::Same;
    if (start == "Tensor" && end == "Scalar") entry.refuses("C4", "f32[1], 2, 3");
  }
}

}  // namespace

void register_ops(Registry& r) {
  add<false>(r);
  add<true>(r);
}

}  // namespace ersatz::op_linspace
