// Recorded calls: each line of a file has one operator call, and the outcome of a real run in another system.
//
//   {"id":"add/000123","op":"aten.add.Tensor","args":[T,2],"kwargs":{"alpha":2},"out":[T],"after":{},"tags":[]}
//
// docs/call-records.md describes the members. Lines are not trusted: nesting, rank, storage bytes and the extents of
// tensors are limited. Each refusal is an InvalidArgument of one line with file, line and member. If a record is valid
// and its dtype or layout is not supported here, `unusable` has the reason.
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

/// The newest format that can be parsed (docs/call-records.md).
inline constexpr int64_t kRecordFormat = 2;
inline constexpr size_t kMaxRecordLine = size_t(16) << 20;        ///< most bytes of a line
inline constexpr int64_t kMaxRecordStorage = int64_t(256) << 20;  ///< most bytes of all storages of a record
/// Most elements of a tensor in a record that is replayed.
inline constexpr int64_t kMaxRecordElements = int64_t(1) << 26;
inline constexpr size_t kMaxRecordRank = 256;

struct RecordedTensor {
  TensorMeta meta;      ///< metadata with conj and neg bits
  int64_t storage = 0;  ///< an id: tensors of a record with equal ids share their storage
  int64_t nbytes = 0;   ///< size of the storage in bytes
  int is = -1;          ///< number of the tensor argument that is the same object; -1: none is
  bool has_values = false;
  std::vector<std::byte> values;  ///< elements in row-major order, after conj and neg are applied
};

/// An argument as it is recorded: a literal, the number of a tensor, or a list of arguments.
struct RecordedArgument {
  enum class Kind : uint8_t { Literal, Tensor, List } kind = Kind::Literal;
  std::string name;  ///< the keyword; empty for a positional argument
  Value literal;
  int tensor = -1;
  std::vector<RecordedArgument> items;
  bool is_dict = false;  ///< the items are those of a dict and have keys
};

struct RecordedResult {
  enum class Kind : uint8_t { None, Number, Tensor } kind = Kind::None;
  Value number;
  RecordedTensor tensor;
};

/// The outcome of a call: results and changed arguments, or an error.
struct RecordedOutcome {
  std::vector<RecordedResult> results;  ///< all results, with lists flattened
  std::vector<std::pair<int, RecordedTensor>> after;
  std::string error;     ///< class of the exception that the call raised; empty: it did not raise
  std::string message;   ///< exception class and first line of its message, if recorded
  bool refused = false;  ///< true in a prediction: the prediction raised, not the call
  /// Returns the family of `error`. REQUIRES: `error` is the error of a real run, whose class the parser has checked.
  ErrorFamily family() const;
};

/// Facts about the memory of an argument or a result that the recorder observed.
struct RecordedBytes {
  int argument = -1;  ///< number of the argument or of the flat result
  int64_t untouched = 0,
          of = 0;       ///< of the `of` elements of a written argument, `untouched` have unchanged bytes
  bool filled = false;  ///< the recorder filled the memory with a pattern, so an untouched element was not written
  int64_t beside = 0;   ///< number of changed bytes in its storage that belong to no argument
};

struct CallRecord {
  std::string id, op;
  int64_t format = 1;
  std::string schema;                   ///< schema of an op that ersatz may not know; empty: not recorded
  std::string variant;                  ///< how a probe call was made from a sample: `sample 0, permuted`
  std::optional<TorchVersion> torch;    ///< PyTorch version of the run; nullopt: not recorded
  std::string at;                       ///< file, line, function and source line of the call; empty: not recorded
  std::vector<RecordedTensor> tensors;  ///< tensor arguments in the order of the record, with lists flattened
  std::vector<RecordedArgument> args;   ///< positional arguments, then keyword arguments
  RecordedOutcome outcome;
  /// The recording system's predictions, if they differ from `outcome`.
  std::optional<RecordedOutcome> fake, cuda_fake;
  /// Returns the prediction of the recording system's fake kernel.
  const RecordedOutcome& prediction() const { return fake ? *fake : outcome; }
  /// True if the recording system called the op's fake kernel. An empty `fake` then means that it predicts `outcome`.
  /// Always true in format 1.
  bool predicted = true;
  std::vector<RecordedBytes> bytes;
  /// For results: elements that still have the pattern with which memory was filled before the kernel ran.
  std::vector<RecordedBytes> unwritten;
  /// Signal that ended the process during the call, for example `SIGSEGV`, so there is no outcome; empty: none.
  std::string died;
  std::optional<ProcessGroup> group;  ///< process group of a collective
  bool random = false, uninit = false, data_dependent = false, value_dependent = false;
  bool on_cuda = false;       ///< an argument or result was on CUDA or on a metadata-only device
  bool lacks_values = false;  ///< the outcome depends on values that the record does not have
  std::string unusable;       ///< reason why ersatz cannot make the call; empty: it can
  std::string unusable_of;    ///< the part that `unusable` is about: `result 0`, `argument 1`, `argument scale`
  std::optional<RecordedGradients> gradients;  ///< the gradients of the call; nullopt: not recorded
  /// For each flat result, the dims whose size the prediction leaves unknown. In the prediction they have the run's
  /// sizes.
  std::vector<std::pair<int, std::vector<int64_t>>> unknown;
};

/// Parses one line. `where` is its `FILE:LINE`, for error messages.
CallRecord parse_call_record(std::string_view line, const std::string& where);

/// Returns whether a file with these first bytes has recorded calls: a JSON object with `op` rather than
/// `graph_module`.
bool looks_like_call_records(std::string_view head);

/// Returns real tensors for the record's arguments, with the recorded values and sharing of storages.
std::vector<Tensor> make_recorded_tensors(const CallRecord& record);
/// Returns the value of an argument, with the tensors taken from `tensors`.
Value argument_value(const RecordedArgument& argument, std::span<const Tensor> tensors);
/// Binds the record's arguments to the schema and returns them all, with defaults. If `device` is given, it replaces
/// the CPU in an argument that is a device.
std::vector<Value> bind_recorded(const FunctionSchema& schema, const CallRecord& record,
                                 std::span<const Tensor> tensors, std::optional<Device> device = std::nullopt);
}  // namespace ersatz
