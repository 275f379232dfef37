// A report and its findings as Python objects, with the texts that the command writes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fake/crosscheck/report.h"
#include "python/module/module.h"
#include "tools/output/document.h"

namespace ersatz::python {

struct FindingObject {
  Finding finding;
  /// A field that a crosscheck does not have, for example `raises`; empty: finding.field counts.
  std::string own_field;
  int64_t times = 1;  ///< number of times that the finding occurred

  std::string field() const { return own_field.empty() ? std::string(name(finding.field)) : own_field; }
};

/// The parts of which a report is made. It comes from a command, a live run, or the validation of an operator.
struct ReportParts {
  tools::Document document;  ///< REQUIRES: its data have the keys of `ersatz crosscheck --json`
  Report report;
  std::vector<int64_t> times;  ///< for each finding, how often it occurred; empty: each occurred once
  int indent = 1;              ///< indentation of the JSON; -1: the JSON is one line
};

class ReportObject {
 public:
  using Text = std::function<std::string()>;

  explicit ReportObject(ReportParts parts);
  /// Makes a report from its JSON, text and page. RAISES InvalidArgument if `json` is no report.
  ReportObject(std::string json, std::string text, Text page);

  std::string word(const char* key) const { return data_.at(key).get<std::string>(); }
  const Report& report() const { return report_; }
  const nb::object& findings() const { return findings_; }
  /// Returns the number of results that were not compared, by reason. Reasons with 0 are left out.
  std::map<std::string, int64_t> skipped() const;
  std::map<std::string, int64_t> own_unjudged() const;
  std::map<std::string, std::map<std::string, int64_t>> skipped_calls() const;

  const std::string& text() const { return text_; }
  std::string closing() const;
  /// The JSON and the page are made on first use.
  const std::string& json() const;
  const std::string& page() const;

 private:
  /// A text that is made on first use.
  struct Form {
    Text make;
    std::string made;
    const std::string& get();
  };
  void keep_findings(const std::vector<int64_t>& times);

  nlohmann::ordered_json data_;
  Report report_;
  nb::object findings_;  ///< a tuple of FindingObject
  std::string text_;
  mutable Form json_, page_;
};

}  // namespace ersatz::python
