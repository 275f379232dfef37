// `ersatz crosscheck`: runs programs with fake and real tensors and compares both, and replays recorded calls.
#pragma once

#include <string>
#include <vector>

#include "tools/answer/command_answer.h"
#include "tools/answer/run_options.h"
#include "tools/calls/replay_files.h"
#include "tools/program/backward_check.h"
#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// Members have the names of the command's options; `--help` explains them.
struct CrosscheckRequest {
  std::string input;  ///< a program, a text with graphs, a file of recorded calls, or a folder of them
  std::string waivers, known_wrong, today, repros, records_csv, symbolic_csv, layouts;
  std::vector<std::string> plugins, dynamic, groups;
  RunTexts run_texts;  ///< parsed into `run` once the input has been read, because the input may name a device
  CrosscheckRunOptions run;
  CallsOptions calls;  ///< selects the recorded calls to replay; `run` has the options that programs use too
  int sizes = 0;
  bool backward = false;  ///< compares gradients too, with the options in `gradients`
  BackwardCheckOptions gradients;
  bool whole_text = false;  ///< findings in the text are not shortened
  bool all_repros = false;  ///< findings of recorded calls come with programs that repeat them
  bool page = false;        ///< the answer includes an HTML page
};

/// The result of `ersatz crosscheck`. The findings of recorded calls are last in `report`, one for each CallCause.
struct CrosscheckAnswer : CommandAnswer {
  Report report;
  std::vector<int64_t> times;  ///< for each finding, how often it occurred; empty: each occurred once
};

/// Runs `ersatz crosscheck`, and writes the files that the request names (repros, tables, layouts). RAISES Error if the
/// input cannot be used. If operators are missing, the status is `unusable` and the JSON key `missing` lists them.
CrosscheckAnswer answer_crosscheck(CrosscheckRequest request);
/// Checks the metadata that a graph in memory records, as of a printed graph. Nested graphs with records are checked
/// too. `input.pasted` has the counts for the report.
CrosscheckAnswer answer_crosscheck(CrosscheckRequest request, ProgramInput input);

}  // namespace ersatz::tools
