#include "tools/command/help_format.h"

#include <CLI/CLI.hpp>

#include "tools/output/terminal.h"

namespace ersatz::tools {

namespace {

class HelpFormat final : public CLI::Formatter {
 public:
  explicit HelpFormat(size_t columns) : columns_(columns) { column_width(columns < 100 ? 26 : 34); }

  std::string make_option_desc(const CLI::Option* option) const override {
    return beside(CLI::Formatter::make_option_desc(option));
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_name(), beside(command->get_description()), get_column_width());
    return out.str();
  }
  std::string make_description(const CLI::App* app) const override {
    return filled(CLI::Formatter::make_description(app), columns_);
  }
  std::string make_footer(const CLI::App* app) const override {
    return filled(CLI::Formatter::make_footer(app), columns_);
  }

 private:
  std::string beside(const std::string& text) const { return filled(text, columns_ - get_column_width()); }

  const size_t columns_;
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format(size_t columns) { return std::make_shared<HelpFormat>(columns); }

}  // namespace ersatz::tools
