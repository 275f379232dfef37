// Parses the graph JSON of `torch.export`: schema version 8, any minor.
//
// The text is hostile input (JsonStream). A refusal names file, JSON path and reason. Refused are other schema majors,
// unknown tags of unions, unknown enum numbers, duplicate names, and negative or overflowing sizes. Values used before
// their definition and signatures that do not match the graph are refused too. Unregistered operators, higher-order
// operators and symbolic functions are accepted and become nodes.
#pragma once

#include <string>
#include <string_view>

#include "tracer/program/program.h"

namespace ersatz {

/// Returns a program whose inputs are not bound to weights yet. Messages name `file`.
Program parse_pt2_json(std::string_view text, const std::string& file);

/// One row of `*_weights_config.json` or `*_constants_config.json`.
struct PayloadConfig {
  std::string name;  ///< qualified name
  std::string path;  ///< a file name without a folder
  bool is_param = false;
  TensorMeta meta;
  // Keys of ersatz.
  std::optional<int64_t> storage;  ///< rows with equal numbers share their bytes, also across configs
  int64_t made_bytes = 0;          ///< least size of the payload if it has no bytes
  bool given = false;              ///< nothing is stored: the caller passes the value
};
std::vector<PayloadConfig> parse_payload_config(std::string_view text, const std::string& file);

}  // namespace ersatz
