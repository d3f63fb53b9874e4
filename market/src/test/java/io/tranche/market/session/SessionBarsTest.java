package io.tranche.market.session;

import static io.tranche.market.session.SessionDays.MONDAY;
import static io.tranche.market.session.SessionDays.all;
import static io.tranche.market.session.SessionDays.days;
import static io.tranche.market.session.SessionDays.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.session.SessionBars.Reading;
import io.tranche.market.session.SessionDays.Source;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionBarsTest {

  private static SessionBars open(BarSource raw, Reading reading) {
    return (SessionBars) SessionBars.of("bars", raw, reading);
  }

  private static Reading stated(String session) {
    return new Reading(StatedSessions.of(Session.parse(session)), BarLabel.START, null);
  }

  private static DayFrame day(BarSource bars, String instrument, LocalDate date) {
    return Objects.requireNonNull(bars.series(instrument).day(date));
  }

  @Test
  void barsOnTheGridAreReturnedAsTheyAre() {
    var raw =
        new Source(
            Frequency.MINUTE, Map.of("a", all(days(Session.CHINA_STOCKS, Frequency.MINUTE, 3))));

    SessionBars bars = open(raw, Reading.PLAIN);

    assertThat(bars.session("a")).isEqualTo(Session.CHINA_STOCKS);
    assertThat(bars.series("a").calendar()).isSameAs(raw.calendar());
    assertThat(bars.setAside()).isEmpty();
    assertThat(bars.notes()).containsExactly("session: cn_stocks (found)");
  }

  @Test
  void aTickHasTheSameNumberOnEveryDay() {
    List<long[]> days = days(Session.US_STOCKS, Frequency.MINUTE, 20);
    days.set(3, Arrays.copyOf(days.get(3), 210));
    days.set(7, Arrays.copyOfRange(days.get(7), 30, 390));
    SessionBars bars = open(new Source(Frequency.MINUTE, Map.of("a", all(days))), Reading.PLAIN);

    DayFrame half = day(bars, "a", MONDAY.plusDays(3));
    DayFrame late = day(bars, "a", MONDAY.plusDays(9));

    assertThat(half.ticks()).isEqualTo(210);
    assertThat(late.ticks()).isEqualTo(390);
    assertThat(late.isMissing(29)).isTrue();
    assertThat(late.value(0, 30)).isEqualTo(value(late.time(30)));
    assertThat(BarTime.format(late.time(30))).endsWith("10:00:00");
  }

  @Test
  void eachInstrumentHasItsOwnCalendar() {
    Frequency frequency = Frequency.ofMinutes(5);
    Session night = Session.named("cn_futures_2300");
    Session day = Session.named("cn_futures_day");
    var times = new LinkedHashMap<String, long[]>();
    times.put("night", all(days(night, frequency, 10)));
    times.put("more", all(days(night, frequency, 10)));
    times.put("day", all(days(day, frequency, 10)));
    SessionBars bars = open(new Source(frequency, times), Reading.PLAIN);

    DayFrame monday = day(bars, "night", MONDAY.plusDays(7));

    assertThat(bars.describe()).isEqualTo("2 of cn_futures_2300, 1 of cn_futures_day (found)");
    assertThat(monday.ticks()).isEqualTo(69);
    assertThat(BarTime.format(monday.time(0))).isEqualTo("2024-01-12 21:00:00");
    assertThat(day(bars, "day", MONDAY.plusDays(7)).ticks()).isEqualTo(45);
    assertThat(bars.calendar("more")).isSameAs(bars.calendar("night"));
    assertThat(bars.calendar().days()).isEqualTo(10);
    assertThat(bars.setAside()).isEmpty();
    for (String code : bars.instruments()) {
      BarSeries series = bars.series(code);
      for (int row = 0; row < series.size(); row++) {
        assertThat(series.value(0, row))
            .isEqualTo(value(series.calendar().time(series.firstBar() + row)));
      }
    }
  }

  @Test
  void aNightWhoseDayHasNoBarsIsADay() {
    Frequency frequency = Frequency.ofMinutes(30);
    Session session = Session.named("cn_futures_2300");
    List<long[]> days = days(session, frequency, 5);
    days.set(2, Arrays.copyOf(days.get(2), 4)); // of 12: halted after the night

    SessionBars bars = open(new Source(frequency, Map.of("a", all(days))), Reading.PLAIN);

    assertThat(day(bars, "a", MONDAY.plusDays(2)).ticks()).isEqualTo(4);
    assertThat(day(bars, "a", MONDAY.plusDays(3)).isMissing(0)).isFalse();
    assertThat(bars.calendar().days()).isEqualTo(5);
    assertThat(bars.setAside()).isEmpty();
  }

  @Test
  void whatIsOutsideTheSessionIsCounted() {
    List<long[]> days = days(Session.CHINA_STOCKS, Frequency.MINUTE, 2);
    long early = days.getFirst()[0] - 300; // 09:25
    long late = days.getFirst()[239] + 3600; // 15:59
    days.add(new long[] {early, late});
    SessionBars bars =
        open(new Source(Frequency.MINUTE, Map.of("a", all(days))), stated("cn_stocks"));

    assertThat(bars.setAside("a"))
        .containsExactly(
            new SetAside("a", 1, early, "an auction of the session cn_stocks"),
            new SetAside("a", 1, late, "outside the session cn_stocks"));
    assertThat(bars.setAside().getFirst())
        .hasToString(
            "a: 1 bars set aside, the first at 2024-01-08 09:25:00: an auction of the session"
                + " cn_stocks");
    assertThat(bars.notes()).hasSize(3);
    assertThat(day(bars, "a", MONDAY).ticks()).isEqualTo(240);
  }

  @Test
  void earlyClosesAndHolidaysAreObeyed() {
    var times = Map.of("a", all(days(Session.US_STOCKS, Frequency.MINUTE, 3)));
    SessionBars bars =
        open(
            new Source(Frequency.MINUTE, times),
            stated("09:30-16:00; early 2024-01-08 13:00; holiday 2024-01-09"));

    assertThat(day(bars, "a", MONDAY).ticks()).isEqualTo(210);
    assertThat(bars.series("a").day(MONDAY.plusDays(1))).isNull();
    assertThat(bars.setAside("a")).extracting(SetAside::bars).containsExactly(180 + 390);
  }

  @ParameterizedTest
  @ValueSource(strings = {"us_stocks", "cn_stocks", "cn_futures_0100", "crypto", "cme"})
  void barsLabelledByTheirEndAreThoseLabelledByTheirStart(String name) {
    Session session = Session.named(name);
    for (int minutes : new int[] {1, 15, 30, 60}) {
      Frequency frequency = Frequency.ofMinutes(minutes);
      long[] starts = all(days(session, frequency, 5));
      long[] ends = new long[starts.length];
      for (int i = 0; i < ends.length; i++) { // of the bar, or of its segment
        ends[i] = starts[i] + frequency.seconds();
        for (Session.Segment segment : session.segments()) {
          long close = Math.floorMod(segment.close(), BarTime.SECONDS_A_DAY);
          long second = Math.floorMod(starts[i], (long) BarTime.SECONDS_A_DAY);
          ends[i] -= second < close ? Math.max(second + frequency.seconds() - close, 0) : 0;
        }
      }
      var reading = new Reading(StatedSessions.of(session), BarLabel.END, null);

      SessionBars bars = open(new Source(frequency, Map.of("a", ends)), reading);

      Calendar calendar = bars.calendar("a");
      assertThat(calendar.times(0, calendar.size())).as(name + minutes).isEqualTo(starts);
      assertThat(bars.setAside()).isEmpty();
    }
  }

  @Test
  void timesOfAnotherZoneAreConvertedAcrossDaylightSaving() {
    ZoneId newYork = ZoneId.of("America/New_York");
    LocalDate friday = LocalDate.of(2024, 3, 8); // clocks go forward on Sunday
    LocalDate monday = LocalDate.of(2024, 3, 11);
    long[] utc =
        all(
            List.of(
                Session.US_STOCKS.barTimes(friday, friday, Frequency.MINUTE),
                Session.US_STOCKS.barTimes(monday, friday, Frequency.MINUTE)));
    for (int i = 0; i < utc.length; i++) {
      utc[i] = BarTime.dateTime(utc[i]).atZone(newYork).toEpochSecond();
    }
    assertThat(BarTime.format(utc[0])).isEqualTo("2024-03-08 14:30:00");
    assertThat(BarTime.format(utc[390])).isEqualTo("2024-03-11 13:30:00");
    var reading =
        new Reading(StatedSessions.of(Session.US_STOCKS), BarLabel.START, ZoneId.of("UTC"));

    SessionBars bars = open(new Source(Frequency.MINUTE, Map.of("a", utc)), reading);

    assertThat(day(bars, "a", friday).ticks()).isEqualTo(390);
    assertThat(day(bars, "a", monday).ticks()).isEqualTo(390);
    assertThat(BarTime.format(day(bars, "a", monday).time(0))).isEqualTo("2024-03-11 09:30:00");
    assertThat(bars.setAside()).isEmpty();
    BarSource stored = bars.onOneCalendar();
    assertThat(BarTime.format(stored.calendar().time(390))).isEqualTo("2024-03-11 09:30:00");
    assertThat(stored.series("a").isMissing(389)).isFalse();
  }

  @Test
  void anHourThatComesTwiceIsSetAside() {
    ZoneId newYork = ZoneId.of("America/New_York");
    long midnight =
        LocalDate.of(2024, 11, 3).atStartOfDay(newYork).toEpochSecond(); // clocks go back at 02:00
    long[] utc = new long[25];
    Arrays.setAll(utc, i -> midnight + 3600L * i);
    var session = Session.parse("00:00-24:00; zone America/New_York");
    var reading = new Reading(StatedSessions.of(session), BarLabel.START, ZoneId.of("UTC"));

    SessionBars bars = open(new Source(Frequency.ofMinutes(60), Map.of("a", utc)), reading);

    assertThat(day(bars, "a", LocalDate.of(2024, 11, 3)).ticks()).isEqualTo(24);
    assertThat(bars.setAside("a"))
        .singleElement()
        .extracting(SetAside::bars, SetAside::why)
        .containsExactly(1, "a second bar of its tick");
  }

  @Test
  void aZoneNeedsASessionWithAZone() {
    var raw =
        new Source(
            Frequency.MINUTE, Map.of("a", all(days(Session.US_STOCKS, Frequency.MINUTE, 2))));
    ZoneId utc = ZoneId.of("UTC");

    assertThatThrownBy(() -> open(raw, new Reading(StatedSessions.NONE, BarLabel.START, utc)))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "bars: session: expected one for a, such as --session us_stocks or segments with a"
                + " zone, to convert times of UTC, was none");
    var stated = StatedSessions.of(Session.parse("09:30-16:00"));
    assertThatThrownBy(() -> open(raw, new Reading(stated, BarLabel.START, utc)))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "bars: session: expected a name, or segments with a zone, to convert times of UTC, was"
                + " 09:30-16:00");
  }

  @Test
  void barsOfNoDayOfTheSessionAreRefused() {
    var raw =
        new Source(
            Frequency.MINUTE, Map.of("a", all(days(Session.US_STOCKS, Frequency.MINUTE, 2))));

    assertThatThrownBy(() -> open(raw, stated("18:00-19:00")))
        .isInstanceOf(DataException.class)
        .hasMessageStartingWith("bars: expected bars within the session [18:00-19:00], was ");
  }

  @Test
  void sessionsAreStatedForPatternsOfCodes() {
    StatedSessions sessions =
        StatedSessions.from(
            ConfigFiles.parse(
                "c.yml", "{'CFFEX_*': cn_stocks, '*_I?': ['21:00-23:00', '09:00-15:00']}"));

    assertThat(sessions.of("CFFEX_IC")).isEqualTo(Session.CHINA_STOCKS);
    assertThat(sessions.of("DCE_IX")).isEqualTo(Session.parse("21:00-23:00, 09:00-15:00"));
    assertThat(sessions.of("DCE_x")).isNull();
    assertThat(StatedSessions.from(ConfigFiles.of("x", sessions.toConfig()))).isEqualTo(sessions);
    assertThatThrownBy(() -> StatedSessions.from(ConfigFiles.parse("c.yml", "{a: moon}")))
        .hasMessageStartingWith("c.yml:1: a: expected one of [")
        .hasMessageEndingWith("or segments such as 09:30-11:30, 13:00-15:00, was 'moon'");
  }
}
