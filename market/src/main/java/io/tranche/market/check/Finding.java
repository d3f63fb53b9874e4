package io.tranche.market.check;

import org.jspecify.annotations.Nullable;

/// One place where data break a rule.
///
/// @param place line, row or byte offset; empty for the whole file
/// @param instrument null where the finding is not about one
/// @param time as [io.tranche.market.BarTime#format] writes it; null where there is none
/// @param value what was found
public record Finding(
    String file,
    String place,
    @Nullable String instrument,
    @Nullable String time,
    Rule rule,
    String value) {

  /// Returns `file place, instrument at time: expected rule, was value`.
  @Override
  public String toString() {
    var text = new StringBuilder(file);
    if (!place.isEmpty()) {
      text.append(place.startsWith(":") ? "" : " ").append(place);
    }
    if (instrument != null) {
      text.append(", ").append(instrument);
    }
    if (time != null) {
      text.append(" at ").append(time);
    }
    return text.append(": expected ").append(rule.text()).append(", was ").append(value).toString();
  }
}
