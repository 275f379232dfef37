// Operators by name: ersatz.ops.aten.add.Tensor is an object of class Operator.
#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/module/callee.h"
#include "python/module/errors.h"
#include "runtime/plugin/plugin.h"

namespace ersatz::python {
namespace {

/// The contents of an ersatz.Operator. Python calls the function in `entry_point` directly (PEP 590).
struct Operator {
  vectorcallfunc entry_point;
  const Callee* callee;
};

PyObject* call_operator(PyObject* self, PyObject* const* args, size_t n, PyObject* names) noexcept {
  const Callee& callee = *nb::inst_ptr<Operator>(self)->callee;
  return guarded([&] { return callee.call({args, static_cast<size_t>(PyVectorcall_NARGS(n)), names}); });
}

nb::object operator_object(const OpEntry& op) { return nb::cast(Operator{&call_operator, &Callee::of(op)}); }

/// Makes Python call `entry_point` without a tuple and a dict for the arguments, and without nanobind's dispatch.
void call_directly(nb::handle operator_type) {
  // Used to find the offset of `entry_point`, which is equal in all objects of the type.
  const nb::object any = operator_object(*registry().all()[0]);
  auto* const type = reinterpret_cast<PyTypeObject*>(operator_type.ptr());
  type->tp_vectorcall_offset =
      reinterpret_cast<char*>(&nb::inst_ptr<Operator>(any)->entry_point) - reinterpret_cast<char*>(any.ptr());
  type->tp_call = PyVectorcall_Call;
  type->tp_flags |= Py_TPFLAGS_HAVE_VECTORCALL;
  PyType_Modified(type);
}

nb::object call_first_that_fits(const std::vector<Operator>& overloads, const nb::tuple& args,
                                const nb::dict& keywords) {
  if (overloads.empty()) fail_argument("there is no overload");
  std::vector<const Callee*> callees;
  for (const Operator& o : overloads) callees.push_back(o.callee);
  std::vector<PyObject*> objects;
  for (const nb::handle o : args) objects.push_back(o.ptr());
  nb::object names;
  if (keywords.size() > 0) {
    names = nb::steal(PySequence_Tuple(keywords.ptr()));
    for (const auto [key, value] : keywords) objects.push_back(value.ptr());
  }
  return nb::steal(call_overload(callees, {objects.data(), args.size(), names.ptr()}));
}

}  // namespace

void bind_operators(nb::module_& m) {
  auto type = nb::class_<Operator>(m, "Operator", nb::is_final(),
                                   "One overload of an operator; called with the arguments of its schema.")
                  .def_prop_ro(
                      "name", [](const Operator& o) { return o.callee->op().name; }, "'aten.add.Tensor'.")
                  .def_prop_ro(
                      "schema", [](const Operator& o) { return to_string(o.callee->op().schema); },
                      "The schema, as ATen spells it.")
                  .def(
                      "__call__",
                      [](nb::handle self, nb::args args, nb::kwargs keywords) {
                        return nb::steal(PyVectorcall_Call(self.ptr(), args.ptr(), keywords.ptr()));
                      },
                      nb::sig("def __call__(self, *args: typing.Any, **kwargs: typing.Any) -> typing.Any"))
                  .def("__repr__", [](const Operator& o) { return "<Operator " + o.callee->op().name + ">"; });
  call_directly(type);
  m.def(
      "find_operator",
      [](const std::string& name) -> nb::object {
        const OpEntry* entry = registry().find(name);
        return entry ? operator_object(*entry) : nb::none();
      },
      nb::arg("name"), nb::sig("def find_operator(name: str) -> Operator | None"),
      "The operator of that name ('aten.add.Tensor', 'aten::add.Tensor'), or None.");
  m.def("call_overload", &call_first_that_fits, nb::arg("overloads"), nb::arg("args"), nb::arg("kwargs"),
        nb::sig("def call_overload(overloads: collections.abc.Sequence[Operator], args: tuple[typing.Any, ...], "
                "kwargs: dict[str, typing.Any]) -> typing.Any"),
        "Calls the first overload whose schema takes the arguments as they are, else the first that takes them "
        "converted.");
  m.def(
      "operator_names",
      [] {
        std::vector<std::string> names;
        for (const OpEntry* op : registry().all()) names.push_back(op->name);
        return names;
      },
      nb::sig("def operator_names() -> list[str]"), "Every operator, sorted by name.");
  m.def(
      "load_plugin",
      [](nb::handle path) {
        const LoadedPlugin& plugin =
            load_plugin(nb::cast<std::string>(nb::module_::import_("os").attr("fspath")(path)));
        for (const RefusedOp& op : plugin.refused) {
          const std::string words = fmt::format("plugin {}: left out: {}", plugin.path, op.why);
          if (PyErr_WarnEx(PyExc_UserWarning, words.c_str(), 1) != 0) nb::raise_python_error();
        }
        return plugin.ops;
      },
      nb::arg("path"), nb::sig("def load_plugin(path: str | os.PathLike[str]) -> list[str]"),
      "Registers the operators of a shared library; returns their names. Warns of ops whose functions do not fit their "
      "schemas, which are left out.");
}

}  // namespace ersatz::python
