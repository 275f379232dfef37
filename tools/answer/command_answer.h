// What a command answers, before it is written anywhere.
#pragma once

#include <string>

#include "tools/output/document.h"
#include "tools/output/exit_status.h"

namespace ersatz::tools {

struct CommandAnswer {
  ExitStatus status = ExitStatus::Clean;
  Document document;
};

/// The first keys of every report's data. An interrupted run says so, whatever `status` is.
nlohmann::ordered_json report_envelope(std::string_view command, const std::string& input, const std::string& device,
                                       ExitStatus status);

}  // namespace ersatz::tools
