// Is told what interpreters of its thread do: for clocks, counters and records of what failed.
//
// A watch changes nothing. It sees nodes of nested graphs too, each before the node that runs them is done.
#pragma once

#include "tracer/run/interpreter.h"

namespace ersatz {

class RunWatch {
 public:
  virtual ~RunWatch() = default;
  /// A run begins.
  virtual void begins(const PreparedProgram&) {}
  /// It is at its end.
  virtual void ends(const PreparedProgram&) {}
  /// The node's results are there; how long it took, nested graphs included.
  virtual void ran(const NodeCall&, double /*seconds*/) {}
  /// Its call raised. The arguments are as the call left them.
  virtual void failed(const NodeCall&, const Error&) {}
};

/// The watch of this thread; null where there is none.
RunWatch* run_watch();

class RunWatchScope {
 public:
  /// Null: nobody watches.
  explicit RunWatchScope(RunWatch* watch);
  ~RunWatchScope();
  RunWatchScope(const RunWatchScope&) = delete;
  RunWatchScope& operator=(const RunWatchScope&) = delete;

 private:
  RunWatch* outer_;
};

}  // namespace ersatz
