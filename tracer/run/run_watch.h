// An observer of the interpreters on its thread, for clocks, counters and records of errors.
//
// A watch changes nothing. It also sees nodes of nested graphs, each before the node that runs the graph is done.
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
  /// Called when the node's results are there, with the node's time including nested graphs.
  virtual void ran(const NodeCall&, double /*seconds*/) {}
  /// Called when the node's call raised. The arguments are as the call left them.
  virtual void failed(const NodeCall&, const Error&) {}
};

/// Returns the watch of this thread, null if there is none.
RunWatch* run_watch();

class RunWatchScope {
 public:
  /// Null: no watch is active in the scope.
  explicit RunWatchScope(RunWatch* watch);
  ~RunWatchScope();
  RunWatchScope(const RunWatchScope&) = delete;
  RunWatchScope& operator=(const RunWatchScope&) = delete;

 private:
  RunWatch* outer_;
};

}  // namespace ersatz
