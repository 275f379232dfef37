#include "tracer/trace/core_decompositions.h"

#include "kernels/core_decompositions.h"
#include "runtime/op/registry.h"

namespace ersatz {

namespace {
DecompositionTable registered() {
  DecompositionTable made;
  for (const OpEntry* op : registry().all()) {
    if (op->decomposition || (op->implicit && op->parts() && !op->tags.has(Tag::Core))) made.add(op->name);
  }
  return made;
}
}  // namespace

const DecompositionTable& core_decompositions() {
  static const DecompositionTable table = [] {
    DecompositionTable made = registered();
    for (const std::span rows : {decomposition::in_place_rows(), decomposition::indexed_in_place_rows()}) {
      for (const decomposition::Row& r : rows) made.add(r.op, r.body);
    }
    return made;
  }();
  return table;
}

const DecompositionTable& exported_decompositions() {
  static const DecompositionTable table = [] {
    DecompositionTable made = registered();
    for (const decomposition::Row& r : decomposition::exported_rows()) made.add(r.op, r.body);
    for (const std::string_view op : decomposition::exported_whole()) made.keep_whole(op);
    return made;
  }();
  return table;
}

}  // namespace ersatz
