// Loads the PT2 archive of torch 2.9 and later: a graph JSON and raw weights.
//
// All entries are in one root folder of any name: `ROOT/models/NAME.json`, `ROOT/data/weights/...`,
// `ROOT/data/constants/...`. Older archives (with weights as Python pickles) and big-endian ones are refused with the
// reason.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "tracer/program/program.h"
#include "tracer/pt2/pt2_json.h"

namespace ersatz {

class ZipArchive;

/// Returns the only program of the archive, or the one of that name.
Program load_pt2_archive(std::shared_ptr<ZipArchive> archive, uint64_t seed, const std::string& name = "");

/// The folders of an archive with tensor bytes. Each has a config that lists them.
enum class PayloadFolder : uint8_t {
  Weights,    ///< parameters and buffers
  Constants,  ///< constants and non-persistent buffers
  Inputs      ///< an extension of ersatz: stored values of other inputs, by the input's name in the graph
};
struct PayloadFolderNames {
  std::string_view folder;  ///< `/data/weights/`, below the root
  std::string_view config;  ///< `_weights_config.json`, appended to the model's name
  std::string_view file;    ///< `weight_`, before a number
};
const PayloadFolderNames& names_of(PayloadFolder folder);
/// Returns the folder for the bytes of an input of this kind.
PayloadFolder folder_of(InputKind kind);

/// Returns whether a stored tensor has the recorded dtype, and the recorded sizes where these are numbers.
bool fits_graph(const TensorMeta& stored, const TensorMeta& recorded);

using PayloadConfigs = std::array<std::vector<PayloadConfig>, 3>;  ///< by PayloadFolder

/// Finds the bytes of a config row. Returns a payload with path and size, or one of kind Made if there are none.
using PayloadFinder = std::function<Payload(const PayloadConfig& row, PayloadFolder folder)>;

/// Binds each parameter, buffer and constant of the main graph to its stored tensor. If no config has rows, all values
/// are synthetic. Otherwise a missing row is refused, and so is one whose dtype or sizes differ from the graph's. Other
/// inputs are bound if a row names them.
void bind_weights(Program& program, const PayloadConfigs& configs, const PayloadFinder& find, const std::string& file);

}  // namespace ersatz
