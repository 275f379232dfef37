#include "tools/program/program_output.h"

#include "tools/output/report_output.h"
#include "tracer/pt2/save_program.h"
#include "tracer/text/python_text.h"
#include "tracer/text/text_form.h"

namespace ersatz::tools {

void write_program(const std::string& path, const Program& program) {
  if (path.ends_with(".pt2")) return save_program(path, program);
  write_report(path.ends_with(".py") ? print_python(program) : print_program(program), path);
}

}  // namespace ersatz::tools
