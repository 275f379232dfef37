// Recorded calls: one call of one operator a line, with the outcome of a real run in another system.
//
//   {"id":"add/000123","op":"aten.add.Tensor","args":[T,2],"kwargs":{"alpha":2},"out":[T],"after":{},"tags":[]}
//
// docs/call-records.md says what the members mean. A line is hostile input: nesting, rank, storage bytes and the
// extents of tensors are bounded, and each refusal is one InvalidArgument line that names file, line and member. A
// record that is well-formed and still cannot be held here (a dtype or layout that does not exist) says so in
// `unusable`.
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

inline constexpr int64_t kRecordFormat =
    2;  ///< the newest format that is read; docs/call-records.md has what each adds
inline constexpr size_t kMaxRecordLine = size_t(16) << 20;        ///< bytes of a line
inline constexpr int64_t kMaxRecordStorage = int64_t(256) << 20;  ///< bytes of all storages of a record
inline constexpr int64_t kMaxRecordElements = int64_t(1) << 26;   ///< of a tensor, for records that are replayed
inline constexpr size_t kMaxRecordRank = 256;

struct RecordedTensor {
  TensorMeta meta;      ///< conj and neg bits included
  int64_t storage = 0;  ///< a name: tensors of one record with equal ones share it
  int64_t nbytes = 0;   ///< of the storage
  int is = -1;          ///< it is the tensor argument of that number, the same object
  bool has_values = false;
  std::vector<std::byte> values;  ///< elements in row-major order, after conj and neg
};

/// An argument as it is written: a literal, a tensor by its number, or a list of arguments.
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
  std::vector<RecordedResult> results;  ///< lists flattened
  std::vector<std::pair<int, RecordedTensor>> after;
  std::string error;     ///< class of the exception; empty: none
  std::string message;   ///< its class and first line, where recorded
  bool refused = false;  ///< a prediction that was not made
  /// The error's family. REQUIRES: an error of a real run (parsing has checked it).
  ErrorFamily family() const;
};

/// What a recorder saw of the memory of an argument, or of a result.
struct RecordedBytes {
  int argument = -1;  ///< its number; of a result the flat one
  int64_t untouched = 0,
          of = 0;       ///< elements of a written argument that have the bytes that they had before, of how many
  bool filled = false;  ///< with a pattern, by the recorder: what is untouched was not written
  int64_t beside = 0;   ///< changed bytes of its storage that no argument shows
};

struct CallRecord {
  std::string id, op;
  int64_t format = 1;
  std::string schema;                   ///< of an op that is foreign here; empty: not recorded
  std::string variant;                  ///< of a probed call, what it is made of: `sample 0, permuted`
  std::optional<TorchVersion> torch;    ///< of the run; none: it does not say
  std::string at;                       ///< file, line, function and text of the call in the run; empty: not recorded
  std::vector<RecordedTensor> tensors;  ///< arguments, in the order written, lists flattened
  std::vector<RecordedArgument> args;   ///< positional ones, then keyword ones
  RecordedOutcome outcome;
  std::optional<RecordedOutcome> fake, cuda_fake;  ///< another system's predictions, where they differ
  /// What that system's fakes said.
  const RecordedOutcome& prediction() const { return fake ? *fake : outcome; }
  /// Its fakes were asked: where `fake` is empty they said what the outcome says. Records of format 1 always were.
  bool predicted = true;
  std::vector<RecordedBytes> bytes;
  /// Of results: elements that hold what memory was filled with before the kernel got it.
  std::vector<RecordedBytes> unwritten;
  std::string
      died;  ///< the signal by which the call ended its process, `SIGSEGV`: there is no outcome; empty: it ended
  std::optional<ProcessGroup> group;  ///< of a collective's call
  bool random = false, uninit = false, data_dependent = false, value_dependent = false;
  bool on_cuda = false;       ///< a tensor of the call, argument or result, was on a CUDA device or one of metadata
  bool lacks_values = false;  ///< the outcome depends on values that the record does not hold
  std::string unusable;       ///< why no call can be made of it; empty: it can
  std::string unusable_of;    ///< what that is about: `result 0`, `argument 1`, `argument scale`
  std::optional<RecordedGradients> gradients;  ///< what autograd said of the call; empty: it was not asked
  /// Dims, by flat result, that the prediction gives as not known; it holds the run's sizes in their places.
  std::vector<std::pair<int, std::vector<int64_t>>> unknown;
};

/// Parses one line. `where` is `FILE:LINE`.
CallRecord parse_call_record(std::string_view line, const std::string& where);

/// Do the first bytes of a file look like records: a JSON object with `op` rather than `graph_module`?
bool looks_like_call_records(std::string_view head);

/// The tensors of a record's arguments, real ones: storages made, shared and filled as it says.
std::vector<Tensor> make_recorded_tensors(const CallRecord& record);
/// An argument with these tensors in the places of the recorded ones.
Value argument_value(const RecordedArgument& argument, std::span<const Tensor> tensors);
/// All of them, complete and checked against the schema. With `device` a CPU among them that is an argument of its own
/// is that device.
std::vector<Value> bind_recorded(const FunctionSchema& schema, const CallRecord& record,
                                 std::span<const Tensor> tensors, std::optional<Device> device = std::nullopt);
}  // namespace ersatz
