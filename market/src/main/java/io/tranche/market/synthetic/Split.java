package io.tranche.market.synthetic;

/// Which days an agent is trained on, selected on and judged on: the first three fifths, the next
/// fifth and the last fifth.
public enum Split {
  TRAIN,
  VALID,
  TEST;

  public int firstDay(int days) {
    return switch (this) {
      case TRAIN -> 0;
      case VALID -> Math.toIntExact(3L * days / 5);
      case TEST -> Math.toIntExact(4L * days / 5);
    };
  }

  /// Returns the day after the last of this split.
  public int endDay(int days) {
    return switch (this) {
      case TRAIN -> VALID.firstDay(days);
      case VALID -> TEST.firstDay(days);
      case TEST -> days;
    };
  }

  public static Split of(int day, int days) {
    if (day < VALID.firstDay(days)) {
      return TRAIN;
    }
    return day < TEST.firstDay(days) ? VALID : TEST;
  }
}
