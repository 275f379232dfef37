// Graphs of one log beside each other: results that several stages of a compilation record, and the seams between
// graphs, where one graph takes what another one returns or passes: forward and backward, a call and its nested graph,
// the pieces of a function that Dynamo broke.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/output/document.h"
#include "tools/program/program_input.h"

namespace ersatz::tools {

/// A result that two graphs record differently.
struct StageChange {
  std::string name, op;      ///< of a seam no operator
  std::string before, from;  ///< the record, and the graph that has it
  std::string after, in;
  std::string verb = "returns";  ///< of a seam: what `from` does with it
};

/// Takes graphs in the order of their log.
///
/// Two stages have the same node where its name, its operator and its arguments are the same: a pass may lay out its
/// results anew, which is no fault. At a seam nothing may change: one graph was compiled for what the other returns.
/// Between two pieces of a broken function code of the user runs, which may change a variable: that is told, and no
/// fault by itself.
class LogStages {
 public:
  void add(const ProgramInput& graph);

  const std::vector<StageChange>& changes() const { return changes_; }
  const std::vector<StageChange>& seams() const { return seams_; }    ///< those that do not fit
  const std::vector<StageChange>& breaks() const { return breaks_; }  ///< variables that changed between two pieces
  int64_t compared() const { return compared_; }
  int64_t compared_at_seams() const { return at_seams_; }
  int64_t compared_at_breaks() const { return at_breaks_; }

 private:
  struct Recorded {
    std::optional<TensorMeta> meta;  ///< where it has no symbols, which belong to their program
    std::string text, call, graph;
    bool strides = true;  ///< are they told?
  };
  using Results = std::map<std::string, Recorded, std::less<>>;

  static Recorded recorded(const ProgramInput& graph, const GraphValue& value, const std::string& nested = "");
  void compare(const std::string& name, const Recorded& before, const Recorded& now, const std::string& op,
               int64_t& count, std::vector<StageChange>& found, const char* verb = "returns") const;
  void add_given(const ProgramInput& graph);
  void add_inputs(const ProgramInput& graph);
  void add_nested(const ProgramInput& graph);
  void add_piece(const ProgramInput& graph);

  std::map<std::string, Results, std::less<>> stages_;    ///< by compilation
  std::map<std::string, Results, std::less<>> returned_;  ///< of the forward graph, by compilation
  std::map<std::string, Results, std::less<>> given_;     ///< parameters and tangents, by compilation
  /// Variables that the pieces of a function return, by process and function.
  std::map<std::string, Results, std::less<>> variables_;
  std::vector<StageChange> changes_, seams_, breaks_;
  int64_t compared_ = 0, at_seams_ = 0, at_breaks_ = 0;
};

/// Lines for each change, then one that counts; no lines if nothing was compared. Keys `stages`, `seams` and `pieces`.
Document stages_report(const LogStages& stages);

}  // namespace ersatz::tools
