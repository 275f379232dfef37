// `ersatz fake`: metadata of every result of a program, without data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/answer/command_answer.h"
#include "tools/cases/cover.h"

namespace ersatz::tools {

/// Members are named for the options of the command, which says what they mean.
struct FakeRequest {
  std::string program;
  std::vector<std::string> plugins, rules, dynamic, groups;
  std::string device, backend, torch;  ///< read into `run` when the program is known
  FakeRunOptions run;
  int cases = 8;
  bool fixed = false;     ///< `--static`
  bool backward = false;  ///< gradients of parameters and inputs, too
  std::string loss;       ///< the output that backward begins at; empty: all of them
};

struct FakeAnswer : CommandAnswer {
  SizeCover cover;               ///< the first case is the run at the example sizes
  std::optional<Error> stopped;  ///< what ended that run, and what helps against it
  bool unknown = false;          ///< nothing ran: operators are missing, `missing` of the JSON says which
};

/// Input that cannot be used raises Error.
FakeAnswer answer_fake(const FakeRequest& request);
/// The program with its sizes as symbols where the request makes them such, made anew.
Program load_requested(const FakeRequest& request);

}  // namespace ersatz::tools
