// Evidence about a call that does not come from its rule. Crosscheck compares the prediction with it.
//
// Crosscheck uses the first of these sources that has evidence: an eager run, results that a kernel allocates itself,
// an exporter's record. The caller passes the evidence of eager runs and records; Crosscheck finds the kernel's
// results.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/op/value.h"

namespace ersatz {

/// The source of evidence about a result.
enum class Witness : uint8_t { None, Eager, Kernel, Record, Device, Declaration };
/// Returns `none`, `eager`, `kernel`, `record`, `device` or `declaration`. A declaration is the op's schema, or a check
/// of storages and guard zones.
std::string_view name(Witness w);
/// Returns the source called `name`, or nullopt if there is none.
std::optional<Witness> parse_witness(std::string_view name);

/// The storage that a result has according to evidence.
struct AliasFact {
  enum class Kind : uint8_t {
    Unknown,
    Own,      ///< a storage that none of the call's arguments has
    Argument  ///< the storage of tensor argument number `argument`, counting elements of lists
  };
  Kind kind = Kind::Unknown;
  int argument = -1;
};

/// The evidence of the caller about one result. Each element of a list is a result here. None is one too, although
/// reports do not count it.
struct ResultFacts {
  std::optional<TensorMeta> eager;       ///< metadata in a real run of another system
  std::optional<TensorMeta> record;      ///< metadata that the exporter wrote down
  std::optional<Value> number;           ///< for a result that is a number: its value in the eager run
  std::optional<Value> recorded_number;  ///< for a result that is a number: its value in the exporter's record
  /// `record` comes from a CPU run, and the call runs on a GPU, which may choose other layouts. The record is dropped
  /// if it contradicts the prediction for the GPU and agrees with the rule's result for the CPU.
  bool record_of_cpu = false;
  /// False if the record lacks the field. `complete_records` then sets it to the predicted value.
  bool record_tells_strides = true, record_tells_offset = true, record_tells_dtype = true, record_tells_device = true;
  bool record_known_wrong = false;  ///< a row of the file of known wrong records names `record`, which is then ignored
  AliasFact alias;
  // The members below are set only if the evidence is complete (Evidence::complete).
  int is = -1;          ///< index of the tensor argument that the result is (one object), counting elements of lists;
                        ///< -1: none
  int64_t storage = 0;  ///< an id of the result's storage: results of the call that share a storage have equal ids
  Tensor values;        ///< the result's values on the CPU, with the lazy bits of the metadata; undefined: unknown
};

/// The state of one tensor argument after the call; each element of a list has one. Only complete evidence has
/// ArgumentFacts.
struct ArgumentFacts {
  TensorMeta meta;
  int64_t storage = 0;     ///< an id, like ResultFacts::storage
  Tensor values;           ///< like ResultFacts::values
  bool changed = false;    ///< the call wrote the argument, or changed its metadata
  bool is_result = false;  ///< the argument is also a result, and ResultFacts of the result have its state
};

/// An error that a real run of another system raised for the call.
struct ErrorFact {
  ErrorFamily family = ErrorFamily::Runtime;
  std::string message;  ///< only for output; may be empty
};
/// Returns `raises (runtime): the sizes must match`, or without a message `raises RuntimeError`.
std::string to_string(const ErrorFact& e);

/// All evidence of the caller about one call.
struct Evidence {
  /// The run that the evidence comes from.
  enum class Of : uint8_t {
    SomeRun,      ///< a run whose values may differ from the call's
    OtherValues,  ///< a run with other values: no evidence about results whose metadata depend on values
    ThisCall,     ///< a run of this very call, with all results, arguments and errors
    Prediction    ///< another system's complete prediction for this very call, without a run
  };
  Of of = Of::SomeRun;
  std::span<const ResultFacts> results;        ///< per result, including elements of lists; may be shorter unless the
                                               ///< evidence is complete
  std::span<const ArgumentFacts> arguments;    ///< per tensor argument, including elements of lists, if the evidence is
                                               ///< complete
  std::optional<ErrorFact> error;              ///< the error that the run raised
  bool random = false, uninitialized = false;  ///< whether values of results are random (uninitialised), so the inputs
                                               ///< do not determine them
  bool raises_by_values = false;               ///< values that are not known decide whether the call raises an error
  /// The results that rules predict for this call if no argument has observed metadata from an earlier finding.
  /// Evidence that agrees with them contradicts that earlier observation and not the rule. Empty: not known.
  std::span<const Value> as_predicted;
  /// The results that rules predict for this call on the CPU, which are compared with records of CPU runs. If empty,
  /// Crosscheck runs the rule with the arguments on the CPU.
  std::span<const Value> on_cpu;

  /// Returns whether there is a fact for every result and argument of the call, and for its error if it raised one.
  bool complete() const { return of == Of::ThisCall || of == Of::Prediction; }
  /// Returns the source of all evidence except results' metadata.
  Witness witness() const { return of == Of::Prediction ? Witness::Record : Witness::Eager; }
};

}  // namespace ersatz
