// A report and its findings as Python has them: values of the C++ report, and the forms that the command writes.
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
  std::string own_field;  ///< a field that crosschecks do not have, like `raises`; empty: finding.field is the field
  int64_t times = 1;      ///< how often it was made at its place

  std::string field() const { return own_field.empty() ? std::string(name(finding.field)) : own_field; }
};

/// What a report is made of, by those who have one: a command, a live run, the judgement of an operator.
struct ReportParts {
  tools::Document document;  ///< REQUIRES: its data are those of `ersatz crosscheck --json`
  Report report;
  std::vector<int64_t> times;  ///< of each finding; empty: once each
  int indent = 1;              ///< of the JSON; -1: one line
};

class ReportObject {
 public:
  using Text = std::function<std::string()>;

  explicit ReportObject(ReportParts parts);
  /// The report that was written as this JSON, with its text and page. Raises InvalidArgument where it is none.
  ReportObject(std::string json, std::string text, Text page);

  std::string word(const char* key) const { return data_.at(key).get<std::string>(); }
  const Report& report() const { return report_; }
  const nb::object& findings() const { return findings_; }
  /// Results that were not compared, by reason. Reasons without results are left out.
  std::map<std::string, int64_t> skipped() const;
  std::map<std::string, int64_t> own_unjudged() const;
  std::map<std::string, std::map<std::string, int64_t>> skipped_calls() const;

  const std::string& text() const { return text_; }
  std::string closing() const;
  /// The JSON and the page are made when somebody asks first.
  const std::string& json() const;
  const std::string& page() const;

 private:
  /// A form that is made once.
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
