// Evidence about a call from outside the rule. Crosscheck compares the prediction with it.
//
// The first source that has evidence decides: an eager run's fact, then results that a kernel allocates itself, then
// the exporter's record. The caller gives facts and records; the engine finds the kernel's results.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/op/value.h"

namespace ersatz {

/// The source that says how a result really is.
enum class Witness : uint8_t { None, Eager, Kernel, Record, Device, Declaration };
/// `none`, `eager`, `kernel`, `record`, `device`, `declaration`. The last is the schema, and the engine's own checks of
/// storages and guard zones.
std::string_view name(Witness w);
/// Returns the witness of that name, nullopt if there is none.
std::optional<Witness> parse_witness(std::string_view name);

/// The storage that a result has, according to a witness.
struct AliasFact {
  enum class Kind : uint8_t {
    Unknown,
    Own,      ///< a storage that none of the call's arguments has
    Argument  ///< the storage of the flat tensor argument `argument`
  };
  Kind kind = Kind::Unknown;
  int argument = -1;
};

/// Evidence about one result from outside the engine. Results have flat numbers: each element of a list is one, and
/// None has a number although it is not counted.
struct ResultFacts {
  std::optional<TensorMeta> eager;       ///< metadata in a real run of another system
  std::optional<TensorMeta> record;      ///< metadata that the exporter wrote down
  std::optional<Value> number;           ///< for a result that is a number: its value in the eager run
  std::optional<Value> recorded_number;  ///< for a result that is a number: its value in the exporter's record
  /// `record` comes from a CPU run, and the call runs on another device, which may choose other layouts. If the
  /// prediction for the device contradicts the record, and the rule's result for the CPU agrees with it, the record is
  /// dropped.
  bool record_of_cpu = false;
  /// Fields that the record does not have are taken from the prediction.
  bool record_tells_strides = true, record_tells_offset = true, record_tells_dtype = true, record_tells_device = true;
  bool record_known_wrong = false;  ///< a row of the known-wrong-records file names `record`, which is ignored
  AliasFact alias;
  // The members below are known only if the evidence is complete.
  int is = -1;          ///< the flat tensor argument that the result is (one object); -1: none
  int64_t storage = 0;  ///< an id: two results of the call have one id if they share a storage
  Tensor values;        ///< on the CPU, with lazy bits as in the metadata; undefined: not known
};

/// The state of one flat tensor argument after the call. Only complete evidence has it.
struct ArgumentFacts {
  TensorMeta meta;
  int64_t storage = 0;     ///< an id, as in ResultFacts
  Tensor values;           ///< as in ResultFacts
  bool changed = false;    ///< the call wrote it, or changed its metadata
  bool is_result = false;  ///< the argument is also a result, and the result's facts hold its state
};

/// An error that a real run of another system raised for the call.
struct ErrorFact {
  ErrorFamily family = ErrorFamily::Runtime;
  std::string message;  ///< shown only; may be empty
};
/// `raises (runtime): the sizes must match`; without a message `raises RuntimeError`.
std::string to_string(const ErrorFact& e);

/// All evidence about one call from outside the engine.
struct Evidence {
  /// The run that the evidence comes from.
  enum class Of : uint8_t {
    SomeRun,      ///< a run whose values may differ from the call's
    OtherValues,  ///< a run with other values: no evidence about results whose metadata depend on values
    ThisCall,     ///< a run of this very call, with all results, arguments and errors
    Prediction    ///< another system's complete prediction for this very call, without a run
  };
  Of of = Of::SomeRun;
  std::span<const ResultFacts> results;        ///< per flat result; can be shorter unless the evidence is complete
  std::span<const ArgumentFacts> arguments;    ///< per flat tensor argument, if the evidence is complete
  std::optional<ErrorFact> error;              ///< the error that the run raised
  bool random = false, uninitialized = false;  ///< the inputs do not determine the values
  bool raises_by_values = false;               ///< whether the call raises depends on values that are not known
  /// The rules' flat results for this call in a run where no arguments took over observed metadata after a finding. If
  /// evidence agrees with these, it contradicts the observation of an earlier finding, not the rule. Empty: not known.
  std::span<const Value> as_predicted;
  /// The rules' flat results for this call on the CPU, for comparison with records of CPU runs. Empty: the engine moves
  /// the arguments to the CPU and runs the rule.
  std::span<const Value> on_cpu;

  /// Is there a fact for every result and argument of the call, and for its error if it raised?
  bool complete() const { return of == Of::ThisCall || of == Of::Prediction; }
  /// The source of all evidence that is not metadata of a result.
  Witness witness() const { return of == Of::Prediction ? Witness::Record : Witness::Eager; }
};

}  // namespace ersatz
