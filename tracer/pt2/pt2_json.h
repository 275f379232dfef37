// Parses the graph JSON of `torch.export`: schema version 8, any minor version.
//
// The text is not trusted (JsonStream). A refusal is an InvalidArgument with file, JSON path and reason. Refused are
// other major versions, unknown tags of unions, unknown enum numbers, duplicate names, and negative or overflowing
// sizes. Values that are used before their definition, and signatures that do not match the graph, are refused too.
// Unregistered operators, higher-order operators and symbolic functions become nodes.
#pragma once

#include <string>
#include <string_view>

#include "tracer/program/program.h"

namespace ersatz {

/// Returns the program, whose inputs have no weights yet. `file` is the name in error messages.
Program parse_pt2_json(std::string_view text, const std::string& file);

/// One row of `*_weights_config.json` or `*_constants_config.json`.
struct PayloadConfig {
  std::string name;  ///< qualified name
  std::string path;  ///< a file name without a folder
  bool is_param = false;
  TensorMeta meta;
  // Keys that only ersatz writes.
  std::optional<int64_t> storage;  ///< rows with equal numbers share their bytes, even if they are in different configs
  int64_t made_bytes = 0;          ///< if there are no bytes: the least size of the payload
  bool given = false;              ///< nothing is stored, because the caller passes the value
};
std::vector<PayloadConfig> parse_payload_config(std::string_view text, const std::string& file);

}  // namespace ersatz
