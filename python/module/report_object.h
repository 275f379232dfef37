// A report and its findings as Python objects, and the texts that the command writes.
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
  std::string own_field;  ///< a field that crosschecks do not have, like `raises`; empty: use finding.field
  int64_t times = 1;      ///< how often it was found at its place

  std::string field() const { return own_field.empty() ? std::string(name(finding.field)) : own_field; }
};

/// The parts of a report of a command, a live run, or the validation of an operator.
struct ReportParts {
  tools::Document document;  ///< REQUIRES: its data have the form of `ersatz crosscheck --json`
  Report report;
  std::vector<int64_t> times;  ///< per finding; empty: once each
  int indent = 1;              ///< of the JSON; -1: one line
};

class ReportObject {
 public:
  using Text = std::function<std::string()>;

  explicit ReportObject(ReportParts parts);
  /// Reads a report from its JSON, with its text and page. Raises InvalidArgument if `json` is no report.
  ReportObject(std::string json, std::string text, Text page);

  std::string word(const char* key) const { return data_.at(key).get<std::string>(); }
  const Report& report() const { return report_; }
  const nb::object& findings() const { return findings_; }
  /// Returns the number of results that were not compared, by reason, without zeros.
  std::map<std::string, int64_t> skipped() const;
  std::map<std::string, int64_t> own_unjudged() const;
  std::map<std::string, std::map<std::string, int64_t>> skipped_calls() const;

  const std::string& text() const { return text_; }
  std::string closing() const;
  /// The JSON and the page are made on first use.
  const std::string& json() const;
  const std::string& page() const;

 private:
  /// A text that is made once.
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
