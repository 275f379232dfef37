// Calls operators by name, `call("aten.add.Tensor", {x, y})[0].tensor()`, and lists the registered operators with their
// schemas.
#pragma once

#include "ersatz/tensor.h"
#include "runtime/base/context.h"
#include "runtime/base/source_line.h"
#include "runtime/op/dispatch.h"
#include "runtime/op/mode.h"
#include "runtime/op/registry.h"
