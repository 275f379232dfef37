// The program that a command got as input, and the files next to it.
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

/// The compilation and the stage of a printed graph (tracer/pasted/pasted_text.h), and its name in reports.
struct GraphPlace {
  std::string compilation, stage, name;
};

struct ProgramInput {
  std::string path;
  Program program;
  std::string facts;                   ///< path of facts.json next to the program; empty: none
  std::string values;                  ///< path of inputs_outputs.json next to the program; empty: none
  std::optional<PastedRead> pasted;    ///< for a printed graph: counts of its text
  std::optional<GraphPlace> place;     ///< for a printed graph
  std::vector<std::string> synthetic;  ///< symbols of a printed graph whose example sizes are not in the text
};

/// Returns the address of a graph: `FILE::LABEL` for a file; for a folder the program below it whose name ends with the
/// label. Without a label returns `path`. RAISES InvalidArgument if none or several fit.
std::string address_of(const std::string& path, const std::string& label);

/// Loads a program and finds the files next to it. RAISES InvalidArgument if it cannot be used.
ProgramInput load_input(const std::string& path, uint64_t seed);

/// Returns a nested graph's name in reports: `FILE::0_0/joint.true_graph_0`.
std::string nested_name(const std::string& graph, std::string_view nested);
/// True if a node calls `graph`, or a graph around it, under wrap_with_autocast with autocast on or not known to be
/// off. The metadata recorded for that graph are then those of casted calls.
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

/// Loads only the program, with symbols for the sizes that `dynamic` declares. Each call makes a new ShapeEnv.
Program load_dynamic(const std::string& path, const DynamicInputs& dynamic);

/// True if the program has a tensor that was recorded on a GPU.
bool recorded_on_gpu(const Program& program);

/// Loads the facts in `file`, if they are for this program and for the inputs of this run
/// (tracer/records/program_match.h). If they are not: RAISES InvalidArgument if the user named the file (`named`), else
/// ignores it. `note` gets a line for the report.
std::optional<Facts> load_facts(const ProgramInput& input, const std::string& file, bool named,
                                const InputChoice& choice, std::string& note);
/// Loads the stored values in `file`, in the way of load_facts. The added note says what they are used for (`what`).
std::optional<InputsOutputs> load_values(const ProgramInput& input, const std::string& file, std::string_view what,
                                         bool named, std::vector<std::string>& notes);

/// The inputs of a command: programs, and files of recorded calls (tracer/records/call_record.h).
struct InputFiles {
  std::vector<std::string> programs, call_records;
  bool pasted = false;  ///< the programs are printed graphs; a graph's address is `FILE::LABEL` if its file has several
};
/// Returns the file or, for a folder, all program and record files below it, sorted. A single file without records
/// counts as a program, so that loading it reports the error. RAISES InvalidArgument if there is no file.
InputFiles inputs_below(const std::string& path);

/// Returns the graphs of a text or folder (`input`) as pairs of label and path. The label, like `0_0/joint`, does not
/// depend on the folder, so that another run has it too.
std::vector<std::pair<std::string, std::string>> graphs_by_label(const std::string& input, const InputFiles& files);

}  // namespace ersatz::tools
