package io.tranche.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.market.synthetic.Benchmarks;
import io.tranche.market.synthetic.Schedule;
import io.tranche.market.synthetic.Split;
import io.tranche.market.synthetic.StepRule;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.synthetic.VisibleOptimum;
import io.tranche.market.synthetic.Window;
import io.tranche.run.play.Summary;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The embedded market is worth learning and not easy, and without signal there is nothing to
/// learn.
class CalibrationTest {

  private static final int HALF_HOUR = 1800;
  private static final SyntheticMarket MARKET = new SyntheticMarket(SyntheticConfig.DEFAULT);
  private static final Schedule SCHEDULE = MARKET.wholeDay(HALF_HOUR);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void offersFiveToTwentyBasisPointsOnEverySplit(long seed) {
    var market = new SyntheticMarket(SyntheticConfig.DEFAULT.withSeed(seed));

    List<Prospect> prospects = Prospect.of(new Benchmarks(market, SCHEDULE));

    assertThat(prospects).hasSize(9);
    for (Prospect prospect : prospects) {
      assertThat(prospect.optimum().deviation()).isGreaterThan(30);
      assertThat(prospect.bestStep().mean()).isGreaterThan(3 * prospect.optimum().mean());
      assertThat(prospect.bestBar().mean()).isGreaterThan(prospect.bestStep().mean());
      assertThat(prospect.expected().mean()).isBetween(5.0, 20.0);
      if (prospect.side() == null) {
        assertThat(prospect.optimum().mean()).isBetween(5.0, 20.0);
        assertThat(prospect.optimum().orders()).isGreaterThan(3500);
        assertThat(prospect.optimum().days()).isGreaterThanOrEqualTo(30);
      } else {
        assertThat(prospect.optimum().mean()).isGreaterThan(3 * prospect.optimum().standardError());
      }
    }
  }

  @Test
  void givesEvenTradingNothing() {
    for (Split split : Split.values()) {
      Summary evenly = won(MARKET, split, null, (_, _, _) -> 1.0 / SCHEDULE.steps());

      // Missing bars make an even step and an even bar differ by next to nothing.
      assertThat(evenly.mean()).isCloseTo(0, within(0.05));
    }
  }

  @Test
  void givesAOneLineRuleSomethingButNotMuch() {
    for (Split split : Split.values()) {
      Summary momentum = won(MARKET, split, null, Rules.momentum(SCHEDULE));

      assertThat(momentum.mean()).isGreaterThan(momentum.standardError()).isBetween(1.0, 8.0);
    }
  }

  @Test
  void rewardsSellingAtOnceOnOneSplitAndPunishesItOnAnother() {
    assertThat(won(MARKET, Split.TRAIN, Side.SELL, Rules.atOnce()).mean()).isNegative();
    assertThat(won(MARKET, Split.VALID, Side.SELL, Rules.atOnce()).mean()).isGreaterThan(5);
    assertThat(won(MARKET, Split.TEST, Side.SELL, Rules.atOnce()).mean()).isLessThan(-5);
    assertThat(won(MARKET, Split.VALID, Side.SELL, Rules.atLast()).mean()).isLessThan(-5);
    assertThat(won(MARKET, Split.TEST, Side.SELL, Rules.atLast()).mean()).isGreaterThan(5);
  }

  @Test
  void teachesNothingWithoutSignal() {
    var silent = new SyntheticMarket(SyntheticConfig.DEFAULT.withSignal(0));
    var learnt = new VisibleOptimum(MARKET, SCHEDULE);

    for (Prospect prospect : Prospect.of(new Benchmarks(silent, SCHEDULE))) {
      assertThat(prospect.expected().mean()).isZero();
      assertThat(prospect.optimum().mean()).isCloseTo(0, within(0.05));
    }
    for (Split split : Split.values()) {
      var won = new Summary.Builder();
      for (String code : silent.instruments()) {
        BarSeries series = silent.series(code);
        addAll(won, series, split, null, learnt.policy(series));
      }

      assertThat(won.build().coversZero(2.5)).as("%s: %s", split, won.build()).isTrue();
      assertThat(won(silent, split, null, Rules.momentum(SCHEDULE)).coversZero(2.5)).isTrue();
    }
  }

  private static Summary won(
      SyntheticMarket market, Split split, @Nullable Side only, StepRule rule) {
    var won = new Summary.Builder();
    for (String code : market.instruments()) {
      addAll(won, market.series(code), split, only, rule);
    }
    return won.build();
  }

  private static void addAll(
      Summary.Builder won, BarSeries series, Split split, @Nullable Side only, StepRule rule) {
    int days = series.endDay();
    for (int day = split.firstDay(days); day < split.endDay(days); day++) {
      DayFrame frame = Objects.requireNonNull(series.day(day));
      var window = new Window(SCHEDULE, frame);
      for (Side side : Side.values()) {
        if (window.isTradable() && (only == null || only == side)) {
          won.add(frame.date(), window.advantageBps(side, rule));
        }
      }
    }
  }
}
