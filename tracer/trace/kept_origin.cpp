#include "tracer/trace/kept_origin.h"

#include "tracer/trace/tracer.h"

namespace ersatz {

KeptOrigin::KeptOrigin(const Program& program) : program_(program) {
  places_.reserve(program.modules.size());  // reserved, because places point at each other and must not move
  for (const ModuleFrame& frame : program.modules) {
    const ModulePlace* const outer = frame.outer == kNone ? nullptr : &places_[frame.outer];
    places_.push_back({next_place_id(), std::string(program.name(frame.path)), std::string(program.name(frame.type)),
                       nullptr, outer});
  }
}

const ModulePlace* KeptOrigin::place_of(const Node& node) const {
  return node.module == kNone ? current_module() : &places_[node.module];
}

void KeptOrigin::call(const NodeCall& call, std::span<Values> results) {
  const ModulePlaceScope module(place_of(call.node()));
  Tracer* const tracer = current_tracer();
  if (tracer) tracer->stand_for(program_, call.node());
  NodeHandler::call(call, results);
  if (tracer && asks_only(*call.step.entry)) tracer->keep_numbers(*call.step.entry, call.lanes[0], results[0]);
}

void KeptOrigin::number(const NodeCall& call, std::span<const Values> results) {
  const ModulePlaceScope module(place_of(call.node()));
  Tracer* const tracer = current_tracer();
  if (!tracer) return;
  tracer->stand_for(program_, call.node());
  tracer->keep_numbers(call.op_name(), call.lanes[0], results[0]);
}

}  // namespace ersatz
