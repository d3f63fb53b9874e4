package io.tranche.market.expression;

/// The functions of two values at one bar.
public enum BinaryOperator {
  ADD("Add", "+", 6),
  SUBTRACT("Sub", "-", 6),
  MULTIPLY("Mul", "*", 7),
  DIVIDE("Div", "/", 7),
  POWER("Power", "**", 8),
  /// The larger of the two.
  GREATER("Greater", "", 0),
  /// The smaller of the two.
  LESS("Less", "", 0),
  GT("Gt", ">", 3),
  GE("Ge", ">=", 3),
  LT("Lt", "<", 3),
  LE("Le", "<=", 3),
  EQ("Eq", "==", 3),
  NE("Ne", "!=", 3),
  AND("And", "&", 5),
  OR("Or", "|", 4);

  private final String function;
  private final String symbol;
  private final int precedence;

  BinaryOperator(String function, String symbol, int precedence) {
    this.function = function;
    this.symbol = symbol;
    this.precedence = precedence;
  }

  /// Returns Python's symbol, empty for one that is only written as a function.
  String symbol() {
    return symbol;
  }

  /// Returns how tightly the symbol binds, as in Python: the higher, the tighter.
  int precedence() {
    return precedence;
  }

  public boolean isComparison() {
    return precedence == 3;
  }

  public boolean isLogical() {
    return this == AND || this == OR;
  }

  /// Returns Qlib's name.
  @Override
  public String toString() {
    return function;
  }
}
