package io.tranche.serving.engine;

import io.tranche.serving.Request;
import io.tranche.serving.journal.BarValues;
import io.tranche.serving.ledger.LedgerDay;
import java.util.List;
import java.util.Set;

/// What the values of a bar must be. A wrong price would move models, limits and orders.
final class BarRules {

  private static final List<String> PRICES = List.of("open", "high", "low", "close", "vwap");
  private static final List<String> VOLUMES = List.of("volume", "amount");
  private static final float MOST_PRICE = 1e9f;
  private static final float MOST_VOLUME = 1e15f;

  /// The smallest jump that is refused, up or down.
  private static final float JUMP = 10;

  private BarRules() {}

  /// @param exempt fields that are no prices and volumes, whatever their names
  /// @throws IllegalArgumentException with the rule and the value
  static void requireSound(Request.Bar bar, BarValues values, Set<String> exempt, LedgerDay day) {
    float before = day.knownClose();
    for (int i = 0; i < values.size(); i++) {
      String field = bar.fields().get(i);
      float value = values.at(i);
      if (Float.isNaN(value) || exempt.contains(field)) {
        continue;
      }
      if (PRICES.contains(field)) {
        if (!(value > 0 && value <= MOST_PRICE)) {
          throw wrong(bar, field, value, "in (0, 1e9]");
        }
        if (!Float.isNaN(before) && !(value < JUMP * before && before < JUMP * value)) {
          throw wrong(bar, field, value, "within a factor of 10 of the close before, " + before);
        }
      } else if (VOLUMES.contains(field) && !(value >= 0 && value <= MOST_VOLUME)) {
        throw wrong(bar, field, value, "in [0, 1e15]");
      }
    }
    float low = at(bar, values, exempt, "low");
    float high = at(bar, values, exempt, "high");
    if (high < low) {
      throw wrong(bar, "high", high, "at least low, " + low);
    }
    for (String field : List.of("open", "close")) {
      float value = at(bar, values, exempt, field);
      if (value < low || value > high) {
        throw wrong(bar, field, value, "in [low, high], [%s, %s]".formatted(low, high));
      }
    }
  }

  private static float at(Request.Bar bar, BarValues values, Set<String> exempt, String field) {
    int index = exempt.contains(field) ? -1 : bar.fields().indexOf(field);
    return index < 0 ? Float.NaN : values.at(index);
  }

  private static IllegalArgumentException wrong(
      Request.Bar bar, String field, float value, String rule) {
    return new IllegalArgumentException(
        "%s of %s at %s must be %s, was %s"
            .formatted(field, bar.instrument(), bar.time(), rule, value));
  }
}
