#include "tools/program/companion_files.h"

#include <filesystem>

namespace ersatz::tools {

namespace {

bool is_fill(const std::string& text) { return text == "zeros" || text == "ones" || text == "random"; }

std::filesystem::path parent_folder_of(const std::string& file) {
  return std::filesystem::absolute(file).lexically_normal().parent_path();
}

}  // namespace

CompanionFiles find_companion_files(const ProgramInput& input, const CrosscheckRunOptions& options,
                                    std::vector<std::string>& notes) {
  CompanionFiles found;
  // The position for the note on facts, which is written later because it depends on the inputs.
  const auto facts_note = static_cast<ptrdiff_t>(notes.size());
  auto chosen = [&](const std::string& option, const std::string& beside) {
    return option == "none" ? "" : option.empty() ? beside : option;
  };
  const std::string facts_file = chosen(options.facts, input.facts);
  const std::string inputs_file = is_fill(options.inputs) ? "" : chosen(options.inputs, input.values);
  if (!inputs_file.empty()) {
    found.inputs = load_values(input, inputs_file, "inputs", !options.inputs.empty(), notes);
  }
  int synthetic = input.program.weights.synthetic();
  // Expected outputs are valid for one set of inputs and weights only. Facts are valid for the inputs in the same
  // folder.
  const bool own_weights = synthetic == 0 && found.inputs.has_value();
  found.same_run = own_weights && !facts_file.empty() && parent_folder_of(inputs_file) == parent_folder_of(facts_file);
  const bool has_outputs = own_weights && !(found.inputs->outputs.empty() && found.inputs->buffers_after.empty() &&
                                            found.inputs->inputs_after.empty());
  if (std::string file = chosen(options.expect, has_outputs ? inputs_file : ""); !file.empty()) {
    found.expected = load_values(input, file, "expected outputs", !options.expect.empty(), notes);
  }
  found.choice.fill = options.inputs == "zeros"  ? InputChoice::Fill::Zeros
                      : options.inputs == "ones" ? InputChoice::Fill::Ones
                                                 : InputChoice::Fill::Random;
  found.choice.seed = options.seed;
  found.choice.device = options.device;
  if (found.inputs) found.choice.given = &*found.inputs;
  if (!facts_file.empty()) {
    std::string note;
    found.facts = load_facts(input, facts_file, !options.facts.empty(), found.choice, note);
    notes.insert(notes.begin() + facts_note, note);
  }
  if (!found.inputs)
    notes.push_back(
        fmt::format("inputs: made up ({}, seed {})", options.inputs.empty() ? "random" : options.inputs, options.seed));
  if (synthetic > 0) notes.push_back(fmt::format("weights: {} payloads made up (seed {})", synthetic, options.seed));
  return found;
}

}  // namespace ersatz::tools
