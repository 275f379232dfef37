// Strides that only a library determines, recorded from its kernels' results: docs/data/cuda_layouts.txt, compiled in.
//
// A row gives the strides of one result of an op, for one backend and one set of arguments:
//
//   op result backend strides situation
//   aten.foo.default 0 sm_90,cublas=0,cudnn=91002 {48,1,24,8} f32[1,3,4,4]{48,16,4,1}+0@cuda:0, [1, 1]
//
// A row applies only to equal calls. If no row applies, the layout is unknown until the kernel has run. `ersatz
// crosscheck --record-layouts FILE` writes rows. Host-only; any thread.
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

/// `sm_90,cublas=130100,cudnn=91900`; 0 where a library is unknown.
std::string to_string(const BackendRecord& backend);
/// Parses the spelling of to_string. All fields after the GPU may be left out or reordered. Raises InvalidArgument,
/// with an example, for other text.
BackendRecord parse_backend(std::string_view text);

/// Returns a call's arguments in the spelling of rows: all that a library may choose by. Device numbers are left out.
std::string layout_situation(std::span<const Value> args);

class RecordedLayouts {
 public:
  /// Parses one row a line; `#` begins a comment line. Raises InvalidArgument naming source and line.
  static RecordedLayouts parse(std::string_view text, std::string_view source);
  /// Adds a row. It replaces a row of the same op, result, backend and situation.
  void add(const RecordedLayout& row);
  /// Returns the recorded strides; null if no row is about that call on that backend.
  const DimVec* find(std::string_view op, int result, std::string_view situation, const BackendRecord& backend) const;
  size_t size() const { return rows_.size(); }
  /// Returns the rows in the format of `parse`, sorted.
  std::string text() const;

 private:
  std::map<std::string, RecordedLayout, std::less<>> rows_;  // by all but the strides
};

/// The layouts that are compiled into the library.
const RecordedLayouts& recorded_layouts();
/// Returns the compiled-in strides of that result; null if there is no row.
const DimVec* recorded_layout(std::string_view op, int result, std::string_view situation,
                              const BackendRecord& backend);
/// For bodies of composites one of whose results has strides that only a known backend determines. Gives the call's
/// `out` an output with `unknown_layout`; nothing else of that output is read.
void note_unknown_layout(RuleCall& composite);
/// For rules: gives output k, whose strides a library determines, the recorded strides, or else marks them as unknown.
void lay_out_by_library(RuleCall& call, size_t k);

}  // namespace ersatz
