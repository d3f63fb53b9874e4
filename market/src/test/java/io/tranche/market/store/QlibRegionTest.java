package io.tranche.market.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QlibRegionTest {

  private static Calendar calendar(String... hoursOfDays) {
    var dates = new ArrayList<LocalDate>();
    var times = new ArrayList<long[]>();
    Frequency quarter = Frequency.ofMinutes(15);
    for (String hours : hoursOfDays) {
      LocalDate date = LocalDate.of(2026, 4, 6).plusDays(dates.size());
      dates.add(date);
      times.add(Session.parse(hours).barTimes(date, date.minusDays(1), quarter));
    }
    return Calendar.ofDays(quarter, dates, times);
  }

  @Test
  void warnsOfBarsOutsideTheHours() {
    Calendar usDays = calendar("09:30-16:00", "09:30-16:00");

    assertThat(QlibRegion.US.warning(usDays)).isNull();
    assertThat(QlibRegion.CN.warning(usDays))
        .isEqualTo(
            "region cn trades 09:30-11:30, 13:00-15:00, but most days have bars outside these"
                + " hours, the first at 2026-04-06 11:30:00: set region: us (09:30-16:00), or"
                + " convert the bars with --label end if their times are ends of bars");
    assertThat(QlibRegion.CN.warning(calendar("09:00-13:30")))
        .contains("the first at 2026-04-06 09:00:00: set region: tw (09:00-13:30), or");
    assertThat(QlibRegion.US.warning(calendar("00:00-24:00")))
        .contains("no region of Qlib fits, so use a run in our own dialect");
  }

  @Test
  void aFewOddDaysAreNoContradiction() {
    String china = "09:30-11:30, 13:00-15:00";

    assertThat(QlibRegion.CN.warning(calendar(china, china, "09:30-16:00"))).isNull();
    assertThat(
            QlibRegion.TW.warning(
                Calendar.ofDays(Frequency.DAY, List.of(LocalDate.EPOCH), List.of(new long[] {0}))))
        .isNull();
  }

  @Test
  void hasTheNamesOfQlib() {
    assertThat(QlibRegion.names()).containsExactly("cn", "us", "tw");
    assertThat(QlibRegion.named("tw").tradeUnit()).isEqualTo(1000);
  }
}
