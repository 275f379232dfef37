// Writes conditions on sizes as SMT-LIB 2.6 text, for an SMT solver.
//
//   SmtText smt;
//   const std::string holds = smt.formula(truth_of({SymCompare::Le, n, 8 * m}));
//   file << smt.declarations() << "(assert (not " << holds << "))\n(check-sat)\n";
//
// SMT-LIB's integers are unbounded. For sizes that fit into 64 bits, they mean the same as SymInt. Terms outside of
// integer arithmetic (floats, bits, powers with a symbolic exponent) become constants without constraints. The solver's
// `unsat` is therefore right, but its `sat` may be wrong. Division rounds down, as in SymInt.
#pragma once

#include <map>
#include <set>
#include <string>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

class SmtText {
 public:
  std::string term(SymInt v);         ///< returns the expression as a term of sort Int
  std::string formula(SymInt truth);  ///< returns the truth value as a term of sort Bool
  /// Returns declarations of all symbols and constants in the terms so far, and assertions of the symbols' declared
  /// ranges.
  std::string declarations() const;

 private:
  std::string call(const SymInt& word);
  std::string opaque(SymInt word);
  std::map<std::string, SymbolInfo> symbols_;
  std::set<std::string> opaque_;
};

}  // namespace ersatz
