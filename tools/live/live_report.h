// The report on a live run of one process, or the joined report on all processes of a run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fake/crosscheck/report.h"
#include "tools/live/compiled_graphs.h"
#include "tools/live/live_gradients.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// A process's rank in torch.distributed.
struct Rank {
  int64_t rank = 0;
  int64_t world_size = 1;
  bool operator==(const Rank&) const = default;
};

struct LiveReport {
  std::string input;
  std::optional<Rank> rank;  ///< the process's rank; nullopt if it is unknown or the report is joined
  Report report;
  std::vector<int64_t> times;  ///< for each finding, how often it occurred
  CallCounts skipped;          ///< calls that were not compared: reason -> operator -> count
  /// Calls on tensor subclasses: class -> operator -> count. The operator calls that a subclass makes are compared
  /// instead, except those that fake tensors make.
  CallCounts subclasses;
  /// The rules and layouts that metadata-only devices used, as a JSON object (LiveDevices::json).
  std::string devices = "{}";
  CompiledCounts compiled;
  std::optional<GradientCounts> gradients;  ///< nullopt if gradients are not compared
  /// For a joined report: the reports of the ranks, in order.
  std::vector<LiveReport> joined;
  std::vector<std::vector<int64_t>> ranks;  ///< for a joined report: for each finding, the ranks in which it occurred

  /// The report. Its JSON data are those of `ersatz crosscheck`, with `rank`, `skipped_calls`, `subclass_calls`,
  /// `compiled`, `gradients` and `times`.
  Document document() const;
  std::string text() const { return plain(document()); }
  std::string json() const;
  std::string html() const;
};

/// Parses a text that `json` wrote. RAISES InvalidArgument, with `file` in the message, for any other text.
LiveReport live_report_from_json(const std::string& text, const std::string& file);
/// Joins the reports of all processes of a run. RAISES InvalidArgument if a rank is missing or repeated.
LiveReport join_ranks(std::vector<LiveReport> reports);

}  // namespace ersatz::tools
