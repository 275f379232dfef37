// Watches the parts of composite nodes, to find where they read data, lose values, or make NaN or Inf.
//
// A composite (an op whose body calls other ops, or a nested graph of the program) is one node of the program. The fake
// mode reports events with the current source line, and a nested graph sets lines of its own. The watch puts the node's
// place before these lines, so that each event is assigned to the node. It also stores the part that made the first NaN
// or Inf.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "fake/mode/fake_mode_state.h"
#include "runtime/op/mode.h"

namespace ersatz::tools {

/// The part of a composite node that first made NaN or Inf.
struct SpecialPart {
  std::string op, at;  ///< the part's op, and its line in a nested graph; empty if it has none
  bool asked = false;  ///< a scalar argument of the part is NaN or Inf
};

class PartWatch final : public Mode {
 public:
  /// Returns the text that replaces a source line inside the current node. The text contains the line, and outlives the
  /// watch.
  using PlaceOf = std::function<std::string_view(std::string_view line)>;
  PartWatch(FakeModeState& mode, PlaceOf place_of) : mode_(mode), place_of_(std::move(place_of)) {}

  /// Computes the results of a node's call with the mode. If the op has parts, watches them.
  void answer(const OpEntry& op, std::span<const Value> args, Answer& answer);
  const std::optional<SpecialPart>& made(bool nan) const { return nan ? nan_ : inf_; }

  /// With the order Tracer, the watch runs just before the fake mode, after autocast and other modes have changed a
  /// part's call.
  ModeOrder order() const override { return ModeOrder::Tracer; }
  std::string_view mode_name() const override { return mode_.mode_name(); }
  void call(const OpEntry& op, std::span<const Value> args, Values& results) override;

 private:
  FakeModeState& mode_;
  PlaceOf place_of_;
  std::optional<SpecialPart> nan_, inf_;
};

}  // namespace ersatz::tools
