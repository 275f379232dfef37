#include "tools/answer/command_answer.h"

#include "runtime/base/other_devices.h"
#include "tools/output/interrupt.h"

namespace ersatz::tools {

nlohmann::ordered_json report_envelope(std::string_view command, const std::string& input, const std::string& device,
                                       ExitStatus status) {
  const ExitStatus end = interrupted() ? ExitStatus::Interrupted : status;
  nlohmann::ordered_json report = {
      {"format", 1}, {"command", command}, {"input", input}, {"device", device}, {"status", name(end)}};
  for (const OtherDevice& d : other_devices_seen()) report["device_rules"][std::string(d.name)] = name(d.rules);
  return report;
}

}  // namespace ersatz::tools
