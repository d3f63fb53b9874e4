package io.tranche.market.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.testkit.Cases;
import io.tranche.testkit.Heap;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyntheticMarketTest {

  private static final SyntheticConfig SMALL = SyntheticConfig.DEFAULT.withSize(8, 40);

  @Test
  void givesTheSameBitsInAnyOrderAndOnAnyThread() {
    var market = new SyntheticMarket(SMALL.withBook(Book.DEPTH));
    List<Long> forwards = market.instruments().stream().map(code -> bits(market, code)).toList();

    List<Long> again =
        market.instruments().reversed().parallelStream().map(code -> bits(market, code)).toList();

    assertThat(again.reversed()).isEqualTo(forwards).doesNotHaveDuplicates();
  }

  @Test
  void givesAnInstrumentTheSameBitsWhateverTheirNumber() {
    var few = new SyntheticMarket(SMALL);
    var many = new SyntheticMarket(SMALL.withSize(20_000, SMALL.days()));

    assertThat(few.instruments()).allMatch(code -> bits(few, code) == bits(many, code));
    assertThat(many.series("SYN19999").size()).isEqualTo(40 * 48);
  }

  // Pinned: these bits must come out on every machine, and change only with the law.
  @Test
  void givesTheSameBitsOnEveryMachine() {
    var market = new SyntheticMarket(SMALL.withBook(Book.DEPTH));

    assertThat(Long.toHexString(bits(market, "SYN0003"))).isEqualTo("4477006c");
  }

  @Test
  void changesWithTheSeed() {
    var market = new SyntheticMarket(SMALL);
    var other = new SyntheticMarket(SMALL.withSeed(SMALL.seed() + 1));

    assertThat(bits(market, "SYN0000")).isNotEqualTo(bits(other, "SYN0000"));
  }

  @Test
  void hasTheSameBarsWithAndWithoutABook() {
    BarSeries plain = new SyntheticMarket(SMALL).series("SYN0001");
    BarSeries quoted = new SyntheticMarket(SMALL.withBook(Book.QUOTES)).series("SYN0001");
    BarSeries deep = new SyntheticMarket(SMALL.withBook(Book.DEPTH)).series("SYN0001");

    assertThat(bits(quoted, plain.fields().size())).isEqualTo(bits(plain, plain.fields().size()));
    assertThat(bits(deep, plain.fields().size())).isEqualTo(bits(plain, plain.fields().size()));
    assertThat(quoted.fields()).containsAll(List.of("bid", "ask", "bidv1", "askv1")).hasSize(14);
    assertThat(deep.fields()).containsAll(List.of("bidv3", "askv5", "bidv10")).hasSize(20);
  }

  @ParameterizedTest
  @CsvSource({
    "cn_stocks, 1min, 240, 2024-01-02 09:30:00, 2024-01-02 14:59:00",
    "cn_stocks, 5min, 48, 2024-01-02 09:30:00, 2024-01-02 14:55:00",
    "us_stocks, 1min, 390, 2024-01-02 09:30:00, 2024-01-02 15:59:00",
    "us_stocks, 5min, 78, 2024-01-02 09:30:00, 2024-01-02 15:55:00",
    "cn_futures, 1min, 555, 2024-01-01 21:00:00, 2024-01-02 14:59:00",
    "cn_futures, 5min, 111, 2024-01-01 21:00:00, 2024-01-02 14:55:00",
    "crypto, 1min, 1440, 2024-01-02 00:00:00, 2024-01-02 23:59:00",
    "crypto, 5min, 288, 2024-01-02 00:00:00, 2024-01-02 23:55:00"
  })
  void takesTheShapeOfEverySession(
      String session, String frequency, int bars, String first, String last) {
    var config =
        SyntheticConfig.DEFAULT
            .withSize(3, 12)
            .withBook(Book.DEPTH)
            .withBars(Session.named(session), Frequency.parse(frequency));
    var market = new SyntheticMarket(config);

    assertThat(market.calendar().days()).isEqualTo(12);
    assertThat(BarTime.format(market.calendar().time(0))).isEqualTo(first);
    assertThat(BarTime.format(market.calendar().time(bars - 1))).isEqualTo(last);
    for (String code : market.instruments()) {
      BarSeries series = market.series(code);
      assertThat(series.size()).isEqualTo(12 * bars);
      for (int day = 0; day < 12; day++) {
        assertThat(frame(series, day).ticks()).isEqualTo(bars);
      }
      assertSane(series);
    }
  }

  @Test
  void tradesMondaysNightSessionOnFridayEvening() {
    var config = SMALL.withSize(1, 10).withBars(Session.CHINA_FUTURES, Frequency.ofMinutes(30));
    var calendar = new SyntheticMarket(config).calendar();

    int monday = calendar.dayOf(LocalDate.of(2024, 1, 8));

    assertThat(BarTime.format(calendar.time(calendar.dayStart(monday))))
        .isEqualTo("2024-01-05 21:00:00");
    assertThat(BarTime.format(calendar.time(calendar.dayStart(monday) + 6)))
        .isEqualTo("2024-01-06 00:00:00");
  }

  @Test
  void tradesANightSessionThatEndsAtMidnight() {
    var session =
        new Session(
            "late", List.of(new Session.Segment(-7200, 0), new Session.Segment(32400, 54000)));
    var calendar =
        new SyntheticMarket(SMALL.withSize(1, 10).withBars(session, Frequency.ofMinutes(30)))
            .calendar();

    int monday = calendar.dayOf(LocalDate.of(2024, 1, 8));

    assertThat(calendar.days()).isEqualTo(10);
    assertThat(BarTime.format(calendar.time(calendar.dayStart(monday))))
        .isEqualTo("2024-01-05 22:00:00");
  }

  @Test
  void skipsWeekendsExceptRoundTheClock() {
    var stocks = new SyntheticMarket(SMALL.withSize(1, 10)).calendar();
    var crypto =
        new SyntheticMarket(SMALL.withSize(1, 10).withBars(Session.CRYPTO, Frequency.ofMinutes(30)))
            .calendar();

    assertThat(stocks.date(9)).isEqualTo("2024-01-15");
    assertThat(crypto.date(9)).isEqualTo("2024-01-11");
  }

  @Test
  void disturbsTradingAsOftenAsConfigured() {
    var incidents = new SyntheticConfig.Incidents(0.02, 0.03, 0.04, 0.005);
    var market =
        new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(60, 250).withIncidents(incidents));
    int limits = 0;
    int halts = 0;
    int pauses = 0;
    int missing = 0;
    int bars = 0;
    int days = 0;

    for (String code : market.instruments()) {
      BarSeries series = market.series(code);
      for (int day = 0; day < series.endDay(); day++) {
        DayFrame frame = frame(series, day);
        int absent = 0;
        int longest = 0;
        int run = 0;
        for (int tick = 0; tick < frame.ticks(); tick++) {
          run = frame.isMissing(tick) ? run + 1 : 0;
          absent += run > 0 ? 1 : 0;
          longest = Math.max(longest, run);
        }
        days++;
        if (longest == frame.ticks()) {
          halts++;
        } else if (longest >= 6) {
          pauses++;
        } else {
          missing += absent;
          bars += frame.ticks();
        }
        limits += endsAtALimit(frame) ? 1 : 0;
      }
    }

    assertThat((double) halts / days).isCloseTo(0.03, within(0.005));
    assertThat((double) pauses / days).isCloseTo(0.04 * 0.97, within(0.005));
    assertThat((double) limits / days).isCloseTo(0.02 * 0.97, within(0.004));
    assertThat((double) missing / bars).isCloseTo(0.005, within(0.0004));
  }

  private static boolean endsAtALimit(DayFrame frame) {
    int last = frame.ticks() - 1;
    return frame.value(frame.fieldIndex("limit_buy"), last) == 1
        || frame.value(frame.fieldIndex("limit_sell"), last) == 1;
  }

  @Test
  void sticksAtTheLimitOnceItIsReached() {
    var always = new SyntheticConfig.Incidents(1, 0, 0, 0);
    var market = new SyntheticMarket(SMALL.withIncidents(always).withBook(Book.QUOTES));
    BarSeries series = market.series("SYN0002");

    for (int day = 1; day < series.endDay(); day++) {
      DayFrame frame = frame(series, day);
      int last = frame.ticks() - 1;
      float close = frame.value(frame.fieldIndex("close"), last);
      float change = frame.value(frame.fieldIndex("change"), last);
      boolean up = frame.value(frame.fieldIndex("limit_buy"), last) == 1;
      int tick = last;
      while (tick > 0 && frame.value(frame.fieldIndex("close"), tick - 1) == close) {
        tick--;
      }

      assertThat(Math.abs(change)).isCloseTo(0.1f, within(0.001f)).isGreaterThan(0.095f);
      assertThat(up).isEqualTo(change > 0);
      assertThat(frame.value(frame.fieldIndex("limit_sell"), last)).isEqualTo(up ? 0f : 1f);
      assertThat(frame.value(frame.fieldIndex(up ? "ask" : "bid"), last)).isNaN();
      assertThat(frame.value(frame.fieldIndex(up ? "askv1" : "bidv1"), last)).isZero();
      for (; tick <= last; tick++) {
        assertThat(frame.value(frame.fieldIndex("high"), tick)).isGreaterThanOrEqualTo(close);
      }
    }
  }

  @Test
  void namesTheInstrumentsItHas() {
    var market = new SyntheticMarket(SMALL);

    for (String code : List.of("SYN0008", "SYN8", "SYN00001", "syn0001", "", "SYN99999999999")) {
      assertThatThrownBy(() -> market.series(code))
          .isInstanceOf(DataException.class)
          .hasMessage(
              "embedded market: expected an instrument from SYN0000 to SYN0007, was " + code);
    }
  }

  @Test
  void streamsAnyNumberOfInstrumentsInLittleMemory() {
    int instruments = Cases.count(20, 1000);
    var config =
        SyntheticConfig.DEFAULT
            .withSize(instruments, 250)
            .withBars(Session.CHINA_STOCKS, Frequency.MINUTE);
    var market = new SyntheticMarket(config);
    long bars = 0;
    long early = 0;

    for (String code : market.instruments()) {
      bars += market.series(code).size();
      if (code.equals("SYN0004")) {
        early = Heap.used();
      }
    }

    assertThat(bars).isEqualTo(instruments * 60_000L);
    assertThat(Heap.growthSince(early, 20_000_000)).isLessThan(20_000_000);
  }

  private static void assertSane(BarSeries series) {
    var wrong = new ArrayList<String>();
    for (int row = 0; row < series.size(); row++) {
      if (!series.isMissing(row) && !isSane(new Row(series, row))) {
        wrong.add(series.instrument() + " row " + row);
      }
    }
    assertThat(wrong).isEmpty();
  }

  private record Row(BarSeries series, int row) {
    float of(String field) {
      return series.value(series.fieldIndex(field), row);
    }
  }

  private static boolean isSane(Row row) {
    float low = row.of("low");
    float high = row.of("high");
    boolean bars =
        low > 0
            && List.of("open", "close", "vwap").stream()
                .allMatch(field -> row.of(field) >= low && row.of(field) <= high)
            && List.of("open", "high", "low", "close").stream()
                .allMatch(field -> isCents(row.of(field)))
            && row.of("volume") >= 100
            && row.of("volume") % 100 == 0
            && row.of("factor") == 1
            && Math.abs(row.of("change")) < 0.102;
    boolean asks = row.of("limit_buy") == 0;
    boolean bids = row.of("limit_sell") == 0;
    boolean book =
        (!asks || (row.of("ask") >= row.of("close") && isCents(row.of("ask"))))
            && (!bids || (row.of("bid") <= row.of("close") && isCents(row.of("bid"))))
            && (!asks || !bids || row.of("ask") > row.of("bid"))
            && isRising(row, "bidv", bids)
            && isRising(row, "askv", asks);
    return bars && book;
  }

  private static boolean isRising(Row row, String side, boolean present) {
    float one = row.of(side + 1);
    float ten = row.of(side + 10);
    return present
        ? one >= 100 && row.of(side + 3) > one && row.of(side + 5) > one && ten > row.of(side + 5)
        : one == 0 && ten == 0;
  }

  private static boolean isCents(float price) {
    return Float.parseFloat(String.format(Locale.ROOT, "%.2f", price)) == price;
  }

  private static DayFrame frame(BarSeries series, int day) {
    return Objects.requireNonNull(series.day(day));
  }

  private static long bits(SyntheticMarket market, String code) {
    return bits(market.series(code), market.fields().size());
  }

  private static long bits(BarSeries series, int fields) {
    var checksum = new CRC32();
    IntStream.range(0, fields)
        .forEach(
            field -> {
              for (int row = 0; row < series.size(); row++) {
                int value = Float.floatToIntBits(series.value(field, row));
                for (int shift = 0; shift < 32; shift += 8) {
                  checksum.update(value >>> shift);
                }
              }
            });
    return checksum.getValue();
  }
}
