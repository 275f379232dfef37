#include "tools/command/command.h"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "runtime/autograd/grad_mode.h"
#include "runtime/base/error.h"
#include "runtime/base/one_line.h"
#include "runtime/base/version.h"
#include "tools/command/help_format.h"
#include "tools/command/parse_error.h"
#include "tools/output/ci_formats.h"
#include "tools/output/html_page.h"
#include "tools/output/interrupt.h"
#include "tools/output/model_explorer.h"
#include "tools/output/progress.h"
#include "tools/output/report_output.h"
#include "tools/output/terminal.h"
#include "tools/program/file_kind.h"
#include "tools/session/session.h"

namespace ersatz::tools {

namespace {
constexpr const char* kDebugging = "Debugging";
}

namespace {

/// Adds the options that concern the Session: timings and debug files.
void add_session_options(CLI::App& app) {
  app.add_flag_callback(
         "--timings", [] { Session::current()->time(true); },
         "Seconds by phase, function and operator: a table on stderr at the end, `timings` in JSON")
      ->group(kDebugging);
  app.add_option_function<std::string>(
         "--timings-csv", [](const std::string& file) { Session::current()->time_into(file); },
         "FILE for the seconds of each function, a row of names and a row of numbers")
      ->group(kDebugging);
  app.add_option_function<std::string>(
         "--debug-dir", [](const std::string& root) { Session::current()->debug_into(root); },
         "FOLDER in which this run gets a folder with debug.log. If the run fails, it also has the failed call as a "
         "record, which `ersatz crosscheck` replays. ERSATZ_DEBUG=1 means --debug-dir ersatz_debug")
      ->group(kDebugging);
}

/// Prints the session's messages after the command. It runs even if the command failed.
void close(Session& session) {
  for (const std::string& path : session.failures()) {
    fmt::print(stderr, "ersatz: the call that failed is kept: `ersatz crosscheck {}` makes it again\n", path);
  }
  if (!session.times()) return;
  const std::string report = session.report();
  if (session.shows_times()) fmt::print(stderr, "{}", report);
  if (!session.times_file().empty()) write_report(session.timings.csv(), session.times_file());
}

}  // namespace

void ReportOptions::add_to(CLI::App& app) {
  CLI::Option* short_form = app.add_flag("--json", json, "Report as one JSON object instead of text: --format json");
  const auto choose = [this](const std::string& name) {
    format = name;
    json = name == "json";
  };
  app.add_option_function<std::string>(
         "--format", choose,
         "Report as text, json, html (a page that needs no network), sarif (SARIF 2.1.0) or "
         "junit (JUnit XML) for CI systems, or model-explorer (node data for Google's "
         "Model Explorer)")
      ->check(CLI::IsMember({"text", "json", "html", "sarif", "junit", "model-explorer"}))
      ->excludes(short_form);
  app.add_option("-o,--output", output, "Write the report to this file, whole or not at all, instead of stdout");
  const auto be_quiet = [this](int64_t) {
    quiet = true;
    silence_progress(true);
  };
  app.add_flag("-q,--quiet", be_quiet, "A run without findings prints only its closing line; no progress");
  app.add_option("--color", color, "Colour: on a terminal unless NO_COLOR is set (auto), always or never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  add_session_options(app);
}

void ReportOptions::write(Document document) const {
  Session* session = Session::current();
  if (session && session->times()) document.data["timings"] = session->json();
  write_report(printed(std::move(document)), output);
}

std::string ReportOptions::printed(Document document) const {
  if (format == "sarif") return sarif_text(document.data);
  if (format == "junit") return junit_text(document.data);
  if (format == "model-explorer") return model_explorer_text(document.data);
  if (json) return json_text(document) + "\n";
  document.make_printable();  // names come from files and may contain control characters
  if (format == "html") return document_page(document);
  if (interrupted()) document.add(Mark::Warning, "interrupted:", "this is what was found until then");
  if (quiet && document.status() == name(ExitStatus::Clean) && !document.closing.empty())
    return document.closing + "\n";
  // A report that goes to a file does not depend on the terminal, so the terminal's width and colours are not used.
  const int to = is_stdout(output) ? STDOUT_FILENO : -1;
  const Color choice = color == "always" ? Color::Always : color == "never" ? Color::Never : Color::Auto;
  return for_terminal(document, columns_of(to), wants_color(choice, to));
}

namespace {

constexpr const char* kDescription =
    "ersatz runs a tensor program with data, as a fake (metadata only), or both at once, and says where they "
    "differ.\n\n"
    "PROGRAM is an exported program (.pt2 archive or its model.json) or ersatz's own text form; it is known by its "
    "content. No Python, no GPU and no\n"
    "driver are needed.";
constexpr const char* kFooter =
    "\nStart here:\n"
    "  ersatz validate --plugin ./my_ops.so           does my op's rule (its fake kernel) predict its kernel?\n"
    "  ersatz validate run.jsonl                      the same of an op of torch.library, as "
    "ersatz.torch.record recorded it\n"
    "  ersatz crosscheck model.pt2                    which op first differs from a real run, in which field, and why\n"
    "  ersatz propagate model.pt2                     where shapes depend on data, and what was seen there\n"
    "  ersatz explain exception.txt                   what an assertion, an opcheck or an export error means, and "
    "whose fault it is\n"
    "  ersatz explain add \"f32[2,3]{1,2}, f32[3]\"    what one call answers, and which operand decides its strides\n"
    "  ersatz fake model.pt2 --device cuda            what a GPU run would make: shapes, strides, peak memory, FLOPs\n"
    "  ersatz decompose training.pt2 -o core.txt      the program without writes, as core operators\n"
    "  ersatz trace model.pt2 --decompositions core   the program as the core operators that it is made of\n"
    "  ersatz show model.pt2                          the program as text\n\n"
    "Exit status: 0 clean, 1 findings or nothing compared, 2 the input cannot be used, 3 a bug of ersatz,\n130 "
    "interrupted by "
    "Ctrl-C, with a report of what was found until then.\n"
    "ERSATZ_LOG=debug shows what happens inside, on stderr. ERSATZ_CUDA_MODULE names another file than the "
    "libersatz_cuda.so beside the library.";

/// Printed by `ersatz` without arguments: for each kind of input that a user may have, the command that reads it.
constexpr const char* kInHand =
    "ersatz predicts what PyTorch operators return (sizes, strides, dtype, aliases), and compares it with real "
    "runs.\n\n"
    "  I have                              I run\n"
    "  a script that uses PyTorch          ersatz crosscheck train.py           with the Python package\n"
    "  an operator of torch.library        ersatz.torch.validate(op, samples)   in Python\n"
    "  an error text of PyTorch            ersatz explain error.txt\n"
    "  a .pt2 archive                      ersatz crosscheck model.pt2\n"
    "  an operator in C++                  ersatz validate --plugin ./my_ops.so\n"
    "  recorded calls                      ersatz validate run.jsonl\n"
    "  any other file                      ersatz FILE                          says what it is\n\n"
    "ersatz --help lists all commands.\n";

/// Handles `ersatz FILE`: prints the kind of the file. nullopt if the command line has another form.
std::optional<ExitStatus> name_file(const CLI::App& app, int argc, const char* const* argv) {
  if (argc != 2 || argv[1][0] == '-') return std::nullopt;
  const std::string path = argv[1];
  if (!app.get_subcommands([&](const CLI::App* command) { return command->get_name() == path; }).empty()) {
    return std::nullopt;
  }
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return std::nullopt;
  const FileKind kind = file_kind(path);
  fmt::print("{}", plain_text(plain(file_kind_report(path, kind))));
  return kind.uses.empty() ? ExitStatus::Unusable : ExitStatus::Clean;
}

int report_error(const Error& e) {
  fmt::print(stderr, "ersatz: {}\n", e.message);
  if (e.kind != ErrorKind::InternalError) return static_cast<int>(ExitStatus::Unusable);
  fmt::print(stderr,
             "ersatz: this is a bug of ersatz {}; please report the line above with the command and its input\n",
             version());
  return static_cast<int>(ExitStatus::Bug);
}

}  // namespace

namespace {

int run_in(Session& session, int argc, const char* const* argv) {
  CLI::App app(kDescription, "ersatz");
  app.footer(kFooter);
  app.set_version_flag("--version", fmt::format("ersatz {} (Python distribution: ersatz-tensors)", version()));
  app.require_subcommand(1);
  app.formatter(help_format(columns_of_help()));
  silence_progress(false);
  Run runs[] = {add_fake_command(app),      add_crosscheck_command(app), add_validate_command(app),
                add_merge_command(app),     add_propagate_command(app),  add_explain_command(app),
                add_diff_command(app),      add_show_command(app),       add_ops_command(app),
                add_trace_command(app),     add_decompose_command(app),  add_test_command(app),
                add_completion_command(app)};
  try {
    if (argc == 1) {
      fmt::print("{}", kInHand);
      return static_cast<int>(ExitStatus::Unusable);
    }
    if (const std::optional<ExitStatus> status = name_file(app, argc, argv)) return static_cast<int>(*status);
    app.parse(argc, argv);
    session.use_environment();
    const RunWatchScope watched(session.watches() ? &session : nullptr);
    const auto& commands = app.get_subcommands({});
    for (size_t i = 0; i < commands.size(); ++i) {
      if (!commands[i]->parsed()) continue;
      const ExitStatus status = runs[i]();
      return static_cast<int>(interrupted() ? ExitStatus::Interrupted : status);
    }
    return static_cast<int>(ExitStatus::Unusable);
  } catch (const Interruption& left_off) {
    fmt::print(stderr, "ersatz: interrupted {}\n", left_off.during);
    return static_cast<int>(ExitStatus::Interrupted);
  } catch (const CLI::ParseError& e) {
    // --help or --version was printed.
    if (e.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(e);
    fmt::print(stderr, "{}\n", parse_error_line(app, e));
    return static_cast<int>(ExitStatus::Unusable);
  } catch (const Error& e) {
    const int status = report_error(e);
    return interrupted() ? static_cast<int>(ExitStatus::Interrupted) : status;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "ersatz: memory is exhausted\n");
    return static_cast<int>(ExitStatus::Unusable);
  } catch (const std::exception& e) {
    fmt::print(
        stderr,
        "ersatz: {}\nersatz: this is a bug of ersatz {}; please report the line above with the command and its input\n",
        e.what(), version());
    return static_cast<int>(ExitStatus::Bug);
  }
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  Session session;
  const SessionScope scope(session);
  const WithoutAutograd ungraded;
  const int status = run_in(session, argc, argv);
  try {
    close(session);
  } catch (const Error& e) {
    return std::max(status, report_error(e));
  }
  return status;
}

}  // namespace ersatz::tools
