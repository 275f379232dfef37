// Trees of named parameters and buffers, and copies of whole ones: real, or fake without a byte of them; their
// state before a run.
#pragma once

#include "ersatz/fake.h"
#include "fake/object/checkpoint.h"
#include "fake/object/fake_copy.h"
#include "fake/object/module_call.h"
#include "fake/object/module_tree.h"
