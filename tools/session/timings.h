// Where the time of a session went: by phase, by function, by operator.
//
// A *frame* is one program, or one set of recorded calls, that a session takes up; what a phase took is kept for each
// frame. A *function* is a piece of work that is named in full (`ersatz::tools::run_fake`): each call adds a duration.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ersatz::tools {

struct OperatorTime {
  std::string op;
  int64_t calls = 0;
  double seconds = 0;
};

class Timings {
 public:
  void add_phase(int64_t frame, const std::string& phase, double seconds);
  void add_call(const std::string& function, double seconds);
  void add_operator(const std::string& op, double seconds);
  void clear();

  /// Seconds of a phase in one frame.
  double phase(int64_t frame, const std::string& phase) const;
  /// Over all frames, in the order in which they first came.
  std::vector<std::pair<std::string, double>> phases() const;
  /// Durations of each function, in the order in which they first came.
  const std::vector<std::pair<std::string, std::vector<double>>>& functions() const { return functions_; }
  /// Those that took longest first.
  std::vector<OperatorTime> operators() const;

  /// `TIMING: load:0.01234 run:0.56789`: seconds of the phases over all frames.
  std::string line() const;
  /// `ersatz session metrics:`, then a table of the functions: their durations added up, or each of them.
  std::string text(bool each = false) const;
  /// A row of the functions' names, a row of their seconds.
  std::string csv() const;

 private:
  struct Phase {
    int64_t frame;
    std::string name;
    double seconds;
  };
  std::vector<Phase> phases_;
  std::vector<std::pair<std::string, std::vector<double>>> functions_;
  std::vector<OperatorTime> operators_;
};

}  // namespace ersatz::tools
