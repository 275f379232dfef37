// All that a program may use of ersatz. <ersatz/plugin_op.h>, for authors of plugins, stands apart.
#pragma once

#include "ersatz/autocast.h"
#include "ersatz/call.h"
#include "ersatz/cost.h"
#include "ersatz/crosscheck.h"
#include "ersatz/error.h"
#include "ersatz/fake.h"
#include "ersatz/module.h"
#include "ersatz/ops.h"
#include "ersatz/plugin.h"
#include "ersatz/program.h"
#include "ersatz/random.h"
#include "ersatz/symbols.h"
#include "ersatz/tensor.h"
#include "ersatz/tensor_archive.h"
#include "ersatz/trace.h"
#include "ersatz/version.h"
