package io.tranche.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.run.play.Summary;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class SummaryTest {

  private static final LocalDate MONDAY = LocalDate.of(2024, 1, 8);

  @Test
  void clustersItsErrorByDay() {
    var builder = new Summary.Builder();
    builder.add(MONDAY, 1);
    builder.add(MONDAY, 3);
    builder.add(MONDAY.plusDays(1), 5);
    builder.add(MONDAY.plusDays(1), 7);

    Summary summary = builder.build();

    // Residuals -3, -1 and 1, 3: sums of -4 and 4, so sqrt(2/1 * (16 + 16)) / 4.
    assertThat(summary.orders()).isEqualTo(4);
    assertThat(summary.days()).isEqualTo(2);
    assertThat(summary.mean()).isEqualTo(4);
    assertThat(summary.deviation()).isCloseTo(Math.sqrt(20.0 / 3), within(1e-12));
    assertThat(summary.standardError()).isCloseTo(2, within(1e-12));
    assertThat(summary.coversZero(1.96)).isFalse();
    assertThat(summary.coversZero(2.1)).isTrue();
  }

  @Test
  void knowsNoErrorFromOneDay() {
    var builder = new Summary.Builder();
    builder.add(MONDAY, 1);
    builder.add(MONDAY, 3);

    assertThat(builder.build().standardError()).isNaN();
    assertThat(builder.build().coversZero(2)).isFalse();
  }
}
