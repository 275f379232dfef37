// Replays files of recorded calls on all cores, for `ersatz crosscheck`.
//
// Files are streamed, so memory grows with the number of causes, not with the number of records. Chunks are processed
// in any order. Their counts are added in file order, so the report does not depend on threads.
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
  std::vector<std::string> only;  ///< operator overloads to replay; a name without an overload means all; empty: all
  std::vector<std::string> ids;   ///< ids of the records to replay; empty: all
  int64_t limit = -1;             ///< number of records to replay; -1: all
  int jobs = 0;                   ///< number of threads; 0: one for each core
  bool symbolic = false;          ///< runs each passing record again with symbolic sizes
  bool every_finding = false;     ///< keeps a line for each finding; otherwise only one line for each cause
  Waivers waivers;
};

/// Number of records by verdict.
struct RecordCounts {
  int64_t records = 0, passed = 0, failed = 0, waived = 0, missing = 0, skipped = 0;
  int64_t extensions = 0;   ///< of `passed`: ersatz has results and the recording system has no kernel
  int64_t with_values = 0;  ///< of `passed`: values of a result or a written argument were compared too
  void add(const RecordCounts& other);
};

/// Compares the predictions of PyTorch's fake kernels, and those of ersatz, with PyTorch's eager run, over the same
/// records. Filled only if RunOptions::no_real is set. Records for which PyTorch has no kernel are left out.
struct FakeComparison {
  int64_t records = 0;             ///< records that PyTorch and ersatz both predict
  int64_t theirs_differ = 0;       ///< PyTorch's prediction differs from the eager run
  int64_t ours_differ = 0;         ///< the prediction of ersatz differs from the eager run
  int64_t ours_differ_marked = 0;  ///< of `ours_differ`: records in which PyTorch's prediction differs too
  int64_t undecided = 0;           ///< not in `records`: ersatz predicts nothing without the data
  int64_t undecided_theirs_differ = 0;
  int64_t refused = 0;  ///< not in `records`: PyTorch predicts nothing, with or without data
  int64_t refused_ours_differ = 0;
  void add(const FakeComparison& other);
};

/// All findings with one operator, field and message.
struct CallCause {
  std::string text;
  int64_t count = 0;
  std::vector<std::string> ids;  ///< ids of the first records with the finding
  Finding finding;               ///< the first finding with this operator, field and message
  std::string file;              ///< file of the first record
  int64_t line = 0;
  std::string record;  ///< JSON line of the first record; empty if it is very long
};

/// Counts of an operator's calls with symbolic sizes, one for each SymbolKind.
struct SymbolicOp {
  SymbolicCounts kinds[2];
  std::string undecided;  ///< message of the first unbacked call that was not decided
  void add(const SymbolicOp& other);
};

struct CallsSummary {
  Report report;  ///< counted by result; has only the first finding of each cause
  RecordCounts records;
  std::map<std::string, RecordCounts> ops;  ///< by operator overload
  std::map<std::string, int64_t> unusable;  ///< reason for skipping -> number of records
  FakeComparison fakes;
  WrongFakes wrong_fakes;  ///< filled only in runs on the CPU, even for operators without a kernel here
  std::map<std::string, SymbolicOp> symbolic;  ///< by operator overload
  int64_t prediction_refused = 0, prediction_contradicted = 0, bugs = 0;
  AcceptedPredictions prediction_accepts;
  int64_t synthetic = 0;          ///< calls whose inputs had no recorded values, so that seeded random values were used
  uint64_t seed = 0;              ///< the seed of these values
  std::vector<CallCause> causes;  ///< sorted by operator, then by number of records
  int64_t more_causes = 0;        ///< number of causes beyond kMostCauses, which were dropped
  std::vector<Finding> findings;  ///< all findings, if CallsOptions::every_finding is set
};

inline constexpr size_t kMostCauses = 20000;
inline constexpr size_t kIdsOfCause = 10;

/// Replays the records of `files`. RAISES Error for the first malformed line or unreadable file in file order.
CallsSummary run_calls(const std::vector<std::string>& files, const CallsOptions& options);

/// Adds a repro program to the first finding of each cause, if one can be made (tools/program/repro_check.h).
void add_repros(CallsSummary& summary, const CallsOptions& options);

}  // namespace ersatz::tools
