// Files of recorded calls, replayed on all cores: what `ersatz crosscheck` reports of them.
//
// Files are streamed: memory depends on the number of causes, not on that of records. Pieces are worked on in any order
// and counted in the order of the files, so the report does not depend on threads.
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
  bool symbolic = false;          ///< ask those that pass again with symbols for sizes
  bool every_finding = false;     ///< keep a line for each finding, not only for each cause
  Waivers waivers;
};

/// What became of records.
struct RecordCounts {
  int64_t records = 0, passed = 0, failed = 0, waived = 0, missing = 0, skipped = 0;
  int64_t extensions = 0;   ///< of the passed: ersatz has results where the other system has no kernel
  int64_t with_values = 0;  ///< of the passed: values of a result or a written argument were compared too
  void add(const RecordCounts& other);
};

/// The other system's fakes and ours on the same records, each against its own eager run: prediction beside prediction,
/// so counted only where no kernel runs here. Records of which it has no kernel are left aside.
struct FakeComparison {
  int64_t records = 0;             ///< both predict
  int64_t theirs_differ = 0;       ///< its prediction differs from its real run
  int64_t ours_differ = 0;         ///< ours does
  int64_t ours_differ_marked = 0;  ///< ... on records where its prediction differs
  int64_t undecided = 0;           ///< not among the records: ersatz predicts nothing without data
  int64_t undecided_theirs_differ = 0;
  int64_t refused = 0;  ///< not among the records: it predicts nothing, with or without data
  int64_t refused_ours_differ = 0;
  void add(const FakeComparison& other);
};

/// Findings of one op, field and message.
struct CallCause {
  std::string text;
  int64_t count = 0;
  std::vector<std::string> ids;  ///< of the first records
  Finding finding;               ///< the first one
  std::string file;              ///< of the first record
  int64_t line = 0;
  std::string record;  ///< the line itself; empty where it is very long
};

/// The answers with symbols, by kind.
struct SymbolicOp {
  SymbolicCounts kinds[2];
  std::string undecided;  ///< of the first unbacked call that was not decided
  void add(const SymbolicOp& other);
};

struct CallsSummary {
  Report report;  ///< counted by result; its findings are the causes' first ones
  RecordCounts records;
  std::map<std::string, RecordCounts> ops;  ///< by overload
  std::map<std::string, int64_t> unusable;  ///< why records were skipped
  FakeComparison fakes;
  WrongFakes wrong_fakes;                      ///< on the CPU; with a kernel of ours or without
  std::map<std::string, SymbolicOp> symbolic;  ///< by overload
  int64_t prediction_refused = 0, prediction_contradicted = 0, bugs = 0;
  AcceptedPredictions prediction_accepts;
  int64_t made_up = 0;            ///< calls whose inputs had no recorded values and were given seeded ones
  uint64_t seed = 0;              ///< of those
  std::vector<CallCause> causes;  ///< by op, then by how many records they have
  int64_t more_causes = 0;        ///< findings beyond the most causes that are kept
  std::vector<Finding> findings;  ///< with every_finding
};

inline constexpr size_t kMostCauses = 20000;
inline constexpr size_t kIdsOfCause = 10;

/// Malformed lines and unreadable files pass as Error, the first in the order of the files.
CallsSummary run_calls(const std::vector<std::string>& files, const CallsOptions& options);

/// Gives the first finding of each cause a program that shows it again, where one can (tools/program/repro_check.h).
void add_repros(CallsSummary& summary, const CallsOptions& options);

}  // namespace ersatz::tools
