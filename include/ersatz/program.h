// Programs, which are graphs of operator calls. This header loads a Program (`.pt2` archive, graph JSON or text), runs
// it for real or under any mode, and saves it (`save_program`, `print_program`).
//
//   Program program = load_program("model.pt2");
//   PreparedProgram prepared(program);
//   std::vector<Value> outputs = Interpreter(prepared).run(inputs);
#pragma once

#include "ersatz/call.h"
#include "ersatz/tensor_archive.h"
#include "tracer/program/graph_builder.h"
#include "tracer/program/verify.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/pt2/program_file.h"
#include "tracer/pt2/program_weights.h"
#include "tracer/pt2/save_program.h"
#include "tracer/records/facts.h"
#include "tracer/run/interpreter.h"
#include "tracer/run/node_values.h"
#include "tracer/run/run_inputs.h"
#include "tracer/text/text_form.h"
