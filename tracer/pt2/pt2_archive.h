// The PT2 archive: a graph JSON with raw weights, as torch 2.9 and later write it.
//
// All entries are under one root folder of any name: `ROOT/models/NAME.json`, `ROOT/data/weights/...`,
// `ROOT/data/constants/...`. Older containers (weights as Python pickles) and big-endian ones are refused by name.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tracer/program/program.h"
#include "tracer/pt2/pt2_json.h"

namespace ersatz {

class ZipArchive;

Program load_pt2_archive(std::shared_ptr<ZipArchive> archive, uint64_t seed);

/// Finds the bytes of a config row: a payload kind with path and size, or kind Made where there are none.
/// `constants` tells which of the two configs the row is of.
using PayloadFinder = std::function<Payload(const PayloadConfig& row, bool constants)>;

/// Gives each parameter, buffer and constant of the main graph its stored tensor. Without any rows all are made up;
/// with rows, a missing one is refused, and so is one whose dtype or sizes are not the graph's.
void bind_weights(Program& program, const std::vector<PayloadConfig>& weights,
                  const std::vector<PayloadConfig>& constants, const PayloadFinder& find, const std::string& file);

}  // namespace ersatz
