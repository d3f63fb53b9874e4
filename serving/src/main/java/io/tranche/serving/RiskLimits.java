package io.tranche.serving;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// Limits of one scope: of everything, of an account, or of an instrument.
public record RiskLimits(Map<Limit, Double> values) {

  public static final RiskLimits NONE = new RiskLimits(Map.of());

  /// The largest amount of an order where no limit says otherwise.
  public static final double MOST_AMOUNT = 1e9;

  private static final int BARS = 30;

  public RiskLimits {
    var copy = new EnumMap<Limit, Double>(Limit.class);
    copy.putAll(values);
    copy.forEach(
        (limit, value) -> {
          if (!(value >= limit.least() && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                "%s must be finite and %s, was %s"
                    .formatted(
                        limit.key(),
                        limit.least() == Double.MIN_VALUE
                            ? "positive"
                            : "at least " + limit.least(),
                        value));
          }
        });
    values = Collections.unmodifiableMap(copy);
  }

  public static RiskLimits of(Limit limit, double value) {
    return NONE.with(limit, value);
  }

  public RiskLimits with(Limit limit, double value) {
    var changed = new EnumMap<Limit, Double>(Limit.class);
    changed.putAll(values);
    changed.put(limit, value);
    return new RiskLimits(changed);
  }

  /// Returns a limit; NaN if it is not set.
  public double value(Limit limit) {
    Double value = values.get(limit);
    return value == null ? Double.NaN : value;
  }

  public boolean has(Limit limit) {
    return values.containsKey(limit);
  }

  /// Whether `figure` is beyond a limit that is set. A figure that is not a number is.
  public boolean isBeyond(Limit limit, double figure) {
    Double most = values.get(limit);
    return most != null && !(figure <= most);
  }

  public int participationBars() {
    Double bars = values.get(Limit.PARTICIPATION_BARS);
    return bars == null ? BARS : (int) Math.min(bars, Integer.MAX_VALUE);
  }

  /// Returns the fields that bars must have for these limits.
  public List<String> fields() {
    var fields = new ArrayList<String>();
    if (has(Limit.PARTICIPATION) || has(Limit.PARTICIPATION_DAY)) {
      fields.add(Request.Bar.VOLUME);
    }
    if (has(Limit.BAND_BPS)
        || has(Limit.COLLAR_BPS)
        || has(Limit.ORDER_VALUE)
        || has(Limit.CHILD_VALUE)
        || has(Limit.NET_VALUE)
        || has(Limit.GROSS_VALUE)) {
      fields.add(Request.Bar.CLOSE);
    }
    return fields;
  }
}
