// The error that a call raises, as a value.
#pragma once

#include "runtime/base/error.h"

namespace ersatz {

/// Returns the error that `f` raises. If it raises none, returns an InternalError that says so.
template <class F>
Error error_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e;
  }
  return Error(ErrorKind::InternalError, ErrorFamily::Runtime, "nothing was raised");
}

}  // namespace ersatz
