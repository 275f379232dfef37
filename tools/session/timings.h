// Times of a session: by phase, by function, by operator.
//
// A *frame* is one program or one set of recorded calls. Times of phases are stored for each frame. A *function* has
// its full name (`ersatz::tools::run_fake`), and each call of it adds a duration.
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

  /// Returns the seconds of a phase in one frame.
  double phase(int64_t frame, const std::string& phase) const;
  /// Returns the seconds of each phase over all frames, in order of first appearance.
  std::vector<std::pair<std::string, double>> phases() const;
  /// Returns the durations of each function, in order of first appearance.
  const std::vector<std::pair<std::string, std::vector<double>>>& functions() const { return functions_; }
  /// Returns the times of operators, slowest first.
  std::vector<OperatorTime> operators() const;

  /// Returns the seconds of the phases over all frames: `TIMING: load:0.01234 run:0.56789`.
  std::string line() const;
  /// Returns `ersatz session metrics:` and a table of the functions, with all durations if `each` is set, else with
  /// their sums.
  std::string text(bool each = false) const;
  /// Returns a row with the functions' names and a row with their seconds.
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
