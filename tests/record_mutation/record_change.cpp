#include "tests/record_mutation/record_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "runtime/tensor/layout.h"
#include "runtime/tensor/meta_diff.h"
#include "runtime/tensor/meta_text.h"

namespace ersatz {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kErrors[] = {"RuntimeError", "IndexError", "TypeError", "ValueError", "NotImplementedError"};
constexpr int64_t kManyElements = int64_t(1) << 20;

size_t below(Random& random, size_t n) { return static_cast<size_t>(random() % n); }

template <class T>
T& one_of(std::vector<T>& from, Random& random) {
  return from[below(random, from.size())];
}

bool has_tag(const Json& record, const char* tag) {
  const auto tags = record.find("tags");
  return tags != record.end() && std::find(tags->begin(), tags->end(), tag) != tags->end();
}

/// Collects the tensors below a member, in the order of the text.
void collect_tensors(Json& v, std::vector<Json*>& found) {
  if (v.is_object() && v.contains("t")) {
    found.push_back(&v);
  } else if (v.is_array() || v.is_object()) {
    for (Json& item : v) collect_tensors(item, found);
  }
}

std::vector<Json*> tensors_in(Json& record, std::initializer_list<const char*> members) {
  std::vector<Json*> found;
  for (const char* member : members) {
    if (record.contains(member)) collect_tensors(record[member], found);
  }
  return found;
}

void collect_numbers(Json& v, std::vector<Json*>& found) {
  if (v.is_number() || v.is_boolean()) found.push_back(&v);
  if (v.is_array()) {
    for (Json& item : v) collect_numbers(item, found);
  }
}

TensorMeta meta_of(const Json& t) { return parse_meta(t.at("t").get<std::string>()); }

/// Gives the tensor other metadata, and makes its storage large enough for them.
void set_meta(Json& t, const TensorMeta& meta) {
  t["t"] = to_string(meta);
  t["n"] = std::max(t.at("n").get<int64_t>(), storage_bytes_needed(meta).as_int());
}

/// Returns metadata that differ from `meta` in the field; empty if there are none.
std::optional<TensorMeta> other_meta(const TensorMeta& meta, Change change, Random& random) {
  TensorMeta other = meta;
  const size_t rank = meta.sizes.size();
  if (change == Change::DType) {
    while (other.dtype == meta.dtype) other.dtype = static_cast<DType>(below(random, kCommonDTypeCount));
  } else if (change == Change::Size) {
    const bool longer = rank > 0 && meta.numel().as_int() < kManyElements && below(random, 4) > 0;
    if (longer) {
      SymInt& size = other.sizes[below(random, rank)];
      size = SymInt(size.as_int() + 1);
    } else {
      other.sizes.push_back(SymInt(1));
      other.strides.push_back(SymInt(1));
    }
  } else if (change == Change::Stride) {
    if (rank == 0) return std::nullopt;
    SymInt& stride = other.strides[below(random, rank)];
    stride = SymInt(stride.as_int() + 1 + static_cast<int64_t>(below(random, 3)));
  } else {
    other.offset = SymInt(meta.offset.as_int() + 1);
  }
  return other;
}

const char* field_of(Change change) {
  constexpr const char* fields[] = {"dtype", "size", "stride", "offset"};
  return fields[static_cast<int>(change)];
}

/// Changes the metadata of one tensor in a field. Returns false if that is not possible.
bool change_meta(const std::vector<Json*>& tensors, Change change, ChangedRecord& to, Random& random) {
  if (tensors.empty()) return false;
  Json& t = *tensors[below(random, tensors.size())];
  const TensorMeta meta = meta_of(t);
  const auto other = other_meta(meta, change, random);
  if (!other) return false;
  set_meta(t, *other);
  // If only offset or strides change, the recorded values of the elements stay.
  if (change == Change::DType || change == Change::Size) t.erase("v");
  if (!is_complex(other->dtype)) t.erase("conj");
  to.words = fmt::format("{} becomes {}", meta, *other);
  to.fields = {field_of(change)};
  if (!diff(meta, *other).is_significant()) to.excuse = Excuse::Addresses;
  return true;
}

/// Returns a value of the dtype that differs from `v` by more than every tolerance.
Json other_value(const Json& v, DType dtype) {
  if (v.is_boolean()) return !v.get<bool>();
  if (v.is_string()) return 1.0;  // v is nan, inf or -inf
  if (v.is_array()) return Json::array({other_value(v[0], dtype), v[1]});
  if (is_integral(dtype)) return v.get<int64_t>() > 0 ? v.get<int64_t>() - 1 : v.get<int64_t>() + 1;
  const double d = v.get<double>();
  return std::abs(d) > 16 ? d / 2 : d + 1 + std::abs(d);
}

bool change_value_of(Json& t, ChangedRecord& to, Random& random) {
  if (!t.contains("v") || t["v"].empty()) return false;
  Json& v = t["v"][below(random, t["v"].size())];
  const Json other = other_value(v, meta_of(t).dtype);
  to.words = fmt::format("{} becomes {}", v.dump(), other.dump());
  v = other;
  return true;
}

bool change_number(Json& record, Change change, ChangedRecord& to, Random& random) {
  std::vector<Json*> numbers;
  if (record.contains("out")) collect_numbers(record["out"], numbers);
  if (numbers.empty()) return false;
  Json& n = *one_of(numbers, random);
  const Json before = n;
  if (change == Change::Value) {
    if (n.is_number_integer())
      n = n.get<int64_t>() + 1;
    else if (n.is_number())
      n = n.get<double>() + 1 + std::abs(n.get<double>());
    else
      n = !n.get<bool>();
    to.fields = {"value", "dtype"};  // the value of a dtype is recorded as a number
  } else {
    if (n.is_number_integer())
      n = static_cast<double>(n.get<int64_t>());
    else if (n.is_number())
      n = static_cast<int64_t>(0);
    else
      n = static_cast<int64_t>(n.get<bool>());
    to.fields = {"dtype", "value"};
  }
  to.words = fmt::format("the number {} becomes {}", before.dump(), n.dump());
  return true;
}

bool change_value(Json& record, ChangedRecord& to, Random& random) {
  std::vector<Json*> tensors = tensors_in(record, {"out"});
  std::erase_if(tensors, [](const Json* t) { return !t->contains("v") || (*t)["v"].empty(); });
  if (tensors.empty()) return change_number(record, Change::Value, to, random);
  to.fields = {"value"};
  if (has_tag(record, "random") || has_tag(record, "uninit")) to.excuse = Excuse::Undetermined;
  return change_value_of(*one_of(tensors, random), to, random);
}

/// Moves a result to another storage, so that it shares memory with other tensors than before.
bool change_alias(Json& record, ChangedRecord& to, Random& random) {
  const std::vector<Json*> all = tensors_in(record, {"args", "kwargs", "out"});
  std::vector<Json*> results = tensors_in(record, {"out"});
  if (results.empty()) return false;
  Json& t = *one_of(results, random);
  const int64_t before = t.at("s").get<int64_t>();
  std::vector<int64_t> others;
  int64_t fresh = 0;
  bool shared = false;
  for (const Json* other : all) {
    const int64_t s = other->at("s").get<int64_t>();
    fresh = std::max(fresh, s + 1);
    if (s != before) others.push_back(s);
    shared |= other != &t && s == before;
  }
  if (shared) others.push_back(fresh);
  if (others.empty()) return false;
  t["s"] = one_of(others, random);
  to.words = fmt::format("storage {} becomes {}", before, t["s"].dump());
  to.fields = {"alias"};
  return true;
}

bool change_identity(Json& record, ChangedRecord& to, Random& random) {
  std::vector<Json*> results = tensors_in(record, {"out"});
  const size_t arguments = tensors_in(record, {"args", "kwargs"}).size();
  if (results.empty()) return false;
  Json& t = *one_of(results, random);
  const int64_t before = t.value("is", int64_t(-1));
  std::vector<int64_t> others;
  if (before >= 0) others.push_back(-1);
  for (size_t k = 0; k < arguments; ++k) {
    if (static_cast<int64_t>(k) != before) others.push_back(static_cast<int64_t>(k));
  }
  if (others.empty()) return false;
  const int64_t other = one_of(others, random);
  if (other < 0)
    t.erase("is");
  else
    t["is"] = other;
  to.words = fmt::format("a result is argument {} and becomes {}", before, other);
  to.fields = {"alias"};
  return true;
}

/// Removes the entry of a written argument from `after`.
void forget_after(Json& record, const std::string& key, const Json& argument, ChangedRecord& to) {
  const Json entry = record["after"][key];
  record["after"].erase(key);
  to.words = fmt::format("argument {} is no longer written", key);
  const bool same_values = !entry.contains("v") || !argument.contains("v") || entry["v"] == argument["v"];
  const bool compared = !has_tag(record, "random") && !has_tag(record, "uninit");
  if (entry["t"] == argument["t"] && entry["s"] == argument["s"] && (same_values || !compared)) {
    to.excuse = Excuse::SilentWrite;
  }
  // If the argument is also a result, the result's metadata still have the change, so there is no finding.
  for (const Json* t : tensors_in(record, {"out"})) {
    if (t->value("is", int64_t(-1)) == std::stoll(key)) to.excuse = Excuse::SilentWrite;
  }
}

bool change_after(Json& record, ChangedRecord& to, Random& random) {
  if (record.contains("err")) return false;
  const std::vector<Json*> arguments = tensors_in(record, {"args", "kwargs"});
  if (arguments.empty()) return false;
  to.fields = {"mutation", "value", "alias"};
  std::vector<std::string> keys;
  if (record.contains("after")) {
    for (const auto& [key, entry] : record["after"].items()) keys.push_back(key);
  }
  const bool known = !keys.empty() && below(random, 4) > 0;
  const size_t k = known ? std::stoul(one_of(keys, random)) : below(random, arguments.size());
  const std::string key = std::to_string(k);
  const bool written = std::find(keys.begin(), keys.end(), key) != keys.end();
  const auto what = below(random, 6);
  if (written && what == 0) {
    forget_after(record, key, *arguments[k], to);
    return true;
  }
  Json entry = written ? record["after"][key] : *arguments[k];
  if (!written) entry["is"] = k;
  bool done = false;
  if (what == 1 && entry.contains("v")) {
    done = change_value_of(entry, to, random);
    if (done && (has_tag(record, "random") || has_tag(record, "uninit"))) to.excuse = Excuse::Undetermined;
  }
  if (!done) {
    const auto field = static_cast<Change>(below(random, 4));
    if (!change_meta({&entry}, field, to, random)) return false;
    to.fields = {"mutation", "value", "alias"};
  }
  to.words = fmt::format("argument {} afterwards: {}", k, to.words);
  if (!record.contains("after")) record["after"] = Json::object();
  record["after"][key] = std::move(entry);
  return true;
}

bool change_error(Json& record, ChangedRecord& to, Random& random) {
  const std::string before = record.contains("err") ? record["err"].get<std::string>() : "";
  std::string after = before;
  while (after == before) after = below(random, 6) == 0 ? "" : kErrors[below(random, std::size(kErrors))];
  record.erase("err");
  record.erase("after");
  record.erase("out");
  if (after.empty())
    record["out"] = Json::array();
  else
    record["err"] = after;
  to.words = fmt::format("{} becomes {}", before.empty() ? "passes" : before, after.empty() ? "passes" : after);
  to.fields = {"error", "size"};
  if (before.empty() && after == "NotImplementedError") to.excuse = Excuse::Extension;
  if (before == "NotImplementedError" && after.empty()) to.excuse = Excuse::Extension;
  if (has_tag(record, "value_dependent")) to.excuse = Excuse::ValueDependent;
  return true;
}

}  // namespace

const char* name(Change c) {
  constexpr const char* names[] = {"dtype", "size", "stride", "offset", "value", "alias", "identity", "after", "error"};
  static_assert(std::size(names) == kChangeCount);
  return names[static_cast<int>(c)];
}

const char* name(Excuse e) {
  constexpr const char* names[] = {"none",      "addresses nothing", "undetermined values", "value-dependent error",
                                   "extension", "values first",      "silent write"};
  static_assert(std::size(names) == kExcuseCount);
  return names[static_cast<int>(e)];
}

std::optional<ChangedRecord> change_record(const Json& record, Change change, Random& random) {
  ChangedRecord to;
  to.record = record;
  to.change = change;
  bool done = false;
  switch (change) {
    case Change::DType:
      done = change_meta(tensors_in(to.record, {"out"}), change, to, random) ||
             change_number(to.record, change, to, random);
      break;
    case Change::Size:
    case Change::Stride:
    case Change::Offset:
      done = change_meta(tensors_in(to.record, {"out"}), change, to, random);
      break;
    case Change::Value:
      done = change_value(to.record, to, random);
      break;
    case Change::Alias:
      done = change_alias(to.record, to, random);
      break;
    case Change::Identity:
      done = change_identity(to.record, to, random);
      break;
    case Change::After:
      done = change_after(to.record, to, random);
      break;
    case Change::Error:
      done = change_error(to.record, to, random);
      break;
  }
  if (!done) return std::nullopt;
  return to;
}

}  // namespace ersatz
