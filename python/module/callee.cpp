#include "python/module/callee.h"

#include <fmt/format.h>

#include <unordered_map>

#include "fake/mode/active_fake_mode.h"

namespace ersatz::python {

Callee::Callee(const OpEntry& op) : op_(op) {
  for (const Argument& a : op.schema.arguments) {
    names_.push_back(PyUnicode_InternFromString(a.name.c_str()));
    positional_ += !a.keyword_only;
    if (!a.default_value) required_.push_back(names_.size() - 1);
  }
}

const Callee& Callee::of(const OpEntry& op) {
  static auto& known = *new std::unordered_map<const OpEntry*, std::unique_ptr<Callee>>();  // the GIL guards it
  std::unique_ptr<Callee>& callee = known[&op];
  if (!callee) callee.reset(new Callee(op));
  return *callee;
}

int Callee::find(PyObject* name) const {
  for (size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) return static_cast<int>(i);
  }
  for (size_t i = 0; i < names_.size(); ++i) {
    if (PyUnicode_Compare(names_[i], name) == 0) return static_cast<int>(i);
  }
  return -1;
}

bool Callee::fits(size_t i, BoundArguments& bound, bool as_they_are) const {
  const Argument& argument = op_.schema.arguments[i];
  Value& value = bound.values[i];
  const Value::Kind before = value.kind();
  const bool number = value.is_number();
  if (as_they_are && number && argument.type.base == BaseType::Tensor) return false;
  if (argument.is_ready(before)) [[likely]]
    return true;
  return convert_value(argument.type, value) && !(as_they_are && number && value.kind() != before);
}

Callee::Fit Callee::bind(const GivenArguments& given, BoundArguments& bound, bool as_they_are) const {
  const std::vector<Argument>& schema = op_.schema.arguments;
  if (given.positional > positional_) return {Misfit::TooMany, positional_};
  bound.values.clear();
  bound.objects.clear();
  bound.ints.clear();
  for (size_t i = 0; i < given.positional; ++i) {
    bound.objects.push_back(given.objects[i]);
    bound.values.push_back(value_of(given.objects[i], schema[i].type, bound.ints));
    if (!fits(i, bound, as_they_are)) return {Misfit::Type, i};
  }
  for (size_t i = given.positional; i < schema.size(); ++i) {
    bound.objects.push_back(nullptr);
    bound.values.push_back(schema[i].default_value ? schema[i].default_value->borrowed() : Value());
  }
  for (size_t k = 0; k < given.named(); ++k) {
    const int found = find(PyTuple_GET_ITEM(given.names, static_cast<Py_ssize_t>(k)));
    if (found < 0) return {Misfit::Unknown, k};
    const auto i = static_cast<size_t>(found);
    if (bound.objects[i]) return {Misfit::Twice, i};
    bound.objects[i] = given.objects[given.positional + k];
    bound.values[i] = value_of(bound.objects[i], schema[i].type, bound.ints);
    if (!fits(i, bound, as_they_are)) return {Misfit::Type, i};
  }
  for (const size_t i : required_) {
    if (!bound.objects[i]) return {Misfit::Missing, i};
  }
  return {};
}

std::string Callee::why(const GivenArguments& given, Fit fit) const {
  switch (fit.misfit) {
    case Misfit::TooMany:
      return fmt::format("takes {} positional arguments, not {}", positional_, given.positional);
    case Misfit::Twice:
      return fmt::format("argument '{}' is given twice", op_.schema.arguments[fit.at].name);
    case Misfit::Unknown:
      return fmt::format("has no argument '{}'",
                         PyUnicode_AsUTF8(PyTuple_GET_ITEM(given.names, static_cast<Py_ssize_t>(fit.at))));
    case Misfit::Missing:
      return fmt::format("argument '{}' is missing", op_.schema.arguments[fit.at].name);
    default:
      return "another type";
  }
}

void Callee::refuse(const GivenArguments& given, BoundArguments& bound, Fit fit) const {
  if (fit.misfit == Misfit::Type) {  // raises the error of the schema check
    bound.values[fit.at] = value_of(bound.objects[fit.at], op_.schema.arguments[fit.at].type, bound.ints);
    check_argument(op_.schema, fit.at, bound.values[fit.at]);
  }
  fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "{}: {}: {}", op_.base(), why(given, fit), to_string(op_.schema));
}

PyObject* Callee::call(const BoundArguments& bound) const {
  const std::span<const Value> args(bound.values.begin(), bound.values.size());
  Values results;
  dispatch_from_python(op_, args, results);
  if (results.size() == 1) [[likely]]
    return object_of(std::move(results[0]), args, bound.objects.begin());
  if (results.size() == 0) return nb::none().release().ptr();
  const auto n = static_cast<Py_ssize_t>(results.size());
  nb::object all = nb::steal(PyTuple_New(n));
  for (Py_ssize_t i = 0; i < n; ++i) {
    Value& v = results[static_cast<size_t>(i)];
    PyTuple_SET_ITEM(all.ptr(), i, object_of(std::move(v), args, bound.objects.begin()));
  }
  return all.release().ptr();
}

namespace {
bool holds_fake(std::span<const Value> args) {
  for (const Value& v : args) {
    if (v.is_tensor() ? bool(v.tensor_impl()->fake_mode) : v.kind() == Value::Kind::List && holds_fake(v.as_list())) {
      return true;
    }
  }
  return false;
}
}  // namespace

void dispatch_from_python(const OpEntry& op, std::span<const Value> args, Values& results) {
  if (holds_fake(args) || active_fake_mode()) return dispatch(op, args, results);
  const nb::gil_scoped_release released;
  dispatch(op, args, results);
}

PyObject* call_overload(std::span<const Callee* const> overloads, const GivenArguments& given) {
  BoundArguments bound;
  for (const bool as_they_are : {true, false}) {
    for (const Callee* overload : overloads) {
      if (overload->bind(given, bound, as_they_are)) return overload->call(bound);
    }
  }
  const Callee::Fit fit = overloads.front()->bind(given, bound);
  if (overloads.size() == 1) overloads.front()->refuse(given, bound, fit);
  std::string schemas;
  for (const Callee* overload : overloads) schemas += (schemas.empty() ? "" : "; ") + to_string(overload->op().schema);
  fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "{}: no overload takes these arguments: there are {}",
       overloads.front()->op().base(), schemas);
}

}  // namespace ersatz::python
