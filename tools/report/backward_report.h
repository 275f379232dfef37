// Gradients in reports: of a run without data, and of its comparison with a real run.
#pragma once

#include "tools/output/document.h"
#include "tools/program/backward_check.h"

namespace ersatz::tools {

/// A number of bytes in text: `6636 B`, `12.4 kB`, `3.1 MB`.
std::string byte_text(int64_t bytes);

/// Adds `backward` to the data, and a line for each leaf.
void add_gradients(const BackwardSummary& s, Document& to);
/// Adds the comparison with the real run: a line for each gradient that differs or is not finite, and counts.
void add_gradients(const BackwardCheck& c, Document& to, nlohmann::ordered_json& data);

}  // namespace ersatz::tools
