// The graph JSON of `torch.export`: schema version 8, any minor.
//
// Hostile input (JsonStream), refused with file, JSON path and reason: other schema majors, unknown tags of unions,
// unknown enum numbers, values used before their definition, two of one name, negative or overflowing sizes, outputs
// and signatures that do not match. What this machine does not know is no reason to refuse: unregistered operators,
// higher-order ones and symbolic functions become nodes like any other.
#pragma once

#include <string>
#include <string_view>

#include "tracer/program/program.h"

namespace ersatz {

/// A program whose inputs are not yet bound to weights. `file` is named in messages.
Program parse_pt2_json(std::string_view text, const std::string& file);

/// One row of `*_weights_config.json` or `*_constants_config.json`.
struct PayloadConfig {
  std::string name;  ///< qualified name
  std::string path;  ///< file name, one component
  bool is_param = false;
  TensorMeta meta;
  // Keys of our own.
  std::optional<int64_t> storage;  ///< rows of one number share their bytes, in whichever config they stand
  int64_t made_bytes = 0;          ///< at least so many, where there are none
  bool given = false;              ///< nothing is stored: the caller gives it
};
std::vector<PayloadConfig> parse_payload_config(std::string_view text, const std::string& file);

}  // namespace ersatz
