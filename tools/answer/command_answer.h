// What a command answers, in each form, before it is written anywhere.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/output/document.h"
#include "tools/output/exit_status.h"

namespace ersatz::tools {

struct CommandAnswer {
  ExitStatus status = ExitStatus::Clean;
  Document document;
  nlohmann::ordered_json json;
  std::function<std::string()> page;  ///< as HTML, where there is one
};

/// The first keys of every JSON report. An interrupted run says so, whatever `status` is.
nlohmann::ordered_json report_envelope(std::string_view command, const std::string& input, const std::string& device,
                                       ExitStatus status);

}  // namespace ersatz::tools
