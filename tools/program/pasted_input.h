// Texts with printed graphs as inputs of commands: logs, scripts, what somebody pasted (tracer/pasted/).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/output/document.h"
#include "tracer/pasted/pasted_text.h"

namespace ersatz::tools {

/// A file that tlparse wrote: `tl_out/-_0_0_0/aot_joint_graph_5.txt`.
struct TlparseFile {
  std::string folder;      ///< of its compilation
  std::string compile_id;  ///< `0_0`
  std::string artifact;    ///< `aot_joint_graph`
  int64_t number = 0;
};
/// By its name; none for any other file.
std::optional<TlparseFile> tlparse_file(const std::string& file);

/// Counts of a text that was read, and its lines that were not.
struct PastedRead {
  std::string kind;                      ///< `a TORCH_TRACE log`
  size_t graphs = 0, nodes = 0;          ///< printed graphs, and their nodes
  size_t functions = 0, statements = 0;  ///< of code that Inductor generated
  size_t lines = 0;
  std::vector<pasted::Unread> unread;
  pasted::NamedGpus gpus;  ///< that code in it was generated for

  static PastedRead of(const pasted::PastedText& text, size_t graph, const pasted::ReadGraph& read);
  void add(const PastedRead& other);
};

/// The text of a file that is none of ersatz's own formats and holds graphs; null for any other file. The last two are
/// kept, so that their graphs are found once. Nothing of a file is run.
std::shared_ptr<const pasted::PastedText> pasted_text(const std::string& file);

/// While it lives, `name` is a text in memory, as if a file of that name had it.
class HeldText {
 public:
  HeldText(const std::string& name, std::string text);
  HeldText(const HeldText&) = delete;
  HeldText& operator=(const HeldText&) = delete;
  ~HeldText();

 private:
  std::string name_;
};

/// A TORCH_TRACE log that has records and no graph; null for any other file.
std::shared_ptr<const pasted::PastedText> trace_without_graphs(const std::string& file);

/// `a TORCH_TRACE log, 1516 lines: 16 graphs, 356 nodes read`, then a line for each that was not. Keys `read` and
/// `unread`, which have all lines that were not read. `whole`: so does the text.
Document pasted_report(const PastedRead& read, bool whole);

/// `sm_90`, the one GPU that the text names; empty where it names none, or several.
std::string backend_of_text(const PastedRead& read);
/// `GPU: sm_90, as DeviceProperties in line 130 say`; empty where the text names none.
std::string gpu_line(const PastedRead& read);

/// A line for each graph: label, lines, nodes, or why it cannot be read.
Document graph_list(const pasted::PastedText& text, PastedRead& read);

}  // namespace ersatz::tools
