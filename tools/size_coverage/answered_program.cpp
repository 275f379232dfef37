#include "tools/size_coverage/answered_program.h"

#include <unordered_map>

#include "runtime/tensor/meta_text.h"
#include "tracer/program/program_facts.h"

namespace ersatz::tools {

void record_answers(Program& program, const SizeCase& answered) {
  for (const SymbolInfo& s : answered.env->symbols()) {
    if (!program.env->find_symbol(s.name)) program.env->symbol(s);
  }
  for (const MadeSymbol& made : answered.made) program.env->symbol(made.info);
  std::unordered_map<std::string_view, const FakeRow*> rows;
  for (const FakeRow& row : answered.summary.rows) rows.emplace(row.name, &row);
  for (GraphValue& value : program.main().values) {
    const auto row = rows.find(program.name(value.name));
    if (row == rows.end()) continue;
    const std::string& text = row->second->meta;
    if (value.kind == ValueKind::Tensor) {
      value.record = program.add_meta(parse_meta(text, program.env.get()));
    } else if (value.kind == ValueKind::Int) {
      value.record = program.add_literal(Value(program.env->parse(text))).index;
    }
  }
  add_conditions(program, RecordedCondition::Kind::Guard, answered.guards);
  add_conditions(program, RecordedCondition::Kind::Assert, answered.asserts);
  add_conditions(program, RecordedCondition::Kind::Assumption, answered.assumptions);
}

}  // namespace ersatz::tools
