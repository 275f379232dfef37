// The commands of `ersatz`. Each adds its options to the command line and returns how it ended.
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

/// What every command takes.
struct ReportOptions {
  bool json = false;            ///< `--json` or `--format json`
  std::string format = "text";  ///< `text`, `json`, `html`, `sarif`, `junit` or `model-explorer`
  bool quiet = false;           ///< of a clean run the closing line only, and no progress
  std::string color = "auto";   ///< `auto`, `always` or `never`
  std::string output;           ///< file of the report; empty: stdout

  void add_to(CLI::App& app);
  /// Writes the document in the form that was asked for.
  void write(Document document) const;

 private:
  std::string printed(Document document) const;
};

/// Runs a command line. Errors are reported on stderr as one line each; nothing passes out but the exit status.
int run_command_line(int argc, const char* const* argv);

using Run = std::function<ExitStatus()>;

// Each adds its subcommand to `app` and returns the function to run when it was chosen; the options live as long as
// that function.
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
