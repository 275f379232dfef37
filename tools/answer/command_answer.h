// The result of a command before it is written: exit status, text and JSON.
#pragma once

#include <string>

#include "tools/output/document.h"
#include "tools/output/exit_status.h"

namespace ersatz::tools {

struct CommandAnswer {
  ExitStatus status = ExitStatus::Clean;
  Document document;
};

/// Returns the first keys of every command's JSON report. The key `status` is `interrupted` after Ctrl-C, else
/// `status`.
nlohmann::ordered_json report_envelope(std::string_view command, const std::string& input, const std::string& device,
                                       ExitStatus status);

}  // namespace ersatz::tools
