// Reads the records of a TORCH_TRACE log around its graphs: each graph's stage and compilation, and symbols' values.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tracer/pasted/fx_graph.h"

namespace ersatz::pasted {

class TraceRecords {
 public:
  /// Reads the records of a part of the log. Symbols of earlier parts are kept, places of their records are not.
  void read(const CleanText& text);

  struct Place {
    std::string compile_id;  ///< `0_0`, `0_0_1` after a restart; empty: none
    std::string stage;       ///< `joint`, `post_grad`, `fx_graph_runnable`
  };
  /// Returns the place of the graph that begins in that line. Its names are empty if no record precedes the line.
  Place place(uint32_t stream, uint32_t line) const;
  /// Returns the symbols of the compilation, or those of the whole process if it has none.
  SymbolHints symbols(uint32_t stream, const std::string& compile_id) const;

 private:
  struct Record {
    uint32_t line;
    Place place;
  };
  std::vector<std::vector<Record>> records_;  // per stream, records whose payload is a graph, in line order
  std::map<std::pair<uint32_t, std::string>, SymbolHints> symbols_;  // by stream and compilation
  std::map<uint32_t, SymbolHints> process_;                          // by stream, with the first value of each name
};

/// Returns the JSON of a record, null if the line is none or nests too deep.
nlohmann::json parse_trace_record(std::string_view line);
/// Returns `0_0`, or `0_0_1` for a later attempt; empty if the record names no compilation.
std::string trace_compile_id(const nlohmann::json& record);

/// Returns the stage: `post_grad` for `inductor_post_grad_graph` and `after_post_grad_graph`, `dynamo` for
/// `dynamo_output_graph`.
std::string stage_called(std::string_view artifact);

/// Reads `[2, int_oo]` into the bounds of `hint`. Does nothing if the text is no range.
void read_range(std::string_view text, SymbolHint& hint);

/// Returns the symbols of each compilation (`0_0`) from `raw.jsonl` in a folder of tlparse, which has the log's
/// records.
std::map<std::string, SymbolHints> symbols_of_tlparse(std::string_view raw_jsonl);

}  // namespace ersatz::pasted
