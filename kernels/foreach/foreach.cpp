#include "kernels/foreach/foreach.h"

#include <string>
#include <utility>

#include "kernels/indexing/item.h"
#include "kernels/reduction/extrema.h"
#include "kernels/shape/functional_forms.h"
#include "runtime/op/composite.h"
#include "runtime/op/dispatch.h"
#include "runtime/tensor/layout.h"

namespace ersatz::op_foreach {
namespace {

struct Row {
  std::string_view name, arguments, each, each_inplace;
};
constexpr Row kRows[] = {
#define FOREACH(name, arguments, each, each_inplace) {name, arguments, each, each_inplace},
#include "kernels/foreach/foreach_table.def"
#undef FOREACH
};

/// Checks the lists and returns the number of calls. Only `_foreach_copy` accepts an empty list and surplus sources.
size_t number_of_calls(const CompositeCall& call) {
  const bool lenient = call.op.schema.base == "_foreach_copy";
  const size_t n = call.list(kForeachMax["self"]).size();
  call.require(n > 0 || lenient, "C1", "a list of tensors must hold one at least: self is []");
  for (size_t k = 1; k < call.args.size(); ++k) {
    const Argument& argument = call.op.schema.arguments[k];
    if (argument.type.is_list()) {
      const size_t other = call[k].as_list().size();
      call.require(other == n || (lenient && other > n), "C2", "lists must be of one length: self has {}, {} has {}", n,
                   argument.name, other);
    } else if (argument.type.base == BaseType::Tensor && call.is_tensor(k)) {
      call.require(call.meta(k).dim() == 0, "C3", "a tensor for all calls must have no dim: {} is {}", argument.name,
                   call.meta(k));
    }
  }
  return n;
}

void call_each(CompositeCall& call, const OpEntry& each) {
  std::vector<Value> results;
  for (size_t i = 0, n = number_of_calls(call); i < n; ++i) {
    std::vector<Value> arguments;
    for (size_t k = 0; k < call.args.size(); ++k) {
      const bool is_list = call.op.schema.arguments[k].type.is_list();
      arguments.push_back(is_list ? call[k].as_list()[i] : call[k]);
    }
    results.push_back(ersatz::call(each, arguments)[0]);
  }
  if (!call.op.schema.returns.empty()) call.returns(Value::list(results));
}

template <size_t row, bool in_place>
void body(CompositeCall& call) {
  static const OpEntry& each = op_named(fmt::format("aten.{}", in_place ? kRows[row].each_inplace : kRows[row].each));
  call_each(call, each);
}

/// Returns the text of a sample call's arguments. `self` has two tensors. Each parameter in `arguments` gets a value
/// that fits them.
std::string sample_of(std::string_view arguments) {
  std::string text = "[f32[2,3]{1,2}, f64[4]]";
  for (const Argument& a : parse_schema(fmt::format("aten::f(Tensor[] self{}) -> ()", arguments)).arguments) {
    if (a.name == "self" || a.default_value) continue;
    const bool is_tensor = a.type.base == BaseType::Tensor;
    text += a.type.is_list() ? (is_tensor ? ", [f32[2,3], f64[4]]" : ", [2, 0.5]") : (is_tensor ? ", f64[]" : ", 2");
  }
  return text;
}

/// Registers the `out=` form of `op`. Its overload is `out`; for an op with an overload, e.g. `add.List`, it is
/// `List_out`.
void add_written(Registry& r, const OpEntry& op, std::string_view results) {
  const std::string& overload = op.schema.overload;
  const Sample& first = op.samples.front();
  add_written_apart(r, op, overload.empty() ? "out" : overload + "_out")
      .sample(fmt::format("{}, out=[{}]", first.arguments, results), first.low, first.high);
}

template <size_t row>
void add(Registry& r) {
  const auto [name, arguments, each, each_inplace] = kRows[row];
  const std::string sample = sample_of(arguments);
  const bool named = name == "copy" || name == "zero";  // the schemas of these ops name the result
  OpEntry& op = r.add(kForeach.with(name, arguments, named ? " self_out" : ""));
  add_written(r, op.made_of(body<row, false>).sample(sample, 0.5), "f32[0], f64[0]");
  if (each_inplace.empty()) return;
  std::string written(name);
  written.insert(std::min(written.find('.'), written.size()), "_");
  r.add(kForeachInplace.with(written, arguments)).made_of(body<row, true>).sample(sample, 0.5);
}

template <size_t... row>
void add_rows(Registry& r, std::index_sequence<row...>) {
  (add<row>(r), ...);
}

void max(CompositeCall& call) {
  std::vector<Value> results;
  number_of_calls(call);
  for (const Value& v : call.list(kForeachMax["self"])) {
    const TensorMeta& self = v.tensor_impl()->meta;
    call.require(check_ne(self.numel(), 0), "C4", "an empty tensor has no largest element: {}", self);
    results.push_back(ops::max(v.tensor()));
  }
  call.returns(Value::list(results));
}

/// Calls the reduction `each` over all dims of each tensor in `self`.
template <OpName each>
void reduce(CompositeCall& call) {
  std::vector<Value> results;
  number_of_calls(call);
  const Scalar ord = call.scalar(kOfOrders["ord"]);
  const bool truth = ord.kind() == Scalar::Kind::Bool && call.op.base() == "_foreach_norm";
  call.require(!ord.is_complex() && !truth, "C5", "ord must be an int or a float: it is {}",
               to_string(call[kOfOrders["ord"]]));
  for (const Value& v : call.list(kOfOrders["self"])) {
    results.push_back(call_op<each>(v.tensor(), ord, Value(), false, call[kOfOrders["dtype"]]));
  }
  call.returns(Value::list(results));
}

void powers(CompositeCall& call) {
  std::vector<Value> results;
  const std::span<const Value> exponents = call.list(kForeachPowers["exponent"]);
  call.require(!exponents.empty(), "C1", "a list of tensors must hold one at least: exponent is []");
  for (const Value& v : exponents) {
    results.push_back(call_op<"aten.pow.Scalar">(call.scalar(kForeachPowers["self"]), v.tensor()));
  }
  call.returns(Value::list(results));
}
void products(CompositeCall& call) { call_each(call, op_entry<"aten.mm.default">()); }

/// Calls the overload `ScalarList` with the elements of the tensor `scalars`.
template <OpName of_list>
void packed(CompositeCall& call) {
  const Tensor scalars = call.tensor(kForeachPacked["scalars"]);
  call.require(scalars.dim() == 1 && is_contiguous(scalars.meta()), "C6",
               "scalars must have one dim, and be row-major: it is {}", scalars.meta());
  std::vector<Value> numbers;
  for (int64_t i = 0, n = scalars.size(0).guard_int(); i < n; ++i)
    numbers.push_back(ops::item(call_op<"aten.select.int">(scalars, int64_t(0), SymInt(i))));
  Values arguments(call.args.begin(), call.args.end()), results;
  arguments.back() = Value::borrow(std::span<const Value>(numbers));
  dispatch(op_entry<of_list>(), arguments, results);
  for (Value& v : results) call.returns(std::move(v));
}
template <OpName of_list>
OpEntry& add_packed(Registry& r, std::string_view name, std::string_view alias, std::string_view returns) {
  return r.add(kForeachPacked.with(name, alias, returns))
      .tag(Tag::DataDependent)
      .made_of(packed<of_list>)
      .sample("[f32[2,3]{1,2}, f64[4]], [f32[2,3], f64[4]], [f32[2,3], f64[4]], f32[2]", 0.5)
      .refuses("C6", "[f32[2]], [f32[2]], [f32[2]], f32[]");
}

}  // namespace

void register_ops(Registry& r) {
  add_rows(r, std::make_index_sequence<std::size(kRows)>());
  OpEntry& max = r.add(kForeachMax).made_of(op_foreach::max).sample("[f32[2,3], i64[]]");
  add_written(r, max.refuses("C4", "[f32[2,3], f32[0]]"), "f32[0], i64[0]");
  const auto reducing = [&](const Schema& schema, CompositeBody body) {
    OpEntry& op = r.add(schema).made_of(body).sample("[f32[2,3]{1,2}, f64[4]]").sample("[f16[4]], 1, f32");
    add_written(r, op.refuses("C5", "[f32[2]], (0+1j)"), "f32[0], f64[0]");
  };
  reducing(kForeachNorm, reduce<"aten.linalg_vector_norm.default">);
  reducing(kForeachPowsum, reduce<"aten.linalg__powsum.default">);
  r.add(kForeachPowers).made_of(powers).sample("2.0, [f32[2,3]{1,2}, i64[4]]").refuses("C1", "2, []");
  r.add(kForeachProducts).made_of(products).sample("[f32[2,3]{1,2}, f64[4,1]], [f32[3,2], f64[1,2]]");
  add_written(r, add_packed<"aten._foreach_addcdiv.ScalarList">(r, "_foreach_addcdiv", "", "Tensor[]"),
              "f32[0], f64[0]");
  add_written(r, add_packed<"aten._foreach_addcmul.ScalarList">(r, "_foreach_addcmul", "", "Tensor[]"),
              "f32[0], f64[0]");
  add_packed<"aten._foreach_addcdiv_.ScalarList">(r, "_foreach_addcdiv_", "(a!)", "()");
  add_packed<"aten._foreach_addcmul_.ScalarList">(r, "_foreach_addcmul_", "(a!)", "()");
  r.find_mutable("aten._foreach_abs.default")->refuses("C1", "[]");
  r.find_mutable("aten._foreach_add.ScalarList")->refuses("C2", "[f32[2], f32[3]], [1]");
  r.find_mutable("aten._foreach_add.Tensor")->refuses("C3", "[f32[2]], f32[1]");
}

}  // namespace ersatz::op_foreach
