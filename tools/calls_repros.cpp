#include "tools/calls_repros.h"

#include <fmt/format.h>

#include <filesystem>

#include "tools/report_output.h"

namespace ersatz::tools {

namespace {

/// Names come from files: only what is safe in one of ours stays.
std::string safe(std::string_view text) {
  std::string out(text.substr(0, 100));
  for (char& c : out) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_') c = '_';
  }
  return out;
}

}  // namespace

void add_repros(CallsSummary& summary, const CallsOptions& options) {
  for (CallCause& cause : summary.causes) cause.finding.repro = repro_of(cause, options);
}

void write_repros(const CallsSummary& summary, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) fail_argument("{}: the folder cannot be made: {}", folder, failed.message());
  int number = 0;
  for (const CallCause& cause : summary.causes) {
    const std::string base =
        fmt::format("{}/{:04}-{}-{}", folder, ++number, safe(cause.finding.op), name(cause.finding.field));
    if (!cause.record.empty()) write_report(cause.record + "\n", base + ".jsonl");
    if (!cause.finding.repro.empty()) write_report(cause.finding.repro, base + ".ersatz");
  }
}

}  // namespace ersatz::tools
