// Functions of the Python code that Inductor generated, as the statements of a printed graph.
//
//   buf0 = empty_strided_cuda((4, 6), (6, 1), torch.float32)   torch.ops.aten.empty_strided.default([4, 6], [6, 1])
//   reinterpret_tensor(buf0, (6, 4), (1, 6), 0)                torch.ops.aten.as_strided.default(buf0, [6, 4], [1, 6])
//   extern_kernels.mm(arg0_1, buf0, out=buf1)                  torch.ops.aten.mm.out(arg0_1, buf0, out = buf1)
//   buf2 = torch.ops.my.op.default(buf1)                       the same, annotated with what is asserted of buf2
//
// So the code is read like any graph (tracer/pasted/fx_graph.h). Its records are expectations: the layout of a buffer
// that a library's kernel is given as `out`, and what `assert_size_stride` and its kin demand of an operator's results.
// Asserts name no device, those before PyTorch 2.15 no dtype. Inputs have the layouts of their asserts, and dtype and
// device of the example in `get_args`, where the text has it.
#pragma once

#include "tracer/pasted/graph_text.h"

namespace ersatz::pasted {

/// `arg0_1, arg1_1 = args`, with which such a function begins, where `args.clear()` is the next line.
bool unpacks_arguments(std::string_view line, std::string_view next);

/// `buf0 = empty_strided_cpu(...)`, which other code has not.
bool allocates_buffer(std::string_view line);

/// Replaces the statements of the function, which are the body of `g`, by those of a printed graph. What has no
/// operator is left out by name: kernels that Inductor generated, branches. `lines` are those of the function and of
/// what belongs to it below.
void read_output_code(GraphText& g, const std::vector<std::string>& lines);

}  // namespace ersatz::pasted
