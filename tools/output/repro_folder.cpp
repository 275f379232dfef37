#include "tools/output/repro_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "tools/output/report_output.h"
#include "tools/output/torch_snippet.h"

namespace ersatz::tools {

namespace {

/// Makes a safe file name, because names come from files.
std::string safe(std::string_view text) {
  std::string out(text.substr(0, 100));
  for (char& c : out) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_') c = '_';
  }
  return out;
}

}  // namespace

ReproFolder::ReproFolder(std::string folder) : folder_(std::move(folder)) {
  std::error_code failed;
  std::filesystem::create_directories(folder_, failed);
  if (failed) fail_argument("{}: the folder cannot be made: {}", folder_, failed.message());
}

void ReproFolder::add(const Finding& finding, std::string_view record) {
  const std::string base = fmt::format("{}/{:04}-{}-{}", folder_, ++number_, safe(finding.op), name(finding.field));
  if (!record.empty()) write_report(std::string(record) + "\n", base + ".jsonl");
  if (finding.repro.empty()) return;
  write_report(finding.repro, base + ".ersatz");
  if (const std::string python = torch_snippet(finding.repro, finding); !python.empty()) {
    write_report(python, base + ".py");
  }
}

}  // namespace ersatz::tools
