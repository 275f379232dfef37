// The table of supported operators, made from the registry, for docs/ops.md and `ersatz ops`.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>

#include "runtime/op/op_entry.h"
#include "tools/output/document.h"

namespace ersatz::tools {

/// Verdicts on the recorded calls of an overload, as `ersatz crosscheck --records-csv` writes them.
struct OpRecords {
  int64_t records = 0, passed = 0, failed = 0, waived = 0, missing = 0, skipped = 0;
  int64_t with_values = 0;  ///< of `passed`: values were compared too, not only metadata and errors
};
using RecordedOps = std::map<std::string, OpRecords>;

/// Parses a table that `--records-csv` wrote. RAISES InvalidArgument, with file and line, if it is malformed.
RecordedOps parse_records_csv(std::string_view text, const std::string& file);

/// Facts about CUDA kernels for the table.
struct CudaSupport {
  bool listed = false;  ///< the CUDA module was loaded and has listed its kernels (`list_cuda_kernels`)
  std::string reason;   ///< the reason if `listed` is false
  /// For each overload, the GPU on which its kernel ran and agreed with the CPU kernel.
  std::map<std::string, std::string> verified;
  /// Overloads whose kernel ran as PTX without a GPU and agreed with the CPU's.
  std::set<std::string> ran_as_ptx;
};
/// Parses docs/data/cuda_verified.csv: rows `op,card,driver,date` after a header.
std::map<std::string, std::string> parse_verified_csv(std::string_view text, const std::string& file);
/// Parses docs/data/cuda_ptx.csv: a header, then one overload per row.
std::set<std::string> parse_ptx_csv(std::string_view text, const std::string& file);

/// Returns the whole of docs/ops.md. It depends only on the registered ops and the tables, so that CI can check that
/// the file is current.
std::string support_markdown(std::span<const OpEntry* const> ops, const RecordedOps& records, const CudaSupport& cuda);
/// Returns a line for each op (name, source of its metadata, dtypes), and a count. `in_full`: all that the registry
/// declares about each op. The key `ops` has a row for each op.
Document support_report(std::span<const OpEntry* const> ops, const CudaSupport& cuda, bool in_full);

}  // namespace ersatz::tools
