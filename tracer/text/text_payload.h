// The part of the text form that says where the bytes of a storage are.
#pragma once

#include <string>

#include "tracer/tensors/weights.h"
#include "tracer/text/text_scanner.h"

namespace ersatz {

/// `24B f32 [1, 2, ...]`, `8B archive "mlp.pt2" "entry"`, `16B made`, ...; relative paths start at the folder of
/// `file`.
Payload parse_payload(TextScanner& in, const std::string& file);

}  // namespace ersatz
