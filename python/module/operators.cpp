// Operators by name: ersatz.ops.aten.add.Tensor is an Operator.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "python/module/module.h"
#include "python/module/values.h"
#include "runtime/op/dispatch.h"
#include "runtime/plugin/plugin.h"

namespace ersatz::python {
namespace {

struct Operator {
  const OpEntry* entry;

  nb::object call(nb::args positional, nb::kwargs keywords) const {
    const FunctionSchema& schema = entry->schema;
    std::vector<Value> values(schema.arguments.size());
    std::vector<bool> given(values.size());
    std::vector<nb::handle> objects;
    const auto take = [&](size_t i, nb::handle object) {
      if (given[i]) refuse(fmt::format("argument '{}' is given twice", schema.arguments[i].name));
      given[i] = true;
      objects.push_back(object);
      values[i] = value_of(object, schema.arguments[i].type);
      if (!schema.arguments[i].is_ready(values[i].kind())) check_argument(schema, i, values[i]);
    };
    if (positional.size() > values.size()) {
      refuse(fmt::format("takes {} arguments, not {}", values.size(), positional.size()));
    }
    for (size_t i = 0; i < positional.size(); ++i) take(i, positional[i]);
    for (const auto [key, object] : keywords) {
      const std::string name = nb::cast<std::string>(key);
      const int i = schema.find_argument(name);
      if (i < 0) refuse(fmt::format("has no argument '{}': {}", name, to_string(schema)));
      take(static_cast<size_t>(i), object);
    }
    for (size_t i = 0; i < values.size(); ++i) {
      if (given[i]) continue;
      if (!schema.arguments[i].default_value) refuse(fmt::format("argument '{}' is missing", schema.arguments[i].name));
      values[i] = schema.arguments[i].default_value->borrowed();
    }
    Values results;
    run(values, results);
    if (results.size() == 0) return nb::none();
    if (results.size() == 1) return object_of(results[0], objects);
    nb::list all;
    for (const Value& v : results) all.append(object_of(v, objects));
    return nb::tuple(all);
  }

 private:
  /// A real call may take long, and no Python object is needed for it.
  void run(std::span<const Value> values, Values& results) const {
    bool fake = false;
    for_each_tensor(values, [&](const TensorImpl* t) { fake |= static_cast<bool>(t->fake_mode); });
    if (fake) return dispatch(*entry, values, results);
    const nb::gil_scoped_release released;
    dispatch(*entry, values, results);
  }

  [[noreturn]] void refuse(const std::string& why) const {
    fail(ErrorKind::InvalidArgument, ErrorFamily::Type, "{}: {}", entry->base(), why);
  }
};

}  // namespace

void bind_operators(nb::module_& m) {
  nb::class_<Operator>(m, "Operator", "One overload of an operator; called with the arguments of its schema.")
      .def_prop_ro(
          "name", [](const Operator& o) { return o.entry->name; }, "'aten.add.Tensor'.")
      .def_prop_ro(
          "schema", [](const Operator& o) { return to_string(o.entry->schema); }, "As ATen spells it.")
      .def("__call__", &Operator::call)
      .def("__repr__", [](const Operator& o) { return "<Operator " + o.entry->name + ">"; });
  m.def(
      "find_operator",
      [](const std::string& name) -> nb::object {
        const OpEntry* entry = registry().find(name);
        return entry ? nb::cast(Operator{entry}) : nb::none();
      },
      nb::arg("name"), "The operator of that name ('aten.add.Tensor', 'aten::add.Tensor'), or None.");
  m.def(
      "operator_names",
      [] {
        std::vector<std::string> names;
        for (const OpEntry* op : registry().all()) names.push_back(op->name);
        return names;
      },
      "Every operator, sorted by name.");
  m.def(
      "load_plugin", [](const std::string& path) { return load_plugin(path).ops; }, nb::arg("path"),
      "Registers the operators of a shared library; returns their names.");
}

}  // namespace ersatz::python
