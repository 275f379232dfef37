// The PT2 archive: a graph JSON with raw weights, as torch 2.9 and later write it.
//
// All entries are under one root folder of any name: `ROOT/models/NAME.json`, `ROOT/data/weights/...`,
// `ROOT/data/constants/...`. Older containers (weights as Python pickles) and big-endian ones are refused by name.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>

#include "tracer/program/program.h"
#include "tracer/pt2/pt2_json.h"

namespace ersatz {

class ZipArchive;

/// The only program of the archive, or the one of that name.
Program load_pt2_archive(std::shared_ptr<ZipArchive> archive, uint64_t seed, const std::string& name = "");

/// The folders of an archive that hold bytes, each with a config that lists them.
enum class PayloadFolder : uint8_t {
  Weights,    ///< parameters and buffers
  Constants,  ///< constants, and buffers that are not saved with the weights
  Inputs      ///< of our own: what else an input has at hand; rows are called as the graph calls the input
};
struct PayloadFolderNames {
  std::string_view folder;  ///< `/data/weights/`, below the root
  std::string_view config;  ///< `_weights_config.json`, behind the model's name
  std::string_view file;    ///< `weight_`, before a number
};
const PayloadFolderNames& names_of(PayloadFolder folder);
/// Where an input's bytes are.
PayloadFolder folder_of(InputKind kind);

/// May a stored tensor be what the graph recorded: the same dtype and sizes, where those are numbers?
bool fits_graph(const TensorMeta& stored, const TensorMeta& recorded);

using PayloadConfigs = std::array<std::vector<PayloadConfig>, 3>;  ///< by PayloadFolder

/// Finds the bytes of a config row: a payload kind with path and size, or kind Made where there are none.
using PayloadFinder = std::function<Payload(const PayloadConfig& row, PayloadFolder folder)>;

/// Gives each parameter, buffer and constant of the main graph its stored tensor. Without any rows all are made up;
/// with rows, a missing one is refused, and so is one whose dtype or sizes are not the graph's. Other inputs have one
/// where a row says so.
void bind_weights(Program& program, const PayloadConfigs& configs, const PayloadFinder& find, const std::string& file);

}  // namespace ersatz
