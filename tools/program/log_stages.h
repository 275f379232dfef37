// Compares the graphs of one log: results that several stages of a compilation record, and seams. At a seam one graph
// gets a value that another graph returns or passes. There are seams between forward and backward graph, a call and its
// nested graph, and two pieces of a function with a graph break.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/output/document.h"
#include "tools/program/program_input.h"

namespace ersatz::tools {

/// A result for which two graphs have different metadata.
struct StageChange {
  std::string name, op;          ///< `op` is empty for a seam
  std::string before, from;      ///< metadata in the first graph, and the name of that graph
  std::string after, in;         ///< metadata in the second graph, and the name of that graph
  std::string verb = "returns";  ///< for a seam: how the graph `from` provides the value
};

/// Takes graphs in the order of their log.
///
/// The nodes of two stages are compared if they have equal names, operators and arguments. A compiler pass may change
/// the layout of results, which is no fault. At a seam nothing may change, because one graph was compiled for the
/// results of the other. Between two pieces of a function with a graph break, user code may change a variable. A
/// changed variable is reported, and is no fault.
class LogStages {
 public:
  void add(const ProgramInput& graph);

  const std::vector<StageChange>& changes() const { return changes_; }  ///< results that differ between two stages
  const std::vector<StageChange>& seams() const { return seams_; }      ///< seams at which the metadata differ
  const std::vector<StageChange>& breaks() const { return breaks_; }    ///< variables that changed at a graph break
  /// Numbers of the compared values: between stages, at seams, and at graph breaks.
  int64_t compared() const { return compared_; }
  int64_t compared_at_seams() const { return at_seams_; }
  int64_t compared_at_breaks() const { return at_breaks_; }

 private:
  struct Recorded {
    std::optional<TensorMeta> meta;  ///< nullopt if there are symbols, because a symbol belongs to one program
    std::string text, call, graph;
    bool strides = true;  ///< the text of the graph has strides
  };
  using Results = std::map<std::string, Recorded, std::less<>>;

  static Recorded recorded(const ProgramInput& graph, const GraphValue& value, const std::string& nested = "");
  void compare(const std::string& name, const Recorded& before, const Recorded& now, const std::string& op,
               int64_t& count, std::vector<StageChange>& found, const char* verb = "returns") const;
  void add_given(const ProgramInput& graph);
  void add_inputs(const ProgramInput& graph);
  void add_nested(const ProgramInput& graph);
  void add_piece(const ProgramInput& graph);

  std::map<std::string, Results, std::less<>> stages_;    ///< compilation -> results of its stages
  std::map<std::string, Results, std::less<>> returned_;  ///< compilation -> results of its forward graph
  std::map<std::string, Results, std::less<>> given_;     ///< compilation -> its inputs named primals_ and tangents_
  /// Process and function -> variables that the pieces of that function return.
  std::map<std::string, Results, std::less<>> variables_;
  std::vector<StageChange> changes_, seams_, breaks_;
  int64_t compared_ = 0, at_seams_ = 0, at_breaks_ = 0;
};

/// Returns a line for each change and a line with counts; no lines if nothing was compared. The keys are `stages`,
/// `seams` and `pieces`.
Document stages_report(const LogStages& stages);

}  // namespace ersatz::tools
