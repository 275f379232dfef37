// The calls with which an op is tried: each combination of a sample, a layout, a dtype and a fill, in a fixed order.
//
// The list has CallSpecs and no bytes. Every process makes the same list. So if a call kills the child that runs calls
// a to b, the parent can tell which call it was.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/op/sample_layout.h"
#include "tools/validate/call_spec.h"

namespace ersatz::tools {

/// The layouts that each sample is tried with. SizeZero and SizeOne replace one size of the sample by 0 or 1
/// everywhere. OtherSizes replaces it by 2, 3, 4, 5, 7, 8, 9, 16 and 17, in the sample's own dtypes only.
inline constexpr SampleLayout kCallLayouts[] = {
    SampleLayout::AsWritten, SampleLayout::Permuted, SampleLayout::Gapped,
    SampleLayout::Offset,    SampleLayout::Expanded, SampleLayout::ChannelsLast,
    SampleLayout::SizeZero,  SampleLayout::SizeOne,  SampleLayout::OtherSizes};
/// Returns the layout with that name. RAISES InvalidArgument, with a list of the names, if there is none.
SampleLayout layout_named(const std::string& text);

struct CallListOptions {
  std::vector<SampleLayout> layouts;  ///< layouts to try; empty: all
  std::vector<DType> dtypes;          ///< dtypes to try; empty: those of the op's kernels or, if it has none, all
  bool mixed = true;                  ///< also tries calls whose tensors have different dtypes
  std::vector<FillKind> fills;        ///< fills to try; empty: all
  uint64_t seed = 0;
};

class CallList {
 public:
  CallList(const OpEntry& op, const CallListOptions& options, DeviceType device);
  int64_t size() const { return static_cast<int64_t>(specs_.size() * fills_.size()); }
  CallSpec at(int64_t i) const;
  /// Returns a text on how call i was made: `sample 2, permuted, mixed`.
  std::string origin(int64_t i) const;
  /// Returns the reasons why there are no calls, or fewer than expected.
  const std::vector<std::string>& gaps() const { return gaps_; }

 private:
  struct Variant {
    CallSpec spec;
    size_t sample;
    SampleLayout layout;
    std::string dtype;
  };
  void add_layouts(const CallSpec& base, size_t sample, const std::string& dtype, bool own_dtypes);
  void add(std::optional<CallSpec> spec, size_t sample, SampleLayout layout, const std::string& dtype);

  const CallListOptions& options_;
  std::vector<FillKind> fills_;
  std::vector<Variant> specs_;
  std::vector<std::string> gaps_;
};

/// Returns a random call of the op: a sample with some changes of layouts, dtypes, sizes, numbers and fill. It depends
/// only on the seed, the number and the op's name. REQUIRES: the op has samples.
CallSpec random_call(const OpEntry& op, uint64_t seed, int64_t number);

}  // namespace ersatz::tools
