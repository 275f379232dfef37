// What is known of a call from outside: the truths that crosscheck holds a prediction against.
//
// Which one decides: a real eager run's fact, then the results of a kernel that allocates them itself, then
// the exporter's record. The caller gives the first and the last; the engine finds the second by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/op/value.h"

namespace ersatz {

/// Who said what a result really is.
enum class Witness : uint8_t { None, Eager, Kernel, Record, Device, Declaration };
/// `none`, `eager`, `kernel`, `record`, `device`, `declaration` (schema, storage and guard checks of the engine
/// itself).
std::string_view name(Witness w);
/// The witness of that name; empty where there is none.
std::optional<Witness> parse_witness(std::string_view name);

/// Where a result's storage comes from, as a witness saw it.
struct AliasFact {
  enum class Kind : uint8_t {
    Unknown,
    Own,      ///< a storage that none of the call's arguments has
    Argument  ///< the storage of the flat tensor argument `argument`
  };
  Kind kind = Kind::Unknown;
  int argument = -1;
};

/// The outside witnesses of one result. Results are numbered flat: the elements of a list follow each other, and an
/// undefined tensor (None) takes a number though it is never counted.
struct ResultFacts {
  std::optional<TensorMeta> eager;       ///< metadata in a real run of another system
  std::optional<TensorMeta> record;      ///< metadata that the exporter wrote down
  std::optional<Value> number;           ///< of a result that is a number: what the eager run had
  std::optional<Value> recorded_number;  ///< likewise: what the exporter wrote down
  /// `record` was made by a run on the CPU, and the call runs on another device, which may lay out its results
  /// otherwise. If the device's result differs from the record, and the rule asked for the CPU agrees with it, then the
  /// record says nothing of this device: the result is not judged by it.
  bool record_of_cpu = false;
  /// Fields that are not told are taken from the prediction.
  bool record_tells_strides = true, record_tells_offset = true, record_tells_dtype = true, record_tells_device = true;
  bool record_known_wrong = false;  ///< a row of the known-wrong-records file names it: the record is not asked
  AliasFact alias;
  // The rest is asked of a complete testimony only.
  int is = -1;          ///< the flat tensor argument that the result is, the same object; -1: none
  int64_t storage = 0;  ///< a name: results of the call share a storage if they have the same
  Tensor values;        ///< on the CPU, with the lazy bits of the metadata; undefined: not known
};

/// What a complete testimony says of one flat tensor argument after the call.
struct ArgumentFacts {
  TensorMeta meta;
  int64_t storage = 0;     ///< a name, as results have them
  Tensor values;           ///< as for results
  bool changed = false;    ///< the call wrote it, or changed its metadata
  bool is_result = false;  ///< a result is this argument, and the result's facts say all
};

/// An error that a real run of another system raised for the call.
struct ErrorFact {
  ErrorFamily family = ErrorFamily::Runtime;
  std::string message;  ///< shown only; may be empty
};
/// `raises (runtime): the sizes must match`; without a message `raises RuntimeError`.
std::string to_string(const ErrorFact& e);

/// All that is known of one call from outside.
struct Testimony {
  /// What it is about.
  enum class Of : uint8_t {
    SomeRun,      ///< a run on values that may be those of the call
    OtherValues,  ///< a run on other values: says nothing of results whose metadata depend on values
    ThisCall,     ///< a run of this very call, told completely
    Prediction    ///< an answer that another system predicted for this very call, told completely; no run has passed
  };
  Of of = Of::SomeRun;
  std::span<const ResultFacts> results;        ///< per flat result; may be shorter unless the testimony is complete
  std::span<const ArgumentFacts> arguments;    ///< of a complete testimony: per flat tensor argument
  std::optional<ErrorFact> error;              ///< the run raised this
  bool random = false, uninitialized = false;  ///< the inputs do not determine the values
  bool raises_by_values = false;               ///< whether the call raises depends on values that are not told
  /// Flat results that the rules give this call of the program in a run that took over no truth of a finding: a truth
  /// that agrees with these contradicts an earlier finding's truth, not the rule. Empty: not known.
  std::span<const Value> as_predicted;
  /// The same on the CPU, for records of the CPU. Empty: the arguments are moved to the CPU to ask.
  std::span<const Value> on_cpu;

  /// Does it tell of each result, argument and error what there is to tell?
  bool complete() const { return of == Of::ThisCall || of == Of::Prediction; }
  /// Who tells what is no metadata of a result.
  Witness witness() const { return of == Of::Prediction ? Witness::Record : Witness::Eager; }
};

}  // namespace ersatz
