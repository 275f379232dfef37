// Reads the records of a TORCH_TRACE log that describe its graphs: each graph's stage and compilation, and values of
// symbols.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tracer/pasted/fx_graph.h"

namespace ersatz::pasted {

class TraceRecords {
 public:
  /// Reads the records in a part of the log. Symbols from earlier parts are kept; places of records from earlier parts
  /// are not.
  void read(const CleanText& text);

  struct Place {
    std::string compile_id;  ///< for example `0_0`, or `0_0_1` after a restart; empty: none
    std::string stage;       ///< for example `joint`, `post_grad`, `fx_graph_runnable`
  };
  /// Returns the place of the graph that begins in this line. Its members are empty if no record precedes the line.
  Place place(uint32_t stream, uint32_t line) const;
  /// Returns the symbols of the compilation. If it has none, returns those of the whole process.
  SymbolHints symbols(uint32_t stream, const std::string& compile_id) const;

 private:
  struct Record {
    uint32_t line;
    Place place;
  };
  std::vector<std::vector<Record>> records_;  // for each stream: the records whose payload is a graph, in line order
  std::map<std::pair<uint32_t, std::string>, SymbolHints> symbols_;  // (stream, compilation) -> its symbols
  std::map<uint32_t, SymbolHints> process_;                          // stream -> symbols, each with its first value
};

/// Parses a record; null if the line is no record or is nested too deep.
nlohmann::json parse_trace_record(std::string_view line);
/// Returns the compile id, `0_0`, or `0_0_1` for a later attempt; empty if the record names no compilation.
std::string trace_compile_id(const nlohmann::json& record);

/// Returns the stage that an artifact's name means: `post_grad` for `inductor_post_grad_graph` and
/// `after_post_grad_graph`, `dynamo` for `dynamo_output_graph`.
std::string stage_called(std::string_view artifact);

/// Parses a range like `[2, int_oo]` into the bounds of `hint`. Does nothing if the text is no range.
void read_range(std::string_view text, SymbolHint& hint);

/// Returns compile id (`0_0`) -> symbols, from `raw.jsonl` in a folder of tlparse. That file has the records of the
/// log.
std::map<std::string, SymbolHints> symbols_of_tlparse(std::string_view raw_jsonl);

}  // namespace ersatz::pasted
