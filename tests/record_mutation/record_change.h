// One field of a recorded call, changed at random: a difference that crosscheck has to notice.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace ersatz {

/// The part of a record that is changed. The order of members decides nothing.
enum class Change : uint8_t { DType, Size, Stride, Offset, Value, Alias, Identity, After, Error };
inline constexpr int kChangeCount = static_cast<int>(Change::Error) + 1;
const char* name(Change c);

/// Why a change may pass unnoticed. There are no other reasons.
enum class Excuse : uint8_t {
  None,
  Addresses,       ///< strides or an offset that no element's place depends on
  Undetermined,    ///< values that the inputs do not determine (tags `random`, `uninit`)
  ValueDependent,  ///< raising depends on values that the record does not give (its tag)
  Extension,       ///< the other system has no kernel for the call, which is no error of ours
  BehindValues,    ///< the refusal's label says that values may raise this error, or that anything may happen
  SilentWrite  ///< an argument is no longer said to be written, and the record holds the same of it before and after
};
inline constexpr int kExcuseCount = static_cast<int>(Excuse::SilentWrite) + 1;
const char* name(Excuse e);

struct ChangedRecord {
  nlohmann::ordered_json record;
  Change change = Change::DType;
  std::string words;                ///< what was changed, for people
  std::vector<std::string> fields;  ///< a finding in one of these is what has to come
  Excuse excuse = Excuse::None;
};

using Random = std::mt19937_64;

/// The record with one field changed; still well-formed. Empty if the record does not have the field.
std::optional<ChangedRecord> change_record(const nlohmann::ordered_json& record, Change change, Random& random);

}  // namespace ersatz
