// Compares graphs of one log: results that several stages of a compilation record, and seams. At a seam one graph takes
// what another returns or passes: forward and backward, a call and its nested graph, the pieces of a function with
// graph breaks.
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
  std::string name, op;      ///< empty operator for a seam
  std::string before, from;  ///< the first record, and its graph
  std::string after, in;
  std::string verb = "returns";  ///< for a seam: how `from` provides the value
};

/// Takes graphs in the order of their log.
///
/// Nodes of two stages are compared if they have equal names, operators and arguments. A pass may change the layout of
/// results, which is no fault. Nothing may change at a seam, because one graph was compiled for the results of the
/// other. Between two pieces of a function with a graph break, user code may change a variable. That is reported, and
/// is no fault.
class LogStages {
 public:
  void add(const ProgramInput& graph);

  const std::vector<StageChange>& changes() const { return changes_; }
  const std::vector<StageChange>& seams() const { return seams_; }    ///< seams whose two records differ
  const std::vector<StageChange>& breaks() const { return breaks_; }  ///< variables that changed between two pieces
  int64_t compared() const { return compared_; }
  int64_t compared_at_seams() const { return at_seams_; }
  int64_t compared_at_breaks() const { return at_breaks_; }

 private:
  struct Recorded {
    std::optional<TensorMeta> meta;  ///< nullopt with symbols, which belong to one program
    std::string text, call, graph;
    bool strides = true;  ///< the text gives strides
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
  std::map<std::string, Results, std::less<>> returned_;  ///< results of the forward graph, by compilation
  std::map<std::string, Results, std::less<>> given_;     ///< parameters and tangents, by compilation
  /// Variables that the pieces of a function return, by process and function name.
  std::map<std::string, Results, std::less<>> variables_;
  std::vector<StageChange> changes_, seams_, breaks_;
  int64_t compared_ = 0, at_seams_ = 0, at_breaks_ = 0;
};

/// Lines for each change and a line with counts; no lines if nothing was compared. Keys `stages`, `seams` and `pieces`.
Document stages_report(const LogStages& stages);

}  // namespace ersatz::tools
