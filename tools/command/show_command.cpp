// `ersatz show`: prints a program as text.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/base/count_text.h"
#include "runtime/base/error.h"
#include "tools/answer/command_answer.h"
#include "tools/answer/program_text.h"
#include "tools/command/command.h"
#include "tools/output/report_output.h"
#include "tools/program/file_kind.h"
#include "tools/program/program_input.h"
#include "tools/program/program_output.h"
#include "tools/program/smallest_repro.h"
#include "tools/report/node_table.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

namespace {

struct ShowOptions {
  ReportOptions report;
  std::string program;
  std::string graph, repro;
  ProgramTextOptions how;
};

/// Puts `#` before each line. Every parser of the text form skips comments.
std::string as_comments(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += fmt::format("# {}\n", text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

constexpr size_t kShownRecords = 24;  // the most records of a log that a text report shows

/// Lists a log's symbols, guards, graph breaks and other records. Adds a row to `rows` for each.
Document records_of(const pasted::PastedText& text, nlohmann::ordered_json& rows) {
  const pasted::TraceFacts facts = text.facts();
  Document lines;
  for (const pasted::TraceFact& f : facts.rows()) {
    if (rows.size() < kShownRecords) {
      std::string line = f.text;
      std::replace(line.begin(), line.end(), '\n', ' ');
      lines.add(Document::Kind::Below, fmt::format("{:<8} {}: {}", f.compile_id, f.kind, line));
    }
    rows.push_back({{"compile_id", f.compile_id}, {"kind", f.kind}, {"text", f.text}, {"line", f.line}});
  }
  if (rows.size() > kShownRecords)
    lines.add(Document::Kind::Below, fmt::format("{} more; --json lists them", rows.size() - kShownRecords));
  if (facts.left_out()) lines.add(Document::Kind::Below, fmt::format("{} more in the log", facts.left_out()));
  if (lines.empty()) return lines;
  Document out = "records beside the graphs:";
  out.add(std::move(lines));
  return out;
}

/// Lists the printed graphs of a text file or of a folder. The status is `unusable` if no graph can be parsed.
ExitStatus list_graphs(const ShowOptions& options, const std::vector<std::string>& files) {
  PastedRead read;
  Document rows;
  std::vector<std::string> labels;
  size_t lines = 0;
  for (const std::string& file : files) {
    const auto text = pasted_text(file);
    if (!text) continue;
    read.kind = text->kind();
    if (files.size() > 1) rows.add(file);
    rows.add(graph_list(*text, read));
    lines += text->lines();
    for (const pasted::PastedGraph& g : text->graphs()) labels.push_back(g.label);
  }
  read.lines = lines;
  if (files.size() > 1) read.kind = fmt::format("a folder with {} texts", files.size());
  const ExitStatus status = read.graphs + read.functions > 0 ? ExitStatus::Clean : ExitStatus::Unusable;
  Document text;
  text.data = report_envelope("show", options.program, "", status);
  text.data["nodes"] = read.nodes;
  text.add_part(pasted_report(read, false));
  text.add(std::move(rows));
  text.data["graphs"] = labels;
  auto& records = text.data["records"] = nlohmann::ordered_json::array();
  const auto only = files.size() == 1 ? pasted_text(files[0]) : nullptr;
  if (only) text.add(records_of(*only, records));
  text.add("--graph LABEL shows one of them");
  options.report.write(std::move(text));
  return status;
}

/// Returns the files with printed graphs if `address` has several graphs, so that the user has to choose one. Empty for
/// any other input.
std::vector<std::string> texts_of(const std::string& address) {
  std::error_code ignored;
  if (std::filesystem::is_directory(address, ignored)) {
    std::vector<std::string> files;
    const InputFiles found = inputs_below(address);
    for (const std::string& program : found.pasted ? found.programs : std::vector<std::string>()) {
      std::string file = pasted::graph_address(program).file;
      if (files.empty() || files.back() != file) files.push_back(std::move(file));
    }
    return files;
  }
  const pasted::GraphAddress at = pasted::graph_address(address);
  const auto text = at.graph.empty() ? pasted_text(at.file) : nullptr;
  return text && text->graphs().size() > 1 ? std::vector<std::string>{at.file} : std::vector<std::string>();
}

/// Lists the programs in and below a folder that has no printed graphs. RAISES InvalidArgument if there are no
/// programs.
ExitStatus list_programs(const ShowOptions& options) {
  const std::vector<std::string> programs = inputs_below(options.program).programs;
  if (programs.empty()) fail_argument("{}: a folder without programs", options.program);
  Document text = fmt::format("a folder with {}", count_of(static_cast<int64_t>(programs.size()), "program"));
  text.data = report_envelope("show", options.program, "", ExitStatus::Clean);
  text.data["graphs"] = programs;
  for (const std::string& program : programs) text.add(Document::Kind::Below, program);
  text.add("--graph LABEL shows one of them: the end of its path, with or without .pt2 or .json");
  options.report.write(std::move(text));
  return ExitStatus::Clean;
}

/// Prints the kind of a file that has no program, and the commands that read this kind.
ExitStatus show_kind(const ShowOptions& options, const FileKind& kind) {
  Document text;
  text.data = report_envelope("show", options.program, "", ExitStatus::Clean);
  text.add_part(file_kind_report(options.program, kind));
  options.report.write(std::move(text));
  return ExitStatus::Clean;
}

/// Prints the records of a log that has no graph because all its compilations failed early.
ExitStatus show_records(const ShowOptions& options, const pasted::PastedText& log) {
  Document text = fmt::format("{}, {}: no graph", log.kind(), count_of(static_cast<int64_t>(log.lines()), "line"));
  text.data = report_envelope("show", options.program, "", ExitStatus::Clean);
  text.data["kind"] = log.kind();
  text.add(records_of(log, text.data["records"] = nlohmann::ordered_json::array()));
  options.report.write(std::move(text));
  return ExitStatus::Clean;
}

ExitStatus run(const ShowOptions& options) {
  require_writable(options.report.output);
  if (const auto log = trace_without_graphs(options.program)) return show_records(options, *log);
  if (const std::optional<FileKind> other = kind_without_program(options.program)) return show_kind(options, *other);
  const std::string address = address_of(options.program, options.graph);
  if (const std::vector<std::string> files = texts_of(address); !files.empty()) return list_graphs(options, files);
  std::error_code ignored;
  if (std::filesystem::is_directory(address, ignored)) return list_programs(options);
  ProgramInput input = load_input(address, 0);
  if (options.report.output.ends_with(".pt2")) {
    if (options.how.python || options.how.table || options.how.inline_values || options.report.json) {
      fail_argument(
          "-o {}: a .pt2 file is the program itself: --python, --table, --inline-values and --json make a text",
          options.report.output);
    }
    write_program(options.report.output, input.program);
    return ExitStatus::Clean;
  }
  ProgramTextOptions how = options.how;
  if (!options.repro.empty()) {
    input.program = parse_program_text(program_of_node(input.program, options.repro), options.repro);
    how.python = true;
  }
  Document out;
  out.data = report_envelope("show", options.program, "", ExitStatus::Clean);
  out.data["nodes"] = input.program.main().nodes.size();
  std::string comments;
  if (input.pasted) {
    Document read = pasted_report(*input.pasted, false);
    comments = as_comments(plain(read));
    add_keys(out.data, std::move(read.data));
  }
  out.add_code(comments, Document::Kind::Program);
  if (how.table) {
    out.add_part(node_table(input.program));
  } else {
    const std::string text = program_text(input.program, how);
    out.data["text"] = comments + text;
    out.add_code(text, Document::Kind::Program);
  }
  options.report.write(std::move(out));
  return ExitStatus::Clean;
}

}  // namespace

Run add_show_command(CLI::App& app) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* command = app.add_subcommand("show", "The program in ersatz's text form, which every command reads back");
  command
      ->add_option("PROGRAM", options->program,
                   "A .pt2 archive, its model.json, a program in text form, a text with printed graphs or a folder of "
                   "them; - is stdin")
      ->required();
  command->add_option(
      "--graph,--program", options->graph,
      "In a text with several printed graphs, or an archive with several programs: the one with this name");
  command->add_flag("--inline-values", options->how.inline_values,
                    "Put the bytes of weights into the text, so that it needs no other file");
  command->add_flag("--python", options->how.python,
                    "Python for PyTorch instead: one function of torch.ops calls, and its inputs");
  command->add_option("--repro", options->repro,
                      "NODE: only the call that makes this value, as Python for PyTorch with synthetic inputs");
  command->add_flag("--table", options->how.table,
                    "A row for each result instead: name, operator, metadata, bytes, the user's line");
  options->report.add_to(*command);
  command->footer(
      "\n"
      "If the name of the -o file ends with .pt2, the file is an archive, which torch.export.load and every command "
      "read.\n\n"
      "Examples:\n"
      "  ersatz show model.pt2\n"
      "  ersatz show model.pt2 -o model.txt && ersatz crosscheck model.txt\n"
      "  ersatz show model.pt2 --table\n"
      "  ersatz show model.pt2 --python -o model.py && python model.py\n"
      "  ersatz show model.txt -o model.pt2\n\n"
      "Grammar: docs/text-form.md");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
