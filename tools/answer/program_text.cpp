#include "tools/answer/program_text.h"

#include "tools/report/node_table.h"
#include "tracer/text/python_text.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

std::string program_text(const Program& program, const ProgramTextOptions& how) {
  if (how.table) return plain(node_table(program));
  if (how.python) return print_python(program, {how.inline_values});
  TextOptions text;
  text.inline_values = how.inline_values;
  return print_program(program, text);
}

}  // namespace ersatz::tools
