// Trees of named parameters and buffers (ModuleTree), their real or fake copies, and checkpoints of their values. A
// fake copy reads no data.
#pragma once

#include "ersatz/fake.h"
#include "fake/object/checkpoint.h"
#include "fake/object/fake_copy.h"
#include "fake/object/module_call.h"
#include "fake/object/module_tree.h"
