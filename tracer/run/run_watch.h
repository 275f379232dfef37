// Observes the interpreters that run on its thread: for timings, counters and records of errors.
//
// A watch changes nothing. It is also called for nodes of a nested graph, before it is called for the node that runs
// this graph.
#pragma once

#include "tracer/run/interpreter.h"

namespace ersatz {

class RunWatch {
 public:
  virtual ~RunWatch() = default;
  /// Called when a run begins.
  virtual void begins(const PreparedProgram&) {}
  /// Called when the run ends.
  virtual void ends(const PreparedProgram&) {}
  /// Called after a node has returned its results. The time includes nested graphs.
  virtual void ran(const NodeCall&, double /*seconds*/) {}
  /// Called after a node's call raised. Its arguments may have been changed by the call.
  virtual void failed(const NodeCall&, const Error&) {}
};

/// Returns the watch of this thread; null if there is none.
RunWatch* run_watch();

class RunWatchScope {
 public:
  /// Makes `watch` the watch of this thread. If it is null, no watch is active in the scope.
  explicit RunWatchScope(RunWatch* watch);
  ~RunWatchScope();
  RunWatchScope(const RunWatchScope&) = delete;
  RunWatchScope& operator=(const RunWatchScope&) = delete;

 private:
  RunWatch* outer_;
};

}  // namespace ersatz
