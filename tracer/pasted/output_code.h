// Translates functions of Inductor's generated Python code into statements of a printed graph.
//
//   buf0 = empty_strided_cuda((4, 6), (6, 1), torch.float32)   torch.ops.aten.empty_strided.default([4, 6], [6, 1])
//   reinterpret_tensor(buf0, (6, 4), (1, 6), 0)                torch.ops.aten.as_strided.default(buf0, [6, 4], [1, 6])
//   extern_kernels.mm(arg0_1, buf0, out=buf1)                  torch.ops.aten.mm.out(arg0_1, buf0, out = buf1)
//   buf2 = torch.ops.my.op.default(buf1)                       equal text, annotated with the layout asserted of buf2
//
// The result is read like any graph (tracer/pasted/fx_graph.h). Its recorded metadata are expectations: the layout of a
// buffer that is passed as `out`, and the layout that `assert_size_stride` and similar asserts demand of results.
// Asserts give no device, and before PyTorch 2.15 no dtype. Inputs have their asserted layouts, and dtype and device of
// the example in `get_args` if the text has it.
#pragma once

#include "tracer/pasted/graph_text.h"

namespace ersatz::pasted {

/// Returns whether `line` is `arg0_1, arg1_1 = args` and the next one `args.clear()`: the begin of a generated
/// function.
bool unpacks_arguments(std::string_view line, std::string_view next);

/// Returns whether `line` is `buf0 = empty_strided_cpu(...)`, which only generated code has.
bool allocates_buffer(std::string_view line);

/// Replaces the function's statements in the body of `g` by those of a printed graph. Statements without an operator
/// (Triton kernels, branches) go to `g.left_out` by name. `lines` are the function's lines and the lines below it that
/// show its call with example inputs.
void read_output_code(GraphText& g, const std::vector<std::string>& lines);

}  // namespace ersatz::pasted
