#include "tools/output/html_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/output/markup.h"

namespace ersatz::tools {

namespace {

constexpr std::string_view kBeforeTitle = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>)html";
constexpr std::string_view kBehindTitle = R"html(</title>
<style>
:root{--back:#fff;--front:#1b1f24;--dim:#5b6570;--line:#c9d1d9;--soft:#f3f5f7;--bad:#b42318;--good:#17703a;
 --c0:#cfe3ff;--c1:#ffe0b8;--c2:#cdf0d2;--c3:#ead6fb}
@media (prefers-color-scheme:dark){:root{--back:#14171b;--front:#e4e8ec;--dim:#9aa5b1;--line:#3a424c;--soft:#1d2228;
 --bad:#ff8f82;--good:#74d399;--c0:#234a7d;--c1:#74501d;--c2:#235c34;--c3:#54357a}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:64rem;padding:1rem;background:var(--back);color:var(--front);
 font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.35rem;line-height:1.3;overflow-wrap:anywhere}h2{font-size:1.15rem;margin-top:2rem}h3{font-size:1rem}
code,pre,td,svg text{font-family:ui-monospace,monospace}
code,p,li,dd{overflow-wrap:anywhere}
pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.6rem;overflow-x:auto;font-size:.8rem}
.bad{color:var(--bad)}.good{color:var(--good)}.dim{color:var(--dim)}
.pair{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr))}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.8rem;width:100%}
th,td{border-bottom:1px solid var(--line);padding:.3rem .5rem;text-align:left;vertical-align:top;min-width:6rem;
 max-width:24rem;overflow-wrap:anywhere}
svg{display:block;width:100%;height:auto}
.layout text{text-anchor:middle;font-size:12px;fill:var(--front)}.layout rect{stroke:var(--line);fill:none}
.layout .c0 rect{fill:var(--c0)}.layout .c1 rect{fill:var(--c1)}.layout .c2 rect{fill:var(--c2)}
.layout .c3 rect{fill:var(--c3)}.layout .gap text{fill:var(--dim)}
.graph{max-width:30rem}.graph rect{fill:var(--soft);stroke:var(--line)}.graph .self rect{stroke:var(--bad);stroke-width:2}
.graph path{fill:none;stroke:var(--dim)}.graph text{font-size:12px;fill:var(--front)}.graph .meta{fill:var(--dim)}
.sides{display:grid;grid-template-columns:max-content 1fr;gap:.1rem .8rem;margin:.5rem 0}.sides dt{color:var(--dim)}
.sides dd{margin:0;font-family:ui-monospace,monospace;font-size:.9rem}
.row{font-family:ui-monospace,monospace;font-size:.8rem;white-space:pre-wrap;margin:.1rem 0}
section{border-top:1px solid var(--line);margin-top:1rem}section h2{margin-top:.6rem;overflow-wrap:anywhere}
@media (max-width:40rem){.sides{grid-template-columns:1fr}.sides dt{margin-top:.4rem}
 table,tbody,tr,td{display:block;width:100%}tr:first-child{display:none}tr{border-bottom:1px solid var(--line);padding:.4rem 0}
 td{border:0;padding:.1rem 0;max-width:none;overflow-wrap:anywhere}td:not(:empty)::before{content:attr(data-is) ": ";color:var(--dim)}}
details{margin:.5rem 0}summary{cursor:pointer}
</style></head><body>
)html";

/// Collects the lines below a heading.
class Section {
 public:
  void add(const Document::Line& line) {
    if (line.kind == Document::Kind::Term) {
      begin(Kind::Terms);
      out_ += fmt::format("<dt>{}</dt><dd>{}</dd>", escape_markup(line.term()), escape_markup(line.said()));
    } else if (line.kind == Document::Kind::Code || line.kind == Document::Kind::Program) {
      begin(Kind::Code);
      out_ += escape_markup(line.words()) + "\n";
    } else {
      begin(Kind::None);
      out_ += fmt::format("<p class=\"row\">{}</p>", escape_markup(line.words()));
    }
  }
  std::string take() {
    begin(Kind::None);
    return std::move(out_);
  }

 private:
  enum class Kind { None, Terms, Code };
  void begin(Kind kind) {
    if (kind == now_) return;
    constexpr std::string_view kBegin[] = {"", "<dl class=\"sides\">", "<pre>"}, kEnd[] = {"", "</dl>", "</pre>"};
    out_ += kEnd[static_cast<size_t>(now_)];
    out_ += kBegin[static_cast<size_t>(kind)];
    now_ = kind;
  }

  Kind now_ = Kind::None;
  std::string out_;
};

}  // namespace

std::string whole_page(std::string_view title, std::string_view body) {
  return fmt::format("{}{}{}{}</body></html>\n", kBeforeTitle, escape_markup(title), kBehindTitle, body);
}

std::string page_table(const std::vector<std::string>& columns, const std::vector<std::vector<std::string>>& rows) {
  std::string out = "<div class=\"wide\"><table><tr>";
  for (const std::string& column : columns) out += fmt::format("<th>{}</th>", escape_markup(column));
  out += "</tr>";
  for (const std::vector<std::string>& row : rows) {
    out += "<tr>";
    for (size_t i = 0; i < row.size(); ++i)
      out += fmt::format("<td data-is=\"{}\">{}</td>", escape_markup(columns[i]), escape_markup(row[i]));
    out += "</tr>";
  }
  return out + "</table></div>";
}

std::string document_page(const Document& document) {
  if (document.page) return document.page();
  const std::string command = document.command();
  const std::string& heading = document.closing.empty() ? command : document.closing;
  std::string out =
      fmt::format("<h1 class=\"{}\">{}</h1>", document.status() == "clean" ? "good" : "bad", escape_markup(heading));
  std::vector<const Document::Line*> lines;
  for (const Document::Line& line : document.lines()) {
    if (!line.text.empty() || line.kind == Document::Kind::Program) lines.push_back(&line);
  }
  const auto below = [](const Document::Line* line) { return line->kind != Document::Kind::Top; };
  for (auto at = lines.begin(); at != lines.end();) {
    const auto end = std::find_if_not(at + 1, lines.end(), below);
    Section section;
    std::for_each(below(*at) ? at : at + 1, end, [&](const Document::Line* line) { section.add(*line); });
    if (below(*at)) {
      out += section.take();
    } else if (end == at + 1) {
      out += fmt::format("<p>{}</p>", escape_markup((*at)->text));
    } else {
      out += fmt::format("<section><h2>{}</h2>{}</section>", escape_markup((*at)->text), section.take());
    }
    at = end;
  }
  return whole_page(fmt::format("ersatz {}", command), out);
}

}  // namespace ersatz::tools
