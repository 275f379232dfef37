// Texts with printed graphs as inputs of commands: logs, scripts, pasted text (tracer/pasted/).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/output/document.h"
#include "tracer/pasted/pasted_text.h"

namespace ersatz::tools {

/// The parts of a path of a file that tlparse wrote, like `tl_out/-_0_0_0/aot_joint_graph_5.txt`.
struct TlparseFile {
  std::string folder;      ///< the folder of its compilation
  std::string compile_id;  ///< for example `0_0`
  std::string artifact;    ///< for example `aot_joint_graph`
  int64_t number = 0;
};
/// Parses the path; nullopt if the file is not from tlparse.
std::optional<TlparseFile> tlparse_file(const std::string& file);

/// Counts of the parts of a text that could be parsed, and the lines that could not.
struct PastedRead {
  std::string kind;                      ///< for example `a TORCH_TRACE log`
  size_t graphs = 0, nodes = 0;          ///< number of printed graphs, and of their nodes
  size_t functions = 0, statements = 0;  ///< number of functions and statements in code that Inductor generated
  size_t lines = 0;                      ///< number of lines; 0 for a graph in memory, which has no text
  std::vector<pasted::Unread> unread;
  pasted::NamedGpus gpus;                           ///< GPUs that code in the text was generated for
  std::map<std::string, pasted::TorchNames> torch;  ///< text -> versions of PyTorch that it names

  static PastedRead of(const pasted::PastedText& text, size_t graph, const pasted::ReadGraph& read);
  void add(const PastedRead& other);
};

/// Returns the text of a file that has printed graphs and no format of ersatz; null for any other file. The last two
/// texts are cached. Nothing in a file is executed.
std::shared_ptr<const pasted::PastedText> pasted_text(const std::string& file);

/// While a HeldText exists, `name` denotes a text in memory instead of a file.
class HeldText {
 public:
  HeldText(const std::string& name, std::string text);
  HeldText(const HeldText&) = delete;
  HeldText& operator=(const HeldText&) = delete;
  ~HeldText();

 private:
  std::string name_;
};

/// Returns a TORCH_TRACE log that has records but no graphs; null for any other file.
std::shared_ptr<const pasted::PastedText> trace_without_graphs(const std::string& file);

/// Returns `a TORCH_TRACE log, 1516 lines: 16 graphs, 356 nodes read`, and a line for each graph or line that could not
/// be read. `whole`: without a limit of lines. The keys are `read` and `unread`, which has all lines that could not be
/// read.
Document pasted_report(const PastedRead& read, bool whole);

/// Returns the GPU that the text names, like `sm_90`; empty if it names none or several.
std::string backend_of_text(const PastedRead& read);
/// Returns for example `GPU: sm_90, as DeviceProperties in line 130 say`; empty if the text names no GPU.
std::string gpu_line(const PastedRead& read);

/// Returns a line for each version of PyTorch that texts name: `PyTorch: 2.9.1+cu128 in line 270`. `told` is the
/// version of `--torch`.
std::string torch_lines(const PastedRead& read, std::optional<TorchVersion> told);

/// Returns a line for each graph: its label, lines and nodes, or the reason why it cannot be read.
Document graph_list(const pasted::PastedText& text, PastedRead& read);

}  // namespace ersatz::tools
