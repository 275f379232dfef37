// Writes conditions on sizes as SMT-LIB 2.6 text, for an SMT solver.
//
//   SmtText smt;
//   const std::string holds = smt.formula(truth_of({SymCompare::Le, n, 8 * m}));
//   file << smt.declarations() << "(assert (not " << holds << "))\n(check-sat)\n";
//
// Integers are unbounded in SMT-LIB; sizes that fit 64 bits mean the same there. Division rounds down, as in SymInt.
// Terms outside of integer arithmetic (floats, bits, powers with a symbolic exponent) become constants without
// constraints. So `unsat` is right, but `sat` may be wrong.
#pragma once

#include <map>
#include <set>
#include <string>

#include "runtime/sym/sym_expr.h"

namespace ersatz {

class SmtText {
 public:
  std::string term(SymInt v);         ///< the expression as a term of sort Int
  std::string formula(SymInt truth);  ///< the truth value as a term of sort Bool
  /// Declarations of all symbols and constants in terms so far, and assertions of the symbols' declared ranges.
  std::string declarations() const;

 private:
  std::string call(const SymInt& word);
  std::string opaque(SymInt word);
  std::map<std::string, SymbolInfo> symbols_;
  std::set<std::string> opaque_;
};

}  // namespace ersatz
