// The part of the text form that says where the bytes of a storage are.
#pragma once

#include <string>

#include "tracer/tensors/weights.h"
#include "tracer/text/text_scanner.h"

namespace ersatz {

/// The dtypes whose elements a payload may spell as numbers; bytes of others are hexadecimal digits. 64 bits without a
/// sign do not fit the numbers of the text form.
inline constexpr DTypeSet kInlineDTypes = kReals | kBool | kFloat8s | DTypeSet{DType::U16, DType::U32};

/// `24B f32 [1, 2, ...]`, `8B archive "mlp.pt2" "entry"`, `16B made`, ...; relative paths start at the folder of
/// `file`.
Payload parse_payload(TextScanner& in, const std::string& file);

}  // namespace ersatz
