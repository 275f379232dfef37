#include <fmt/format.h>

#include <algorithm>

#include "tools/output/command_spec.h"
#include "tools/output/terminal.h"

namespace ersatz::tools {

namespace {

constexpr size_t kColumns = 64;  // a source line is broken at this width; roff fills the lines anew

/// Escapes text for roff: no character acts as an escape or request, and hyphens can be copied from the page.
std::string roff(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) out += "\\&";
    at_start = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

/// Returns roff for paragraphs. Indented lines stay as they are, other lines are filled. `after_heading`: the first
/// paragraph follows a heading, so no paragraph break is written before it.
std::string paragraphs(std::string_view text, bool after_heading = false) {
  std::string out;
  bool verbatim = false, fresh = !after_heading;
  const auto end_verbatim = [&] {
    if (verbatim) out += ".EE\n.RE\n";
    verbatim = false;
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) {
      end_verbatim();
      fresh = !out.empty() || !after_heading;
    } else if (line[0] == ' ') {
      if (!verbatim) out += ".RS 2\n.EX\n";
      verbatim = true;
      out += roff(line.substr(line.find_first_not_of(' '))) + "\n";
    } else {
      if (verbatim) fresh = true;
      end_verbatim();
      if (fresh) out += ".PP\n";
      fresh = false;
      out += roff(filled(line, kColumns)) + "\n";
    }
  }
  end_verbatim();
  return out;
}

std::string options(const CommandSpec& command) {
  std::string out;
  for (const OptionSpec& o : command.options) {
    std::string names;
    for (const std::string& name : o.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (o.takes_value) {
      std::string value;
      for (const std::string& c : o.choices) value += (value.empty() ? "" : "|") + c;
      names += " \\fI" + (value.empty() ? "VALUE" : roff(value)) + "\\fR";
    }
    out += fmt::format(".TP\n{}\n{}\n", names, roff(filled(o.help, kColumns)));
  }
  return out;
}

std::string usage(const ProgramSpec& program, const CommandSpec& command) {
  std::string out = fmt::format("\\fB{} {}\\fR [\\fIOPTIONS\\fR]", program.name, roff(command.name));
  for (const PositionalSpec& p : command.positionals) {
    const std::string name = "\\fI" + roff(p.name) + "\\fR" + (p.many ? " ..." : "");
    out += p.required ? " " + name : " [" + name + "]";
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::string manual_page(const ProgramSpec& program) {
  const std::string& about = program.itself.about;
  std::string out = fmt::format(".TH {} 1 \"\" \"{} {}\" \"User commands\"\n", upper(program.name), program.name,
                                roff(program.version));
  out += fmt::format(".SH NAME\n{} \\- run tensor programs for real, fake, or both, and say where they differ\n",
                     program.name);
  out += ".SH SYNOPSIS\n";
  for (const CommandSpec& c : program.commands)
    out += (&c == program.commands.data() ? "" : ".br\n") + usage(program, c) + "\n";
  out += ".SH DESCRIPTION\n" + paragraphs(about, true);
  out += options(program.itself);
  out += ".SH COMMANDS\n";
  for (const CommandSpec& c : program.commands) {
    out += fmt::format(".SS {}\n{}\n.PP\n{}\n", usage(program, c), roff(filled(c.about + ".", kColumns)),
                       "Arguments and options:");
    for (const PositionalSpec& p : c.positionals) {
      out += fmt::format(".TP\n\\fI{}\\fR{}\n{}\n", roff(p.name), p.many ? " ..." : "", roff(filled(p.help, kColumns)));
    }
    out += options(c) + paragraphs(c.footer);
  }
  return out + ".SH NOTES\n" + paragraphs(program.itself.footer, true);
}

}  // namespace ersatz::tools
