#include "tools/program/program_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "runtime/base/error.h"
#include "tools/output/interrupt.h"
#include "tools/output/progress.h"
#include "tools/program/file_kind.h"
#include "tools/session/session.h"
#include "tracer/archive/input_file.h"
#include "tracer/pasted/torch_trace.h"
#include "tracer/records/call_record.h"
#include "tracer/records/program_match.h"

namespace ersatz::tools {

namespace fs = std::filesystem;

namespace {

std::string beside(const fs::path& program, const char* name) {
  if (is_stream(program)) return "";
  fs::path file = program.parent_path() / name;
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) ? file.string() : "";
}

/// True if a JSON file has the key of an exported graph.
bool names_graph(const std::string& file) { return read_file(file).find("\"graph_module\"") != std::string::npos; }

GraphPlace place_of(const std::string& path, const std::string& file, const pasted::PastedGraph& graph) {
  const std::optional<TlparseFile> of = tlparse_file(file);
  if (!of || !graph.compilation.empty()) return {graph.compilation, graph.stage, path};
  return {of->folder, pasted::stage_called(of->artifact), path};
}

/// True if file `a` precedes `b`. tlparse files of one folder are ordered by number, other files by name.
bool before(const std::string& a, const std::string& b) {
  const std::optional<TlparseFile> x = tlparse_file(a), y = tlparse_file(b);
  return x && y && x->folder == y->folder ? x->number < y->number : a < b;
}

/// Loads a printed graph: the one that `path` names, or the only one of its file. nullopt for another file.
std::optional<ProgramInput> load_pasted(const std::string& path) {
  const pasted::GraphAddress at = pasted::graph_address(path);
  const auto text = pasted_text(at.file);
  if (!text) return std::nullopt;
  const bool only = at.graph.empty() && text->graphs().size() == 1;
  const size_t graph = only ? 0 : text->find(at.graph);
  pasted::ReadGraph read = text->read(graph);
  PastedRead what = PastedRead::of(*text, graph, read);
  return ProgramInput{path,
                      std::move(read.program),
                      "",
                      "",
                      std::move(what),
                      place_of(path, at.file, text->graphs()[graph]),
                      std::move(read.synthetic)};
}

/// Adds the graphs of a file, each as a program.
void add_pasted(const std::string& file, InputFiles& found) {
  const auto text = pasted_text(file);
  if (!text) return;
  found.pasted = true;
  for (const pasted::PastedGraph& g : text->graphs())
    found.programs.push_back(text->graphs().size() == 1 ? file : fmt::format("{}::{}", file, g.label));
}

bool is_call_records(const std::string& path) {
  const std::string file = pasted::graph_address(path).file;
  return guess_program_format(read_head(file)) == ProgramFormat::GraphJson &&
         looks_like_call_records(read_head(file, size_t(1) << 16));
}

}  // namespace

std::string address_of(const std::string& path, const std::string& label) {
  std::error_code ignored;
  if (label.empty()) return path;
  if (!fs::is_directory(path, ignored)) return path + "::" + label;
  std::string found;
  for (const std::string& program : inputs_below(path).programs) {
    if (!program.ends_with(label) && !fs::path(program).replace_extension().string().ends_with(label)) continue;
    if (!found.empty()) fail_argument("{}: more than one graph is called {}: {} and {}", path, label, found, program);
    found = program;
  }
  if (found.empty())
    fail_argument("{}: no graph below it is called {}; `ersatz show {}` lists them", path, label, path);
  return found;
}

std::vector<std::pair<std::string, std::string>> graphs_by_label(const std::string& input, const InputFiles& files) {
  std::error_code ignored;
  const bool folder = fs::is_directory(input, ignored);
  std::vector<std::pair<std::string, std::string>> graphs;
  std::map<std::string, int> seen;
  for (const std::string& path : files.programs) {
    const pasted::GraphAddress at = pasted::graph_address(path);
    std::string label = at.graph;
    if (folder) {
      const std::optional<TlparseFile> of = tlparse_file(at.file);
      const std::string file = of ? fmt::format("{}/{}", of->compile_id, pasted::stage_called(of->artifact))
                                  : fs::relative(at.file, input, ignored).string();
      label = label.empty() ? file : fmt::format("{}::{}", file, label);
    }
    if (const int before = seen[label]++; before > 0) label += fmt::format(".{}", before);
    graphs.emplace_back(std::move(label), path);
  }
  return graphs;
}

ProgramInput load_input(const std::string& path, uint64_t seed) {
  if (Session* session = Session::current()) session->begin_frame(path);
  const TimedCall timed("ersatz::tools::load_input", "load");
  LoadOptions options;
  options.seed = seed;
  const Working shown("loading " + path);
  if (std::optional<ProgramInput> pasted = load_pasted(path)) return std::move(*pasted);
  if (const std::optional<FileKind> other = kind_without_program(path)) {
    fail_argument("{}: no program: it is {}; `ersatz {}` shows {}", path, other->name,
                  fmt::format(fmt::runtime(other->uses[0].command), path), other->uses[0].shows);
  }
  ProgramInput input{path,
                     load_program(path, options),
                     beside(path, "facts.json"),
                     beside(path, "inputs_outputs.json"),
                     std::nullopt,
                     std::nullopt,
                     {}};
  stop_if_interrupted("while a program was being loaded");
  return input;
}

std::string nested_name(const std::string& graph, std::string_view nested) {
  return fmt::format("{}{}{}", graph, graph.find("::") == graph.npos ? "::" : ".", nested);
}

bool under_autocast(const Program& program, uint32_t graph) {
  for (size_t left = program.graphs.size(); graph > 0 && left > 0; --left) {  // a graph never contains itself
    uint32_t outer = 0;
    const auto calls = [&](const Arg& a) { return a.kind == Arg::Kind::Graph && a.index == graph; };
    for (uint32_t g = 0; g < program.graphs.size(); ++g) {
      for (const Node& node : program.graphs[g]->nodes) {
        const auto args = program.view(node.args);
        if (std::none_of(args.begin(), args.end(), calls)) continue;
        outer = g;
        if (program.name(program.op(node).name) != "higher_order.wrap_with_autocast") continue;
        const Value enabled =
            args.size() > 2 && args[2].kind == Arg::Kind::Literal ? program.literal(args[2]) : Value();
        if (enabled.kind() != Value::Kind::Bool || enabled.as_bool()) return true;
      }
    }
    graph = outer;
  }
  return false;
}

NestedInput::NestedInput(ProgramInput& whole, size_t number)
    : whole_(whole),
      number_(number),
      path_(whole.path),
      producer_(whole.program.producer),
      place_(std::exchange(whole.place, std::nullopt)),
      name_(whole.program.graphs[number]->name),
      single_result_(whole.program.graphs[number]->single_result) {
  Program& program = whole.program;
  const std::string name(program.name(name_));
  program.graphs[0].swap(program.graphs[number]);
  program.graphs[0]->name = 0;
  program.graphs[0]->single_result = false;
  program.producer += ", " + name;
  whole.path = nested_name(whole.path, name);
}

NestedInput::~NestedInput() {
  Program& program = whole_.program;
  program.graphs[0]->name = name_;
  program.graphs[0]->single_result = single_result_;
  program.graphs[0].swap(program.graphs[number_]);
  program.producer = producer_;
  whole_.path = path_;
  whole_.place = std::move(place_);
}

Program load_dynamic(const std::string& path, const DynamicInputs& dynamic) {
  Program program = load_input(path, 0).program;
  if (!dynamic.empty()) make_dynamic(program, dynamic);
  return program;
}

bool recorded_on_gpu(const Program& program) {
  const auto& values = program.main().values;
  return std::any_of(values.begin(), values.end(), [&](const GraphValue& v) {
    const TensorMeta* meta = program.meta(v);
    return meta && meta->device.is_cuda();
  });
}

std::optional<Facts> load_facts(const ProgramInput& input, const std::string& file, bool named,
                                const InputChoice& choice, std::string& note) {
  Facts facts = Facts::load(file);
  SymbolValues symbols(input.program);
  if (choice.given) observe_inputs(input.program, *choice.given, symbols);
  const std::string why = mismatch(facts, input.program, symbols, choice);
  if (named && !why.empty()) fail_argument("{}: these facts are not of {}: {}", file, input.path, why);
  note = why.empty() ? fmt::format("facts of a real eager run: {}", file)
                     : fmt::format("not used, since these facts are of another run: {}: {}", file, why);
  return why.empty() ? std::optional(std::move(facts)) : std::nullopt;
}

std::optional<InputsOutputs> load_values(const ProgramInput& input, const std::string& file, std::string_view what,
                                         bool named, std::vector<std::string>& notes) {
  InputsOutputs values = InputsOutputs::load(file);
  const std::string why = mismatch(values, input.program);
  if (named && !why.empty()) fail_argument("{}: these values are not of {}: {}", file, input.path, why);
  notes.push_back(why.empty()
                      ? fmt::format("{}: {}", what, file)
                      : fmt::format("not used, since these {} are of another program: {}: {}", what, file, why));
  return why.empty() ? std::optional(std::move(values)) : std::nullopt;
}

InputFiles inputs_below(const std::string& path) {
  std::error_code error;
  InputFiles found;
  if (!fs::is_directory(path, error)) {
    add_pasted(path, found);
    if (found.pasted) return found;
    found.pasted = pasted_text(pasted::graph_address(path).file) != nullptr;
    (!found.pasted && is_call_records(path) ? found.call_records : found.programs).push_back(path);
    return found;
  }
  const Working shown("looking for programs and recorded calls in " + path);
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_regular_file(error)) continue;
    const std::string file = it->path().string();
    const ProgramFormat format = guess_program_format(read_head(file));
    // The first bytes of any JSON file allow a graph. Files of facts and of stored values have none.
    if (format == ProgramFormat::GraphJson) {
      if (is_call_records(file)) {
        found.call_records.push_back(file);
      } else if (names_graph(file)) {
        found.programs.push_back(file);
      }
    } else if (format != ProgramFormat::None) {
      found.programs.push_back(file);
    }
  }
  if (!error && found.programs.empty() && found.call_records.empty()) {
    // The raw log has all graphs that tlparse wrote to separate files.
    if (const std::string raw = (fs::path(path) / "raw.log").string(); fs::is_regular_file(raw, error))
      add_pasted(raw, found);
    if (found.pasted) return found;
    error.clear();
    std::vector<std::string> files;
    for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
      if (it->is_regular_file(error)) files.push_back(it->path().string());
    }
    std::sort(files.begin(), files.end(), before);
    for (const std::string& file : files) add_pasted(file, found);
    if (found.pasted) return found;
  }
  if (error) fail_argument("{}: the folder cannot be read: {}", path, error.message());
  if (found.programs.empty() && found.call_records.empty())
    fail_argument("{}: there is no program and no recorded call below this folder", path);
  std::sort(found.programs.begin(), found.programs.end());
  std::sort(found.call_records.begin(), found.call_records.end());
  return found;
}

}  // namespace ersatz::tools
