#include "tracer/trace/kept_origin.h"

#include "tracer/trace/tracer.h"

namespace ersatz {

KeptOrigin::KeptOrigin(const Program& program) : program_(program) {
  places_.reserve(program.modules.size());  // they point at each other
  for (const ModuleFrame& frame : program.modules) {
    const ModulePlace* const outer = frame.outer == kNone ? nullptr : &places_[frame.outer];
    places_.push_back({next_place_id(), std::string(program.name(frame.path)), std::string(program.name(frame.type)),
                       nullptr, outer});
  }
}

void KeptOrigin::call(const NodeCall& call, std::span<Values> results) {
  const Node& node = call.node();
  const ModulePlaceScope module(node.module == kNone ? current_module() : &places_[node.module]);
  if (Tracer* tracer = current_tracer()) tracer->stand_for(program_, node);
  NodeHandler::call(call, results);
}

}  // namespace ersatz
