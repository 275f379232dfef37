// Loads the PT2 archive of torch 2.9 and later: a graph JSON and raw weights.
//
// All entries are in one root folder, whose name is arbitrary: `ROOT/models/NAME.json`, `ROOT/data/weights/...`,
// `ROOT/data/constants/...`. Older archives (with weights as Python pickles) and big-endian archives are refused with
// the reason.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "tracer/program/program.h"
#include "tracer/pt2/pt2_json.h"

namespace ersatz {

class ZipArchive;

/// Returns the program `name` of the archive; if `name` is empty, the only one.
Program load_pt2_archive(std::shared_ptr<ZipArchive> archive, uint64_t seed, const std::string& name = "");

/// The folders of an archive that have bytes of tensors. A config file lists the tensors of each folder.
enum class PayloadFolder : uint8_t {
  Weights,    ///< parameters and buffers
  Constants,  ///< constants and non-persistent buffers
  Inputs      ///< values of other inputs, by the input's name in the graph; only ersatz writes this folder
};
struct PayloadFolderNames {
  std::string_view folder;  ///< for example `/data/weights/`, below the root folder
  std::string_view config;  ///< for example `_weights_config.json`, appended to the model's name
  std::string_view file;    ///< for example `weight_`, which precedes a number
};
const PayloadFolderNames& names_of(PayloadFolder folder);
/// Returns the folder that has the bytes of an input of this kind.
PayloadFolder folder_of(InputKind kind);

/// Returns whether a stored tensor has the recorded dtype and sizes. A recorded size that is symbolic fits any size.
bool fits_graph(const TensorMeta& stored, const TensorMeta& recorded);

using PayloadConfigs = std::array<std::vector<PayloadConfig>, 3>;  ///< indexed by PayloadFolder

/// A function that finds the bytes of a config row. It returns a payload with path and size, or one of kind Made if
/// there are no bytes.
using PayloadFinder = std::function<Payload(const PayloadConfig& row, PayloadFolder folder)>;

/// Assigns to each parameter, buffer and constant of the main graph its stored tensor. If no config has rows, all
/// values are synthetic. Otherwise RAISES InvalidArgument if a row is missing, or if its dtype or sizes differ from the
/// graph's. Other inputs get a stored tensor if a row names them.
void bind_weights(Program& program, const PayloadConfigs& configs, const PayloadFinder& find, const std::string& file);

}  // namespace ersatz
