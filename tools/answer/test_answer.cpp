#include "tools/answer/test_answer.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "fake/crosscheck/not_clean.h"
#include "runtime/base/count_text.h"
#include "runtime/base/one_line.h"
#include "runtime/op/op_name.h"
#include "tools/answer/run_options.h"
#include "tools/output/interrupt.h"
#include "tools/output/own_calls_json.h"
#include "tools/output/report_output.h"
#include "tracer/pt2/program_file.h"
#include "tracer/records/record_print.h"

namespace ersatz::tools {
namespace {

using Verdict = LineAnswer::Verdict;

struct CallFile {
  std::string path, text;
  std::vector<CallLine> lines;
};

/// The expectations that `--update` writes. The key is the number of the line to change.
using NewExpectations = std::map<int64_t, std::string>;

/// Returns the file's text with `expectations` added or replaced. Comments and all other lines are unchanged.
std::string updated(const CallFile& file, const NewExpectations& expectations) {
  std::string text;
  int64_t number = 0;
  for (size_t at = 0; at < file.text.size();) {
    const size_t end = std::min(file.text.find('\n', at), file.text.size());
    const std::string_view line = std::string_view(file.text).substr(at, end - at);
    const auto found = expectations.find(++number);
    if (found == expectations.end()) {
      text += line;
    } else {
      const auto of_line = [&](const CallLine& l) { return l.number == number; };
      const CallLine& parsed = *std::find_if(file.lines.begin(), file.lines.end(), of_line);
      const size_t call = line.find(parsed.call());
      text += line.substr(0, call + parsed.call().size());
      text += "  " + found->second;
      if (const size_t comment = comment_begin(line); comment < line.size()) text += line.substr(comment);
    }
    if (end < file.text.size()) text += '\n';
    at = end + 1;
  }
  return text;
}

std::vector<LineMode> modes_of(const std::vector<std::string>& names) {
  if (names.empty()) return {LineMode::Cpu, LineMode::Fake, LineMode::Crosscheck, LineMode::Symbols};
  std::vector<LineMode> modes;
  for (const LineMode m : kLineModes)
    if (std::find(names.begin(), names.end(), name(m)) != names.end()) modes.push_back(m);
  return modes;
}

class TestRun {
 public:
  explicit TestRun(const TestRequest& request) : request_(request), modes_(modes_of(request.devices)) {}

  CommandAnswer run() {
    load_plugins(request_.plugins);
    for (const std::string& path : call_files(request_.inputs)) {
      CallFile file{path, read_file(path), {}};
      file.lines = parse_call_lines(file.text, path);
      files_.push_back(std::move(file));
    }
    for (const CallFile& file : files_) run_file(file);
    if (!request_.records.empty()) write_report(records_, request_.records);
    return answer();
  }

 private:
  void run_file(const CallFile& file) {
    NewExpectations expectations;
    for (const CallLine& line : file.lines) {
      if (interrupted()) break;
      if (!is_chosen(line)) continue;
      ++lines_;
      if (line.expects == CallLine::Expects::Nothing) ++blank_;
      if (const auto record = expected_record(line); record && !request_.records.empty())
        records_ += print_call_record(*record) + "\n";
      bool compared = false;
      for (const LineMode mode : modes_) {
        const LineAnswer answer = run_line(line, mode);
        compared |= answer.verdict == Verdict::Agrees || answer.verdict == Verdict::Differs;
        note(line, mode, answer);
        if (request_.update && mode == modes_.front()) update(line, answer, expectations);
      }
      if (!compared && line.expects != CallLine::Expects::Nothing) ++unjudged_;
    }
    if (expectations.empty()) return;
    write_report(updated(file, expectations), file.path);
    written_ += static_cast<int64_t>(expectations.size());
  }

  bool is_chosen(const CallLine& line) const {
    return request_.only.empty() || std::any_of(request_.only.begin(), request_.only.end(),
                                                [&](const auto& name) { return op_name_means(name, line.record.op); });
  }

  void note(const CallLine& line, LineMode mode, const LineAnswer& answer) {
    bugs_ |= answer.bug;
    if (answer.verdict == Verdict::Skipped) {
      ++skipped_;
      ++whys_[fmt::format("{}: {}", name(mode), answer.why.substr(0, answer.why.find(':')))];
    }
    if (answer.verdict == Verdict::Agrees || answer.verdict == Verdict::Differs) ++compared_[std::string(name(mode))];
    if (answer.verdict != Verdict::Differs) return;
    ++failed_;
    const LineDifference& first = answer.differences.front();
    body_.add(Mark::Finding, line.where + ":",
              fmt::format("{}: {}, {}: expected {}, got {}", name(mode), first.about, first.field,
                          one_line(first.expected), one_line(first.got)));
    body_.add(Document::Kind::Below, "call:     " + one_line(line.call()));
    const bool own = mode == LineMode::Cpu || mode == LineMode::Fake;
    if (own && !line.expectation().empty())
      body_.add(Document::Kind::Below, "expected: " + one_line(line.expectation()));
    if (own && !answer.got.empty()) body_.add(Document::Kind::Below, "got:      " + one_line(answer.got));
    for (const LineDifference& d : answer.differences) {
      findings_.push_back({{"node", line.where},
                           {"op", line.record.op},
                           {"device", name(mode)},
                           {"result", d.about},
                           {"field", d.field},
                           {"expected", d.expected},
                           {"got", d.got},
                           {"call", line.call()}});
    }
  }

  void update(const CallLine& line, const LineAnswer& answer, NewExpectations& to) {
    if (answer.got.empty() || answer.bug) return;
    if (line.expects == CallLine::Expects::Nothing) {
      to[line.number] = answer.got;
      return;
    }
    if (answer.verdict != Verdict::Differs) return;
    if (!request_.overwrite) {
      ++kept_;
      return;
    }
    body_.add(Document::Kind::Below, "written over it: " + one_line(answer.got));
    to[line.number] = answer.got;
  }

  CommandAnswer answer() {
    int64_t compared = 0;
    std::string by_mode;
    for (const LineMode m : modes_) {
      const int64_t n = compared_[std::string(name(m))];
      compared += n;
      by_mode += fmt::format("{}{} {}", by_mode.empty() ? "" : ", ", name(m), n);
    }
    CommandAnswer answer;
    const bool blank_left = blank_ > 0 && !request_.update;
    answer.status = bugs_                                                         ? ExitStatus::Bug
                    : failed_ > 0 || compared == 0 || blank_left || unjudged_ > 0 ? ExitStatus::Findings
                                                                                  : ExitStatus::Clean;
    Document& d = answer.document;
    d.add(std::move(body_));
    for (const auto& [why, n] : whys_) d.add(Document::Kind::Top, fmt::format("skipped {}: {}", n, one_line(why)));
    if (blank_left)
      d.add(Document::Kind::Top, fmt::format("{} no results: --update writes what the call returns",
                                             blank_ == 1 ? "1 line expects" : fmt::format("{} lines expect", blank_)));
    if (unjudged_ > 0)
      d.add(Document::Kind::Top, fmt::format("compared with nothing: {}", count_of(unjudged_, "line")));
    if (written_ > 0) d.add(Document::Kind::Top, fmt::format("written: {}", count_of(written_, "line")));
    if (kept_ > 0)
      d.add(Document::Kind::Top, fmt::format("left as written, though the call returns something else: {}; --overwrite "
                                             "replaces what a line expects",
                                             count_of(kept_, "line")));
    const std::string why = unjudged_ > 0   ? count_of(unjudged_, "line") + " compared with nothing"
                            : blank_left    ? count_of(blank_, "line") + " without expected results"
                            : compared == 0 ? "nothing was compared"
                                            : "";
    d.closing = with_reason(fmt::format("test: {}, {} compared ({}), {} failed, {} skipped", count_of(lines_, "line"),
                                        compared, by_mode, failed_, skipped_),
                            failed_ == 0 ? why : "");
    std::string input;
    for (const std::string& i : request_.inputs) input += (input.empty() ? "" : " ") + i;
    d.data = report_envelope("test", input, "", answer.status);
    if (failed_ == 0) mark_not_clean(d.data, why);
    std::string device;
    for (const LineMode m : modes_) device += (device.empty() ? "" : ",") + std::string(name(m));
    d.data["device"] = device;
    d.data["lines"] = lines_;
    d.data["compared"] = compared;
    d.data["failed"] = failed_;
    d.data["skipped"] = whys_;
    d.data["expect_nothing"] = blank_;
    d.data["unjudged_lines"] = unjudged_;
    d.data["written"] = written_;
    d.data["findings"] = findings_;
    return answer;
  }

  const TestRequest& request_;
  const std::vector<LineMode> modes_;
  std::vector<CallFile> files_;
  int64_t lines_ = 0, blank_ = 0, unjudged_ = 0, failed_ = 0, skipped_ = 0, written_ = 0, kept_ = 0;
  bool bugs_ = false;
  std::map<std::string, int64_t> compared_, whys_;
  Document body_;
  std::string records_;
  nlohmann::ordered_json findings_ = nlohmann::ordered_json::array();
};

}  // namespace

std::vector<std::string> call_files(const std::vector<std::string>& inputs) {
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    std::error_code failed;
    if (!std::filesystem::is_directory(input, failed)) {
      files.push_back(input);
      continue;
    }
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(input))
      if (entry.is_regular_file() && entry.path().extension() == ".calls") found.push_back(entry.path().string());
    if (found.empty()) fail_argument("{}: no file there has a name that ends in .calls", input);
    std::sort(found.begin(), found.end());
    std::move(found.begin(), found.end(), std::back_inserter(files));
  }
  return files;
}

CommandAnswer answer_test(const TestRequest& request) { return TestRun(request).run(); }

}  // namespace ersatz::tools
