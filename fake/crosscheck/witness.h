// Evidence about one call from outside ersatz, with which crosscheck compares a prediction.
//
// The first source that has the result decides: a real eager run's fact, then a kernel that allocates its results
// itself, then the exporter's record. The caller provides the first and the last; the engine itself finds the second.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/op/value.h"

namespace ersatz {

/// The source of the observed metadata of a result.
enum class Witness : uint8_t { None, Eager, Kernel, Record, Device, Declaration };
/// `none`, `eager`, `kernel`, `record`, `device`, `declaration` (schema, storage and guard checks of the engine
/// itself).
std::string_view name(Witness w);
/// Returns the source with that name; empty if there is none.
std::optional<Witness> parse_witness(std::string_view name);

/// The storage of a result in the observed run.
struct AliasFact {
  enum class Kind : uint8_t {
    Unknown,
    Own,      ///< a storage that none of the call's arguments has
    Argument  ///< the storage of the flat tensor argument `argument`
  };
  Kind kind = Kind::Unknown;
  int argument = -1;
};

/// The outside evidence about one result. Results are numbered flat: each element of a list has a number. An undefined
/// tensor (None) has a number too, although it is never counted.
struct ResultFacts {
  std::optional<TensorMeta> eager;       ///< metadata in a real run of another system
  std::optional<TensorMeta> record;      ///< metadata that the exporter wrote into the program
  std::optional<Value> number;           ///< the number of the eager run, if the result is a number
  std::optional<Value> recorded_number;  ///< the number that the exporter wrote, if the result is a number
  /// `record` comes from a CPU run, and the call runs on another device, whose layout may differ. If the device's
  /// result differs from the record, but the rule's result for the CPU equals it, the record is not evidence about this
  /// device and is not compared.
  bool record_of_cpu = false;
  /// A field that is false here is missing in the record and is taken from the prediction.
  bool record_tells_strides = true, record_tells_offset = true, record_tells_dtype = true, record_tells_device = true;
  bool record_known_wrong = false;  ///< a row of the known-wrong-records file names the record: it is ignored
  AliasFact alias;
  // The next fields are read only of complete evidence (Testimony::complete).
  int is = -1;          ///< the flat tensor argument that is the same object as the result; -1: none
  int64_t storage = 0;  ///< an identifier: results of the call with equal ones share a storage
  Tensor values;        ///< on the CPU, with the lazy bits of the metadata; undefined: not known
};

/// Complete evidence about one flat tensor argument after the call.
struct ArgumentFacts {
  TensorMeta meta;
  int64_t storage = 0;     ///< an identifier, as in ResultFacts
  Tensor values;           ///< as in ResultFacts
  bool changed = false;    ///< the call wrote it, or changed its metadata
  bool is_result = false;  ///< a result is this argument: the facts of that result apply
};

/// An error that a real run of another system raised for the call.
struct ErrorFact {
  ErrorFamily family = ErrorFamily::Runtime;
  std::string message;  ///< shown only; may be empty
};
/// `raises (runtime): the sizes must match`; without a message `raises RuntimeError`.
std::string to_string(const ErrorFact& e);

/// All outside evidence about one call.
struct Testimony {
  /// The run that the evidence comes from.
  enum class Of : uint8_t {
    SomeRun,      ///< a run on values that may be those of the call
    OtherValues,  ///< a run on other values: not used for results whose metadata depend on values
    ThisCall,     ///< a run of this call; the evidence is complete
    Prediction    ///< another system's prediction for this call, complete; nothing was run
  };
  Of of = Of::SomeRun;
  std::span<const ResultFacts> results;        ///< per flat result; may be shorter unless the evidence is complete
  std::span<const ArgumentFacts> arguments;    ///< of complete evidence: per flat tensor argument
  std::optional<ErrorFact> error;              ///< the run raised this
  bool random = false, uninitialized = false;  ///< the inputs do not determine the values
  bool raises_by_values = false;               ///< whether the call raises depends on values that are not known
  /// The flat results of the rules in a run whose arguments never adopted the observed metadata of a finding. If the
  /// observed metadata equal these, they contradict an earlier finding's evidence, not the rule. Empty: not known.
  std::span<const Value> as_predicted;
  /// The same on the CPU, for records of the CPU. Empty: the arguments are moved to the CPU to ask.
  std::span<const Value> on_cpu;

  /// Does it tell of each result, argument and error what there is to tell?
  bool complete() const { return of == Of::ThisCall || of == Of::Prediction; }
  /// Who tells what is no metadata of a result.
  Witness witness() const { return of == Of::Prediction ? Witness::Record : Witness::Eager; }
};

}  // namespace ersatz
