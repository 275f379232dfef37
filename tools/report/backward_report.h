// Gradients in reports: those of a run without data, and what a run for real says of them.
#pragma once

#include "tools/output/document.h"
#include "tools/program/backward_check.h"

namespace ersatz::tools {

/// `6636 B`, `12.4 kB`, `3.1 MB`.
std::string byte_text(int64_t bytes);

/// `backward` of the data, and a line for each leaf.
void add_gradients(const BackwardSummary& s, Document& to);
/// The same, with what the run for real left: a line for each gradient that differs or is not finite, and the counts.
void add_gradients(const BackwardCheck& c, Document& to, nlohmann::ordered_json& data);

}  // namespace ersatz::tools
