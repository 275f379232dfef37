// `ersatz fake`: computes the metadata of every result of a program without data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/answer/command_answer.h"
#include "tools/size_coverage/cover.h"

namespace ersatz::tools {

/// Members have the names of the command's options; `--help` explains them.
struct FakeRequest {
  std::string program;
  std::vector<std::string> plugins, rules, dynamic, groups;
  /// Parsed into `run` once the program has been read, because the program may name a device.
  std::string device, backend, torch;
  FakeRunOptions run;
  int cases = 8;
  bool fixed = false;     ///< `--static`: the program's symbolic sizes are replaced by the example sizes
  bool backward = false;  ///< computes gradients of parameters and inputs too
  std::string loss;       ///< the output that backward starts from; empty: all outputs
};

struct FakeAnswer : CommandAnswer {
  SizeCover cover;               ///< all cases; the first is the run at the example sizes
  std::optional<Error> stopped;  ///< the error that ended the run at the example sizes, with a hint
  bool unknown = false;          ///< operators are missing, so nothing ran; the JSON key `missing` lists them
};

/// Runs `ersatz fake`. RAISES Error if the input cannot be used.
FakeAnswer answer_fake(const FakeRequest& request);
/// Loads the program that the request names from its file again, with symbols for the sizes of `--dynamic`.
Program load_requested(const FakeRequest& request);

}  // namespace ersatz::tools
