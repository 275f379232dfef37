// Strides that only a library determines. They were recorded from results of the library's kernels, in
// docs/data/cuda_layouts.txt, which is compiled in.
//
// One row has the strides of one result of an op, for one backend and one list of arguments:
//
//   op result backend strides situation
//   aten.foo.default 0 sm_90,cublas=0,cudnn=91002 {48,1,24,8} f32[1,3,4,4]{48,16,4,1}+0@cuda:0, [1, 1]
//
// A row applies only to calls whose `layout_situation` equals the row's situation. If no row applies, the strides are
// unknown until the kernel has run. `ersatz crosscheck --record-layouts FILE` writes rows. Host code only; any thread
// may call it.
#pragma once

#include <map>

#include "runtime/op/rule.h"

namespace ersatz {

struct RecordedLayout {
  std::string op;  ///< canonical name
  int result = 0;  ///< index of the result, lists flattened
  BackendRecord backend;
  DimVec strides;
  std::string situation;
};

/// Formats a backend as `sm_90,cublas=130100,cudnn=91900`, with 0 for a library of unknown version.
std::string to_string(const BackendRecord& backend);
/// Parses the format of to_string. All fields after the GPU are optional and may have any order. Raises
/// InvalidArgument, with an example, for other text.
BackendRecord parse_backend(std::string_view text);

/// Returns the key of a row: the call's arguments with everything that a library may choose strides by. Device numbers
/// are left out.
std::string layout_situation(std::span<const Value> args);

class RecordedLayouts {
 public:
  /// Parses one row per line; `#` begins a comment line. Raises InvalidArgument with `source` and the line number.
  static RecordedLayouts parse(std::string_view text, std::string_view source);
  /// Adds a row. It replaces a row of the same op, result, backend and situation.
  void add(const RecordedLayout& row);
  /// Returns the recorded strides of the result; null if there is no row for the call on the backend.
  const DimVec* find(std::string_view op, int result, std::string_view situation, const BackendRecord& backend) const;
  size_t size() const { return rows_.size(); }
  /// Returns the rows in the format of `parse`, sorted.
  std::string text() const;

 private:
  std::map<std::string, RecordedLayout, std::less<>> rows_;  // key: all fields except the strides
};

/// Returns the layouts that are compiled into the library.
const RecordedLayouts& recorded_layouts();
/// Returns the compiled-in strides of a call's result with index `result`, lists flattened; null if there is no row.
const DimVec* recorded_layout(std::string_view op, int result, std::string_view situation,
                              const BackendRecord& backend);
/// The body of a composite calls this function for a result whose strides depend on the backend. It adds an output with
/// `unknown_layout` to the call's `out`. Callers read nothing else of this output.
void note_unknown_layout(RuleCall& composite);
/// For rules: `k` is an output whose strides a library determines. Gives it the recorded strides, or marks its layout
/// as unknown if there are none.
void lay_out_by_library(RuleCall& call, size_t k);

}  // namespace ersatz
