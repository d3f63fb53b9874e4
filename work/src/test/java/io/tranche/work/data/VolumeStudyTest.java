package io.tranche.work.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DataException;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import org.junit.jupiter.api.Test;

class VolumeStudyTest {

  /// Days of the embedded market are busy or quiet, which the mean of past days cannot know.
  @Test
  void whatIsLearntBeatsTheMeanWhereDaysDiffer() {
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(8, 60));

    VolumeStudy.Result result = VolumeStudy.of(market, 2);

    assertThat(result.instruments()).isEqualTo(8);
    assertThat(result.days()).isBetween(8 * 50, 8 * 57);
    assertThat(result.learned().rSquared()).isGreaterThan(result.average().rSquared() + 0.1);
    assertThat(result.learned().trackingBps()).isPositive();
    assertThat(VolumeStudy.of(market, 1)).isEqualTo(result);
  }

  @Test
  void needsDaysBefore() {
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(1, 3));

    assertThatThrownBy(() -> VolumeStudy.of(market, 1))
        .isInstanceOf(DataException.class)
        .hasMessage("BARS: expected a day with 3 days before it, was none");
  }
}
