// What a recorded call says of gradients: which arguments were leaves that require one, the flags of the results, the
// gradients that came in and those that came out.
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
  bool view = false;       ///< autograd sees a base
  bool inference = false;  ///< made in inference mode
  std::string node;        ///< `MulBackward0`; empty: none
};

/// A tensor that came out of, or went into, a backward run.
struct RecordedGradient {
  TensorMeta meta;
  int64_t storage = 0;
  int64_t nbytes = 0;
  bool has_values = false;
  std::vector<std::byte> values;  ///< row-major
  int is_incoming = -1;           ///< it is the incoming gradient of that number, the same object
  bool zero = false;              ///< zeros without memory
};

struct RecordedGradients {
  enum class Mode : uint8_t { Grad, NoGrad, Inference };
  Mode mode = Mode::Grad;                            ///< in which the call alone ran
  std::vector<int> leaves;                           ///< tensor arguments that are leaves and require gradients
  std::vector<int> cloned;                           ///< of these, the ones that the call got as a clone
  std::vector<RecordedFlags> results;                ///< one per flat result; of a number nothing
  std::vector<std::pair<int, RecordedFlags>> after;  ///< arguments that the call changed
  bool has_backward = false;
  std::vector<std::optional<RecordedGradient>> incoming;   ///< one per result, or per argument of `after`
  std::vector<std::optional<RecordedGradient>> gradients;  ///< one per leaf; empty where backward raised
  /// `.grad` of the leaves after one backward run and after two; empty: as `gradients`.
  std::vector<std::vector<std::optional<RecordedGradient>>> accumulated;
  int accumulated_before_error = -1;  ///< runs that passed before one raised
  std::string backward_error;         ///< class of what backward raised; empty: nothing
  std::string forward_error;          ///< class of what the call raised because of gradients; empty: nothing
  std::string why;                    ///< `leaf written in place`, ...; empty: not said
};

/// Reads the members of a record; nothing where it has no `rg`.
std::optional<RecordedGradients> parse_recorded_gradients(const JsonView& record);

}  // namespace ersatz
