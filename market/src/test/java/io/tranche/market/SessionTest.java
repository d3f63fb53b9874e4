package io.tranche.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.Session.Segment;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTest {

  private static final LocalDate MONDAY = LocalDate.of(2024, 1, 8);
  private static final LocalDate FRIDAY = LocalDate.of(2024, 1, 5);

  @ParameterizedTest
  @MethodSource("io.tranche.market.Session#names")
  void aNameIsItsOwnText(String name) {
    Session session = Session.parse(name);

    assertThat(session.text()).isEqualTo(name);
    assertThat(SessionText.parse(SessionText.of(session)).withName(name)).isEqualTo(session);
    assertThat(session.zone()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "09:30-16:00",
        "21:00-02:30, 09:00-10:15, 10:30-11:30, 13:30-15:00",
        "20:00-21:00, 22:00-24:00, 09:00-15:00",
        "18:00-17:00",
        "00:00-24:00; zone UTC",
        "09:30:30-11:30, 13:00-15:00; auction 09:15-09:25, 15:00-15:05; zone Asia/Shanghai;"
            + " early 2026-02-13 11:30; holiday 2026-02-16; holiday 2026-02-17"
      })
  void theTextOfASessionIsReadAgain(String text) {
    assertThat(Session.parse(text).text()).isEqualTo(text);
    assertThat(Session.parse(Session.parse(text).text())).isEqualTo(Session.parse(text));
  }

  @Test
  void segmentsBeforeOneThatOpensEarlierAreOfTheEveningBefore() {
    assertThat(Session.parse("21:00-02:30, 09:00-15:00").segments())
        .containsExactly(new Segment(-10_800, 9_000), new Segment(32_400, 54_000));
    assertThat(Session.parse("21:00-23:00,9:00-15:00").segments().getFirst())
        .isEqualTo(new Segment(-10_800, -3_600));
    assertThat(Session.parse("18:00-17:00").segments())
        .containsExactly(new Segment(-21_600, 61_200));
    assertThat(Session.parse("21:00-23:00").segments())
        .containsExactly(new Segment(75_600, 82_800));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "mars",
        "09:30",
        "09:30-25:00",
        "09:61-10:00",
        "13:00-15:00, 09:00-14:00, 08:00-08:30",
        "09:00-11:00, 10:00-15:00",
        "09:00-15:00; zone Nowhere",
        "09:00-15:00; lunch 11:30-13:00",
        "09:00-15:00; early 2024-13-01 11:30"
      })
  void whatIsNoSessionIsSaid(String text) {
    assertThatThrownBy(() -> Session.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("session must be one of [")
        .hasMessageEndingWith("was '" + text + "'");
  }

  @Test
  void mondaysNightIsOnFridayEvening() {
    Session session = Session.named("cn_futures_2300");

    long[] times = session.barTimes(MONDAY, FRIDAY, Frequency.ofMinutes(60));

    assertThat(times).hasSize(7).isSorted();
    assertThat(BarTime.format(times[0])).isEqualTo("2024-01-05 21:00:00");
    assertThat(BarTime.format(times[2])).isEqualTo("2024-01-08 09:00:00");
  }

  @Test
  void oneSegmentFromEveningToAfternoonIsADay() {
    long[] times = Session.named("cme").barTimes(MONDAY, FRIDAY, Frequency.ofMinutes(60));

    assertThat(times).hasSize(23);
    assertThat(BarTime.format(times[0])).isEqualTo("2024-01-07 18:00:00");
  }

  @Test
  void earlyClosesAndHolidaysShortenADay() {
    Session session = Session.parse("09:30-16:00; early 2024-01-08 13:00; holiday 2024-01-09");

    assertThat(session.barTimes(MONDAY, FRIDAY, Frequency.MINUTE)).hasSize(210);
    assertThat(session.barTimes(MONDAY.plusDays(1), MONDAY, Frequency.MINUTE)).isEmpty();
    assertThat(session.barTimes(FRIDAY, FRIDAY.minusDays(1), Frequency.MINUTE)).hasSize(390);
    assertThat(session.isAuction(34_200)).isFalse();
    assertThat(Session.CHINA_STOCKS.isAuction(33_900)).isTrue();
    assertThat(Session.CHINA_STOCKS.zone()).isEqualTo(ZoneId.of("Asia/Shanghai"));
  }

  @Test
  void aKnownNameWithOtherSegmentsIsAnotherSession() {
    var segments = List.of(new Segment(0, 3600));

    assertThat(Session.of("us_stocks", Session.US_STOCKS.segments())).isSameAs(Session.US_STOCKS);
    assertThat(Session.of("us_stocks", segments).segments()).isEqualTo(segments);
    assertThat(Session.of("us_stocks", segments).text()).isEqualTo("00:00-01:00");
  }
}
