// Operators by name: `call("aten.add.Tensor", {x, y})[0].tensor()`; which there are, and their schemas.
#pragma once

#include "ersatz/tensor.h"
#include "runtime/context.h"
#include "runtime/dispatch.h"
#include "runtime/mode.h"
#include "runtime/registry.h"
#include "runtime/source_line.h"
