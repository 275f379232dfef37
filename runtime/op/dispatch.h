// The one way into every operator, typed or boxed.
//
//   call_op(op, boxed...)
//     -> dispatch
//     -> active modes, outermost first
//     -> fake arguments: the mode that they belong to
//     -> run_real
//
// run_real: rule, outputs allocated from its answer, kernel, versions of written arguments moved. Fake modes use the
// same `run_rule` and `make_outputs` with another allocation. docs/ARCHITECTURE.md tells the life of a call with links.
#pragma once

#include <functional>

#include "runtime/op/op_entry.h"
#include "runtime/op/registry.h"

namespace ersatz {

/// Calls an op with complete, checked arguments. Results are appended: one Value per schema return (a `Tensor[]` is a
/// List).
void dispatch(const OpEntry& op, std::span<const Value> args, Values& results);

/// The same with the results as the answer.
Values dispatch(const OpEntry& op, std::span<const Value> args);
/// The same of an op with one tensor result.
Tensor dispatch_for_tensor(const OpEntry& op, std::span<const Value> args);

/// Boxed call with positional and keyword arguments as a user would write them: bound and checked against the schema.
Values call(const OpEntry& op, std::span<const Value> positional,
            std::span<const std::pair<std::string, Value>> keywords = {});
Values call(std::string_view op, std::initializer_list<Value> positional);

/// Below all modes: rule, allocation, kernel.
void run_real(const OpEntry& op, std::span<const Value> args, Values& results);

// The parts, for modes.

using OutputTensors = InlineVec<Tensor, 3>;  ///< flat; undefined where the result is a number or None

/// Common device check and rule. Raises what they raise.
void run_rule(const OpEntry& op, std::span<const Value> args, RuleResult& result);
/// Makes the output tensors that a rule names, flat: real ones where `owner` is null, else fakes that belong to it.
/// Arguments that are outputs (OutputSpec::Kind::Same) get their new metadata.
void make_outputs(RuleResult& rule, FakeOwner* owner, OutputTensors& outputs);
/// The same for real outputs whose storages come from `allocate(nbytes, device)`: guarded or poisoned ones.
void make_outputs(RuleResult& rule, const std::function<Ref<Storage>(int64_t, Device)>& allocate,
                  OutputTensors& outputs);
/// Must a kernel run for this answer? Not for views, for arguments returned as they are, for uninitialised or meta
/// results.
bool needs_kernel(const OpEntry& op, const RuleResult& rule);
/// Runs the kernel of the device into outputs made by make_outputs. NotSupported where the op has none for it.
void run_kernel(const OpEntry& op, std::span<const Value> args, std::span<Tensor> outputs, DeviceType device);
/// Runs a kernel that makes its own results (kind Returns). REQUIRES: the op has one for the device.
void run_return_kernel(const OpEntry& op, std::span<const Value> args, DeviceType device, Values& results);
/// Before a kernel: what it will write gets bytes of its own where they are shared with a lazy copy.
void prepare_writes(const OpEntry& op, std::span<const Value> args, const RuleResult& rule);
/// Gives an error what it lacks of the call: the arguments in canonical spelling and the user's source line.
void describe_error(Error& e, std::span<const Value> args);
/// Moves the versions of arguments that the schema (or the rule) says were written.
void bump_written(const OpEntry& op, std::span<const Value> args, const RuleResult& rule);
/// make_outputs and pack_results at once, for an answer that no kernel fills: fakes, views, arguments returned as they
/// are.
void make_results(const OpEntry& op, RuleResult& rule, FakeOwner* owner, Values& results);
/// Packs flat outputs and numbers into one Value per schema return.
void pack_results(const OpEntry& op, RuleResult& rule, OutputTensors& outputs, Values& results);
/// Which device's kernel serves the call: CUDA if any tensor involved is on CUDA, else meta if one is, else the CPU.
DeviceType kernel_device(std::span<const Value> args, std::span<const Tensor> outputs);

/// The tensors among the arguments, lists flattened, in order.
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

/// The canonical name of an op as a template argument.
struct OpName {
  template <size_t n>
  consteval OpName(const char (&name)[n]) {
    static_assert(n <= sizeof(text));
    for (size_t i = 0; i < n; ++i) text[i] = name[i];
  }
  char text[80] = {};
};
/// The entry of that name, looked up once.
template <OpName name>
const OpEntry& op_entry() {
  static const OpEntry& op = op_named(name.text);
  return op;
}

/// A typed call of an op with one tensor result; arguments complete and in schema order.
template <class... A>
Tensor call_op(const OpEntry& op, const A&... a) {
  const Value args[] = {detail::box(a)...};
  return dispatch_for_tensor(op, args);
}
/// The same with all results.
template <class... A>
Values call_op_all(const OpEntry& op, const A&... a) {
  const Value args[] = {detail::box(a)...};
  return dispatch(op, args);
}

/// The same by name: `call_op<"aten.relu.default">(self)`.
template <OpName name, class... A>
Tensor call_op(const A&... a) {
  return call_op(op_entry<name>(), a...);
}
template <OpName name, class... A>
Values call_op_all(const A&... a) {
  return call_op_all(op_entry<name>(), a...);
}

}  // namespace ersatz
