// The program that a command was given, with what lies beside it.
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

/// Where a printed graph belongs: its compilation and stage (tracer/pasted/pasted_text.h), and what reports call it.
struct GraphPlace {
  std::string compilation, stage, name;
};

struct ProgramInput {
  std::string path;
  Program program;
  std::string facts;                 ///< facts.json beside it; empty: none
  std::string values;                ///< inputs_outputs.json beside it; empty: none
  std::optional<PastedRead> pasted;  ///< of a printed graph: what was read
  std::optional<GraphPlace> place;   ///< of a printed graph
  std::vector<std::string> made_up;  ///< symbols of a printed graph whose example sizes the text does not have
};

/// `FILE::LABEL`, or the file of a folder whose name or graph ends with the label. Without a label the path itself.
std::string address_of(const std::string& path, const std::string& label);

/// Loads a program and looks beside it. InvalidArgument where it cannot be used.
ProgramInput load_input(const std::string& path, uint64_t seed);

/// `FILE::0_0/joint.true_graph_0`: what reports call a nested graph.
std::string nested_name(const std::string& graph, std::string_view nested);
/// The nested graph of that number as a program of its own. REQUIRES: number > 0.
ProgramInput nested_input(ProgramInput whole, size_t number);

/// The program alone, with the sizes that were declared as symbols. Its environment is new each time.
Program load_dynamic(const std::string& path, const DynamicInputs& dynamic);

/// Is a tensor of the program recorded on a GPU?
bool recorded_on_gpu(const Program& program);

/// The facts of `file`, if they are of this program and of the inputs of this run (tracer/records/program_match.h).
/// Facts that the user named (`named`) and that are not are InvalidArgument; those that only lie beside the program are
/// left alone. `note` says for the report what was done.
std::optional<Facts> load_facts(const ProgramInput& input, const std::string& file, bool named,
                                const InputChoice& choice, std::string& note);
/// The same of stored values, with a note that says what they are for (`what`).
std::optional<InputsOutputs> load_values(const ProgramInput& input, const std::string& file, std::string_view what,
                                         bool named, std::vector<std::string>& notes);

/// What a command was given: programs, and files of recorded calls (tracer/records/call_record.h).
struct InputFiles {
  std::vector<std::string> programs, call_records;
  bool pasted = false;  ///< the programs are printed graphs: `FILE::LABEL` where a file holds several
};
/// The file, or every program and record file below a folder, sorted. A single file that is no records counts as a
/// program: loading it says what is wrong. InvalidArgument where there is none.
InputFiles inputs_below(const std::string& path);

/// The graphs of a text, or of the folder `input`, by names that another run has too: `0_0/joint`. Second: the path.
std::vector<std::pair<std::string, std::string>> graphs_by_label(const std::string& input, const InputFiles& files);

}  // namespace ersatz::tools
