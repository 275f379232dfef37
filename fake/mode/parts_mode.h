// The mode that is active while the body of a composite op runs.
#pragma once

#include "fake/mode/fake_mode_state.h"

namespace ersatz {

/// Replaces a fake mode on the stack of modes while the body of a composite op runs. A derived class receives each call
/// of the body and lets the fake mode answer it.
class PartsMode : public Mode {
 public:
  explicit PartsMode(FakeModeState& mode) : mode_(mode) {}
  ModeOrder order() const override { return ModeOrder::Fake; }
  std::string_view mode_name() const override { return mode_.mode_name(); }
  FakeModeState& fake_mode() const { return mode_; }

 private:
  FakeModeState& mode_;
};

}  // namespace ersatz
