#include "tools/validate/validate_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <thread>

#include "fake/crosscheck/waiver.h"
#include "runtime/op/registry.h"
#include "tools/output/interrupt.h"
#include "tools/output/progress.h"
#include "tools/session/session.h"
#include "tools/validate/child.h"
#include "tools/validate/proposal.h"

namespace ersatz::tools {

namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kRandomCallsOfUnit = 5000;

/// A unit of work: some calls of one op.
struct Unit {
  int64_t number = 0;
  std::string op;
  const OpEntry* entry = nullptr;  ///< null: the op is not registered, and there are only records
  int64_t first = 0, count = 0;    ///< numbers of the random calls, if the unit has random calls
};

std::vector<Unit> units_of(const ValidateOptions& options) {
  std::vector<Unit> units;
  const auto add = [&](std::string op, const OpEntry* entry, int64_t first, int64_t count) {
    units.push_back({static_cast<int64_t>(units.size()), std::move(op), entry, first, count});
  };
  for (const auto& [op, records] : options.records) add(op, op_of_records(op), 0, 0);
  // Random calls are made from samples, so they are divided among the ops that have samples.
  const int64_t fuzzed =
      std::count_if(options.ops.begin(), options.ops.end(), [](const OpEntry* op) { return !samples_of(*op).empty(); });
  int64_t k = 0;
  for (const OpEntry* op : options.ops) {
    if (options.fuzz == 0 || samples_of(*op).empty()) {
      add(op->name, op, 0, 0);
      continue;
    }
    const int64_t calls = options.fuzz / fuzzed + (k++ < options.fuzz % fuzzed);
    for (int64_t first = 0; first < calls || first == 0; first += kRandomCallsOfUnit) {
      add(op->name, op, first, std::min(kRandomCallsOfUnit, calls - first));
    }
  }
  return units;
}

constexpr double kInferLimit = 300;  // time limit in seconds for one op; an inference makes some thousand calls

OpVerdict work(const Unit& unit, const ValidateOptions& options) {
  const ContextGuard of_this_torch([&](RuleContext& c) { c.torch = options.torch.value_or(c.torch); });
  std::unique_ptr<CallSource> source;
  if (!unit.entry) {
    source = foreign_records_of(unit.op, options.records.at(unit.op));
  } else if (!options.records.empty()) {
    RunOptions run;
    run.device = options.unit.device;
    run.torch = options.torch;
    source = records_of(*unit.entry, options.records.at(unit.op), run);
  } else if (options.fuzz > 0) {
    source = random_calls_of(*unit.entry, options.calls.seed, unit.first, unit.count);
  } else {
    source = sweep_of(*unit.entry, options.calls, options.unit.device);
  }
  OpVerdict verdict = run_unit(*source, unit.number, options.unit);
  if (options.infer && unit.first == 0) {
    verdict.inferred = options.records.empty() ? propose(*unit.entry, options.calls.seed, kInferLimit)
                                               : propose(unit.op, options.records.at(unit.op), kInferLimit);
  }
  return verdict;
}

/// Memory that the worker processes share: the next unit, and the number of finished units.
struct Shared {
  std::atomic<size_t> next{0}, done{0};
  std::atomic<bool> stop{false};  ///< tells workers to finish their unit and stop
};

class Lanes {
 public:
  Lanes(const std::vector<Unit>& units, const ValidateOptions& options) : units_(units), options_(options) {
    void* room = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) fail_argument("validate: shared memory: {}", std::strerror(errno));
    shared_ = new (room) Shared;
  }
  ~Lanes() { ::munmap(shared_, sizeof(Shared)); }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  void run(int jobs, std::map<std::string, OpVerdict>& ops) {
    for (int j = 0; j < jobs; ++j) start();
    Progress progress("validate", static_cast<int64_t>(units_.size()));
    for (size_t ended = 0; ended < lanes_.size();) {
      ended = 0;
      for (Lane& lane : lanes_) {
        if (!lane.ended && ::waitpid(lane.process, &lane.status, WNOHANG) == lane.process) lane.ended = true;
        ended += lane.ended;
      }
      if (interrupted()) shared_->stop = true;
      const size_t done = shared_->done;
      progress.at(static_cast<int64_t>(done), "units");
      if (ended < lanes_.size()) ::usleep(2000);
    }
    // Units end in any order. Their verdicts are added up in the order of units.
    std::map<int64_t, std::pair<std::string, OpVerdict>> verdicts;
    for (const Lane& lane : lanes_) read(lane, verdicts);
    for (auto& [number, verdict] : verdicts) ops[verdict.first].add(verdict.second);
  }

 private:
  struct Lane {
    pid_t process = 0;
    int file = -1;
    int status = 0;
    bool ended = false;
  };

  void start() {
    Lane lane;
    lane.file = ::memfd_create("verdicts", MFD_CLOEXEC);
    lane.process = lane.file < 0 ? -1 : ::fork();
    if (lane.process < 0) fail_argument("validate: a child process cannot be started: {}", std::strerror(errno));
    if (lane.process > 0) {
      lanes_.push_back(lane);
      return;
    }
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::signal(SIGINT, SIG_IGN);  // Ctrl-C reaches all processes of a terminal, and only the parent handles it
    int status = 0;
    for (size_t u = shared_->next++; u < units_.size() && !shared_->stop; u = shared_->next++) {
      Json line = {{"unit", units_[u].number}, {"op", units_[u].op}};
      try {
        line["verdict"] = to_json(work(units_[u], options_));
      } catch (const std::exception& e) {
        line["error"] = e.what();
        status = 1;
      }
      const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
      if (::write(lane.file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) ::_exit(1);
      ++shared_->done;
    }
    ::_exit(status);
  }

  static void read(const Lane& lane, std::map<int64_t, std::pair<std::string, OpVerdict>>& verdicts) {
    std::string text(static_cast<size_t>(std::max<off_t>(0, ::lseek(lane.file, 0, SEEK_END))), '\0');
    if (::pread(lane.file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) text.clear();
    ::close(lane.file);
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const Json line = Json::parse(text.substr(at, end - at));
      at = end + 1;
      if (line.contains("error")) {
        fail_argument("validate: {}: {}", line.at("op").get<std::string>(), line.at("error").get<std::string>());
      }
      verdicts.emplace(line.at("unit").get<int64_t>(),
                       std::pair(line.at("op").get<std::string>(), verdict_from_json(line.at("verdict"))));
    }
    if (!WIFEXITED(lane.status)) fail_argument("validate: a worker died of signal {}", WTERMSIG(lane.status));
  }

  const std::vector<Unit>& units_;
  const ValidateOptions& options_;
  Shared* shared_;
  std::vector<Lane> lanes_;
};

/// Returns a checksum of the operators, random calls and records, in order. It distinguishes runs with equal numbers of
/// units.
std::string checksum_of(const std::vector<Unit>& units, const ValidateOptions& options) {
  std::string text;
  for (const Unit& u : units) {
    text += fmt::format("{} {} {}\n", u.op, u.first, u.count);
    const auto records = options.records.find(u.op);
    if (records == options.records.end()) continue;
    for (const RecordLine& line : records->second) text += fmt::format("{:016x}\n", record_checksum(line.text));
  }
  return fmt::format("{:016x}", record_checksum(text));
}

Json names(const auto& list) {
  Json json = Json::array();
  for (const auto& item : list) json.push_back(name(item));
  return json;
}

}  // namespace

const OpEntry* op_of_records(const std::string& name) {
  const OpEntry* entry = registry().find(name);
  return entry && entry->name == name ? entry : nullptr;
}

ValidateReport run_validate(const ValidateOptions& options) {
  const TimedCall timed("ersatz::tools::run_validate", "run");
  registry();
  const std::vector<Unit> all = units_of(options);
  std::vector<Unit> mine;
  for (const Unit& u : all) {
    if (u.number % options.shards == options.shard - 1) mine.push_back(u);
  }
  ValidateReport report;
  const size_t ops = options.records.empty() ? options.ops.size() : options.records.size();
  report.run = {{"ops", ops},
                {"units", all.size()},
                {"checksum", checksum_of(all, options)},
                {"seed", options.calls.seed},
                {"fuzz", options.fuzz},
                {"device", to_string(options.unit.device)},
                {"layouts", names(options.calls.layouts)},
                {"dtypes", names(options.calls.dtypes)},
                {"fills", names(options.calls.fills)}};
  if (options.torch) report.run["torch"] = to_string(*options.torch);
  if (options.shards > 1) report.shard = fmt::format("{}/{}", options.shard, options.shards);
  report.units = static_cast<int64_t>(mine.size());
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int jobs =
      std::min<int>(options.jobs > 0 ? options.jobs : cores, std::max<int>(1, static_cast<int>(mine.size())));
  Lanes(mine, options).run(jobs, report.ops);
  if (interrupted()) report.run["interrupted"] = true;  // then the shard is incomplete, and `ersatz merge` refuses it
  return report;
}

}  // namespace ersatz::tools
