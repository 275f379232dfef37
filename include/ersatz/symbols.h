// Symbolic sizes: a ShapeEnv owns the symbols, stores facts about them, and decides conditions on them.
//
//   FakeOptions options;
//   options.shape_env = std::make_shared<ShapeEnv>();   // <ersatz/fake.h>
//   SymInt batch = options.shape_env->symbol("batch", 4);
#pragma once

#include "runtime/sym/sym_expr.h"
#include "runtime/sym/sym_value.h"
