// `dispatch` runs every operator call, typed or boxed.
//
//   call_op(op, boxed...)
//     -> dispatch
//     -> active modes, outermost first
//     -> fake arguments: the mode that they belong to
//     -> run_real
//
// run_real runs the rule, allocates the rule's outputs, runs the kernel and increments the versions of written
// arguments. Fake modes use the same `run_rule` and `make_outputs`, but their outputs have no memory.
// docs/ARCHITECTURE.md explains the path of one call through the code.
#pragma once

#include <functional>

#include "runtime/op/op_entry.h"
#include "runtime/op/registry.h"

namespace ersatz {

/// Calls an op. REQUIRES: `args` are complete and were checked. Appends one Value per schema return to `results`; a
/// `Tensor[]` return is a List.
void dispatch(const OpEntry& op, std::span<const Value> args, Values& results);

/// Calls an op and returns its results.
Values dispatch(const OpEntry& op, std::span<const Value> args);
/// Calls an op and returns its result. REQUIRES: the op has one tensor result.
Tensor dispatch_for_tensor(const OpEntry& op, std::span<const Value> args);

/// Calls an op with positional and keyword arguments as a user writes them: binds them to the schema, fills in defaults
/// and checks their types.
Values call(const OpEntry& op, std::span<const Value> positional,
            std::span<const std::pair<std::string, Value>> keywords = {});
Values call(std::string_view op, std::initializer_list<Value> positional);

/// Runs a call without any mode: rule, allocation, kernel.
void run_real(const OpEntry& op, std::span<const Value> args, Values& results);

// The stages of a call, for modes.

/// The output tensors of a call, with lists expanded. For a result that is a number or None, the tensor is undefined.
using OutputTensors = InlineVec<Tensor, 3>;

/// Checks the devices of the arguments and runs the op's rule. Raises the errors of the check and of the rule.
void run_rule(const OpEntry& op, std::span<const Value> args, RuleResult& result);
/// Makes the output tensors of a rule's result, with lists expanded. They are real if `owner` is null, else fake
/// tensors of `owner`. An argument that is itself an output (OutputSpec::Kind::Same) gets its new metadata.
void make_outputs(RuleResult& rule, FakeOwner* owner, OutputTensors& outputs);
/// Makes real outputs whose storages are the results of `allocate(nbytes, device)`, for example guarded or poisoned
/// ones.
void make_outputs(RuleResult& rule, const std::function<Ref<Storage>(int64_t, Device)>& allocate,
                  OutputTensors& outputs);
/// Must a kernel run to fill the outputs of `rule`? False if all outputs are views, arguments returned as they are,
/// uninitialised tensors or meta tensors.
bool needs_kernel(const OpEntry& op, const RuleResult& rule);
/// Runs the op's FillKernel for `device`, which writes into `outputs` (from make_outputs). Raises NotSupported if the
/// op has no kernel for the device.
void run_kernel(const OpEntry& op, std::span<const Value> args, std::span<Tensor> outputs, DeviceType device);
/// Runs the op's ReturnKernel, which makes its own results. REQUIRES: the op has a ReturnKernel for the device.
void run_return_kernel(const OpEntry& op, std::span<const Value> args, DeviceType device, Values& results);
/// Call before a kernel runs. If an argument that the kernel will write shares its bytes with a lazy copy, the argument
/// gets bytes of its own.
void prepare_writes(const OpEntry& op, std::span<const Value> args, const RuleResult& rule);
/// Fills two fields of an error if they are empty: the arguments in canonical spelling, and the user's source line.
void describe_error(Error& e, std::span<const Value> args);
/// Increments the version counters of arguments that the schema or the rule marks as written.
void bump_written(const OpEntry& op, std::span<const Value> args, const RuleResult& rule);
/// Calls make_outputs and pack_results. For results that need no kernel: fakes, views, arguments returned as they are.
void make_results(const OpEntry& op, RuleResult& rule, FakeOwner* owner, Values& results);
/// Packs outputs, in which lists are expanded, and numbers into `results`: one Value per schema return.
void pack_results(const OpEntry& op, RuleResult& rule, OutputTensors& outputs, Values& results);
/// Returns the device whose kernel runs: CUDA if any argument or output is on CUDA, else meta if any is on meta, else
/// the CPU.
DeviceType kernel_device(std::span<const Value> args, std::span<const Tensor> outputs);

/// Calls `f` with each tensor among the arguments, in order; lists are searched too.
template <class F>
void for_each_tensor(std::span<const Value> args, F&& f) {
  for (const Value& v : args) {
    if (v.is_tensor()) {
      f(v.tensor_impl());
    } else if (v.kind() == Value::Kind::List) {
      for_each_tensor(v.as_list(), f);
    }
  }
}

// Typed calls.
namespace detail {
inline Value box(const Tensor& t) { return t ? Value::borrow(t) : Value(); }
inline Value box(std::span<const SymInt> v) { return Value::borrow(v); }
inline Value box(const DimVec& v) { return Value::borrow(std::span<const SymInt>(v)); }
inline Value box(std::span<const Value> v) { return Value::borrow(v); }
template <class T>
Value box(const T& v) {
  return Value(v);
}
template <class T>
Value box(const std::optional<T>& v) {
  return v ? box(*v) : Value();
}
}  // namespace detail

/// An op's canonical name as a template argument.
struct OpName {
  template <size_t n>
  consteval OpName(const char (&name)[n]) {
    static_assert(n <= sizeof(text));
    for (size_t i = 0; i < n; ++i) text[i] = name[i];
  }
  char text[80] = {};
};
/// Returns the registry's entry of the op `name`. Only the first call searches the registry.
template <OpName name>
const OpEntry& op_entry() {
  static const OpEntry& op = op_named(name.text);
  return op;
}

/// Typed call of an op with one tensor result. REQUIRES: complete arguments in schema order.
template <class... A>
Tensor call_op(const OpEntry& op, const A&... a) {
  const Value args[] = {detail::box(a)...};
  return dispatch_for_tensor(op, args);
}
/// Typed call that returns all results.
template <class... A>
Values call_op_all(const OpEntry& op, const A&... a) {
  const Value args[] = {detail::box(a)...};
  return dispatch(op, args);
}

/// Typed call by name: `call_op<"aten.relu.default">(self)`.
template <OpName name, class... A>
Tensor call_op(const A&... a) {
  return call_op(op_entry<name>(), a...);
}
template <OpName name, class... A>
Values call_op_all(const A&... a) {
  return call_op_all(op_entry<name>(), a...);
}

}  // namespace ersatz
