// The gradients of a recorded call: the leaves among its arguments, autograd's flags of the results, incoming gradients
// and computed gradients.
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
  bool view = false;       ///< autograd treats the tensor as a view of another
  bool inference = false;  ///< the tensor was made in inference mode
  std::string node;        ///< class of grad_fn, for example `MulBackward0`; empty: it has none
};

/// A gradient that backward got or computed.
struct RecordedGradient {
  TensorMeta meta;
  int64_t storage = 0;
  int64_t nbytes = 0;
  bool has_values = false;
  std::vector<std::byte> values;  ///< elements in row-major order
  int is_incoming = -1;           ///< number of the incoming gradient that is the same object; -1: none is
  bool zero = false;              ///< an all-zero gradient without memory (ZeroTensor)
};

struct RecordedGradients {
  enum class Mode : uint8_t { Grad, NoGrad, Inference };
  Mode mode = Mode::Grad;  ///< the grad mode in which the call ran
  /// Numbers of the tensor arguments that are leaves and require gradients.
  std::vector<int> leaves;
  std::vector<int> cloned;                           ///< numbers of the leaves of which the call got a clone
  std::vector<RecordedFlags> results;                ///< one for each flat result; for a number it has the defaults
  std::vector<std::pair<int, RecordedFlags>> after;  ///< flags of the arguments that the call changed
  bool has_backward = false;
  std::vector<std::optional<RecordedGradient>> incoming;   ///< one for each result, or for each argument in `after`
  std::vector<std::optional<RecordedGradient>> gradients;  ///< one for each leaf; empty if backward raised
  /// `.grad` of the leaves after one and after two backward runs. If empty, `.grad` is as in `gradients`.
  std::vector<std::vector<std::optional<RecordedGradient>>> accumulated;
  int accumulated_before_error = -1;  ///< number of backward runs that ended normally before one raised
  std::string backward_error;         ///< class of the exception that backward raised; empty: it did not raise
  /// Class of the exception that the call raised because gradients were required; empty: it did not raise.
  std::string forward_error;
  /// The reason of the error, for example `leaf written in place`; empty: not recorded.
  std::string why;
};

/// Parses the gradients in a record. nullopt if the record has no key `rg`.
std::optional<RecordedGradients> parse_recorded_gradients(const JsonView& record);

}  // namespace ersatz
