package io.tranche.market.check;

import io.tranche.market.BarTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Collects a limited number of findings per rule and counts the rest.
final class Findings {

  static final long NO_TIME = Long.MIN_VALUE;

  private final int limit;
  private final List<Finding> listed = new ArrayList<>();
  private final Map<Rule, Long> counts = new EnumMap<>(Rule.class);

  Findings(int limit) {
    this.limit = limit;
  }

  void add(Rule rule, Path file, Object value) {
    add(rule, file, () -> "", null, NO_TIME, value);
  }

  void add(Rule rule, Path file, String place, @Nullable String instrument, Object value) {
    add(rule, file, () -> place, instrument, NO_TIME, value);
  }

  /// @param place evaluated only if the finding is listed
  void add(
      Rule rule,
      Path file,
      Supplier<String> place,
      @Nullable String instrument,
      long time,
      Object value) {
    long count = counts.merge(rule, 1L, Long::sum);
    if (count <= limit) {
      listed.add(
          new Finding(
              file.toString(),
              place.get(),
              instrument,
              time == NO_TIME ? null : BarTime.format(time),
              rule,
              String.valueOf(value)));
    }
  }

  CheckReport report() {
    return new CheckReport(listed, counts);
  }
}
