#include "tools/calls/known_differences.h"

namespace ersatz::tools {
namespace {

constexpr const char* kOfRecords =
#include "record_waivers.inc"
    ;
constexpr const char* kOfPredictions =
#include "prediction_waivers.inc"
    ;
constexpr const char* kOfDevices =
#include "device_waivers.inc"
    ;

}  // namespace

Waivers known_differences(Device device, bool no_real, std::chrono::year_month_day today) {
  Waivers rows;
  const auto add = [&](const char* text, const char* file) { rows.append(Waivers::parse(text, file, today), true); };
  if (device.is_cpu()) {
    add(kOfRecords, "docs/data/record_waivers.txt");
  } else if (no_real) {
    add(kOfPredictions, "docs/data/prediction_waivers.txt");
  } else {
    add(kOfDevices, "docs/data/device_waivers.txt");
  }
  return rows;
}

}  // namespace ersatz::tools
