// change_records: does crosscheck notice a wrong field of a recorded call, and do its repros show the finding again?
//
//   change_records RECORDS... [--seed S] [--every N] [--work FOLDER] [--verbose]
//
// For each overload, one field is changed (record_change.h) in at least one record with results and in one with an
// error, and in one of N of the other records. A record is used only if it passes without the change. After the change
// there must be a finding in that field, or one of a few reasons why there can be none. Then `ersatz crosscheck` runs
// on the changed records of a file: with text output, with JSON, and with --repros. Each file that --repros writes is
// run again, and must show the same finding: operator and field.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "runtime/op/behind_values.h"
#include "runtime/op/registry.h"
#include "runtime/tensor/allocator.h"
#include "tests/record_mutation/record_change.h"
#include "tools/calls/replay.h"
#include "tools/command/command.h"
#include "tools/output/crash_note.h"

using namespace ersatz;
using namespace ersatz::tools;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kFaultsShown = 40;

struct Options {
  std::vector<std::string> records;
  uint64_t seed = 0;
  int64_t every = 1;
  std::string work;
  bool verbose = false;
};

struct Counts {
  int64_t changed = 0, found = 0, records_shown = 0, programs_shown = 0, causes = 0;
  std::array<int64_t, kExcuseCount> excused{};
};

class Checker {
 public:
  explicit Checker(const Options& options) : options_(options), random_(options.seed) {}

  void file(const fs::path& path);
  /// Returns true if no change was missed.
  bool finish() const;

 private:
  RecordAnswer replay_line(const std::string& line, const std::string& where);
  void change(const std::string& line, const Json& record, const std::string& where);
  void judge(const ChangedRecord& changed, const RecordAnswer& answer, const std::string& where);
  void report(const std::string& where);
  void read_back(const std::string& base, const std::string& op, const std::string& field);
  Json run(const std::vector<std::string>& arguments);
  void fault(const std::string& words) {
    if (++faults_ <= kFaultsShown) std::printf("%s\n", words.c_str());
  }

  const Options& options_;
  Random random_;
  Crosscheck engine_;
  std::map<std::string, int64_t> seen_;  // number of records so far, by overload and whether the call raised
  std::set<std::string> changed_ops_;
  int64_t records_ = 0, unusable_ = 0;
  std::map<Change, Counts> counts_;
  std::map<std::string, Counts> fields_;  // number of causes by field
  std::string found_lines_;               // the findings of a file, as lines
  int64_t found_here_ = 0;
  int64_t faults_ = 0;
};

RecordAnswer Checker::replay_line(const std::string& line, const std::string& where) {
  const CallRecord record = parse_call_record(line, where);
  const OpEntry* op = registry().find(record.op);
  RecordAnswer missing;
  missing.verdict = Verdict::Missing;
  if (!op || op->name != record.op) return missing;
  const CrashNote note(where + " " + record.id);
  RecordAnswer answer = replay(engine_, *op, record, {});
  engine_.take_report();
  return answer;
}

void Checker::file(const fs::path& path) {
  const AllocationLimit limit(kMostCallBytes);
  std::ifstream in(path);
  std::string line;
  found_lines_.clear();
  found_here_ = 0;
  for (int64_t number = 1; std::getline(in, line); ++number) {
    if (line.empty()) continue;
    const Json record = Json::parse(line);
    const std::string op = record.at("op");
    const std::string kind = op + (record.contains("err") ? " raises" : " answers");
    if (seen_[kind]++ > 0 && random_() % static_cast<uint64_t>(options_.every) != 0) continue;
    const std::string where = path.string() + ":" + std::to_string(number);
    if (replay_line(line, where).verdict == Verdict::Passed) {
      change(line, record, where);
      changed_ops_.insert(op);
    } else {
      ++unusable_;
      --seen_[kind];  // so the next record of this kind is tried
    }
  }
  if (found_here_ > 0) report(path.string());
}

void Checker::change(const std::string& line, const Json& record, const std::string& where) {
  const auto first = random_();
  for (int i = 0; i < kChangeCount; ++i) {
    const auto kind = static_cast<Change>((first + static_cast<uint64_t>(i)) % kChangeCount);
    const auto changed = change_record(record, kind, random_);
    if (!changed) continue;
    const std::string text = changed->record.dump();
    if (text == line) continue;
    ++records_;
    RecordAnswer answer;
    try {
      answer = replay_line(text, where);
    } catch (const Error& e) {
      return fault(where + ": the changed record is refused: " + e.message);
    }
    judge(*changed, answer, where);
    if (answer.verdict != Verdict::Failed) return;
    found_lines_ += text + "\n";
    ++found_here_;
    return;
  }
}

/// Returns whether PyTorch may raise the error of the changed record, according to the label of ersatz's refusal.
bool is_behind_values(const RecordAnswer& answer, const Json& changed, const std::string& where) {
  if (!changed.contains("err")) return false;
  const CallRecord record = parse_call_record(changed.dump(), where);
  Error refusal(ErrorKind::InvalidArgument, ErrorFamily::Runtime, "");
  refusal.label = answer.refusal;
  return anything_may_happen(refusal) || values_may_raise(refusal, record.outcome.family());
}

void Checker::judge(const ChangedRecord& changed, const RecordAnswer& answer, const std::string& where) {
  Counts& counts = counts_[changed.change];
  ++counts.changed;
  const std::string what =
      where + " " + changed.record.at("op").get<std::string>() + ": " + name(changed.change) + ": " + changed.words;
  if (options_.verbose) std::printf("%s: %zu findings\n", what.c_str(), answer.findings.size());
  if (answer.verdict == Verdict::Failed) {
    const auto fits = [&](const Finding& f) {
      return std::find(changed.fields.begin(), changed.fields.end(), name(f.field)) != changed.fields.end();
    };
    if (std::any_of(answer.findings.begin(), answer.findings.end(), fits)) {
      ++counts.found;
    } else {
      fault(what + ": found as " + to_string(answer.findings.at(0)));
    }
  } else if (changed.excuse != Excuse::None) {
    ++counts.excused[static_cast<size_t>(changed.excuse)];
  } else if (is_behind_values(answer, changed.record, where)) {
    ++counts.excused[static_cast<size_t>(Excuse::BehindValues)];
  } else {
    fault(what + ": not noticed" + (answer.why.empty() ? "" : " (skipped: " + answer.why + ")"));
  }
}

/// Runs the command and returns its JSON report.
Json Checker::run(const std::vector<std::string>& arguments) {
  std::vector<const char*> argv = {"ersatz", "crosscheck", "--waivers", "none"};
  for (const std::string& a : arguments) argv.push_back(a.c_str());
  const std::string file = options_.work + "/report";
  for (const char* more : {"-o", file.c_str()}) argv.push_back(more);
  fs::remove(file);
  const int status = run_command_line(static_cast<int>(argv.size()), argv.data());
  std::ifstream in(file);
  if (status != 1 || !in) {
    fault(arguments[0] + ": the command ends with " + std::to_string(status));
    return {};
  }
  return Json::parse(in, nullptr, false);
}

void Checker::report(const std::string& where) {
  const std::string records = options_.work + "/changed.jsonl", repros = options_.work + "/repros";
  std::ofstream(records) << found_lines_;
  fs::remove_all(repros);
  run({records});  // with text output
  const Json report = run({records, "--json", "--repros", repros});
  if (report.is_null()) return;
  if (report["calls"]["records"]["failed"] != found_here_)
    fault(where + ": the command finds another number of records");
  const Json& causes = report["calls"]["causes"];
  for (size_t i = 0; i < causes.size(); ++i) {
    const std::string op = causes[i]["op"], field = causes[i]["field"];
    char number[32];
    std::snprintf(number, sizeof number, "/%04zu-", i + 1);
    ++fields_[field].causes;
    read_back(repros + number + op + "-" + field, op, field);
  }
}

void Checker::read_back(const std::string& base, const std::string& op, const std::string& field) {
  const auto shows = [&](const std::string& file) {
    const Json again = run({file, "--json"});
    if (again.is_null()) return false;
    const Json& findings = again["findings"];
    return std::any_of(findings.begin(), findings.end(),
                       [&](const Json& f) { return f["op"] == op && f["field"] == field; });
  };
  Counts& counts = fields_[field];
  if (shows(base + ".jsonl"))
    ++counts.records_shown;
  else
    fault(base + ".jsonl: does not show the finding");
  if (!fs::exists(base + ".ersatz")) return;
  if (shows(base + ".ersatz"))
    ++counts.programs_shown;
  else
    fault(base + ".ersatz: does not show the finding");
}

bool Checker::finish() const {
  for (const auto& [change, c] : counts_) {
    std::printf("%-8s %7lld changed, %7lld found", name(change), static_cast<long long>(c.changed),
                static_cast<long long>(c.found));
    for (int e = 1; e < kExcuseCount; ++e) {
      if (const auto n = c.excused[static_cast<size_t>(e)])
        std::printf(", %lld %s", static_cast<long long>(n), name(static_cast<Excuse>(e)));
    }
    std::printf("\n");
  }
  for (const auto& [field, c] : fields_) {
    std::printf("%-8s %7lld causes, shown again by %lld records and %lld programs\n", field.c_str(),
                static_cast<long long>(c.causes), static_cast<long long>(c.records_shown),
                static_cast<long long>(c.programs_shown));
  }
  std::printf(
      "change_records: seed %llu, %lld records of %zu overloads changed, %lld do not pass as they are, %lld faults\n",
      static_cast<unsigned long long>(options_.seed), static_cast<long long>(records_), changed_ops_.size(),
      static_cast<long long>(unusable_), static_cast<long long>(faults_));
  return records_ > 0 && faults_ == 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("one field of each recorded call changed: is it noticed, and does the report hold?");
  app.add_option("RECORDS", options.records, "files of recorded calls, or folders of them")->required();
  app.add_option("--seed", options.seed, "of what is changed");
  app.add_option("--every", options.every, "one record in so many; of each overload at least one")
      ->check(CLI::PositiveNumber);
  app.add_option("--work", options.work, "a folder to work in (default: a temporary one)");
  app.add_flag("--verbose", options.verbose, "print each change");
  CLI11_PARSE(app, argc, argv);

  std::string temporary = (fs::temp_directory_path() / "change_records.XXXXXX").string();
  const bool own = options.work.empty();
  if (own) {
    if (!::mkdtemp(temporary.data())) return std::perror("change_records"), 2;
    options.work = temporary;
  }
  std::vector<fs::path> files;
  for (const std::string& given : options.records) {
    if (!fs::is_directory(given)) {
      files.emplace_back(given);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(given)) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  Checker checker(options);
  for (const fs::path& file : files) checker.file(file);
  if (own) fs::remove_all(temporary);
  return checker.finish() ? 0 : 1;
}
