// Parses the part of the text form that gives the place of a storage's bytes.
#pragma once

#include <string>

#include "tracer/tensors/weights.h"
#include "tracer/text/text_scanner.h"

namespace ersatz {

/// The dtypes whose elements a payload may write as numbers; bytes of other dtypes are hexadecimal digits. Unsigned
/// 64-bit numbers are excluded because they do not fit the integers of the text form.
inline constexpr DTypeSet kInlineDTypes = kReals | kBool | kFloat8s | DTypeSet{DType::U16, DType::U32};

/// Parses `24B f32 [1, 2, ...]`, `8B archive "mlp.pt2" "entry"`, `16B made` and so on. Relative paths begin at the
/// folder of `file`.
Payload parse_payload(TextScanner& in, const std::string& file);

}  // namespace ersatz
