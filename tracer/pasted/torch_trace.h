// The records of a TORCH_TRACE log around its graphs: which stage of which compilation, and what symbols are.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tracer/pasted/fx_graph.h"

namespace ersatz::pasted {

class TraceRecords {
 public:
  /// Takes the records of a part of the log. Symbols of earlier parts stay, places do not.
  void read(const CleanText& text);

  struct Place {
    std::string compile_id;  ///< `0_0`, `0_0_1` after a restart; empty: none
    std::string stage;       ///< `joint`, `post_grad`, `fx_graph_runnable`
  };
  /// The record of the graph that begins in that line; empty names where no record is before it.
  Place place(uint32_t stream, uint32_t line) const;
  /// Symbols that the compilation made, else those of the whole process.
  SymbolHints symbols(uint32_t stream, const std::string& compile_id) const;

 private:
  struct Record {
    uint32_t line;
    Place place;
  };
  std::vector<std::vector<Record>> records_;  // per stream, those whose payload is a graph's, in order of lines
  std::map<std::pair<uint32_t, std::string>, SymbolHints> symbols_;  // by stream and compilation
  std::map<uint32_t, SymbolHints> process_;                          // by stream, the first of each name
};

/// The JSON of a record; null where the line is none, or nests too deep.
nlohmann::json parse_trace_record(std::string_view line);
/// `0_0`, or `0_0_1` of a later attempt; empty where the record names no compilation.
std::string trace_compile_id(const nlohmann::json& record);

/// `post_grad` of `inductor_post_grad_graph` and of `after_post_grad_graph`, `dynamo` of `dynamo_output_graph`.
std::string stage_called(std::string_view artifact);

/// `[2, int_oo]` into a hint; nothing where it is no range.
void read_range(std::string_view text, SymbolHint& hint);

/// Symbols of a folder of tlparse, whose `raw.jsonl` has the log's records: by compilation, `0_0`.
std::map<std::string, SymbolHints> symbols_of_tlparse(std::string_view raw_jsonl);

}  // namespace ersatz::pasted
