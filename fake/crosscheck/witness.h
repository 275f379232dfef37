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
  bool record_known_wrong = false;  ///< a row of the known-wrong-records file names it: the record is not asked
  AliasFact alias;
};

/// An error that a real run of another system raised for the call.
struct ErrorFact {
  ErrorFamily family = ErrorFamily::Runtime;
  std::string message;  ///< shown only
};

}  // namespace ersatz
