// Errors of the parser of symbolic expressions.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

inline std::string refusal(std::string_view text) {
  ShapeEnv env;
  try {
    (void)env.parse(text);
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::InvalidArgument);
    return e.message;
  }
  return "no error";
}

}  // namespace ersatz
