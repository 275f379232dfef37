// Layouts that only a library can tell, learnt from its kernels' results: docs/data/cuda_layouts.txt, compiled in.
//
// A row says that an op, called just so on such a backend, gave a result of these strides:
//
//   op result backend strides situation
//   aten.foo.default 0 sm_90,cublas=0,cudnn=91002 {48,1,24,8} f32[1,3,4,4]{48,16,4,1}+0@cuda:0, [1, 1]
//
// Nothing is concluded for other calls: where no row fits, the layout stays unknown until the kernel has run.
// `ersatz crosscheck --record-layouts FILE` writes rows. Host-only; any thread.
#pragma once

#include <map>

#include "runtime/op/rule.h"

namespace ersatz {

struct RecordedLayout {
  std::string op;  ///< canonical name
  int result = 0;  ///< flat
  BackendRecord backend;
  DimVec strides;
  std::string situation;
};

/// `sm_90,cublas=130100,cudnn=91900`; 0 where a library is unknown.
std::string to_string(const BackendRecord& backend);
/// The same spelling, of which everything behind the GPU may be left out, in any order. InvalidArgument, with an
/// example, for anything else.
BackendRecord parse_backend(std::string_view text);

/// The arguments of a call as rows spell them: all that a library may choose by, whichever device of a kind it is.
std::string layout_situation(std::span<const Value> args);

class RecordedLayouts {
 public:
  /// One row a line; `#` begins a comment line. InvalidArgument naming source and line.
  static RecordedLayouts parse(std::string_view text, std::string_view source);
  /// Replaces a row of the same op, result, backend and situation.
  void add(const RecordedLayout& row);
  /// Null where no row is about that call on that backend.
  const DimVec* find(std::string_view op, int result, std::string_view situation, const BackendRecord& backend) const;
  size_t size() const { return rows_.size(); }
  /// Rows as `parse` takes them, sorted.
  std::string text() const;

 private:
  std::map<std::string, RecordedLayout, std::less<>> rows_;  // by all but the strides
};

/// Those that the library was built with.
const RecordedLayouts& recorded_layouts();
/// The strides that those rows give a result of that call on that backend; null: none.
const DimVec* recorded_layout(std::string_view op, int result, std::string_view situation,
                              const BackendRecord& backend);
/// For bodies of composites: a result has strides that only a known backend can tell, which the rules of their parts
/// cannot say. The call's `out` has an output with `unknown_layout` from then on; nothing else of it is read.
void note_unknown_layout(RuleCall& composite);
/// For rules: output k, whose strides only a library can tell, takes them from the table, or is marked as unknown.
void lay_out_by_library(RuleCall& call, size_t k);

}  // namespace ersatz
