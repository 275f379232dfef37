// `facts.json`: the results of each node in a real eager run, recorded for a program.
//
// It has metadata of real tensors, numbers, and for each result the earlier value whose storage it shares. The file is
// hostile input: a refusal is an InvalidArgument of one line with file and place.
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
  std::optional<TensorMeta> real;  ///< metadata of a tensor
  std::optional<Value> number;     ///< value of a number
  std::string alias;               ///< first earlier value with the same storage; empty: it has its own
  std::string verdict;             ///< the recorder's comparison with the exporter's metadata: `equal`, ...
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
  std::vector<std::pair<std::string, int64_t>> symbols;  ///< values in the recorded run
  std::vector<NodeFacts> nodes;
  bool stopped = false;  ///< the run ended in an error after the last row

  const NodeFacts* find(std::string_view node) const;
  /// Returns the fact of the value with this name, null if there is none.
  const ResultFact* find_value(std::string_view value) const;

 private:
  struct Index;  ///< points into `nodes`
  std::unique_ptr<Index> index_;
};

}  // namespace ersatz
