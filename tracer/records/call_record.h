// Recorded calls: each line has one call of one operator and the outcome of a real run in another system.
//
//   {"id":"add/000123","op":"aten.add.Tensor","args":[T,2],"kwargs":{"alpha":2},"out":[T],"after":{},"tags":[]}
//
// docs/call-records.md describes the members. A line is hostile input: nesting, rank, storage bytes and the extents of
// tensors are bounded. Each refusal is an InvalidArgument of one line with file, line and member. A valid record with a
// dtype or layout that this runtime lacks has the reason in `unusable`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/process_group.h"
#include "runtime/base/torch_version.h"
#include "runtime/op/schema.h"
#include "tracer/records/gradient_record.h"

namespace ersatz {

inline constexpr int64_t kRecordFormat = 2;                 ///< the newest format that is read (docs/call-records.md)
inline constexpr size_t kMaxRecordLine = size_t(16) << 20;  ///< bytes of a line
inline constexpr int64_t kMaxRecordStorage = int64_t(256) << 20;  ///< bytes of all storages of a record
inline constexpr int64_t kMaxRecordElements = int64_t(1) << 26;   ///< elements of a tensor in a record that is replayed
inline constexpr size_t kMaxRecordRank = 256;

struct RecordedTensor {
  TensorMeta meta;      ///< with conj and neg bits
  int64_t storage = 0;  ///< identifies the storage: tensors of a record with equal numbers share it
  int64_t nbytes = 0;   ///< size of the storage
  int is = -1;          ///< number of the tensor argument that is the same object; -1: none
  bool has_values = false;
  std::vector<std::byte> values;  ///< elements in row-major order, with conj and neg applied
};

/// An argument as it is recorded: a literal, the number of a tensor, or a list of arguments.
struct RecordedArgument {
  enum class Kind : uint8_t { Literal, Tensor, List } kind = Kind::Literal;
  std::string name;  ///< of a keyword argument
  Value literal;
  int tensor = -1;
  std::vector<RecordedArgument> items;
  bool is_dict = false;  ///< a list whose items have names
};

struct RecordedResult {
  enum class Kind : uint8_t { None, Number, Tensor } kind = Kind::None;
  Value number;
  RecordedTensor tensor;
};

/// The outcome of a call: results and changed arguments, or an error.
struct RecordedOutcome {
  std::vector<RecordedResult> results;  ///< with lists flattened
  std::vector<std::pair<int, RecordedTensor>> after;
  std::string error;     ///< class of the exception; empty: none
  std::string message;   ///< exception class and first line of its message, if recorded
  bool refused = false;  ///< the prediction raised instead
  /// Returns the error's family. REQUIRES: an error of a real run, which the parser has checked.
  ErrorFamily family() const;
};

/// A recorder's observation of the memory of an argument or of a result.
struct RecordedBytes {
  int argument = -1;  ///< number of the argument, or of the flat result
  int64_t untouched = 0,
          of = 0;       ///< elements with unchanged bytes, of all `of` of a written argument
  bool filled = false;  ///< the recorder filled it with a pattern, so untouched elements were not written
  int64_t beside = 0;   ///< changed bytes of its storage that no argument covers
};

struct CallRecord {
  std::string id, op;
  int64_t format = 1;
  std::string schema;                   ///< schema of an op that is unknown here; empty: not recorded
  std::string variant;                  ///< how a probed call was derived: `sample 0, permuted`
  std::optional<TorchVersion> torch;    ///< version of the run; nullopt: not recorded
  std::string at;                       ///< file, line, function and source of the call; empty: not recorded
  std::vector<RecordedTensor> tensors;  ///< arguments in the order of the record, with lists flattened
  std::vector<RecordedArgument> args;   ///< positional ones, then keyword ones
  RecordedOutcome outcome;
  std::optional<RecordedOutcome> fake, cuda_fake;  ///< predictions of the other system, if they differ from `outcome`
  /// Returns the prediction of the other system's fakes.
  const RecordedOutcome& prediction() const { return fake ? *fake : outcome; }
  /// The other system's fakes were asked: an empty `fake` then means that they predict `outcome`. Always true in format
  /// 1.
  bool predicted = true;
  std::vector<RecordedBytes> bytes;
  /// For results: elements that still have the bytes with which memory was filled before the kernel ran.
  std::vector<RecordedBytes> unwritten;
  std::string died;                   ///< signal that ended the process, `SIGSEGV`: no outcome; empty: none
  std::optional<ProcessGroup> group;  ///< process group of a collective
  bool random = false, uninit = false, data_dependent = false, value_dependent = false;
  bool on_cuda = false;       ///< an argument or result was on a CUDA device or on a metadata-only device
  bool lacks_values = false;  ///< the outcome depends on values that are not in the record
  std::string unusable;       ///< reason why the call cannot be made; empty: it can
  std::string unusable_of;    ///< subject of `unusable`: `result 0`, `argument 1`, `argument scale`
  std::optional<RecordedGradients> gradients;  ///< autograd's results for the call; nullopt: not recorded
  /// Dims with an unknown size in the prediction, by flat result. The prediction has the run's sizes for them.
  std::vector<std::pair<int, std::vector<int64_t>>> unknown;
};

/// Parses one line. `where` is `FILE:LINE`.
CallRecord parse_call_record(std::string_view line, const std::string& where);

/// Returns whether the first bytes of a file are those of records: a JSON object with `op` rather than `graph_module`.
bool looks_like_call_records(std::string_view head);

/// Returns real tensors for the record's arguments, with recorded values and shared storages.
std::vector<Tensor> make_recorded_tensors(const CallRecord& record);
/// Returns the argument with the recorded tensors replaced by `tensors`.
Value argument_value(const RecordedArgument& argument, std::span<const Tensor> tensors);
/// Returns all arguments, complete and checked against the schema. With `device`, a literal CPU device among the
/// arguments becomes that device.
std::vector<Value> bind_recorded(const FunctionSchema& schema, const CallRecord& record,
                                 std::span<const Tensor> tensors, std::optional<Device> device = std::nullopt);
}  // namespace ersatz
