#include "tools/session/session.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "runtime/base/log.h"
#include "runtime/sym/sym_expr.h"
#include "tools/output/table.h"
#include "tools/session/execution_record.h"

namespace ersatz::tools {

namespace {

thread_local constinit Session* t_session = nullptr;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int64_t counter_value(const Counters& counters, const std::string& group, const std::string& name) {
  const auto at = counters.find(group);
  const auto counter = at == counters.end() ? decltype(at->second.begin())() : at->second.find(name);
  return at == counters.end() || counter == at->second.end() ? 0 : counter->second;
}

}  // namespace

Session::~Session() {
  end_frame();
  while (!logs_.empty()) logs_.pop_back();  // in reverse order, because each log restores the logger's earlier state
}

Session* Session::current() { return t_session; }

void Session::begin_frame(const std::string& name) {
  end_frame();
  const std::lock_guard lock(mutex_);
  frame_.emplace();
  frame_->id = ++frames_;
  frame_->name = name;
  frame_start_ = std::chrono::steady_clock::now();
}

void Session::end_frame() {
  if (!frame_) return;
  frame_->seconds = seconds_since(frame_start_);
  records.add(*std::exchange(frame_, std::nullopt));
}

void Session::count_ops(int64_t n) {
  const std::lock_guard lock(mutex_);
  ops_ += n;
  if (frame_) frame_->ops += n;
}

void Session::add_call(const std::string& function, const std::string& phase, double seconds) {
  const std::lock_guard lock(mutex_);
  timings.add_call(function, seconds);
  timings.add_phase(frames_, phase, seconds);
}

void Session::add_operator(const std::string& op, double seconds) {
  count_ops(1);
  const std::lock_guard lock(mutex_);
  timings.add_operator(op, seconds);
}

void Session::add_cache_misses(const CacheInfo& info) {
  const std::lock_guard lock(mutex_);
  auto& group = counters["cache misses"];
  if (info.misses > 0) group["no such call before"] += static_cast<int64_t>(info.misses);
  for (const auto& [reason, n] : info.bypasses) group[reason] += static_cast<int64_t>(n);
}

void Session::reset() {
  const std::lock_guard lock(mutex_);
  frames_ = 0;
  timings.clear();
}

void Session::debug_into(const std::string& root) {
  folder_ = debug_directory(root);
  logs_.push_back(std::make_unique<LogFile>((std::filesystem::path(folder_) / "debug.log").string()));
}

void Session::use_environment() {
  const char *debug = std::getenv("ERSATZ_DEBUG"), *root = std::getenv("ERSATZ_DEBUG_DIR"),
             *file = std::getenv("ERSATZ_LOG_FILE");
  if (debug && std::string_view(debug) == "1" && folder_.empty()) debug_into(root && *root ? root : "ersatz_debug");
  if (file && *file) logs_.push_back(std::make_unique<LogFile>(file));
}

void Session::begins(const PreparedProgram& prepared) {
  const auto nodes = static_cast<int64_t>(prepared.graph().nodes.size());
  const std::lock_guard lock(mutex_);
  ++counters["graphs"]["run"];
  if (!frame_) return;
  ++frame_->graphs;
  frame_->nodes += nodes;
  frame_->inputs += static_cast<int64_t>(prepared.graph().inputs.size());
}

void Session::ends(const PreparedProgram& prepared) {
  const std::lock_guard lock(mutex_);
  if (frame_) frame_->guards = static_cast<int64_t>(prepared.program().env->guards().size());
}

void Session::ran(const NodeCall& call, double seconds) {
  const std::string op(call.op_name());
  add_operator(op, seconds);
  const std::lock_guard lock(mutex_);
  ++counters["graphs"]["call nodes"];
  if (frame_) frame_->op_set.insert(op);
}

void Session::failed(const NodeCall& call, const Error& error) {
  log().error("node {} ({}) failed: {}: {}", call.name(), call.op_name(), name(error.kind), error.message);
  if (frame_ && frame_->failure_kind.empty()) {
    frame_->failure_kind = name(error.kind);
    frame_->failure_reason = error.message;
    frame_->failure_place = call.source().empty() ? call.name() : call.source();
  }
  if (folder_.empty()) return;
  std::string path = write_execution_record(folder_, call, error);
  if (!path.empty()) failures_.push_back(std::move(path));
}

std::string Session::report() {
  end_frame();
  std::string out = timings.text() + timings.line() + "\n";
  Table operators({"Operator", "Calls", "Seconds"});
  for (const OperatorTime& o : timings.operators()) {
    operators.add({o.op, std::to_string(o.calls), fmt::format("{:.4f}", o.seconds)});
  }
  if (!operators.empty()) out += operators.text();
  out += fmt::format("graphs run: {}, call nodes: {}\n", counter_value(counters, "graphs", "run"),
                     counter_value(counters, "graphs", "call nodes"));
  Table misses({"Reason", "Count"});
  for (const auto& [reason, n] : counters["cache misses"]) misses.add({reason, std::to_string(n)});
  return out + (misses.empty() ? "No cache misses detected.\n" : "Cache Misses\n" + misses.text());
}

nlohmann::ordered_json Session::json() {
  using Json = nlohmann::ordered_json;
  Json json;
  for (const auto& [function, durations] : timings.functions()) json["functions"][function] = durations;
  for (const auto& [phase, seconds] : timings.phases()) json["phases"][phase] = seconds;
  Json& operators = json["operators"] = Json::array();
  for (const OperatorTime& o : timings.operators()) {
    operators.push_back({{"op", o.op}, {"calls", o.calls}, {"seconds", o.seconds}});
  }
  json["frames"] = frames_;
  json["ops"] = ops_;
  json["counters"] = counters;
  Json& runs = json["runs"] = Json::array();
  for (const RunRecord& r : records.snapshot()) runs.push_back(to_json(r));
  return json;
}

SessionScope::SessionScope(Session* session) : outer_(std::exchange(t_session, session)) {}
SessionScope::~SessionScope() { t_session = outer_; }

TimedCall::~TimedCall() {
  if (!t_session || std::uncaught_exceptions() > exceptions_) return;
  t_session->add_call(std::string(function_), std::string(phase_), seconds_since(start_));
}

TimedOperator::TimedOperator(const std::string& op)
    : op_(op), session_(t_session && t_session->times() ? t_session : nullptr) {
  if (session_) start_ = std::chrono::steady_clock::now();
}

TimedOperator::~TimedOperator() {
  if (session_) session_->add_operator(op_, seconds_since(start_));
}

}  // namespace ersatz::tools
