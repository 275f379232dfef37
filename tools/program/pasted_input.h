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

/// Parts of the name of a tlparse file: `tl_out/-_0_0_0/aot_joint_graph_5.txt`.
struct TlparseFile {
  std::string folder;      ///< the folder of its compilation
  std::string compile_id;  ///< `0_0`
  std::string artifact;    ///< `aot_joint_graph`
  int64_t number = 0;
};
/// Parses the file's name; nullopt if tlparse did not write it.
std::optional<TlparseFile> tlparse_file(const std::string& file);

/// Counts of a parsed text, and the lines that could not be parsed.
struct PastedRead {
  std::string kind;                      ///< `a TORCH_TRACE log`
  size_t graphs = 0, nodes = 0;          ///< printed graphs, and their nodes
  size_t functions = 0, statements = 0;  ///< of code that Inductor generated
  size_t lines = 0;                      ///< 0: a graph in memory, which has no text
  std::vector<pasted::Unread> unread;
  pasted::NamedGpus gpus;                           ///< GPUs that code in the text was generated for
  std::map<std::string, pasted::TorchNames> torch;  ///< by text: the versions of PyTorch that it names

  static PastedRead of(const pasted::PastedText& text, size_t graph, const pasted::ReadGraph& read);
  void add(const PastedRead& other);
};

/// The text of a file that has printed graphs and no format of ersatz; null for any other file. The last two texts are
/// cached. Nothing in a file is executed.
std::shared_ptr<const pasted::PastedText> pasted_text(const std::string& file);

/// While it exists, `name` denotes a text in memory instead of a file.
class HeldText {
 public:
  HeldText(const std::string& name, std::string text);
  HeldText(const HeldText&) = delete;
  HeldText& operator=(const HeldText&) = delete;
  ~HeldText();

 private:
  std::string name_;
};

/// A TORCH_TRACE log with records but without graphs; null for any other file.
std::shared_ptr<const pasted::PastedText> trace_without_graphs(const std::string& file);

/// `a TORCH_TRACE log, 1516 lines: 16 graphs, 356 nodes read`, then a line for each graph or line that was not read.
/// `whole`: without a limit of lines. Keys `read` and `unread`, which has all lines that were not read.
Document pasted_report(const PastedRead& read, bool whole);

/// The only GPU that the text names, like `sm_90`; empty if it names none or several.
std::string backend_of_text(const PastedRead& read);
/// `GPU: sm_90, as DeviceProperties in line 130 say`; empty if the text names none.
std::string gpu_line(const PastedRead& read);

/// `PyTorch: 2.9.1+cu128 in line 270`, for each version that texts name. `told` is that of `--torch`.
std::string torch_lines(const PastedRead& read, std::optional<TorchVersion> told);

/// A line for each graph: label, lines and nodes, or the reason why it cannot be read.
Document graph_list(const pasted::PastedText& text, PastedRead& read);

}  // namespace ersatz::tools
