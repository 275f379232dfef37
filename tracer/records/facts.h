// Reads `facts.json`: the results of each node of a program in a real eager run.
//
// For each result, the file has its metadata or its number, and the earlier value whose storage the result shares. The
// file is not trusted: a refusal is an InvalidArgument of one line with file and place.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/op/value.h"

namespace ersatz {

struct ResultFact {
  std::string value;               ///< name in the graph
  std::optional<TensorMeta> real;  ///< metadata, if it is a tensor
  std::optional<Value> number;     ///< the value, if it is a number
  std::string alias;               ///< the first earlier value on the same storage; empty: the storage is its own
  /// Result of the recorder's own comparison with the exporter's metadata: `equal`, ...
  std::string verdict;
};

struct NodeFacts {
  std::string node;
  std::string target;  ///< `placeholder` for graph inputs
  std::vector<ResultFact> results;
};

class Facts {
 public:
  Facts();
  Facts(Facts&&) noexcept;
  Facts& operator=(Facts&&) noexcept;
  ~Facts();

  static Facts load(const std::string& path);
  static Facts parse(std::string_view text, const std::string& file);

  std::string program;
  std::vector<std::pair<std::string, int64_t>> symbols;  ///< values of the symbols in the recorded run
  std::vector<NodeFacts> nodes;
  bool stopped = false;  ///< the recorded run ended with an error after the last row

  const NodeFacts* find(std::string_view node) const;
  /// Returns the fact about the value with this name; null if there is none.
  const ResultFact* find_value(std::string_view value) const;

 private:
  struct Index;  ///< maps names to elements of `nodes`
  std::unique_ptr<Index> index_;
};

}  // namespace ersatz
