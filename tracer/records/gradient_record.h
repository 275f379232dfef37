// The gradients of a recorded call: arguments that were leaves and require a gradient, autograd flags of the results,
// incoming gradients and computed gradients.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/tensor/tensor_meta.h"

namespace ersatz {

class JsonView;

struct RecordedFlags {
  bool requires_grad = false;
  bool leaf = true;
  bool view = false;       ///< autograd knows a base of it
  bool inference = false;  ///< made in inference mode
  std::string node;        ///< grad_fn, `MulBackward0`; empty: none
};

/// A gradient that backward received or computed.
struct RecordedGradient {
  TensorMeta meta;
  int64_t storage = 0;
  int64_t nbytes = 0;
  bool has_values = false;
  std::vector<std::byte> values;  ///< row-major
  int is_incoming = -1;           ///< number of the incoming gradient that is the same object; -1: none
  bool zero = false;              ///< zeros without memory
};

struct RecordedGradients {
  enum class Mode : uint8_t { Grad, NoGrad, Inference };
  Mode mode = Mode::Grad;                            ///< mode in which the call ran
  std::vector<int> leaves;                           ///< tensor arguments that are leaves and require gradients
  std::vector<int> cloned;                           ///< leaves that the call received as clones
  std::vector<RecordedFlags> results;                ///< one per flat result; defaults for a number
  std::vector<std::pair<int, RecordedFlags>> after;  ///< arguments that the call changed
  bool has_backward = false;
  std::vector<std::optional<RecordedGradient>> incoming;   ///< one per result, or per argument of `after`
  std::vector<std::optional<RecordedGradient>> gradients;  ///< one per leaf; empty if backward raised
  /// `.grad` of the leaves after one and after two backward runs. Empty: `.grad` is as in `gradients`.
  std::vector<std::vector<std::optional<RecordedGradient>>> accumulated;
  int accumulated_before_error = -1;  ///< number of backward runs that passed before one raised
  std::string backward_error;         ///< exception class that backward raised; empty: none
  std::string forward_error;          ///< exception class that the call raised because of gradients; empty: none
  std::string why;                    ///< reason, `leaf written in place`, ...; empty: not recorded
};

/// Parses the members of a record. Returns nullopt if it has no `rg`.
std::optional<RecordedGradients> parse_recorded_gradients(const JsonView& record);

}  // namespace ersatz
