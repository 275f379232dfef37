// Replays files of recorded calls on all cores, for `ersatz crosscheck`.
//
// Files are streamed, so memory depends on the number of causes and not on the number of records. Chunks are processed
// in any order and counted in file order, so the report does not depend on threads.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/calls/accepted_predictions.h"
#include "tools/calls/replay.h"
#include "tools/calls/symbolic_call.h"
#include "tools/infer/wrong_fakes.h"

namespace ersatz::tools {

struct CallsOptions {
  RunOptions run;
  std::vector<std::string> only;  ///< overloads or whole operators; empty: all
  std::vector<std::string> ids;   ///< records; empty: all
  int64_t limit = -1;             ///< records that are replayed; -1: all
  int jobs = 0;                   ///< threads; 0: one a core
  bool symbolic = false;          ///< asks each passing record again, with symbols for sizes
  bool every_finding = false;     ///< keep a line for each finding, not only for each cause
  Waivers waivers;
};

/// Number of records by verdict.
struct RecordCounts {
  int64_t records = 0, passed = 0, failed = 0, waived = 0, missing = 0, skipped = 0;
  int64_t extensions = 0;   ///< of `passed`: ersatz has results, the other system has no kernel
  int64_t with_values = 0;  ///< of `passed`: values of a result or a written argument were compared too
  void add(const RecordCounts& other);
};

/// Predictions of PyTorch's fake kernels and of ersatz for the same records, each compared with PyTorch's eager run.
/// Counted only if no kernel runs here. Records for which PyTorch has no kernel are left out.
struct FakeComparison {
  int64_t records = 0;             ///< records that both sides predict
  int64_t theirs_differ = 0;       ///< its prediction differs from its real run
  int64_t ours_differ = 0;         ///< the prediction of ersatz differs from the real run
  int64_t ours_differ_marked = 0;  ///< ... in records in which PyTorch's differs too
  int64_t undecided = 0;           ///< not in `records`: ersatz predicts nothing without data
  int64_t undecided_theirs_differ = 0;
  int64_t refused = 0;  ///< not in `records`: PyTorch predicts nothing, with or without data
  int64_t refused_ours_differ = 0;
  void add(const FakeComparison& other);
};

/// The findings that have the same op, field and message.
struct CallCause {
  std::string text;
  int64_t count = 0;
  std::vector<std::string> ids;  ///< of the first records
  Finding finding;               ///< the first one
  std::string file;              ///< of the first record
  int64_t line = 0;
  std::string record;  ///< the line itself; empty if it is very long
};

/// Counts of the calls that were asked with symbols, for each SymbolKind.
struct SymbolicOp {
  SymbolicCounts kinds[2];
  std::string undecided;  ///< message of the first unbacked call that was not decided
  void add(const SymbolicOp& other);
};

struct CallsSummary {
  Report report;  ///< counted by result; its findings are the first one of each cause
  RecordCounts records;
  std::map<std::string, RecordCounts> ops;  ///< by overload
  std::map<std::string, int64_t> unusable;  ///< why records were skipped
  FakeComparison fakes;
  WrongFakes wrong_fakes;                      ///< on the CPU, whether or not ersatz has a kernel
  std::map<std::string, SymbolicOp> symbolic;  ///< by overload
  int64_t prediction_refused = 0, prediction_contradicted = 0, bugs = 0;
  AcceptedPredictions prediction_accepts;
  int64_t synthetic = 0;          ///< calls whose inputs had no recorded values and were given seeded ones
  uint64_t seed = 0;              ///< of these seeded values
  std::vector<CallCause> causes;  ///< by op, then by how many records they have
  int64_t more_causes = 0;        ///< causes beyond kMostCauses, which are not kept
  std::vector<Finding> findings;  ///< with every_finding
};

inline constexpr size_t kMostCauses = 20000;
inline constexpr size_t kIdsOfCause = 10;

/// RAISES Error for a malformed line or an unreadable file: the first one in file order.
CallsSummary run_calls(const std::vector<std::string>& files, const CallsOptions& options);

/// Adds a repro program to the first finding of each cause, if one can be made (tools/program/repro_check.h).
void add_repros(CallsSummary& summary, const CallsOptions& options);

}  // namespace ersatz::tools
