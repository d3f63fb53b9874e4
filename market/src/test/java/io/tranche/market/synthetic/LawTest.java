package io.tranche.market.synthetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LawTest {

  private static final int HALF_HOUR = 1800;
  private static final SyntheticConfig SMALL =
      SyntheticConfig.DEFAULT.withIncidents(SyntheticConfig.Incidents.NONE);

  @ParameterizedTest
  @EnumSource
  void anInstrumentIsTheSameAloneAndAmongMany(Law law) {
    SyntheticConfig config = SyntheticConfig.DEFAULT.withLaw(law);
    var few = new SyntheticMarket(config.withSize(13, 20));
    var many = new SyntheticMarket(config.withSize(40, 20));
    many.series("SYN0025"); // the order of calls does not matter

    for (String code : new String[] {"SYN0000", "SYN0003", "SYN0012"}) {
      assertThat(bits(few.series(code))).isEqualTo(bits(many.series(code)));
    }
    assertThat(bits(few.series("SYN0003")))
        .isNotEqualTo(bits(new SyntheticMarket(config.withSeed(2).withSize(13, 20)).series("SYN0003")));
  }

  private static int bits(BarSeries series) {
    float[] column = new float[series.size()];
    int hash = 0;
    for (int field = 0; field < series.fields().size(); field++) {
      series.copy(field, 0, column, 0, column.length);
      hash = 31 * hash + Arrays.hashCode(column);
    }
    return hash;
  }

  /// What the optimum wins on many days is what it says that it expects.
  @ParameterizedTest
  @EnumSource(
      value = Law.class,
      names = {"REVERSAL", "LEAD_LAG", "REGIMES", "DRIFT", "FLOW"})
  void isWorthWhatItsOptimumExpects(Law law) {
    SyntheticConfig config = SMALL.withLaw(law).withSize(40, 150).withSeed(5);
    var market = new SyntheticMarket(config);
    var benchmarks = new Benchmarks(market, market.wholeDay(HALF_HOUR));

    var won = new TreeMap<LocalDate, Double>();
    double[] sums = new double[3];
    benchmarks
        .opportunities()
        .forEach(
            each -> {
              won.merge(each.date(), each.optimumBps() - each.expectedBps(), Double::sum);
              sums[0] += each.optimumBps();
              sums[1] += each.expectedBps();
              sums[2]++;
            });

    double error = Math.sqrt(won.values().stream().mapToDouble(x -> x * x).sum()) / sums[2];
    assertThat(sums[0] / sums[2]).isCloseTo(sums[1] / sums[2], within(3.5 * error));
    assertThat(sums[1] / sums[2]).isBetween(5.0, 30.0);
    assertThat(error).isLessThan(3);
  }

  @ParameterizedTest
  @EnumSource
  void hasNothingToLearnWithoutSignal(Law law) {
    var market = new SyntheticMarket(SMALL.withLaw(law).withSignal(0).withSize(12, 4));
    var optimum = new VisibleOptimum(market, market.wholeDay(HALF_HOUR));
    BarSeries series = market.series("SYN0011");
    DayFrame day = Objects.requireNonNull(series.day(2));

    assertThat(market.config().impact()).isZero();
    for (Side side : Side.values()) {
      for (int step = 0; step < 7; step++) {
        assertThat(optimum.policy(series).gainOfWaiting(day, side, step)).isZero();
      }
    }
  }

  /// Other sessions and bars, the week-end included.
  @ParameterizedTest
  @EnumSource
  void holdsInEverySession(Law law) {
    SyntheticConfig config =
        SMALL.withLaw(law).withSize(11, 6).withBars(Session.CRYPTO, Frequency.ofMinutes(15));
    var market = new SyntheticMarket(config);

    var benchmarks = new Benchmarks(market, market.wholeDay(3600));

    assertThat(benchmarks.opportunities(market.series("SYN0010"))).hasSize(12);
    assertThat(benchmarks.opportunities(market.series("SYN0004"))).hasSize(12);
  }

  @Test
  void largeTradesShowInTheVolumeAndComeBack() {
    var market = new SyntheticMarket(SMALL.withLaw(Law.REVERSAL).withSize(10, 60));
    double after = 0;
    double moved = 0;
    int large = 0;
    for (String code : market.instruments()) {
      BarSeries series = market.series(code);
      double usual = market.instrument(code).lots() * SyntheticMarket.LOT;
      for (int day = 0; day < 60; day++) {
        DayFrame frame = Objects.requireNonNull(series.day(day));
        int close = frame.fieldIndex("close");
        for (int tick = 1; tick < 30; tick++) {
          float volume = frame.value(frame.fieldIndex("volume"), tick);
          if (LargeTrades.isLarge(volume, usual * market.law().volumeShare(tick))) {
            double move = Math.log(frame.value(close, tick) / frame.value(close, tick - 1));
            moved += Math.abs(move);
            after += Math.signum(move) * Math.log(frame.value(close, 47) / frame.value(close, tick));
            large++;
          }
        }
      }
    }
    assertThat(large / (10.0 * 60 * 29)).isCloseTo(LargeTrades.CHANCE, within(0.01));
    assertThat(after / moved).isBetween(-1.0, -0.5);
  }

  @Test
  void theScheduleUnderImpactIsTheCheapest() {
    var law = new IntradayLaw(48, 1);
    var schedule = new Schedule(0, 48, 6);
    var best = new ImpactSchedule(law, schedule, 0.9);
    double[] shares = new double[8];
    double sum = 0;
    for (int step = 0; step < 8; step++) {
      shares[step] = best.share(step);
      assertThat(shares[step]).isNotNegative();
      sum += shares[step];
    }

    assertThat(sum).isCloseTo(1, within(1e-12));
    assertThat(best.saved()).isBetween(0.05, 0.6);
    double cost = cost(law, shares, 0.9);
    double[] even = new double[8];
    Arrays.fill(even, 1 / 8.0);
    assertThat(1 - cost / cost(law, even, 0.9)).isCloseTo(best.saved(), within(1e-12));
    for (int from = 0; from < 8; from++) {
      for (int to = 0; to < 8; to++) {
        double part = 0.01 * shares[from];
        if (from != to && part > 0) {
          double[] other = shares.clone();
          other[from] -= part;
          other[to] += part;
          assertThat(cost(law, other, 0.9)).isGreaterThan(cost);
        }
      }
    }
  }

  /// What a schedule pays, tick by tick, as the simulator charges it.
  private static double cost(IntradayLaw law, double[] shares, double decay) {
    double push = 0;
    double cost = 0;
    for (int tick = 0; tick < 48; tick++) {
      double fill = shares[tick / 6] / 6;
      push = push * decay + fill / law.volumeShare(tick);
      cost += fill * push;
    }
    return cost;
  }
}
