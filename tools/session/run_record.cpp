#include "tools/session/run_record.h"

#include <nlohmann/json.hpp>

#include "runtime/base/log.h"

namespace ersatz::tools {

nlohmann::ordered_json to_json(const RunRecord& r) {
  nlohmann::ordered_json json = {{"id", r.id},       {"name", r.name},       {"graphs", r.graphs},
                                 {"nodes", r.nodes}, {"inputs", r.inputs},   {"guards", r.guards},
                                 {"ops", r.ops},     {"seconds", r.seconds}, {"op_set", r.op_set}};
  if (!r.failure_kind.empty()) {
    json["failure"] = {{"kind", r.failure_kind}, {"reason", r.failure_reason}, {"place", r.failure_place}};
  }
  return json;
}

void RunRecords::add(RunRecord record) {
  if (log().writes(LogLevel::Info)) {
    using Json = nlohmann::ordered_json;
    log().info("run {}", to_json(record).dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  records_.push_back(std::move(record));
  shrink();
}

void RunRecords::set_limit(size_t limit) {
  limit_ = limit;
  shrink();
}

void RunRecords::shrink() {
  while (records_.size() > limit_) records_.pop_front();
}

}  // namespace ersatz::tools
