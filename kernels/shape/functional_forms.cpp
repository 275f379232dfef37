#include "kernels/shape/functional_forms.h"

#include "kernels/own_dtype.h"
#include "kernels/shape/clone.h"
#include "kernels/shape/copy.h"
#include "kernels/shape/resize.h"
#include "runtime/op/behind_values.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz {

void write_copy(CompositeCall& call) {
  const FunctionSchema& schema = call.op.schema;
  std::vector<Value> arguments(call.args.begin(), call.args.end());
  arguments[0] = ops::clone(call.tensor(kWritesSelf["self"]));
  Values results;
  dispatch(op_named(fmt::format("aten.{}_.{}", schema.base, schema.overload.empty() ? "default" : schema.overload)),
           arguments, results);
  call.returns(std::move(results[0]));
}

void put_result(const CompositeCall& call, const Tensor& result, const Tensor& to) {
  call.require(static_cast<bool>(result), "out_dtype", "the result is None, it has no dtype to write to {}", to.meta());
  require_own_dtype(call, "the out argument", to.meta(), result.dtype());
  call.require(to.device() == result.device(), "out_device", "the out argument must be on {}, it is {}",
               to_string(result.device()), to.meta());
  if (!same_sizes(to.sizes(), result.sizes())) ops::resize_(to, result.sizes());
  ops::copy_(to, result);
}
void put_result(CompositeCall& call, const Tensor& result, Position out) {
  put_result(call, result, call.tensor(out));
  call.returns(call[out]);
}
void put_results(const CompositeCall& call, std::span<const Value> results, std::span<const Value> to) {
  call.require(to.size() == results.size(), "out_length", "there are {} results, and {} tensors to write them to",
               results.size(), to.size());
  for (size_t i = 0; i < to.size(); ++i) put_result(call, results[i].tensor(), to[i].tensor());
}

void write_result(CompositeCall& call) {
  const FunctionSchema& schema = call.op.schema;
  const size_t cut = schema.overload.size() < 4 ? schema.overload.size() : 4;  // the length of `out` or `_out`
  const std::string overload = schema.overload.substr(0, schema.overload.size() - cut);
  const OpEntry& functional = op_named(fmt::format("aten.{}.{}", schema.base, overload.empty() ? "default" : overload));
  const size_t inputs = functional.schema.arguments.size();
  Values results;
  dispatch(functional, call.args.first(inputs), results);
  const auto put = [&] {
    for (size_t k = 0; k < results.size(); ++k) {
      const Position out = inputs + k;
      if (functional.returns_list) {
        put_results(call, results[k].as_list(), call.list(out));
      } else {
        put_result(call, results[k].tensor(), out);
      }
    }
  };
  // PyTorch computes the results before it checks the `out` arguments, so an error about values is raised first.
  functional.tags.has(Tag::FailsOnValues) ? check_behind_values(call.op.base(), ErrorFamily::Index, put) : put();
}

OpEntry& add_written_apart(Registry& r, const OpEntry& op, std::string_view overload,
                           std::initializer_list<std::string_view> names) {
  OpEntry& form = r.add_out_alike(op, overload, names);
  return form.with_rule(nullptr).cpu(nullptr).cuda(nullptr).with_composite(write_result);
}

}  // namespace ersatz
