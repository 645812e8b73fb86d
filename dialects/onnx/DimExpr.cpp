//===- DimExpr.cpp - Canonical symbolic dimensions -------------------------===//
//
// Canonical form: an expression is a polynomial, a sum of terms. A term is an
// integer factor times a product of atoms; an atom is a symbol or a division,
// remainder, minimum, maximum or broadcast of canonical expressions. Terms and atoms are
// ordered by their text, which makes the form unique.
//
//===----------------------------------------------------------------------===//
#include "dialects/onnx/DimExpr.h"
#include "dialects/onnx/OnnxDialect.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;

namespace onnxc::onnx {
namespace {

using Kind = DimExpr::Kind;

/// The atoms of a term, sorted by text; each appears as often as its power.
struct Monomial {
  SmallVector<std::string> key;
  SmallVector<DimExpr> atoms;
  bool operator<(const Monomial &other) const { return key < other.key; }
};

using Polynomial = std::map<Monomial, int64_t>;

DimExpr makeNode(MLIRContext *context, Kind kind, int64_t value, StringRef name,
                 ArrayRef<DimExpr> operands) {
  SmallVector<Attribute> attributes;
  for (DimExpr operand : operands)
    attributes.push_back(operand.getAttribute());
  return DimExpr::fromAttribute(
      DimExprAttr::get(context, static_cast<unsigned>(kind), value, name, attributes));
}

Monomial multiply(const Monomial &a, const Monomial &b) {
  SmallVector<std::pair<std::string, DimExpr>> all;
  for (const Monomial *m : {&a, &b})
    for (auto [key, atom] : llvm::zip_equal(m->key, m->atoms))
      all.emplace_back(key, atom);
  llvm::sort(all, [](const auto &x, const auto &y) { return x.first < y.first; });
  Monomial result;
  for (auto &[key, atom] : all) {
    result.key.push_back(key);
    result.atoms.push_back(atom);
  }
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
      Monomial atom;
      atom.key.push_back(operand.str());
      atom.atoms.push_back(operand);
      monomial = multiply(monomial, atom);
    }
    addTerm(result, monomial, factor);
    return result;
  }
  default: {
    Monomial atom;
    atom.key.push_back(expr.str());
    atom.atoms.push_back(expr);
    addTerm(result, atom, 1);
    return result;
  }
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
                                         : makeNode(context, Kind::Mul, 0, "", operands));
  }
  if (constantTerm)
    terms.push_back(constantTerm);
  if (terms.empty())
    return DimExpr::constant(context, 0);
  return terms.size() == 1 ? terms.front() : makeNode(context, Kind::Add, 0, "", terms);
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

int64_t floorDivide(int64_t a, int64_t b) { return llvm::divideFloorSigned(a, b); }

/// Whether folding a / b, a % b is defined in 64 bits.
bool isSafeDivision(int64_t a, int64_t b) {
  return b != 0 && !(a == std::numeric_limits<int64_t>::min() && b == -1);
}

} // namespace

DimExpr DimExpr::constant(MLIRContext *context, int64_t value) {
  return makeNode(context, Kind::Constant, value, "", {});
}

DimExpr DimExpr::symbol(MLIRContext *context, StringRef name) {
  return makeNode(context, Kind::Symbol, 0, name, {});
}

DimExpr DimExpr::operator+(DimExpr other) const {
  Polynomial sum = toPolynomial(*this);
  for (const auto &[monomial, factor] : toPolynomial(other))
    addTerm(sum, monomial, factor);
  return fromPolynomial(getContext(), sum);
}

DimExpr DimExpr::operator*(DimExpr other) const {
  Polynomial product;
  Polynomial right = toPolynomial(other);
  for (const auto &[a, fa] : toPolynomial(*this))
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
  for (const std::string &key : divisor.first.key) {
    auto *it = llvm::find(rest.key, key);
    if (it == rest.key.end())
      return std::nullopt;
    rest.atoms.erase(rest.atoms.begin() + (it - rest.key.begin()));
    rest.key.erase(it);
  }
  return std::pair(rest, term.second / divisor.second);
}

/// The leading term: of the highest degree, then the last by name. Products keep
/// this order, which long division needs.
static std::pair<Monomial, int64_t> leadingTerm(const Polynomial &polynomial) {
  auto best = polynomial.begin();
  for (auto it = polynomial.begin(); it != polynomial.end(); ++it)
    if (std::pair(it->first.key.size(), it->first.key) >=
        std::pair(best->first.key.size(), best->first.key))
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
      return quotient + makeNode(getContext(), Kind::FloorDiv, 0, "",
                                 {*remainder.exactDiv(constant(getContext(), gcd)),
                                  constant(getContext(), *b / gcd)});
    return quotient + makeNode(getContext(), Kind::FloorDiv, 0, "", {remainder, divisor});
  }
  return makeNode(getContext(), Kind::FloorDiv, 0, "", {*this, divisor});
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
  return makeNode(getContext(), Kind::Mod, 0, "", {*this, divisor});
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
  return makeNode(a.getContext(), kind, 0, "", operands);
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
                              : makeNode(getContext(), Kind::Broadcast, 0, "", operands);
}

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

DimExpr DimExpr::substitute(function_ref<std::optional<DimExpr>(StringRef)> value) const {
  if (kind() == Kind::Constant)
    return *this;
  if (kind() == Kind::Symbol)
    return value(symbolName()).value_or(*this);
  SmallVector<DimExpr> parts;
  for (DimExpr operand : operands())
    parts.push_back(operand.substitute(value));
  DimExpr result = parts.front();
  for (DimExpr part : ArrayRef(parts).drop_front()) {
    switch (kind()) {
    case Kind::Add: result = result + part; break;
    case Kind::Mul: result = result * part; break;
    case Kind::FloorDiv: result = result.floorDiv(part); break;
    case Kind::Mod: result = result.mod(part); break;
    case Kind::Min: result = result.min(part); break;
    case Kind::Max: result = result.max(part); break;
    case Kind::Broadcast: result = result.broadcast(part); break;
    default: llvm_unreachable("leaf");
    }
  }
  return result;
}

std::optional<int64_t> DimExpr::lowerBound() const {
  switch (kind()) {
  case Kind::Constant: return getConstant();
  case Kind::Symbol: return 0;
  case Kind::Add: {
    int64_t sum = 0;
    for (DimExpr operand : operands()) {
      auto bound = operand.lowerBound();
      if (!bound || llvm::AddOverflow(sum, *bound, sum))
        return std::nullopt;
    }
    return sum;
  }
  case Kind::Mul: {
    int64_t product = 1;
    for (DimExpr operand : operands()) {
      auto bound = operand.lowerBound();
      if (!bound || *bound < 0 || llvm::MulOverflow(product, *bound, product))
        return std::nullopt;
    }
    return product;
  }
  case Kind::FloorDiv: {
    auto bound = operands()[0].lowerBound();
    auto divisor = operands()[1].getConstant();
    if (!bound || !divisor || *divisor <= 0)
      return std::nullopt;
    return floorDivide(*bound, *divisor);
  }
  case Kind::Mod: {
    auto divisor = operands()[1].getConstant();
    return divisor && *divisor > 0 ? std::optional<int64_t>(0) : std::nullopt;
  }
  case Kind::Min:
  case Kind::Max:
  case Kind::Broadcast: {
    // Of a maximum any operand's bound holds, else all operands need one.
    bool anyHolds = kind() == Kind::Max;
    std::optional<int64_t> result;
    for (DimExpr operand : operands()) {
      auto bound = operand.lowerBound();
      if (!bound && !anyHolds)
        return std::nullopt;
      if (!bound)
        continue;
      if (!result)
        result = bound;
      else
        result = anyHolds ? std::max(*result, *bound) : std::min(*result, *bound);
    }
    return result;
  }
  }
  llvm_unreachable("unknown kind");
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
