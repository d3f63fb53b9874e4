package io.tranche.market.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Session.Segment;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionFinderTest {

  private static final LocalDate MONDAY = LocalDate.of(2024, 1, 8);

  private static long[] day(LocalDate date, Session session, Frequency frequency) {
    return Arrays.stream(session.barStarts(frequency))
        .mapToLong(start -> BarTime.of(date) + start)
        .toArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"cn_stocks", "us_stocks", "cn_futures", "crypto"})
  void knowsTheSessionsThatHaveNames(String name) {
    Session session = Session.named(name);
    for (Frequency frequency : List.of(Frequency.MINUTE, Frequency.ofMinutes(5))) {
      var finder = new SessionFinder("bars", frequency);
      finder.add(MONDAY, day(MONDAY, session, frequency));
      finder.add(MONDAY.plusDays(1), day(MONDAY.plusDays(1), session, frequency));

      assertThat(finder.session()).isEqualTo(session);
    }
  }

  @Test
  void anyOtherSessionIsReadOffTheTicks() {
    var own = new Session("mine", List.of(new Segment(-3600, 0), new Segment(36_000, 40_000)));
    var finder = new SessionFinder("bars", Frequency.MINUTE);
    finder.add(MONDAY, day(MONDAY, own, Frequency.MINUTE));

    Session found = finder.session();

    assertThat(found.name()).isEqualTo("custom");
    assertThat(found.barStarts(Frequency.MINUTE)).isEqualTo(own.barStarts(Frequency.MINUTE));
  }

  @Test
  void daysThatDifferAreNamed() {
    var finder = new SessionFinder("bars", Frequency.MINUTE);
    long[] whole = day(MONDAY, Session.US_STOCKS, Frequency.MINUTE);
    finder.add(MONDAY, whole);
    finder.add(MONDAY.plusDays(1), new long[0]);

    assertThatThrownBy(() -> finder.add(MONDAY, Arrays.copyOf(whole, 210)))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "bars: 2024-01-08: expected the ticks of 2024-01-08, 390 from 09:30 to 15:59, was 210"
                + " from 09:30 to 12:59");
  }

  @Test
  void dataWithoutATickHaveNoSession() {
    assertThatThrownBy(() -> new SessionFinder("bars", Frequency.MINUTE).session())
        .isInstanceOf(DataException.class)
        .hasMessage("bars: expected a day with ticks, was none");
  }
}
