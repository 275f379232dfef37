// Makes a PyTorch call as the program makes it without a dispatch mode. REQUIRES: the GIL is held.
#pragma once

#include "python/module/entered.h"
#include "python/module/module.h"

namespace ersatz::python {

/// Returns the call's result (a new reference), or null with an exception set. `lazy_bits`: a tensor in the call may
/// have a lazy conjugate or negation.
inline PyObject* made_call(nb::handle func, nb::handle args, nb::handle kwargs, bool lazy_bits) {
  const Entered resolved(lazy_bits ? lazy_bits_resolved() : nb::object());
  return PyObject_Call(func.ptr(), args.ptr(), kwargs.ptr());
}

/// Returns the call's result. If the call raises, the exception propagates.
inline nb::object made_plainly(nb::handle func, nb::handle args, nb::handle kwargs) {
  PyObject* const result = made_call(func, args, kwargs, true);
  if (!result) throw nb::python_error();
  return nb::steal(result);
}

}  // namespace ersatz::python
