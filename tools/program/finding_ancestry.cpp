#include "tools/program/finding_ancestry.h"

#include <algorithm>

namespace ersatz::tools {

namespace {

/// True if a difference in this field can change the values that are computed from the result.
bool changes_values(FindingField field) {
  switch (field) {
    case FindingField::Stride:
    case FindingField::Offset:
    case FindingField::Device:
    case FindingField::RequiresGrad:
    case FindingField::DynamicSize:
      return false;
    default:
      return true;
  }
}

}  // namespace

void FindingAncestry::begin(const Report& report) {
  findings_ = report.findings.size();
  follow_ups_ = report.follow_ups;
}

void FindingAncestry::end(const NodeCall& call, const Report& report) {
  if (report.findings.empty()) return;
  uint32_t from = kNone;
  for (ValueId id : argument_values(call)) {
    if (of_[id] != kNone) from = from == kNone ? of_[id] : std::max(from, of_[id]);
  }
  for (int64_t i = follow_ups_; i < report.follow_ups && from != kNone; ++i) {
    if (differences_.size() < kMostDifferences) {
      differences_.push_back({from, std::string(call.name()), std::string(call.op_name())});
    }
  }
  if (report.findings.size() > findings_) from = static_cast<uint32_t>(findings_);
  if (from == kNone) return;
  for (ValueId id : result_values(program_, call.node())) {
    if (id != kNone) of_[id] = from;
  }
}

void FindingAncestry::end_output(ValueId value, const Report& report) {
  const uint32_t from = of_[value];
  if (from == kNone || report.findings.size() == findings_) return;
  if (!changes_values(report.findings[from].field) || differences_.size() == kMostDifferences) return;
  const Finding& own = report.findings.back();
  differences_.push_back({from, own.node, own.op, static_cast<int64_t>(report.findings.size()) - 1});
}

}  // namespace ersatz::tools
