#include "tools/answer/command_answer.h"

#include "tools/output/interrupt.h"

namespace ersatz::tools {

nlohmann::ordered_json report_envelope(std::string_view command, const std::string& input, const std::string& device,
                                       ExitStatus status) {
  const ExitStatus end = interrupted() ? ExitStatus::Interrupted : status;
  return {{"format", 1}, {"command", command}, {"input", input}, {"device", device}, {"status", name(end)}};
}

}  // namespace ersatz::tools
