// One operator as Python calls it: arguments bound to the schema, the call, its results.
//
// Whether arguments fit is found without making the call, so that the overload of a name is chosen by the schemas alone
// and an error of the chosen one comes through. A call on fakes keeps the GIL, which costs more to give up than such a
// call takes; a real one gives it up.
#pragma once

#include <span>

#include "python/module/values.h"
#include "runtime/op/dispatch.h"

namespace ersatz::python {

/// What Python hands over in a call (PEP 590): positional arguments, then those that `names`, a tuple or null, names.
struct GivenArguments {
  PyObject* const* objects;
  size_t positional;
  PyObject* names;

  size_t named() const { return names ? static_cast<size_t>(PyTuple_GET_SIZE(names)) : 0; }
};

/// Arguments in the order of a schema. What they borrow lives until they are bound again.
struct BoundArguments {
  InlineVec<Value, 12> values;
  InlineVec<PyObject*, 12> objects;  ///< that they were read from; null: a default
  IntRoom ints;                      ///< of lists of ints among the values
};

class Callee {
 public:
  /// Lives as long as the process.
  static const Callee& of(const OpEntry& op);

  const OpEntry& op() const { return op_; }

  enum class Misfit : uint8_t { None, TooMany, Twice, Unknown, Missing, Type };
  /// Where arguments do not fit, and how.
  struct Fit {
    Misfit misfit = Misfit::None;
    size_t at = 0;  ///< argument of the schema; of Unknown: of the call's names
    explicit operator bool() const { return misfit == Misfit::None; }
  };
  /// `as_they_are`: a number of one kind is not taken for one of another kind, for a list or for a tensor. Objects that
  /// no operator takes raise Error.
  Fit bind(const GivenArguments& given, BoundArguments& bound, bool as_they_are = false) const;
  [[noreturn]] void refuse(const GivenArguments& given, BoundArguments& bound, Fit fit) const;

  /// Results as Python has them. A new reference.
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
  /// -1: there is no such argument.
  int find(PyObject* name) const;
  /// Converts argument `i` to what its schema type asks for; false: it is of another type.
  bool fits(size_t i, BoundArguments& bound, bool as_they_are) const;

  const OpEntry& op_;
  std::vector<PyObject*> names_;  ///< interned, so that most are found by their address
  std::vector<size_t> required_;  ///< arguments without a default
  size_t positional_ = 0;         ///< arguments that need not be named
};

/// Calls an operator that is no fake's with the GIL given up. Results are appended.
void dispatch_from_python(const OpEntry& op, std::span<const Value> args, Values& results);

/// The first operator whose schema takes the arguments as they are, else the first that takes them converted.
PyObject* call_overload(std::span<const Callee* const> overloads, const GivenArguments& given);

}  // namespace ersatz::python
