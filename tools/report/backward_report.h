// Reports on gradients: those of a run without data (`ersatz fake --backward`), and their comparison with a real run.
#pragma once

#include "tools/output/document.h"
#include "tools/program/backward_check.h"

namespace ersatz::tools {

/// Formats a number of bytes: `6636 B`, `12.4 kB`, `3.1 MB`.
std::string byte_text(int64_t bytes);

/// Adds the key `backward` to the document's data, and a line for each leaf.
void add_gradients(const BackwardSummary& s, Document& to);
/// Adds the comparison with the real run: counts, and a line for each gradient that differs or is not finite.
void add_gradients(const BackwardCheck& c, Document& to, nlohmann::ordered_json& data);

}  // namespace ersatz::tools
