package io.tranche.market.expression;

/// What the values of a column are, as numpy would type them: it decides where results are rounded.
public enum ColumnType {
  BOOLEAN,
  INTEGER,
  SINGLE,
  DOUBLE
}
