// Translates functions of Inductor's generated Python code into statements of a printed graph.
//
//   buf0 = empty_strided_cuda((4, 6), (6, 1), torch.float32)   torch.ops.aten.empty_strided.default([4, 6], [6, 1])
//   reinterpret_tensor(buf0, (6, 4), (1, 6), 0)                torch.ops.aten.as_strided.default(buf0, [6, 4], [1, 6])
//   extern_kernels.mm(arg0_1, buf0, out=buf1)                  torch.ops.aten.mm.out(arg0_1, buf0, out = buf1)
//   buf2 = torch.ops.my.op.default(buf1)                       equal text, annotated with the layout asserted of buf2
//
// The result is read like any readable FX graph (tracer/pasted/fx_graph.h). Its recorded metadata are expectations: the
// layout of a buffer that is passed as `out`, and the layout that `assert_size_stride` and similar asserts require of
// results. Asserts give no device, and before PyTorch 2.15 no dtype. An input has its asserted layout and, if the text
// has `get_args`, the dtype and device of its example there.
#pragma once

#include "tracer/pasted/graph_text.h"

namespace ersatz::pasted {

/// Returns whether a generated function begins here: `line` is `arg0_1, arg1_1 = args` and `next` is `args.clear()`.
bool unpacks_arguments(std::string_view line, std::string_view next);

/// Returns whether `line` has the form `buf0 = empty_strided_cpu(...)`, which only generated code has.
bool allocates_buffer(std::string_view line);

/// Replaces the statements of a generated function in the body of `g` by statements of a printed graph. Statements
/// without an operator (Triton kernels, branches) are listed in `g.left_out`. `lines` are the lines of the function,
/// and the lines below it that call it with example inputs.
void read_output_code(GraphText& g, const std::vector<std::string>& lines);

}  // namespace ersatz::pasted
