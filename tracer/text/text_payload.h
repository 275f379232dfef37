// Parses the part of the text form that tells where a storage's bytes are.
#pragma once

#include <string>

#include "tracer/tensors/weights.h"
#include "tracer/text/text_scanner.h"

namespace ersatz {

/// The dtypes whose elements a payload may write as numbers. Bytes of any other dtype are hexadecimal digits. U64 is
/// not included, because its numbers may not fit the integers of the text form.
inline constexpr DTypeSet kInlineDTypes = kReals | kBool | kFloat8s | DTypeSet{DType::U16, DType::U32};

/// Parses a payload: `24B f32 [1, 2, ...]`, `8B archive "mlp.pt2" "entry"`, `16B made` and so on. Relative paths are
/// relative to the folder of `file`.
Payload parse_payload(TextScanner& in, const std::string& file);

}  // namespace ersatz
