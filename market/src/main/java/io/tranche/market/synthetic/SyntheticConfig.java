package io.tranche.market.synthetic;

import io.tranche.config.ConfigException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.time.LocalDate;

/// The settings of the embedded market. [SyntheticMarket] states its law.
///
/// @param seed everything random derives from it
/// @param instruments the number of instruments; instrument 7 is the same for any number
/// @param days trading days; weekends are left out unless the market trades round the clock. The
///   number moves the borders of the splits and with them the market-wide drift
/// @param firstDate the first trading day is on or after this date
/// @param frequency width of a bar; at least eight bars per day
/// @param law what there is to learn; [Law#FLOW] has at least [Book#QUOTES], and [Law#DRIFT] a drift
///   of its own
/// @param signal how strongly the law holds, 0 (nothing to learn) to 1.5
/// @param drift market-wide drift
/// @param incidents what disturbs trading
public record SyntheticConfig(
    long seed,
    int instruments,
    int days,
    LocalDate firstDate,
    Session session,
    Frequency frequency,
    Law law,
    double signal,
    Book book,
    Drift drift,
    Incidents incidents) {

  /// How far the whole market is expected to move from open to close, in basis points per day. It
  /// differs between the splits, so that "sell at once" wins on one and loses on another.
  public record Drift(double train, double valid, double test) {

    public static final Drift DEFAULT = new Drift(10, -20, 20);
    public static final Drift NONE = new Drift(0, 0, 0);

    public Drift {
      requireIn("drift.train", train, -100, 100);
      requireIn("drift.valid", valid, -100, 100);
      requireIn("drift.test", test, -100, 100);
    }

    double bps(Split split) {
      return switch (split) {
        case TRAIN -> train;
        case VALID -> valid;
        case TEST -> test;
      };
    }
  }

  /// How often trading is disturbed, as probabilities.
  ///
  /// @param limitDay the price jumps to 10 % above or below yesterday's close and sticks, per
  ///   instrument and day
  /// @param haltedDay a whole day without a bar, per instrument and day
  /// @param pause a stretch of an eighth to half of the day without bars, per instrument and day
  /// @param missingBar one bar is missing, per bar
  public record Incidents(double limitDay, double haltedDay, double pause, double missingBar) {

    public static final Incidents DEFAULT = new Incidents(0.005, 0.002, 0.004, 0.001);
    public static final Incidents NONE = new Incidents(0, 0, 0, 0);

    public Incidents {
      requireIn("incidents.limitDay", limitDay, 0, 1);
      requireIn("incidents.haltedDay", haltedDay, 0, 1);
      requireIn("incidents.pause", pause, 0, 1);
      requireIn("incidents.missingBar", missingBar, 0, 0.5);
    }
  }

  /// The demo's market: 60 A-share-like stocks, 150 days of 5-minute bars.
  public static final SyntheticConfig DEFAULT =
      new SyntheticConfig(
          1,
          60,
          150,
          LocalDate.of(2024, 1, 2),
          Session.CHINA_STOCKS,
          Frequency.ofMinutes(5),
          Law.PULSE,
          1,
          Book.NONE,
          Drift.DEFAULT,
          Incidents.DEFAULT);

  private static final int FEWEST_BARS = 8;

  /// What a fill of the whole volume of a bar would move the price by, under [Law#IMPACT].
  private static final double IMPACT = 0.05;

  /// Of [Law#DRIFT], in basis points per day.
  private static final double ALTERNATING = 40;

  public SyntheticConfig {
    book = law == Law.FLOW && book == Book.NONE ? Book.QUOTES : book;
    requireIn("instruments", instruments, 1, 1_000_000);
    requireIn("days", days, 1, 100_000);
    requireIn("signal", signal, 0, 1.5);
    if (firstDate.getYear() < 1900 || firstDate.getYear() > 9000) {
      throw bad("firstDate", "a year from 1900 to 9000", firstDate);
    }
    int bars = session.barStarts(frequency).length;
    if (frequency.isDay() || bars < FEWEST_BARS) {
      throw bad("frequency", "at least " + FEWEST_BARS + " bars per day", frequency);
    }
    if ((long) bars * days > Integer.MAX_VALUE / 2) {
      throw bad("days", "fewer than 2^30 bars of " + frequency, days);
    }
  }

  public SyntheticConfig withSeed(long other) {
    return new SyntheticConfig(other, instruments, days, firstDate, session, frequency, law, signal, book, drift, incidents);
  }

  public SyntheticConfig withSize(int count, int length) {
    return new SyntheticConfig(seed, count, length, firstDate, session, frequency, law, signal, book, drift, incidents);
  }

  public SyntheticConfig withFirstDate(LocalDate other) {
    return new SyntheticConfig(seed, instruments, days, other, session, frequency, law, signal, book, drift, incidents);
  }

  public SyntheticConfig withBars(Session hours, Frequency width) {
    return new SyntheticConfig(seed, instruments, days, firstDate, hours, width, law, signal, book, drift, incidents);
  }

  public SyntheticConfig withLaw(Law other) {
    return new SyntheticConfig(
        seed, instruments, days, firstDate, session, frequency, other, signal, book, drift,
        incidents);
  }

  public SyntheticConfig withSignal(double other) {
    return new SyntheticConfig(seed, instruments, days, firstDate, session, frequency, law, other, book, drift, incidents);
  }

  public SyntheticConfig withBook(Book other) {
    return new SyntheticConfig(seed, instruments, days, firstDate, session, frequency, law, signal, other, drift, incidents);
  }

  public SyntheticConfig withDrift(Drift other) {
    return new SyntheticConfig(seed, instruments, days, firstDate, session, frequency, law, signal, book, other, incidents);
  }

  public SyntheticConfig withIncidents(Incidents other) {
    return new SyntheticConfig(seed, instruments, days, firstDate, session, frequency, law, signal, book, drift, other);
  }

  /// Returns by what part of the price a fill of a bar's whole volume moves it, in proportion to the
  /// participation; 0 unless the law is [Law#IMPACT].
  public double impact() {
    return law == Law.IMPACT ? signal * IMPACT : 0;
  }

  /// Returns the part of such a move that is left one bar later.
  public double impactDecay() {
    return StrictMath.exp(
        -1 / (IntradayLaw.MEMORY * session.barStarts(frequency).length));
  }

  /// Returns the drift of a split, in basis points per day.
  double drift(Split split) {
    if (law != Law.DRIFT) {
      return drift.bps(split);
    }
    return signal * (split == Split.VALID ? -ALTERNATING : ALTERNATING);
  }

  private static void requireIn(String name, double value, double low, double high) {
    if (!(value >= low && value <= high)) {
      throw bad(name, "a number in [%s, %s]".formatted(plain(low), plain(high)), plain(value));
    }
  }

  private static String plain(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static ConfigException bad(String name, String expected, Object found) {
    return new ConfigException("synthetic." + name, expected, found);
  }
}
