// Programs: read from `.pt2` archives, graph JSON or text, walked, printed and run, for real or under any mode.
//
//   Program program = load_program("model.pt2");
//   PreparedProgram prepared(program);
//   std::vector<Value> outputs = Interpreter(prepared).run(inputs);
#pragma once

#include "ersatz/call.h"
#include "ersatz/tensor_archive.h"
#include "tracer/facts.h"
#include "tracer/graph_builder.h"
#include "tracer/inputs_outputs.h"
#include "tracer/interpreter.h"
#include "tracer/program_file.h"
#include "tracer/program_weights.h"
#include "tracer/run_inputs.h"
#include "tracer/text_form.h"
#include "tracer/verify.h"
