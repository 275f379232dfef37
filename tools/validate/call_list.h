// The calls that an op is tried with: its samples times layouts times dtypes times fills, in a fixed order.
//
// The list holds specs, and no bytes. It is the same in every process, so a child can run calls a to b and its parent
// can name the one that killed it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/op/sample_layout.h"
#include "tools/validate/call_spec.h"

namespace ersatz::tools {

/// Those that each sample is tried in. SizeZero and SizeOne: a size of the sample is 0 or 1 wherever it occurs;
/// OtherSizes: it is each of 2, 3, 4, 5, 7, 8, 9, 16 and 17, in the sample's own dtypes.
inline constexpr SampleLayout kCallLayouts[] = {
    SampleLayout::AsWritten, SampleLayout::Permuted, SampleLayout::Gapped,
    SampleLayout::Offset,    SampleLayout::Expanded, SampleLayout::ChannelsLast,
    SampleLayout::SizeZero,  SampleLayout::SizeOne,  SampleLayout::OtherSizes};
/// The one of them that is called so; InvalidArgument naming all of them.
SampleLayout layout_named(const std::string& text);

struct CallListOptions {
  std::vector<SampleLayout> layouts;  ///< empty: all
  std::vector<DType> dtypes;          ///< empty: those that the op's kernels declare, else all
  bool mixed = true;                  ///< ... and calls whose tensors differ in dtype
  std::vector<FillKind> fills;        ///< empty: all
  uint64_t seed = 0;
};

class CallList {
 public:
  CallList(const OpEntry& op, const CallListOptions& options, DeviceType device);
  int64_t size() const { return static_cast<int64_t>(specs_.size() * fills_.size()); }
  CallSpec at(int64_t i) const;
  /// What it is made of, for people: `sample 2, permuted, mixed`.
  std::string origin(int64_t i) const;
  /// Why there are none, or fewer than the samples say.
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

/// A random call of the op: a sample with some of layouts, dtypes, sizes, numbers and fill changed. The same for the
/// same (seed, number) and op name. REQUIRES: the op has samples.
CallSpec random_call(const OpEntry& op, uint64_t seed, int64_t number);

}  // namespace ersatz::tools
