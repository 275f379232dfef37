// A call of PyTorch's, made as the program would have made it without a dispatch mode. REQUIRES the GIL.
#pragma once

#include "python/module/entered.h"
#include "python/module/module.h"

namespace ersatz::python {

/// The result of the call, which the caller owns; null: an exception is set. `lazy_bits`: a tensor of the call may
/// have one.
inline PyObject* made_call(nb::handle func, nb::handle args, nb::handle kwargs, bool lazy_bits) {
  const Entered resolved(lazy_bits ? lazy_bits_resolved() : nb::object());
  return PyObject_Call(func.ptr(), args.ptr(), kwargs.ptr());
}

/// The result; what the call raises passes.
inline nb::object made_plainly(nb::handle func, nb::handle args, nb::handle kwargs) {
  PyObject* const result = made_call(func, args, kwargs, true);
  if (!result) throw nb::python_error();
  return nb::steal(result);
}

}  // namespace ersatz::python
