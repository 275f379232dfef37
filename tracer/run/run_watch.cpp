#include "tracer/run/run_watch.h"

#include <utility>

namespace ersatz {

namespace {
thread_local constinit RunWatch* t_watch = nullptr;
}

RunWatch* run_watch() { return t_watch; }

RunWatchScope::RunWatchScope(RunWatch* watch) : outer_(std::exchange(t_watch, watch)) {}
RunWatchScope::~RunWatchScope() { t_watch = outer_; }

}  // namespace ersatz
