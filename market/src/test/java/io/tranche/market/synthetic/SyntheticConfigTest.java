package io.tranche.market.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyntheticConfigTest {

  private static final SyntheticConfig DEFAULT = SyntheticConfig.DEFAULT;

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.6, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesASignalOutOfRange(double signal) {
    assertThatThrownBy(() -> DEFAULT.withSignal(signal))
        .isInstanceOf(ConfigException.class)
        .hasMessage("synthetic.signal: expected a number in [0, 1.5], was " + signal);
  }

  @Test
  void refusesAnEmptyMarket() {
    assertThatThrownBy(() -> DEFAULT.withSize(0, 5))
        .isInstanceOf(ConfigException.class)
        .hasMessage("synthetic.instruments: expected a number in [1, 1000000], was 0");
    assertThatThrownBy(() -> DEFAULT.withSize(5, 0)).isInstanceOf(ConfigException.class);
  }

  @Test
  void refusesMoreBarsThanAnArrayHolds() {
    assertThatThrownBy(
            () -> DEFAULT.withSize(1, 100_000).withBars(Session.CRYPTO, new Frequency(1)))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("synthetic.days: ");
  }

  @Test
  void refusesDailyBars() {
    assertThatThrownBy(() -> DEFAULT.withBars(Session.CRYPTO, Frequency.DAY))
        .isInstanceOf(ConfigException.class)
        .hasMessage("synthetic.frequency: expected at least 8 bars per day, was day");
  }

  @Test
  void refusesImpossibleOdds() {
    assertThatThrownBy(() -> new SyntheticConfig.Incidents(1.1, 0, 0, 0))
        .hasMessage("synthetic.incidents.limitDay: expected a number in [0, 1], was 1.1");
    assertThatThrownBy(() -> new SyntheticConfig.Drift(0, 0, -101))
        .hasMessage("synthetic.drift.test: expected a number in [-100, 100], was -101");
  }

  @Test
  void splitsTheDaysInOrderAndWithoutGaps() {
    for (int days = 1; days < 200; days++) {
      assertThat(Split.TRAIN.firstDay(days)).isZero();
      assertThat(Split.TRAIN.endDay(days)).isEqualTo(Split.VALID.firstDay(days));
      assertThat(Split.VALID.endDay(days)).isEqualTo(Split.TEST.firstDay(days));
      assertThat(Split.TEST.endDay(days)).isEqualTo(days);
      for (Split split : Split.values()) {
        for (int day = split.firstDay(days); day < split.endDay(days); day++) {
          assertThat(Split.of(day, days)).isEqualTo(split);
        }
      }
    }
  }
}
