// Tracing: records the operator calls of a C++ function as a Program.
//
//   Program p = trace(f, inputs);              // runs f on fakes: only metadata are computed
//   std::cout << print_program(p);
#pragma once

#include "ersatz/fake.h"
#include "ersatz/module.h"
#include "ersatz/program.h"
#include "tracer/program/graph_edit.h"
#include "tracer/run/program_call.h"
#include "tracer/run/propagate.h"
#include "tracer/trace/core_decompositions.h"
#include "tracer/trace/function_library.h"
#include "tracer/trace/retrace.h"
#include "tracer/trace/trace.h"
