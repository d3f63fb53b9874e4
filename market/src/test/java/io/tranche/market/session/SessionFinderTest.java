package io.tranche.market.session;

import static io.tranche.market.session.SessionDays.MONDAY;
import static io.tranche.market.session.SessionDays.days;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionFinderTest {

  private static Session found(Frequency frequency, List<long[]> days) {
    var finder = new SessionFinder("bars", frequency);
    days.forEach(times -> finder.add(BarTime.date(times[times.length - 1]), times));
    return finder.session();
  }

  @ParameterizedTest
  @MethodSource("io.tranche.market.Session#names")
  void knowsTheSessionsThatHaveNames(String name) {
    Session session = Session.named(name);
    for (int minutes : new int[] {1, 2, 3, 5, 10, 15, 30}) {
      Frequency frequency = Frequency.ofMinutes(minutes);

      assertThat(found(frequency, days(session, frequency, 10)).barStarts(frequency))
          .as("%s, %d minutes", name, minutes)
          .isEqualTo(session.barStarts(frequency));
    }
    assertThat(found(Frequency.MINUTE, days(session, Frequency.MINUTE, 2))).isEqualTo(session);
  }

  @ParameterizedTest
  @ValueSource(strings = {"us_stocks", "cn_stocks", "cn_futures_2300", "crypto"})
  void barsOfAnHourAreFoundToo(String name) {
    Frequency hour = Frequency.ofMinutes(60);
    Session session = Session.named(name);

    assertThat(found(hour, days(session, hour, 10)).barStarts(hour))
        .isEqualTo(session.barStarts(hour));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10:00-10:30, 10:40-12:00",
        "20:00-23:00, 08:00-12:00",
        "18:00-16:15",
        "04:00-20:00",
        "09:15-11:30, 13:00-15:15"
      })
  void anyOtherSessionIsReadOffTheBars(String text) {
    Session own = Session.parse(text);

    assertThat(found(Frequency.MINUTE, days(own, Frequency.MINUTE, 5))).isEqualTo(own);
  }

  @Test
  void halfDaysLateOpensAndHaltsDoNotMatter() {
    List<long[]> days = days(Session.US_STOCKS, Frequency.MINUTE, 20);
    days.set(3, Arrays.copyOf(days.get(3), 210)); // closes at 13:00
    days.set(7, Arrays.copyOfRange(days.get(7), 30, 390)); // opens at 10:00
    long[] halted = days.get(11);
    days.set(11, Arrays.stream(halted).filter(t -> t < halted[100] || t > halted[200]).toArray());

    assertThat(found(Frequency.MINUTE, days)).isEqualTo(Session.US_STOCKS);
    assertThat(found(Frequency.MINUTE, days.subList(3, 5))).isEqualTo(Session.US_STOCKS);
  }

  @Test
  void minutesWithoutTradesAreTicks() {
    var random = new Random(1);
    List<long[]> days =
        days(Session.US_STOCKS, Frequency.MINUTE, 20).stream()
            .map(day -> Arrays.stream(day).filter(_ -> random.nextInt(4) == 0).toArray())
            .toList();

    assertThat(found(Frequency.MINUTE, days)).isEqualTo(Session.US_STOCKS);
  }

  @Test
  void nightsBeforeAHolidayMayBeMissing() {
    Frequency frequency = Frequency.ofMinutes(5);
    Session session = Session.named("cn_futures_0100");
    List<long[]> days = days(session, frequency, 20);
    days.set(9, Arrays.copyOfRange(days.get(9), 48, 93));

    assertThat(found(frequency, days)).isEqualTo(session);
  }

  @Test
  void theOpeningAuctionIsNoTick() {
    List<long[]> days =
        days(Session.CHINA_STOCKS, Frequency.MINUTE, 5).stream()
            .map(day -> SessionDays.all(List.of(new long[] {day[0] - 300}, day)))
            .toList();

    assertThat(found(Frequency.MINUTE, days)).isEqualTo(Session.CHINA_STOCKS);
  }

  @Test
  void aFewOddTradesAreNoTicks() {
    List<long[]> days = days(Session.US_STOCKS, Frequency.MINUTE, 20);
    days.set(2, SessionDays.all(List.of(new long[] {days.get(2)[0] - 7200}, days.get(2))));

    assertThat(found(Frequency.MINUTE, days)).isEqualTo(Session.US_STOCKS);
  }

  @Test
  void aBarMaySpanABreak() {
    Frequency hour = Frequency.ofMinutes(60);
    int[] starts = {32_400, 36_000, 40_500, 51_300}; // 09:00, 10:00, 11:15, 14:15
    var finder = new SessionFinder("bars", hour);
    for (int day = 0; day < 10; day++) {
      long midnight = BarTime.of(MONDAY.plusDays(day));
      finder.add(
          MONDAY.plusDays(day), Arrays.stream(starts).mapToLong(s -> midnight + s).toArray());
    }

    assertThat(finder.session().barStarts(hour)).isEqualTo(starts);
  }

  @Test
  void dataWithoutABarHaveNoSession() {
    assertThatThrownBy(() -> new SessionFinder("bars", Frequency.MINUTE).session())
        .isInstanceOf(DataException.class)
        .hasMessage("bars: expected a day with bars, was none");
  }
}
