// The program that a command was given, and the files next to it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/program/pasted_input.h"
#include "tracer/program/dynamic_inputs.h"
#include "tracer/pt2/inputs_outputs.h"
#include "tracer/pt2/program_file.h"
#include "tracer/records/facts.h"
#include "tracer/run/run_inputs.h"

namespace ersatz::tools {

/// The compilation and stage of a printed graph (tracer/pasted/pasted_text.h), and its name in reports.
struct GraphPlace {
  std::string compilation, stage, name;
};

struct ProgramInput {
  std::string path;
  Program program;
  std::string facts;                   ///< facts.json next to it; empty: none
  std::string values;                  ///< inputs_outputs.json next to it; empty: none
  std::optional<PastedRead> pasted;    ///< for a printed graph: counts of its text
  std::optional<GraphPlace> place;     ///< for a printed graph
  std::vector<std::string> synthetic;  ///< symbols of a printed graph whose example sizes are not in the text
};

/// `FILE::LABEL`, or the file of a folder whose name or graph ends with the label. Without a label `path` itself.
std::string address_of(const std::string& path, const std::string& label);

/// Loads a program and finds the files next to it. RAISES InvalidArgument if it cannot be used.
ProgramInput load_input(const std::string& path, uint64_t seed);

/// A nested graph's name in reports: `FILE::0_0/joint.true_graph_0`.
std::string nested_name(const std::string& graph, std::string_view nested);
/// True if the nested graph is in a region that may turn on autocast. Its records are then of casted calls.
bool under_autocast(const Program& program, uint32_t graph);
/// While it exists, `whole` is the program of its nested graph with that number. REQUIRES: number > 0.
class NestedInput {
 public:
  NestedInput(ProgramInput& whole, size_t number);
  NestedInput(const NestedInput&) = delete;
  NestedInput& operator=(const NestedInput&) = delete;
  ~NestedInput();

 private:
  ProgramInput& whole_;
  const size_t number_;
  const std::string path_, producer_;
  std::optional<GraphPlace> place_;
  const NameId name_;
  const bool single_result_;
};

/// Loads only the program, with symbols for the declared sizes. Each call makes a new environment.
Program load_dynamic(const std::string& path, const DynamicInputs& dynamic);

/// True if the program has a tensor that was recorded on a GPU.
bool recorded_on_gpu(const Program& program);

/// The facts of `file`, if they are for this program and the inputs of this run (tracer/records/program_match.h).
/// RAISES InvalidArgument if the user named the file (`named`) and it does not fit. A file that is only next to the
/// program is then ignored. `note` gets a line for the report.
std::optional<Facts> load_facts(const ProgramInput& input, const std::string& file, bool named,
                                const InputChoice& choice, std::string& note);
/// The stored values of `file`, as load_facts does it. A note says what they are used for (`what`).
std::optional<InputsOutputs> load_values(const ProgramInput& input, const std::string& file, std::string_view what,
                                         bool named, std::vector<std::string>& notes);

/// The inputs of a command: programs, and files of recorded calls (tracer/records/call_record.h).
struct InputFiles {
  std::vector<std::string> programs, call_records;
  bool pasted = false;  ///< the programs are printed graphs, `FILE::LABEL` if a file has several
};
/// The file, or all program and record files below a folder, sorted. A single file without records counts as a program,
/// so that loading it reports the error. RAISES InvalidArgument if there is none.
InputFiles inputs_below(const std::string& path);

/// Pairs of a label that another run has too, like `0_0/joint`, and a path: the graphs of a text or of the folder
/// `input`.
std::vector<std::pair<std::string, std::string>> graphs_by_label(const std::string& input, const InputFiles& files);

}  // namespace ersatz::tools
