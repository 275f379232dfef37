// Changes one field of a recorded call at random, so that crosscheck has to find a difference.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace ersatz {

/// The part of a record that is changed. The order of these members has no meaning.
enum class Change : uint8_t { DType, Size, Stride, Offset, Value, Alias, Identity, After, Error };
inline constexpr int kChangeCount = static_cast<int>(Change::Error) + 1;
const char* name(Change c);

/// Why a change may give no finding. There are no other reasons.
enum class Excuse : uint8_t {
  None,
  Addresses,       ///< strides or an offset that no element's address depends on
  Undetermined,    ///< values that the inputs do not determine (tags `random`, `uninit`)
  ValueDependent,  ///< whether the call raises depends on values that the record lacks (its tag)
  Extension,       ///< the system that made the record has no kernel for the call, which is no finding
  BehindValues,    ///< the refusal's label says that values may raise this error, or that anything may happen
  SilentWrite  ///< the record no longer lists an argument as written, and has equal metadata and values of it before
               ///< and after
};
inline constexpr int kExcuseCount = static_cast<int>(Excuse::SilentWrite) + 1;
const char* name(Excuse e);

struct ChangedRecord {
  nlohmann::ordered_json record;
  Change change = Change::DType;
  std::string words;                ///< what was changed, for people
  std::vector<std::string> fields;  /// there must be a finding in one of these fields
  Excuse excuse = Excuse::None;
};

using Random = std::mt19937_64;

/// Returns the record with one field changed, still well-formed. Empty if the record does not have the field.
std::optional<ChangedRecord> change_record(const nlohmann::ordered_json& record, Change change, Random& random);

}  // namespace ersatz
