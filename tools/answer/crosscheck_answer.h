// `ersatz crosscheck`: programs fake and for real side by side, recorded calls replayed.
#pragma once

#include <string>
#include <vector>

#include "tools/answer/command_answer.h"
#include "tools/answer/run_options.h"
#include "tools/calls/replay_files.h"
#include "tools/program/backward_check.h"
#include "tools/program/crosscheck_run.h"

namespace ersatz::tools {

/// Members are named for the options of the command, which says what they mean.
struct CrosscheckRequest {
  std::string input;  ///< a program, a text with graphs, a file of recorded calls, or a folder of them
  std::string waivers, known_wrong, today, repros, records_csv, symbolic_csv, layouts;
  std::vector<std::string> plugins, dynamic, groups;
  RunTexts run_texts;  ///< read into `run` when the input is known
  CrosscheckRunOptions run;
  CallsOptions calls;  ///< which recorded calls, and how; `run` says the rest
  int sizes = 0;
  bool backward = false;  ///< gradients too, as the next says
  BackwardCheckOptions gradients;
  bool whole_text = false;  ///< no finding is cut in the text
  bool all_repros = false;  ///< findings of recorded calls come with their programs
  bool page = false;        ///< the answer has one
};

/// The answer with the tally and the findings that its document tells of. Those of recorded calls come last, one for
/// each cause.
struct CrosscheckAnswer : CommandAnswer {
  Report report;
  std::vector<int64_t> times;  ///< of each finding; empty: once each
};

/// Writes what the request asks to be written beside the report (repros, tables, layouts). Input that cannot be used
/// raises Error; where operators are missing, the status says `unusable`, and `missing` of the JSON which.
CrosscheckAnswer answer_crosscheck(CrosscheckRequest request);

}  // namespace ersatz::tools
