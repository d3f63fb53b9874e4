package io.tranche.market.synthetic;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Session;
import io.tranche.market.synthetic.IntradayLaw.DayType;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The embedded market: bars generated from a seed by a known law.
///
/// Nothing is stored. Each call of [#series] computes the instrument again, from random streams
/// keyed by seed, purpose, instrument and day: any instrument can be generated alone, in any order
/// and on any thread, with the same bits. Callers that need a series twice keep it.
///
/// **The law**, of [Law#PULSE]; the others differ in what predicts the price. A day's volatility follows the squared returns of past days (GARCH). A day is busy
/// or quiet with equal odds. Within the day the logarithm of the price moves by [IntradayLaw]: on
/// busy days returns continue, on quiet days they reverse, both through the pulse that everyone can
/// compute from the closes, and the volume reveals the kind of day. Part of the noise is common to
/// all instruments, and so is a drift that differs between the splits. On limit days the price
/// jumps by 10 % of yesterday's close at some bar and sticks there; halts, pauses and missing bars
/// leave no value in any field.
///
/// **Fields.** `open`, `high`, `low`, `close` in whole ticks of 0.01; `volume` in whole lots of
/// 100; `vwap`; `factor` (1); `change` against yesterday's last close; `limit_buy` and
/// `limit_sell`, 1 where the close is at the limit that forbids that side; and those of the [Book].
public final class SyntheticMarket implements BarSource {

  static final int LOT = 100;

  /// Under [Law#LEAD_LAG] every tenth instrument leads, and the nine after it follow.
  private static final int GROUP = 10;

  /// The probability that tomorrow has another regime than today, under [Law#REGIMES].
  private static final double SWITCH = 0.1;

  private final SyntheticConfig config;
  private final IntradayLaw law;
  private final Calendar calendar;
  private final List<String> codes;
  private final List<String> fields;
  private final BitSet trending;
  private volatile @Nullable Leads latest;

  public SyntheticMarket(SyntheticConfig config) {
    this.config = config;
    this.calendar = calendar(config);
    this.law =
        new IntradayLaw(config.session().barStarts(config.frequency()).length, config.signal());
    this.codes = IntStream.range(0, config.instruments()).mapToObj(Instrument::code).toList();
    this.fields = config.book().fields();
    this.trending = trending(config);
  }

  @Override
  public Session session(String instrument) {
    return config.session();
  }

  private static Calendar calendar(SyntheticConfig config) {
    Session session = config.session();
    int ticks = session.barStarts(config.frequency()).length;
    boolean everyDay = session.equals(Session.CRYPTO);
    long[] times = new long[Math.multiplyExact(config.days(), ticks)];
    LocalDate before = config.firstDate().minusDays(1);
    while (!trades(before, everyDay)) {
      before = before.minusDays(1);
    }
    int next = 0;
    for (int day = 0; day < config.days(); day++) {
      LocalDate date = before.plusDays(1);
      while (!trades(date, everyDay)) {
        date = date.plusDays(1);
      }
      System.arraycopy(session.barTimes(date, before, config.frequency()), 0, times, next, ticks);
      next += ticks;
      before = date;
    }
    return Calendar.of(config.frequency(), times, session);
  }

  private static boolean trades(LocalDate date, boolean everyDay) {
    DayOfWeek weekday = date.getDayOfWeek();
    return everyDay || (weekday != DayOfWeek.SATURDAY && weekday != DayOfWeek.SUNDAY);
  }

  public SyntheticConfig config() {
    return config;
  }

  @Override
  public Calendar calendar() {
    return calendar;
  }

  @Override
  public List<String> instruments() {
    return codes;
  }

  @Override
  public List<String> fields() {
    return fields;
  }

  @Override
  public BarSeries series(String code) {
    Instrument instrument = instrument(code);
    return new SeriesGenerator(this, instrument).generate(calendar);
  }

  /// The pulse of a leader before each bar.
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Leads(int leader, double[] pulses) {}

  /// Whether an instrument is one that others follow.
  boolean leads(int instrument) {
    return config.law() == Law.LEAD_LAG && instrument % GROUP == 0;
  }

  /// Returns the pulse of the leader before each bar, which an instrument follows; empty if it
  /// follows nobody.
  double[] followed(Instrument instrument) {
    if (config.law() != Law.LEAD_LAG || leads(instrument.number())) {
      return new double[0];
    }
    int leader = instrument.number() - instrument.number() % GROUP;
    Leads known = latest; // one leader's at most: memory does not grow with the market
    if (known == null || known.leader != leader) {
      known = new Leads(leader, pulses(leader));
      latest = known;
    }
    return known.pulses;
  }

  private double[] pulses(int leader) {
    BarSeries series = series(codes.get(leader));
    double[] volatilities = law.volatilities(Instrument.draw(config.seed(), leader), series);
    int open = series.fieldIndex("open");
    int close = series.fieldIndex("close");
    double[] result = new double[config.days() * law.bars()];
    for (int day = series.firstDay(); day < series.endDay(); day++) {
      DayFrame frame = Objects.requireNonNull(series.day(day)); // leaders are never halted
      var pulse = new IntradayLaw.Pulse(law, volatilities[day - series.firstDay()]);
      for (int bar = 0; bar < law.bars(); bar++) {
        result[day * law.bars() + bar] = pulse.value();
        pulse.see(frame.value(open, bar), frame.value(close, bar), true);
      }
    }
    return result;
  }

  private static BitSet trending(SyntheticConfig config) {
    var days = new BitSet();
    if (config.law() == Law.REGIMES) {
      boolean now = Stream.REGIME.of(config.seed(), 0, 0).chance(0.5);
      for (int day = 0; day < config.days(); day++) {
        now ^= day > 0 && Stream.REGIME.of(config.seed(), 0, day).chance(SWITCH);
        days.set(day, now);
      }
    }
    return days;
  }

  /// Returns whether returns continue on a day, as on busy days, or reverse: the regime of
  /// [Law#REGIMES].
  DayType regime(int day) {
    return trending.get(day) ? DayType.BUSY : DayType.QUIET;
  }

  /// Returns the drift of a day in basis points.
  double drift(int day) {
    return config.drift(split(day));
  }

  public Split split(int day) {
    return Split.of(day, config.days());
  }

  /// Returns a schedule over the whole day in steps of `seconds`.
  ///
  /// @throws IllegalArgumentException if that is not a whole number of bars
  public Schedule wholeDay(int seconds) {
    if (seconds <= 0 || seconds % config.frequency().seconds() != 0) {
      throw new IllegalArgumentException(
          "seconds must be a multiple of %d, was %d"
              .formatted(config.frequency().seconds(), seconds));
    }
    return new Schedule(0, law.bars(), seconds / config.frequency().seconds());
  }

  IntradayLaw law() {
    return law;
  }

  Instrument instrument(String code) {
    int number = code.startsWith("SYN") ? numberOf(code.substring(3)) : -1;
    if (number < 0 || number >= codes.size() || !codes.get(number).equals(code)) {
      throw new DataException(
          "embedded market",
          "an instrument from %s to %s".formatted(codes.getFirst(), codes.getLast()),
          code);
    }
    return Instrument.draw(config.seed(), number);
  }

  private static int numberOf(String digits) {
    return digits.matches("[0-9]{4,7}") ? Integer.parseInt(digits) : -1;
  }
}
