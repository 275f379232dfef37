// What is supported, from the registry: the table of docs/ops.md and of `ersatz ops`.
#pragma once

#include <map>
#include <span>
#include <string>

#include "runtime/op/op_entry.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// What became of the recorded calls of an overload (`ersatz crosscheck --records-csv`).
struct OpRecords {
  int64_t records = 0, passed = 0, failed = 0, waived = 0, missing = 0, skipped = 0;
  int64_t with_values = 0;  ///< of the passed: values were compared too, not metadata and errors alone
};
using RecordedOps = std::map<std::string, OpRecords>;

/// Reads such a table; InvalidArgument naming file and line where it is none.
RecordedOps parse_records_csv(std::string_view text, const std::string& file);

/// What is known of the CUDA kernels.
struct CudaSupport {
  bool listed = false;  ///< the CUDA module told which there are (`list_cuda_kernels`)
  std::string reason;   ///< why it did not
  /// Overloads whose kernel a GPU has run and agreed with the CPU's, and on which card.
  std::map<std::string, std::string> verified;
};
/// Reads docs/data/cuda_verified.csv: rows `op,card,driver,date` under a head.
std::map<std::string, std::string> parse_verified_csv(std::string_view text, const std::string& file);

/// docs/ops.md, whole. Depends on the registered ops and on the tables only, so that CI can check it for freshness.
std::string support_markdown(std::span<const OpEntry* const> ops, const RecordedOps& records, const CudaSupport& cuda);
/// A line for each op (name, what decides its metadata, dtypes) and a count; `in_full`: all that the registry declares
/// of each. The key `ops` has a row for each.
Document support_report(std::span<const OpEntry* const> ops, const CudaSupport& cuda, bool in_full);

}  // namespace ersatz::tools
