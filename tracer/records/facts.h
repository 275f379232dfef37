// `facts.json`: what a real eager run made of each node, recorded beside a program.
//
// Metadata of real tensors, numbers, and which earlier value's storage a result has. The file is hostile input:
// refusals are one InvalidArgument line with file and place.
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
  std::optional<TensorMeta> real;  ///< of a tensor
  std::optional<Value> number;     ///< of a number
  std::string alias;               ///< first earlier value with the same storage; empty: its own
  std::string verdict;             ///< the recorder's comparison with the exporter's record: `equal`, ...
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
  std::vector<std::pair<std::string, int64_t>> symbols;  ///< of the recorded run
  std::vector<NodeFacts> nodes;
  bool stopped = false;  ///< the run ended in an error behind the last row

  const NodeFacts* find(std::string_view node) const;
  /// The fact of a value by its name; null if there is none.
  const ResultFact* find_value(std::string_view value) const;

 private:
  struct Index;  ///< points into `nodes`
  std::unique_ptr<Index> index_;
};

}  // namespace ersatz
