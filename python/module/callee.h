// An operator that Python calls: binds arguments to the schema, makes the call, converts the results.
//
// Binding does not call the operator. So the schemas alone decide which overload of a name is called, and an error of
// that overload is raised unchanged. A call on fakes keeps the GIL, because releasing the GIL takes longer than the
// call. A real call releases it.
#pragma once

#include <span>

#include "python/module/values.h"
#include "runtime/op/dispatch.h"

namespace ersatz::python {

/// The arguments of a call in the vectorcall protocol (PEP 590): positional arguments, then keyword arguments, whose
/// names are in `names` (a tuple or null).
struct GivenArguments {
  PyObject* const* objects;
  size_t positional;
  PyObject* names;

  size_t named() const { return names ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0; }
};

/// Arguments in schema order. They borrow from Python objects, which must live until the next binding.
struct BoundArguments {
  InlineVec<Value, 12> values;
  InlineVec<PyObject*, 12> objects;  ///< the objects that the values were read from; null if the value is a default
  IntRoom ints;                      ///< storage for lists of ints in `values`
};

class Callee {
 public:
  /// Returns the Callee of an operator. It lives as long as the process.
  static const Callee& of(const OpEntry& op);

  const OpEntry& op() const { return op_; }

  enum class Misfit : uint8_t { None, TooMany, Twice, Unknown, Missing, Type };
  /// Why arguments do not fit the schema, and the argument at fault.
  struct Fit {
    Misfit misfit = Misfit::None;
    size_t at = 0;  ///< index of the argument in the schema; for Misfit::Unknown an index into the call's names
    explicit operator bool() const { return misfit == Misfit::None; }
  };
  /// Binds arguments to the schema. If `as_they_are` is set, nothing is converted: neither between kinds of numbers nor
  /// from a number to a list or tensor. RAISES Error for an object that no operator accepts.
  Fit bind(const GivenArguments& given, BoundArguments& bound, bool as_they_are = false) const;
  [[noreturn]] void refuse(const GivenArguments& given, BoundArguments& bound, Fit fit) const;

  /// Calls the operator. Returns its results as a Python object (a new reference).
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
  /// Returns the index of the argument with this name; -1 if there is none.
  int find(PyObject* name) const;
  /// Converts argument `i` to its type in the schema. Returns false if it has another type.
  bool fits(size_t i, BoundArguments& bound, bool as_they_are) const;

  const OpEntry& op_;
  std::vector<PyObject*> names_;  ///< names of the arguments, interned, so that most comparisons need only addresses
  std::vector<size_t> required_;  ///< indices of the arguments that have no default
  size_t positional_ = 0;         ///< number of arguments that may be positional
};

/// Calls an operator and appends its results. Releases the GIL during the call, unless an argument is a fake or a fake
/// mode is active.
void dispatch_from_python(const OpEntry& op, std::span<const Value> args, Values& results);

/// Calls the first overload whose schema accepts the arguments without conversion; if there is none, the first that
/// accepts them with conversion.
PyObject* call_overload(std::span<const Callee* const> overloads, const GivenArguments& given);

}  // namespace ersatz::python
