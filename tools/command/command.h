// Functions that add the commands of `ersatz` to the command line.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tools/output/document.h"
#include "tools/output/exit_status.h"

namespace CLI {
class App;
}

namespace ersatz::tools {

/// The options on the report, which every command has.
struct ReportOptions {
  bool json = false;            ///< `--json` or `--format json`
  std::string format = "text";  ///< `text`, `json`, `html`, `sarif`, `junit` or `model-explorer`
  bool quiet = false;           ///< prints no progress and, for a clean run, only the closing line
  std::string color = "auto";   ///< `auto`, `always` or `never`
  std::string output;           ///< file for the report; empty: stdout

  void add_to(CLI::App& app);
  /// Writes the document in the requested form.
  void write(Document document) const;

 private:
  std::string printed(Document document) const;
};

/// Runs a command line and returns its exit status. An error is printed as one line on stderr; nothing is thrown.
int run_command_line(int argc, const char* const* argv);

using Run = std::function<ExitStatus()>;

// Each function below adds its subcommand to `app`. It returns a function that owns the parsed options and runs the
// command.
Run add_fake_command(CLI::App& app);
Run add_crosscheck_command(CLI::App& app);
Run add_show_command(CLI::App& app);
Run add_ops_command(CLI::App& app);
Run add_propagate_command(CLI::App& app);
Run add_validate_command(CLI::App& app);
Run add_merge_command(CLI::App& app);
Run add_completion_command(CLI::App& app);
Run add_explain_command(CLI::App& app);
Run add_diff_command(CLI::App& app);
Run add_trace_command(CLI::App& app);
Run add_decompose_command(CLI::App& app);
Run add_test_command(CLI::App& app);

}  // namespace ersatz::tools
