#include "python/module/torch_records.h"

#include <nanobind/stl/string.h>

#include "fake/ask/asked_call.h"
#include "runtime/plugin/codes.h"

namespace ersatz::python {
namespace {

std::string text(nb::handle o) { return nb::cast<std::string>(nb::str(o)); }

[[noreturn]] void refuse(std::string_view what) {
  fail(ErrorKind::NotSupported, ErrorFamily::NotImplemented, "metadata of a tensor: {} cannot be told", what);
}

}  // namespace

void TorchRecords::record(GraphValue& value, nb::handle object) {
  PyObject* const o = object.ptr();
  const bool fake = fakes_.is_fake(o);
  if (fake || torch_.is_tensor(o)) {
    ErsatzTensorMeta read = {};
    const char* const why = fake ? fakes_.read(o, read) : torch_.read(o, read);
    if (why && std::string_view(why) != TorchFakes::kSymbolic) refuse(why);
    value.kind = ValueKind::Tensor;
    value.record = program_.add_meta(why ? symbolic_meta(object) : meta_of(read));
  } else if (PyBool_Check(o)) {
    value.kind = ValueKind::Bool;
    value.record = program_.add_literal(Value(o == Py_True)).index;
  } else if (PyLong_Check(o)) {
    value.kind = ValueKind::Int;
    value.record = program_.add_literal(Value(size_of(object))).index;
  } else if (PyFloat_Check(o)) {
    value.kind = ValueKind::Float;
    value.record = program_.add_literal(Value(PyFloat_AS_DOUBLE(o))).index;
  } else if (torch_.is_symbol(o)) {
    symbol(value, object);
  }
}

/// Records a SymInt, SymFloat or SymBool. A number that is no integer is recorded as the text of its expression.
void TorchRecords::symbol(GraphValue& value, nb::handle object) {
  const std::string type = Py_TYPE(object.ptr())->tp_name;
  if (type == "SymInt") {
    value.kind = ValueKind::Int;
    value.record = program_.add_literal(Value(expression(object))).index;
    return;
  }
  const std::string said = text(object.attr("node"));
  const bool constant = said == "True" || said == "False";
  value.kind = type == "SymBool" ? ValueKind::Bool : ValueKind::Float;
  value.record = program_.add_literal(constant ? Value(said == "True") : Value(std::string_view(said))).index;
}

TensorMeta TorchRecords::symbolic_meta(nb::handle tensor) {
  if (!torch_.is_strided(nb::object(tensor.attr("layout")).ptr())) refuse("layout");
  TensorMeta m;
  const nb::object type = tensor.attr("dtype");
  const std::optional<DType> dtype = torch_.dtype(type.ptr());
  if (!dtype) refuse(text(type));
  m.dtype = *dtype;
  ErsatzDevice device = {};
  if (!fakes_.device(tensor.ptr(), device)) refuse("device");
  m.device = resolve(*device_from_c(device));
  for (nb::handle size : nb::object(tensor.attr("shape"))) m.sizes.push_back(size_of(size));
  for (nb::handle stride : nb::object(tensor.attr("stride")())) m.strides.push_back(size_of(stride));
  m.offset = size_of(nb::object(tensor.attr("storage_offset")()));
  m.conj = nb::cast<bool>(tensor.attr("is_conj")());
  m.neg = nb::cast<bool>(tensor.attr("is_neg")());
  return m;
}

SymInt TorchRecords::size_of(nb::handle size) {
  if (!PyLong_Check(size.ptr())) return expression(size);
  int overflow = 0;
  const int64_t n = PyLong_AsLongLongAndOverflow(size.ptr(), &overflow);
  if (overflow) refuse("int of more than 64 bits");
  return n;
}

SymInt TorchRecords::expression(nb::handle symbol) {
  const nb::object node = symbol.attr("node");
  if (const auto known = expressions_.find(node.ptr()); known != expressions_.end()) return known->second;
  const nb::object expression = node.attr("expr");
  auto known = expressions_.find(expression.ptr());
  if (known == expressions_.end()) {
    known = expressions_.emplace(expression.ptr(), program_.env->parse(text(expression))).first;
    alive_.push_back(expression);
    note_symbols(expression, node);
  }
  alive_.push_back(node);
  return expressions_[node.ptr()] = known->second;
}

/// Remembers the example values of the expression's symbols.
void TorchRecords::note_symbols(nb::handle expression, nb::handle node) {
  const nb::object free = nb::getattr(expression, "free_symbols", nb::none());
  if (free.is_none()) return;
  for (nb::handle symbol : free) {
    const auto [hint, is_new] = hints_.try_emplace(text(symbol));
    if (is_new) hint->second.value = fakes_.example(node, symbol);
  }
}

std::vector<std::string> TorchRecords::settle() {
  std::erase_if(hints_, [](const auto& hint) { return !hint.second.value; });
  std::vector<std::string> made_up;
  pasted::settle_symbols(*program_.env, hints_, made_up);
  return made_up;
}

}  // namespace ersatz::python
