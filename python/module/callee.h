// An operator as Python calls it: arguments bound to the schema, the call, its results.
//
// Binding makes no call, so schemas alone choose the overload of a name, and an error of the chosen overload is raised
// unchanged. A call on fakes keeps the GIL, because releasing it costs more than the call. A real call releases it.
#pragma once

#include <span>

#include "python/module/values.h"
#include "runtime/op/dispatch.h"

namespace ersatz::python {

/// The arguments of a call (PEP 590): positional ones, then those that `names`, a tuple or null, names.
struct GivenArguments {
  PyObject* const* objects;
  size_t positional;
  PyObject* names;

  size_t named() const { return names ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0; }
};

/// Arguments in schema order. Objects that they borrow must live until the next binding.
struct BoundArguments {
  InlineVec<Value, 12> values;
  InlineVec<PyObject*, 12> objects;  ///< the objects that they were read from; null: a default
  IntRoom ints;                      ///< storage for lists of ints among the values
};

class Callee {
 public:
  /// Returns an object that lives as long as the process.
  static const Callee& of(const OpEntry& op);

  const OpEntry& op() const { return op_; }

  enum class Misfit : uint8_t { None, TooMany, Twice, Unknown, Missing, Type };
  /// The way in which arguments do not fit the schema, and the argument.
  struct Fit {
    Misfit misfit = Misfit::None;
    size_t at = 0;  ///< index of the schema's argument; for Unknown an index into the call's names
    explicit operator bool() const { return misfit == Misfit::None; }
  };
  /// With `as_they_are`, no conversions are made: between kinds of numbers, or from a number to a list or tensor.
  /// Raises Error for an object that no operator takes.
  Fit bind(const GivenArguments& given, BoundArguments& bound, bool as_they_are = false) const;
  [[noreturn]] void refuse(const GivenArguments& given, BoundArguments& bound, Fit fit) const;

  /// Returns the results as a Python object, a new reference.
  PyObject* call(const BoundArguments& bound) const;
  PyObject* call(const GivenArguments& given) const {
    BoundArguments bound;
    if (const Fit fit = bind(given, bound); !fit) [[unlikely]]
      refuse(given, bound, fit);
    return call(bound);
  }

 private:
  explicit Callee(const OpEntry& op);
  std::string why(const GivenArguments& given, Fit fit) const;
  /// Returns -1 if there is no argument of that name.
  int find(PyObject* name) const;
  /// Converts argument `i` to its schema type. Returns false if its type is another one.
  bool fits(size_t i, BoundArguments& bound, bool as_they_are) const;

  const OpEntry& op_;
  std::vector<PyObject*> names_;  ///< interned, so that most names compare by address
  std::vector<size_t> required_;  ///< indices of arguments without a default
  size_t positional_ = 0;         ///< number of arguments that may be positional
};

/// Calls an operator and appends its results. The GIL is released unless a fake or a fake mode takes part.
void dispatch_from_python(const OpEntry& op, std::span<const Value> args, Values& results);

/// Calls the first overload whose schema takes the arguments unconverted, else the first that takes them converted.
PyObject* call_overload(std::span<const Callee* const> overloads, const GivenArguments& given);

}  // namespace ersatz::python
