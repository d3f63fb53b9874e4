package io.tranche.market.expression.evaluation;

/// Where the stored fields of one instrument come from.
@FunctionalInterface
public interface FieldSource {

  /// Returns the stored bars of `field` within calendar indices `from` to `to`, both inclusive;
  /// none if there is no such field.
  Column load(String field, int from, int to);
}
