// Crosschecks the metadata that a torch.fx graph records, without its printed text.
//
// The graph is read into a program with records (torch_program.h), and the answer is that of `ersatz crosscheck` for a
// printed graph.
#include <nanobind/stl/string.h>

#include "python/module/interrupts.h"
#include "python/module/torch_program.h"
#include "tools/answer/crosscheck_answer.h"
#include "tools/output/progress.h"

namespace ersatz::python {
namespace {

/// Returns what was read. A node of an operator that ersatz lacks counts as not read, as in a printed graph.
tools::PastedRead read_of(const TorchProgram& graph) {
  tools::PastedRead read;
  read.kind = "a graph of torch.fx";
  read.graphs = 1;
  read.nodes = graph.listed;
  const Program& program = graph.program;
  for (const auto& g : program.graphs) {
    for (const Node& node : g->nodes) {
      const ProgramOp& op = program.op(node);
      if (op.kind == ProgramOp::Kind::Operator && !op.entry)
        read.unread.push_back({0, fmt::format("{}: there is no rule of it here", program.name(op.name))});
    }
  }
  return read;
}

tools::ProgramInput input_of(nb::handle graph, const std::string& name) {
  const TorchLibrary& torch = TorchLibrary::get();
  const TorchFakes fakes(torch);
  TorchProgram read;
  TorchRecords records(torch, fakes, read.program);
  TorchProgramReader(torch, fakes, read, &records).read(graph, graph.attr("owning_module"), nb::dict());
  read.program.untold.offsets = true;  // passes of inductor leave offsets of an earlier stage
  tools::PastedRead counts = read_of(read);
  std::vector<std::string> made_up = records.settle();
  return {
      name, std::move(read.program), "", "", std::move(counts), tools::GraphPlace{"", "", name}, std::move(made_up)};
}

tools::CrosscheckAnswer crosscheck_graph(nb::handle graph, const std::string& name) {
  tools::ProgramInput input = input_of(graph, name);
  tools::CrosscheckRequest request;
  request.input = name;
  request.all_repros = request.whole_text = request.page = true;
  request.run.torch = TorchLibrary::get().running();
  tools::silence_progress(true);
  return interruptible([&] { return tools::answer_crosscheck(std::move(request), std::move(input)); });
}

}  // namespace

void bind_torch_graph_check(nb::module_& m) {
  m.def("crosscheck_graph", &crosscheck_graph, nb::arg("graph"), nb::arg("name"),
        "The answer of `ersatz crosscheck` for a torch.fx graph, from the `meta[\"val\"]` of its nodes.");
}

}  // namespace ersatz::python
