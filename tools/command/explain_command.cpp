// `ersatz explain`: explains the results of one call on each device, or a pasted error text.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runtime/op/recorded_layout.h"
#include "tools/answer/command_answer.h"
#include "tools/answer/run_options.h"
#include "tools/command/command.h"
#include "tools/explain/explained_call.h"
#include "tools/explain/known_answers.h"
#include "tools/explain/text_answer.h"
#include "tools/output/interrupt.h"
#include "tools/output/open_strides.h"
#include "tools/output/report_output.h"
#include "tools/program/file_kind.h"
#include "tools/program/program_input.h"
#include "tracer/archive/input_file.h"
#include "tracer/messages/message_kind.h"

namespace ersatz::tools {

namespace {

struct ExplainOptions {
  ReportOptions report;
  std::string op, arguments, records, model;
  std::vector<std::string> more, errors, backends, plugins;
  /// The operator, its arguments and the files of `--error`, as one list.
  std::vector<std::string> words() const {
    std::vector<std::string> all;
    if (!op.empty()) all.push_back(op);
    if (!arguments.empty()) all.push_back(arguments);
    all.insert(all.end(), more.begin(), more.end());
    all.insert(all.end(), errors.begin(), errors.end());
    return all;
  }
};

std::string explained_list(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& w : words) list += (list.empty() ? "" : ", ") + w;
  return list;
}

/// The devices to explain: the CPU, an unknown GPU, and GPU models for which PyTorch's libraries choose different
/// layouts.
std::vector<AskedDevice> asked_devices(const std::vector<std::string>& backends) {
  std::vector<AskedDevice> devices = {{"cpu", kCPU, {}}, {"cuda", resolve(*parse_device("cuda")), {}}};
  const std::vector<std::string> usual = {"sm_80,cudnn=91900", "sm_90,cudnn=91900", "sm_100,cudnn=91900"};
  for (const std::string& text : backends.empty() ? usual : backends) {
    devices.push_back({"cuda " + text, devices[1].device, backend_option(text)});
  }
  return devices;
}

/// The folder or file to search for recorded calls; empty if there is none.
std::string records_path(const ExplainOptions& options) {
  if (!options.records.empty()) return options.records;
  const char* data = std::getenv("ERSATZ_DATA");
  const std::string folder = data && *data ? std::string(data) + "/conformance" : "";
  std::error_code ignored;
  return std::filesystem::is_directory(folder, ignored) ? folder : "";
}

std::string names_of(const ExplainedAnswer& a) {
  std::vector<std::string> names;
  for (const AskedDevice& d : a.devices) names.push_back(d.name);
  return explained_list(names);
}

nlohmann::ordered_json result_row(const ExplainedResult& r) {
  nlohmann::ordered_json row = {
      {"meta", r.meta}, {"memory", r.memory}, {"decided_by", r.decided_by}, {"strides", r.strides}, {"dtype", r.dtype}};
  if (r.by_backend) row["strides_by_backend"] = true;
  return row;
}

/// Adds the lines of an answer, and a row to the JSON key `answers`.
void add_answer(const ExplainedAnswer& a, Document& out) {
  using Json = nlohmann::ordered_json;
  Json& row = out.data["answers"].emplace_back(Json::object());
  Json& devices = row["devices"] = Json::array();
  for (const AskedDevice& d : a.devices) devices.push_back(d.name);
  row["error"] = a.error.empty() ? Json() : Json(a.error);
  row["source"] = a.source;
  Json results = Json::array();
  for (const ExplainedResult& r : a.results) results.push_back(result_row(r));
  row["results"] = std::move(results);
  row["writes"] = a.writes;
  row["conditions"] = a.conditions;
  out.add(names_of(a) + ":");
  if (!a.error.empty()) return out.add_term(a.needs_data ? "known only with data" : "refused", a.error);
  for (size_t k = 0; k < a.results.size(); ++k) {
    const ExplainedResult& r = a.results[k];
    const std::string meta = r.by_backend ? with_open_strides(r.meta) : r.meta;
    if (a.results.size() == 1) {
      out.add(Document::Kind::Below, meta);
    } else {
      out.add_term(fmt::format("result {}", k), meta);
    }
    if (!r.strides.empty()) out.add(Document::Kind::Code, "strides  " + r.strides);
    if (!r.dtype.empty()) out.add(Document::Kind::Code, "dtype    " + r.dtype);
    if (!r.memory.empty()) out.add(Document::Kind::Code, "memory   " + r.memory);
  }
  if (a.results.empty()) out.add(Document::Kind::Below, "no result");
  if (!a.writes.empty()) out.add(Document::Kind::Below, "writes " + explained_list(a.writes));
  for (const std::string& c : a.conditions) out.add(Document::Kind::Below, c);
  out.add(Document::Kind::Below, "answered by " + a.source);
}

/// Adds the lines on the outcomes that were recorded with PyTorch, and the JSON key `pytorch`.
void add_known(const std::vector<KnownAnswer>& known, const std::string& records, Document& out) {
  using Json = nlohmann::ordered_json;
  Json& rows = out.data["pytorch"] = Json::array();
  if (records.empty()) return out.add("PyTorch: unknown: no recorded calls are at hand (--records FILE|DIR)\n");
  if (known.empty() && interrupted())
    return out.add(fmt::format("PyTorch: unknown: not all of {} was read\n", records));
  if (known.empty()) return out.add(fmt::format("PyTorch: unknown: {} has no call with these arguments\n", records));
  for (const KnownAnswer& k : known) {
    rows.push_back({{"record", k.id},
                    {"file", k.file},
                    {"eager", k.eager},
                    {"fake", k.fake},
                    {"cuda_fake", k.cuda_fake.empty() ? Json() : Json(k.cuda_fake)}});
    out.add(fmt::format("PyTorch, as {} recorded it:", k.id));
    out.add_term("eager on the cpu", k.eager);
    out.add_term("its fake on the cpu", k.fake == k.eager ? "the same" : k.fake);
    out.add_term("its fake on cuda", k.cuda_fake.empty() ? "the same, but for the device" : k.cuda_fake);
  }
}

/// Searches `records` for the call and returns its recorded outcomes; empty if Ctrl-C interrupted the search.
std::vector<KnownAnswer> look_up(const std::string& records, const ExplainedCall& call) {
  if (records.empty() || interrupted()) return {};
  try {
    const std::vector<std::string> files = inputs_below(records).call_records;
    if (files.empty()) fail_argument("{}: there are no recorded calls", records);
    return known_answers(files, *call.op, call.call);
  } catch (const Error&) {
    if (!interrupted()) throw;
    return {};
  }
}

bool is_text_file(const std::string& path) {
  std::error_code ignored;
  return path == "-" || (std::filesystem::exists(path, ignored) && !std::filesystem::is_directory(path, ignored));
}

/// True if every word of the command line names a file. Then `explain` reads error texts from them.
bool asks_about_texts(const ExplainOptions& options) {
  const std::vector<std::string> words = options.words();
  return std::all_of(words.begin(), words.end(), is_text_file);
}

NamedText read_named(const std::string& path) {
  NamedText text{path, {}};
  const InputFile file = open_input(path);
  char block[1 << 16];
  for (size_t n = std::fread(block, 1, sizeof block, file.get()); n;
       n = std::fread(block, 1, sizeof block, file.get())) {
    text.text.append(block, n);
    if (text.text.size() > kMaxMessageBytes) break;  // explain_texts reports that the text is too long
  }
  return text;
}

/// Replaces `MODULE:NAME` in the suggested commands by the user's model, if --model names it.
void name_model(std::vector<std::string>& next, const std::string& model) {
  constexpr std::string_view kAny = "MODULE:NAME";
  for (std::string& line : next) {
    const size_t at = line.find(kAny);
    if (at != line.npos) line.replace(at, kAny.size(), model);
  }
}

/// Adds the lines of an explained text, and a row to the JSON key `texts`.
void add_answer(const TextAnswer& a, Document& out) {
  nlohmann::ordered_json json = {{"kind", a.kind->id},
                                 {"file", a.file},
                                 {"line", a.line},
                                 {"verdict", name(a.verdict)},
                                 {"fake_wrong", a.fake_wrong ? nlohmann::ordered_json(*a.fake_wrong) : nullptr},
                                 {"summary", a.summary}};
  json.update(a.json);
  nlohmann::ordered_json& facts = json["facts"] = nlohmann::ordered_json::array();
  if (!out.empty()) out.add("\n");
  out.add(a.summary);
  const auto row = [&](std::string_view label, const std::string& text) {
    if (!text.empty()) out.add_term(label, text, 11);
  };
  row("read", fmt::format("{}, line {} of {}", a.kind->name, a.line, a.file));
  for (const auto& [label, text] : a.facts) {
    row(label, text);
    facts.push_back({{"label", label}, {"text", text}});
  }
  for (const std::string& line : a.next) row("next", line);
  json["next"] = a.next;
  out.data["texts"].push_back(std::move(json));
}

ExitStatus run_on_texts(const ExplainOptions& options) {
  std::vector<NamedText> texts;
  for (const std::string& path : options.words()) texts.push_back(read_named(path));
  std::vector<TextAnswer> answers = explain_texts(texts);
  if (answers.empty()) {
    const FileKind kind = file_kind(texts[0].name);
    fail_argument(
        "{}: no error text that ersatz knows{}; it explains {}", texts[0].name,
        kind.name.empty() ? "" : fmt::format(": it is {}", kind.name),
        "assertions of compiled code, reports of opcheck, errors of torch.export, reports of draft_export and "
        "of torch.onnx.export, and generated code");
  }
  if (!options.model.empty()) {
    for (TextAnswer& a : answers) name_model(a.next, options.model);
  }
  const bool clean = std::all_of(answers.begin(), answers.end(), [](const TextAnswer& a) {
    return a.verdict == TextVerdict::NothingFound || a.verdict == TextVerdict::CheckerLimit;
  });
  const ExitStatus status = clean ? ExitStatus::Clean : ExitStatus::Findings;
  Document text;
  text.data = report_envelope("explain", texts[0].name, "", status);
  for (const TextAnswer& a : answers) add_answer(a, text);
  options.report.write(std::move(text));
  return status;
}

ExitStatus run(const ExplainOptions& options) {
  require_writable(options.report.output);
  const bool asks_about_errors = !options.errors.empty();
  if (options.op.empty() && !asks_about_errors) fail_argument("explain: OP or a file with an error text is required");
  if (!options.model.empty() && options.model.find(':') == options.model.npos)
    fail_argument("--model {}: a module, a colon and a name are needed, as in model.py:make_model", options.model);
  for (const std::string& path : options.errors) {
    if (!is_text_file(path)) fail_argument("{}: no such file", path);
  }
  if (asks_about_texts(options)) return run_on_texts(options);
  if (asks_about_errors)
    fail_argument("--error {}: it does not go with the operator {}", options.errors[0], options.op);
  if (!options.model.empty()) fail_argument("--model {}: it is for an error text", options.model);
  const std::vector<std::string> words = options.words();
  const std::string& other = *std::find_if_not(words.begin(), words.end(), is_text_file);
  const bool like_a_path = other.find_first_of("./") != other.npos && other.find_first_of("[(, ") == other.npos;
  if (is_text_file(words[0]) && like_a_path) fail_argument("{}: no such file", other);
  if (options.arguments.empty() || !options.more.empty()) {
    fail_argument("explain {}: {}", options.op,
                  options.arguments.empty() ? "no such file, and as an operator it needs its ARGUMENTS in one word"
                                            : "the ARGUMENTS of an operator are one word: put them into quotes");
  }
  load_plugins(options.plugins);
  const ExplainedCall call = explain_call(options.op, options.arguments, asked_devices(options.backends));
  const std::string records = records_path(options);
  const std::vector<KnownAnswer> known = look_up(records, call);
  const bool refused = std::all_of(call.answers.begin(), call.answers.end(), [](auto& a) { return !a.error.empty(); });
  const ExitStatus status = refused ? ExitStatus::Findings : ExitStatus::Clean;
  Document text = call.call;
  text.data = report_envelope("explain", options.op, "", status);
  text.data["op"] = call.op->name;
  text.data["call"] = call.call;
  text.data["schema"] = to_string(call.op->schema);
  text.data["also"] = call.others;
  text.add(Document::Kind::Below, to_string(call.op->schema));
  if (!call.others.empty()) text.add(Document::Kind::Below, "also taken by " + explained_list(call.others));
  for (const ExplainedAnswer& a : call.answers) add_answer(a, text);
  add_known(known, records, text);
  options.report.write(std::move(text));
  return status;
}

}  // namespace

Run add_explain_command(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain",
      "Shows what one call returns on the cpu and on GPUs, and which operand decides its strides; or says of an error "
      "text what went wrong and where");
  command->add_option(
      "OP", options->op,
      "An operator: add, aten.add.Tensor. Without an overload, the one that fits best. Or a file with an "
      "error text: an assertion of compiled code, a report of opcheck, an error of torch.export; - is stdin");
  command
      ->add_option("--error", options->errors,
                   "A file with an error text, as in place of OP; may be given several times")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      ->add_option("--model", options->model,
                   "With an error text of torch.export: the model of the error, for the command in the answer that "
                   "looks for a fix")
      ->type_name("MODULE:NAME");
  command->add_option("ARGUMENTS", options->arguments,
                      "Its arguments in one word: \"f32[2,3]{1,2}, f32[3], alpha=2\". Tensors are "
                      "dtype[sizes]{strides}; strides left out are row-major. Sizes may be symbols: \"f32[s0,4], "
                      "f32[5,4]\". With an error text: another file, like the generated code of the error");
  command->add_option("MORE", options->more, "With an error text: more files, like the graph");
  command
      ->add_option("--backend", options->backends,
                   "A GPU for the answer, like sm_90 or sm_90,cudnn=91900; may be given several times. Default: sm_80, "
                   "sm_90 and sm_100 with cudnn=91900")
      ->allow_extra_args(false);
  command->add_option("--records", options->records,
                      "FILE or DIR of recorded calls (docs/call-records.md), to look for PyTorch's result. Default: "
                      "$ERSATZ_DATA/conformance");
  command->add_option("--plugin", options->plugins, "A shared library with operators of your own (docs/plugins.md)");
  options->report.add_to(*command);
  command->footer(
      "\n"
      "No kernel runs and no GPU is needed: the operator's rule predicts the result for each device. An operand "
      "decides the strides if a change of its layout alone changes them. PyTorch's result is known if a recorded call "
      "has exactly these arguments; otherwise the report says unknown.\n\n"
      "The first line about an error text says what differs and whose fault it is. Nothing in the text is executed.\n\n"
      "Exit status: 0 a device has a result, 1 every device refuses, 2 unknown operator, or arguments that it does not "
      "take. For a text: 1 an error, 0 a report without one, 2 nothing in it is recognised.\n\n"
      "Examples:\n"
      "  ersatz explain exception.txt output_code.py\n"
      "  python train.py 2>&1 | ersatz explain -\n"
      "  ersatz explain add \"f32[2,3]{1,2}, f32[3]\"\n"
      "  ersatz explain aten.cat.default \"[f32[2,3]{1,2}, f32[2,3]], 1\"\n"
      "  ersatz explain scaled_dot_product_attention \"f16[2,8,128,64], f16[2,8,128,64], f16[2,8,128,64]\" --backend "
      "sm_90,cudnn=91900\n"
      "  ersatz explain mul \"i64[3], f32[]\" --records tests/conformance");
  return [options] { return run(*options); };
}

}  // namespace ersatz::tools
