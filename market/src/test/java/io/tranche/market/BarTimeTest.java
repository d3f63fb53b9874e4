package io.tranche.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.testkit.Cases;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BarTimeTest {

  @ParameterizedTest
  @CsvSource({
    "2021-03-01 09:30:00, 2021-03-01T09:30:00",
    "2021-03-01T09:30:00, 2021-03-01T09:30:00",
    "2021-03-01 09:30, 2021-03-01T09:30:00",
    "2021-03-01, 2021-03-01T00:00:00",
    "2021-03-01 09:30:00.000000, 2021-03-01T09:30:00",
    "1969-12-31 23:59:59, 1969-12-31T23:59:59"
  })
  void readsWhatFilesHold(String text, LocalDateTime time) {
    assertThat(BarTime.parse(text)).isEqualTo(BarTime.of(time));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2021-02-30 09:30:00",
        "2021-13-01 09:30:00",
        "2021-03-01 24:00:00",
        "2021-03-01 09:60:00",
        "2021-03-01_09:30:00",
        "2021-03-01 09:30:0x",
        "2021-03-01 09:30:00.5",
        "01/03/2021"
      })
  void refusesWhatIsNoTime(String text) {
    assertThatThrownBy(() -> BarTime.parse(text)).isInstanceOf(DateTimeException.class);
  }

  @Test
  void readsWhatItWrites() {
    Cases.forAll(
        Cases.count(1_000, 100_000),
        random -> {
          long seconds = random.nextLong(-50_000_000_000L, 200_000_000_000L);

          assertThat(BarTime.parse(BarTime.format(seconds))).isEqualTo(seconds);
        });
  }
}
