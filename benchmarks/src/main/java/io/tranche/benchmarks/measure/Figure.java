package io.tranche.benchmarks.measure;

import java.math.BigDecimal;
import java.math.MathContext;

/// One measured number.
///
/// @param name dotted, the benchmark first, such as `bin.read.rows_per_s`
public record Figure(String name, double value, String unit) {

  private static final MathContext DIGITS = new MathContext(5);

  public Figure {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("%s must be finite, was %s".formatted(name, value));
    }
  }

  /// Returns the form that other programs read. Names and units are ours and need no escapes.
  public String toJson() {
    return "{\"figure\":\"%s\",\"value\":%s,\"unit\":\"%s\"}".formatted(name, digits(), unit);
  }

  @Override
  public String toString() {
    return "%-34s %14s %s".formatted(name, digits(), unit);
  }

  private String digits() {
    return new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
  }
}
