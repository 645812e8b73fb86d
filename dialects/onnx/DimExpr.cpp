//===- DimExpr.cpp - Canonical symbolic dimensions -------------------------===//
//
// Canonical form: an expression is a polynomial, a sum of terms. A term is an
// integer factor times a product of atoms; an atom is a symbol or a division,
// remainder, minimum, maximum or broadcast of canonical expressions. Terms and atoms are
// ordered by their text, which makes the form unique.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/DimAnalysis.h"
#include "dialects/onnx/OnnxDialect.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;

namespace onnxc::onnx {

/// The text of an operation on expressions (DimExprText.cpp).
namespace detail {
std::string makeText(DimExpr::Kind kind, ArrayRef<DimExpr> operands);
} // namespace detail

namespace {

using Kind = DimExpr::Kind;

StringRef textOf(DimExpr expr) { return cast<DimExprAttr>(expr.getAttribute()).getName(); }

/// The atoms of a term, sorted by text; each appears as often as its power.
struct Monomial {
  SmallVector<DimExpr> atoms;
  bool operator<(const Monomial &other) const {
    return std::lexicographical_compare(atoms.begin(), atoms.end(), other.atoms.begin(),
                                        other.atoms.end(), isBefore);
  }
  static bool isBefore(DimExpr a, DimExpr b) { return a != b && textOf(a) < textOf(b); }
};

using Polynomial = std::map<Monomial, int64_t>;

/// Of a product that is multiplied out.
constexpr size_t mostTerms = 1024;

DimExpr makeLeaf(MLIRContext *context, Kind kind, int64_t value, StringRef name) {
  return DimExpr::fromAttribute(
      DimExprAttr::get(context, static_cast<unsigned>(kind), value, name, {}));
}

/// The constants and symbols in an expression, each as often as it occurs.
int64_t countLeaves(DimExpr expr) {
  auto attribute = cast<DimExprAttr>(expr.getAttribute());
  return attribute.getOperands().empty() ? 1 : attribute.getValue();
}

/// An operation. Its node holds its text and the number of its leaves, which are asked for
/// much more often than they are made.
DimExpr makeNode(MLIRContext *context, Kind kind, ArrayRef<DimExpr> operands) {
  int64_t leaves = 0;
  SmallVector<Attribute> attributes;
  for (DimExpr operand : operands) {
    attributes.push_back(operand.getAttribute());
    leaves += countLeaves(operand);
  }
  return DimExpr::fromAttribute(DimExprAttr::get(context, static_cast<unsigned>(kind), leaves,
                                                 detail::makeText(kind, operands), attributes));
}

Monomial multiply(const Monomial &a, const Monomial &b) {
  Monomial result;
  std::merge(a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(),
             std::back_inserter(result.atoms), Monomial::isBefore);
  return result;
}

void addTerm(Polynomial &polynomial, const Monomial &monomial, int64_t factor) {
  int64_t &slot = polynomial[monomial];
  slot = static_cast<int64_t>(static_cast<uint64_t>(slot) + static_cast<uint64_t>(factor));
  if (slot == 0)
    polynomial.erase(monomial);
}

/// Reads a canonical expression back as a polynomial.
Polynomial toPolynomial(DimExpr expr) {
  Polynomial result;
  switch (expr.kind()) {
  case Kind::Constant: addTerm(result, Monomial(), *expr.getConstant()); return result;
  case Kind::Add:
    for (DimExpr operand : expr.operands())
      for (const auto &[monomial, factor] : toPolynomial(operand))
        addTerm(result, monomial, factor);
    return result;
  case Kind::Mul: {
    Monomial monomial;
    int64_t factor = 1;
    for (DimExpr operand : expr.operands()) {
      if (auto constant = operand.getConstant()) {
        factor = *constant;
        continue;
      }
      monomial = multiply(monomial, Monomial{{operand}});
    }
    addTerm(result, monomial, factor);
    return result;
  }
  default: addTerm(result, Monomial{{expr}}, 1); return result;
  }
}

DimExpr fromPolynomial(MLIRContext *context, const Polynomial &polynomial) {
  SmallVector<DimExpr> terms;
  DimExpr constantTerm;
  for (const auto &[monomial, factor] : polynomial) {
    if (monomial.atoms.empty()) {
      constantTerm = DimExpr::constant(context, factor);
      continue;
    }
    SmallVector<DimExpr> operands;
    if (factor != 1)
      operands.push_back(DimExpr::constant(context, factor));
    llvm::append_range(operands, monomial.atoms);
    terms.push_back(operands.size() == 1 ? operands.front()
                                         : makeNode(context, Kind::Mul, operands));
  }
  if (constantTerm)
    terms.push_back(constantTerm);
  if (terms.empty())
    return DimExpr::constant(context, 0);
  return terms.size() == 1 ? terms.front() : makeNode(context, Kind::Add, terms);
}

/// The greatest common divisor of all factors; 0 for the zero polynomial.
int64_t contentOf(const Polynomial &polynomial) {
  int64_t gcd = 0;
  for (const auto &[monomial, factor] : polynomial) {
    if (factor == std::numeric_limits<int64_t>::min())
      return 1;
    gcd = std::gcd(gcd, factor);
  }
  return gcd;
}

/// The polynomial divided by a divisor of all its factors.
DimExpr divideFactors(MLIRContext *context, Polynomial polynomial, int64_t divisor) {
  for (auto &[monomial, factor] : polynomial)
    factor /= divisor;
  return fromPolynomial(context, polynomial);
}

int64_t floorDivide(int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); }

/// Whether folding a / b, a % b is defined in 64 bits.
bool isSafeDivision(int64_t a, int64_t b) {
  return b != 0 && !(a == std::numeric_limits<int64_t>::min() && b == -1);
}

} // namespace

DimExpr DimExpr::constant(MLIRContext *context, int64_t value) {
  return makeLeaf(context, Kind::Constant, value, "");
}

DimExpr DimExpr::symbol(MLIRContext *context, StringRef name) {
  return makeLeaf(context, Kind::Symbol, 0, name);
}

DimExpr DimExpr::operator+(DimExpr other) const {
  if (auto a = getConstant(), b = other.getConstant(); a == 0 || b == 0)
    return a == 0 ? other : *this;
  Polynomial sum = toPolynomial(*this);
  for (const auto &[monomial, factor] : toPolynomial(other))
    addTerm(sum, monomial, factor);
  return fromPolynomial(getContext(), sum);
}

DimExpr DimExpr::operator*(DimExpr other) const {
  auto x = getConstant(), y = other.getConstant();
  if (x == 0 || y == 0)
    return constant(getContext(), 0);
  if (x == 1 || y == 1)
    return x == 1 ? other : *this;
  Polynomial product, left = toPolynomial(*this), right = toPolynomial(other);
  // Multiplied out, a product of large sums would fill the memory.
  if (left.size() > 1 && right.size() > 1 && left.size() * right.size() > mostTerms)
    return makeNode(getContext(), Kind::Mul,
                    Monomial::isBefore(*this, other) ? ArrayRef{*this, other}
                                                     : ArrayRef{other, *this});
  for (const auto &[a, fa] : left)
    for (const auto &[b, fb] : right)
      addTerm(product, multiply(a, b),
              static_cast<int64_t>(static_cast<uint64_t>(fa) * static_cast<uint64_t>(fb)));
  return fromPolynomial(getContext(), product);
}

DimExpr DimExpr::operator-(DimExpr other) const { return *this + other * -1; }
DimExpr DimExpr::operator+(int64_t other) const { return *this + constant(getContext(), other); }
DimExpr DimExpr::operator-(int64_t other) const { return *this - constant(getContext(), other); }
DimExpr DimExpr::operator*(int64_t other) const { return *this * constant(getContext(), other); }

/// The quotient of two terms, when it is a term.
static std::optional<std::pair<Monomial, int64_t>>
divideTerm(const std::pair<Monomial, int64_t> &term, const std::pair<Monomial, int64_t> &divisor) {
  if (!isSafeDivision(term.second, divisor.second) || term.second % divisor.second != 0)
    return std::nullopt;
  Monomial rest = term.first;
  for (DimExpr atom : divisor.first.atoms) {
    auto *it = llvm::find(rest.atoms, atom);
    if (it == rest.atoms.end())
      return std::nullopt;
    rest.atoms.erase(it);
  }
  return std::pair(rest, term.second / divisor.second);
}

/// The leading term: of the highest degree, then the last by name. Products keep
/// this order, which long division needs.
static std::pair<Monomial, int64_t> leadingTerm(const Polynomial &polynomial) {
  auto best = polynomial.begin();
  for (auto it = polynomial.begin(); it != polynomial.end(); ++it)
    // Terms ascend by name.
    if (it->first.atoms.size() >= best->first.atoms.size())
      best = it;
  return {best->first, best->second};
}

std::optional<DimExpr> DimExpr::exactDiv(DimExpr divisor) const {
  constexpr int maxTerms = 64;
  Polynomial right = toPolynomial(divisor), rest = toPolynomial(*this), quotient;
  if (right.empty())
    return std::nullopt;
  std::pair<Monomial, int64_t> lead = leadingTerm(right);
  for (int i = 0; !rest.empty(); ++i) {
    auto term = divideTerm(leadingTerm(rest), lead);
    if (!term || i == maxTerms)
      return std::nullopt;
    addTerm(quotient, term->first, term->second);
    for (const auto &[monomial, factor] : right)
      addTerm(rest, multiply(monomial, term->first),
              static_cast<int64_t>(-static_cast<uint64_t>(factor) *
                                   static_cast<uint64_t>(term->second)));
  }
  return fromPolynomial(getContext(), quotient);
}

/// `polynomial` floordiv `b` as one division, when the polynomial is a division
/// plus a constant.
static std::optional<DimExpr> mergeFloorDiv(MLIRContext *context, const Polynomial &polynomial,
                                            int64_t b) {
  constexpr int64_t limit = int64_t(1) << 31;
  DimExpr inner;
  int64_t offset = 0;
  for (const auto &[monomial, factor] : polynomial) {
    if (monomial.atoms.empty()) {
      offset = factor;
      continue;
    }
    if (inner || factor != 1 || monomial.atoms.size() != 1 ||
        monomial.atoms[0].kind() != Kind::FloorDiv)
      return std::nullopt;
    inner = monomial.atoms[0];
  }
  if (!inner)
    return std::nullopt;
  SmallVector<DimExpr, 0> parts = inner.operands();
  std::optional<int64_t> a = parts[1].getConstant();
  if (!a || *a <= 0 || *a >= limit || b >= limit || std::abs(offset) >= limit)
    return std::nullopt;
  return (parts[0] + offset * *a).floorDiv(DimExpr::constant(context, *a * b));
}

std::pair<int64_t, SmallVector<DimExpr, 0>> factorsOf(DimExpr expr) {
  if (auto value = expr.getConstant())
    return {*value, {}};
  Polynomial polynomial = toPolynomial(expr);
  if (polynomial.size() == 1) {
    const auto &[monomial, factor] = *polynomial.begin();
    return {factor, SmallVector<DimExpr, 0>(ArrayRef(monomial.atoms))};
  }
  int64_t content = contentOf(polynomial);
  return {content, {divideFactors(expr.getContext(), polynomial, content)}};
}

DimExpr DimExpr::floorDiv(DimExpr divisor) const {
  auto a = getConstant(), b = divisor.getConstant();
  if (a && b && isSafeDivision(*a, *b))
    return constant(getContext(), floorDivide(*a, *b));
  if (auto quotient = exactDiv(divisor))
    return *quotient;
  if (b && *b > 0) {
    // (k*b*x + r) floordiv b == k*x + (r floordiv b).
    Polynomial whole, rest;
    for (const auto &[monomial, factor] : toPolynomial(*this)) {
      bool divisible = !monomial.atoms.empty() && factor % *b == 0;
      if (divisible) {
        addTerm(whole, monomial, factor / *b);
        continue;
      }
      if (monomial.atoms.empty()) {
        addTerm(whole, monomial, floorDivide(factor, *b));
        addTerm(rest, monomial, factor - floorDivide(factor, *b) * *b);
        continue;
      }
      addTerm(rest, monomial, factor);
    }
    DimExpr remainder = fromPolynomial(getContext(), rest);
    DimExpr quotient = fromPolynomial(getContext(), whole);
    if (remainder.isConstant())
      return quotient + remainder.floorDiv(divisor);
    // (x floordiv a + k) floordiv b == (x + k*a) floordiv (a*b) for positive
    // a, b.
    if (std::optional<DimExpr> merged = mergeFloorDiv(getContext(), rest, *b))
      return quotient + *merged;
    // (g*x) floordiv (g*y) == x floordiv y.
    int64_t gcd = std::gcd(contentOf(rest), *b);
    if (gcd > 1)
      return quotient +
             makeNode(getContext(), Kind::FloorDiv,
                      {divideFactors(getContext(), rest, gcd), constant(getContext(), *b / gcd)});
    return quotient + makeNode(getContext(), Kind::FloorDiv, {remainder, divisor});
  }
  return makeNode(getContext(), Kind::FloorDiv, {*this, divisor});
}

DimExpr DimExpr::ceilDiv(DimExpr divisor) const {
  if (auto b = divisor.getConstant(); b && *b > 0)
    return (*this + (*b - 1)).floorDiv(divisor);
  // ceil(a / b) == -floor(-a / b).
  return (*this * -1).floorDiv(divisor) * -1;
}

DimExpr DimExpr::mod(DimExpr divisor) const {
  auto a = getConstant(), b = divisor.getConstant();
  if (a && b && isSafeDivision(*a, *b))
    return constant(getContext(), *a - floorDivide(*a, *b) * *b);
  if (exactDiv(divisor))
    return constant(getContext(), 0);
  return makeNode(getContext(), Kind::Mod, {*this, divisor});
}

/// Whether a >= b for all values of the symbols, as far as bounds tell.
static bool isAtLeast(DimExpr a, DimExpr b) {
  auto constantA = a.getConstant(), constantB = b.getConstant();
  if (constantA && constantB)
    return *constantA >= *constantB;
  return (a - b).lowerBound().value_or(-1) >= 0;
}

/// The operands of an operation that is associative, commutative and idempotent:
/// nested ones merged, sorted, each once.
static SmallVector<DimExpr> mergeOperands(DimExpr a, DimExpr b, Kind kind) {
  SmallVector<DimExpr> operands;
  for (DimExpr operand : {a, b}) {
    if (operand.kind() == kind)
      llvm::append_range(operands, operand.operands());
    else
      operands.push_back(operand);
  }
  llvm::sort(operands, [](DimExpr x, DimExpr y) { return x.str() < y.str(); });
  operands.erase(llvm::unique(operands), operands.end());
  return operands;
}

static DimExpr makeMinMax(DimExpr a, DimExpr b, Kind kind) {
  if (a == b)
    return a;
  bool wantMin = kind == Kind::Min;
  if (isAtLeast(a, b))
    return wantMin ? b : a;
  if (isAtLeast(b, a))
    return wantMin ? a : b;
  // max(x, min(x, y)) == min(x, max(x, y)) == x.
  Kind dual = wantMin ? Kind::Max : Kind::Min;
  if (b.kind() == dual && llvm::is_contained(b.operands(), a))
    return a;
  if (a.kind() == dual && llvm::is_contained(a.operands(), b))
    return b;
  SmallVector<DimExpr> operands = mergeOperands(a, b, kind);
  // min(4, 9, n) == min(4, n): one operand may make another one needless.
  for (size_t i = 0; i < operands.size();) {
    bool needless = llvm::any_of(operands, [&](DimExpr other) {
      return other != operands[i] &&
             (wantMin ? isAtLeast(operands[i], other) : isAtLeast(other, operands[i]));
    });
    if (needless)
      operands.erase(operands.begin() + i);
    else
      ++i;
  }
  if (operands.size() == 1)
    return operands.front();
  return makeNode(a.getContext(), kind, operands);
}

DimExpr DimExpr::min(DimExpr other) const { return makeMinMax(*this, other, Kind::Min); }
DimExpr DimExpr::max(DimExpr other) const { return makeMinMax(*this, other, Kind::Max); }

DimExpr DimExpr::broadcast(DimExpr other) const {
  // A size that is never 1 decides: the other one is equal to it, or 1.
  auto decides = [](DimExpr dim) {
    return dim.getConstant() == 0 || dim.lowerBound().value_or(0) >= 2;
  };
  if (getConstant() == 1 || decides(other))
    return other;
  if (other.getConstant() == 1 || decides(*this))
    return *this;
  SmallVector<DimExpr> operands = mergeOperands(*this, other, Kind::Broadcast);
  return operands.size() == 1 ? operands.front()
                              : makeNode(getContext(), Kind::Broadcast, operands);
}

DimExpr sumOf(ArrayRef<DimExpr> terms) {
  if (terms.size() == 1)
    return terms.front();
  Polynomial sum;
  for (DimExpr term : terms)
    for (const auto &[monomial, factor] : toPolynomial(term))
      addTerm(sum, monomial, factor);
  return fromPolynomial(terms.front().getContext(), sum);
}

/// Expressions of real models have some tens of leaves at most.
static constexpr int64_t mostLeaves = 256;

bool isLarge(DimExpr expr) { return countLeaves(expr) > mostLeaves; }

DimExpr::Kind DimExpr::kind() const {
  return static_cast<Kind>(cast<DimExprAttr>(attribute).getKind());
}

std::optional<int64_t> DimExpr::getConstant() const {
  if (!attribute || kind() != Kind::Constant)
    return std::nullopt;
  return cast<DimExprAttr>(attribute).getValue();
}

StringRef DimExpr::symbolName() const { return cast<DimExprAttr>(attribute).getName(); }

SmallVector<DimExpr, 0> DimExpr::operands() const {
  SmallVector<DimExpr, 0> result;
  for (Attribute operand : cast<DimExprAttr>(attribute).getOperands())
    result.push_back(fromAttribute(operand));
  return result;
}

void DimExpr::forEachSymbol(function_ref<void(StringRef)> callback) const {
  if (kind() == Kind::Symbol)
    return callback(symbolName());
  for (DimExpr operand : operands())
    operand.forEachSymbol(callback);
}

static DimExpr combine(Kind kind, DimExpr a, DimExpr b) {
  switch (kind) {
  case Kind::Add: return a + b;
  case Kind::Mul: return a * b;
  case Kind::FloorDiv: return a.floorDiv(b);
  case Kind::Mod: return a.mod(b);
  case Kind::Min: return a.min(b);
  case Kind::Max: return a.max(b);
  case Kind::Broadcast: return a.broadcast(b);
  case Kind::Constant:
  case Kind::Symbol: break;
  }
  llvm_unreachable("leaf");
}

DimExpr DimExpr::substitute(function_ref<std::optional<DimExpr>(StringRef)> value) const {
  auto leaf = [&](DimExpr expr) {
    return expr.isConstant() ? expr : value(expr.symbolName()).value_or(expr);
  };
  return evaluate(*this, leaf, combine);
}

std::optional<int64_t> DimExpr::lowerBound() const {
  int64_t min = boundsOf(*this, [](StringRef) { return DimBounds(); }).min;
  return min == -DimBounds::unlimited ? std::nullopt : std::optional(min);
}

//===----------------------------------------------------------------------===//
// Tensor types
//===----------------------------------------------------------------------===//

RankedTensorType makeTensorType(ArrayRef<DimExpr> dims, Type elementType) {
  SmallVector<int64_t> shape;
  SmallVector<Attribute> attributes;
  bool dynamic = false;
  for (DimExpr dim : dims) {
    std::optional<int64_t> constant = dim.getConstant();
    dynamic |= !constant;
    shape.push_back(constant.value_or(ShapedType::kDynamic));
    attributes.push_back(dim.getAttribute());
  }
  Attribute encoding;
  if (dynamic)
    encoding = ShapeAttr::get(elementType.getContext(), attributes);
  return RankedTensorType::get(shape, elementType, encoding);
}

SmallVector<DimExpr> getDims(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  auto encoding = dyn_cast_or_null<ShapeAttr>(tensor.getEncoding());
  SmallVector<DimExpr> dims;
  for (auto [i, size] : llvm::enumerate(tensor.getShape())) {
    if (encoding)
      dims.push_back(DimExpr::fromAttribute(encoding.getDims()[i]));
    else if (!ShapedType::isDynamic(size))
      dims.push_back(DimExpr::constant(type.getContext(), size));
    else
      dims.push_back(DimExpr());
  }
  return dims;
}

DimExpr numElements(MLIRContext *context, ArrayRef<DimExpr> dims) {
  DimExpr product = DimExpr::constant(context, 1);
  for (DimExpr dim : dims)
    product = product * dim;
  return product;
}

} // namespace onnxc::onnx
