package io.tranche.market.synthetic;

/// What is decided about one instrument's day before its first bar; a bar number beyond the day
/// means never.
record DayPlan(
    DayType type,
    double gap,
    boolean halted,
    int limitBar,
    boolean limitUp,
    int pauseFrom,
    int pauseTo) {

  static DayPlan draw(SyntheticConfig config, int instrument, int day, int bars) {
    var draws = Stream.DAY.of(config.seed(), instrument, day);
    SyntheticConfig.Incidents incidents = config.incidents();
    DayType type = draws.chance(0.5) ? DayType.BUSY : DayType.QUIET;
    double gap = draws.normal();
    boolean halted = draws.chance(incidents.haltedDay());
    boolean limited = draws.chance(incidents.limitDay());
    int limitBar = (int) (draws.uniform() * bars);
    boolean limitUp = draws.chance(0.5);
    boolean paused = draws.chance(incidents.pause());
    int length = Math.max(1, (int) (draws.uniform(1 / 8.0, 1 / 2.0) * bars));
    int from = (int) (draws.uniform() * (bars - length)); // at least the last bar trades
    return new DayPlan(
        type,
        gap,
        halted,
        limited ? limitBar : bars,
        limitUp,
        paused ? from : bars,
        paused ? from + length : bars);
  }

  boolean isPaused(int bar) {
    return bar >= pauseFrom && bar < pauseTo;
  }
}
