package io.tranche.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.market.synthetic.Benchmarks;
import io.tranche.market.synthetic.Opportunity;
import io.tranche.market.synthetic.Schedule;
import io.tranche.market.synthetic.StepRule;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.synthetic.VisibleOptimum;
import io.tranche.market.synthetic.Window;
import io.tranche.run.play.Summary;
import io.tranche.testkit.Cases;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The visible-information optimum of the embedded market wins what it expects.
class OptimumWinsTest {

  private static final int HALF_HOUR = 1800;

  /// On many days, without the drift it cannot know: what the optimum expects is what it wins, and
  /// no neighbour wins significantly more on the same orders.
  @Test
  void winsWhatItExpectsAndMoreThanItsNeighbours() {
    var config =
        SyntheticConfig.DEFAULT
            .withSeed(11)
            .withSize(Cases.count(40, 200), Cases.count(250, 1000))
            .withDrift(SyntheticConfig.Drift.NONE);
    var market = new SyntheticMarket(config);
    Schedule schedule = market.wholeDay(HALF_HOUR);
    var optimum = new VisibleOptimum(market, schedule);
    var surprise = new Summary.Builder();
    Map<String, Summary.Builder> gains = new LinkedHashMap<>();

    for (String code : market.instruments()) {
      BarSeries series = market.series(code);
      VisibleOptimum.Policy policy = optimum.policy(series);
      Map<String, StepRule> neighbours = neighbours(policy, schedule);
      for (int day = 0; day < series.endDay(); day++) {
        DayFrame frame = frame(series, day);
        var window = new Window(schedule, frame);
        if (!window.isTradable()) {
          continue;
        }
        for (Side side : Side.values()) {
          double won = window.advantageBps(side, policy);
          surprise.add(frame.date(), won - policy.expectedBps(frame, side));
          neighbours.forEach(
              (name, rule) ->
                  gains
                      .computeIfAbsent(name, _ -> new Summary.Builder())
                      .add(frame.date(), window.advantageBps(side, rule) - won));
        }
      }
    }

    assertThat(surprise.build().coversZero(3)).as("%s", surprise.build()).isTrue();
    gains.forEach(
        (name, builder) -> {
          Summary gain = builder.build();
          assertThat(gain.mean() - 2 * gain.standardError()).as("%s: %s", name, gain).isNegative();
        });
  }

  private static Map<String, StepRule> neighbours(VisibleOptimum.Policy policy, Schedule schedule) {
    Map<String, StepRule> rules = new LinkedHashMap<>();
    for (double shift : List.of(-0.1, -0.03, -0.01, 0.01, 0.03, 0.1)) {
      rules.put(
          "threshold " + shift,
          (day, side, step) -> policy.gainOfWaiting(day, side, step) > shift ? 0 : 1);
    }
    rules.put("half at once", (day, side, step) -> policy.share(day, side, step) / 2);
    rules.put(
        "one step late", (day, side, step) -> step == 0 ? 0 : policy.share(day, side, step - 1));
    rules.put("momentum", Rules.momentum(schedule));
    rules.put("reversal", (day, side, step) -> 1 - Rules.momentum(schedule).share(day, side, step));
    rules.put("evenly", (_, _, _) -> 1.0 / schedule.steps());
    return rules;
  }

  @ParameterizedTest
  @CsvSource({
    "cn_stocks, 1min",
    "cn_stocks, 5min",
    "cn_stocks, 30min",
    "us_stocks, 1min",
    "us_stocks, 5min",
    "cn_futures, 1min",
    "cn_futures, 5min",
    "crypto, 1min",
    "crypto, 5min"
  })
  void findsMuchTheSameToWinInEverySession(String session, String frequency) {
    var config =
        SyntheticConfig.DEFAULT
            .withSize(10, 40)
            .withDrift(SyntheticConfig.Drift.NONE)
            .withBars(Session.named(session), Frequency.parse(frequency));
    var market = new SyntheticMarket(config);
    var benchmarks = new Benchmarks(market, market.wholeDay(HALF_HOUR));
    var expected = new Summary.Builder();
    var surprise = new Summary.Builder();

    for (String code : market.instruments()) {
      for (Opportunity order : benchmarks.opportunities(market.series(code))) {
        expected.add(order.date(), order.expectedBps());
        surprise.add(order.date(), order.optimumBps() - order.expectedBps());
      }
    }

    assertThat(expected.build().mean()).isBetween(5.0, 20.0);
    assertThat(surprise.build().coversZero(3)).as("%s", surprise.build()).isTrue();
  }

  @Test
  void worksInAnyWindowOfTheDay() {
    var market =
        new SyntheticMarket(
            SyntheticConfig.DEFAULT.withSize(40, 150).withDrift(SyntheticConfig.Drift.NONE));
    var benchmarks = new Benchmarks(market, new Schedule(10, 41, 4));
    var won = new Summary.Builder();
    var surprise = new Summary.Builder();

    for (String code : market.instruments()) {
      for (Opportunity order : benchmarks.opportunities(market.series(code))) {
        won.add(order.date(), order.optimumBps());
        surprise.add(order.date(), order.optimumBps() - order.expectedBps());
      }
    }

    assertThat(won.build().mean()).isGreaterThan(3 * won.build().standardError());
    assertThat(surprise.build().coversZero(3)).as("%s", surprise.build()).isTrue();
  }

  private static DayFrame frame(BarSeries series, int day) {
    return Objects.requireNonNull(series.day(day));
  }
}
