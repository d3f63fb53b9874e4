package io.tranche.execution.interpreter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Frictions;
import io.tranche.env.space.SpaceException;
import io.tranche.execution.Episodes;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.feature.SidedFeatures;
import io.tranche.testkit.Allocation;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FullHistoryInterpreterTest {

  private static SimpleSimulator simulator(DayTicks ticks, Order order, int ticksPerStep) {
    return SimpleSimulatorConfig.DEFAULT
        .withMinutesPerStep(ticksPerStep)
        .withFrictions(Frictions.NONE.withParticipation(0.5))
        .over(_ -> ticks)
        .create(order);
  }

  @Test
  void showsWhatWasAndHidesWhatIsToCome() {
    var interpreter = new FullHistoryInterpreter(3, 6, 2, FeatureDays.counting(6));
    SimpleSimulator simulator =
        simulator(Episodes.rising(6), Episodes.order(Side.BUY, 90, 1, 6), 2);
    simulator.step(ChildOrder.market(30));

    FullHistoryObservation seen = interpreter.observe(simulator.state());

    assertThat(seen.visibleTicks()).isEqualTo(2);
    assertThat(seen.today(1, 1)).isEqualTo(4);
    assertThat(seen.today(2, 0)).isZero();
    assertThat(seen.features().today(2, 0)).isEqualTo(5);
    assertThat(Numbers.of(seen.toValue(), "data_processed"))
        .containsExactly(1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    assertThat(Numbers.of(seen.toValue(), "data_processed_prev")).contains(-12.0);
    assertThat(Numbers.of(seen.toValue(), "position_history")).containsExactly(90.0, 60.0, 0.0);
    assertThat(seen.tick()).isEqualTo(2);
    assertThat(seen.step()).isOne();
  }

  @Test
  void aBuyIsShownAsASellUpsideDown() {
    var features = SidedFeatures.mirrored(FeatureDays.counting(6), 10);
    var interpreter = new FullHistoryInterpreter(3, 6, 2, features);
    FullHistoryObservation sell =
        interpreter.observe(
            simulator(Episodes.rising(6), Episodes.order(Side.SELL, 90, 2, 6), 2).state());
    FullHistoryObservation buy =
        interpreter.observe(
            simulator(Episodes.rising(6), Episodes.order(Side.BUY, 90, 2, 6), 2).state());
    FullHistoryObservation another =
        interpreter.observe(
            simulator(Episodes.rising(6), Episodes.order(Side.BUY, 10, 4, 6), 2).state());

    assertThat(buy.side()).isEqualTo(Side.SELL);
    assertThat(Numbers.of(buy.toValue(), "acquiring")).containsExactly(0.0);
    assertThat(buy.today(1, 0)).isEqualTo(-sell.today(1, 0));
    assertThat(buy.today(1, 1)).isEqualTo(sell.today(1, 1));
    assertThat(buy.today(2, 0)).isZero();
    assertThat(another.features()).isSameAs(buy.features()).isNotSameAs(sell.features());
  }

  @Test
  void hindsightShowsTheWholeDayAtEveryStep() {
    var interpreter = new FullHistoryInterpreter(3, 6, 2, FeatureDays.counting(6));
    FullHistoryInterpreter hindsight = interpreter.inHindsight(new TeacherPermit("a test"));
    SimpleSimulator simulator =
        simulator(Episodes.rising(6), Episodes.order(Side.SELL, 90, 0, 6), 2);
    simulator.step(ChildOrder.market(30));
    FullHistoryObservation seen = interpreter.observe(simulator.state());

    for (FullHistoryObservation all :
        List.of(hindsight.observe(simulator.state()), hindsight.review(seen))) {
      assertThat(all.today(5, 1)).isEqualTo(12);
      assertThat(all.tick()).isEqualTo(6);
      assertThat(all.step()).isOne();
      assertThat(all.remaining()).isEqualTo(60);
      hindsight.observationSpace().validate(all.toValue());
    }
    assertThatThrownBy(() -> new TeacherPermit(" ")).hasMessageContaining("purpose");
  }

  @Test
  void aNaNIsRefusedFromTheTickOnThatShowsIt() {
    float[] today = new float[12];
    today[5] = Float.NaN;
    var interpreter = new FullHistoryInterpreter(3, 6, 2, FeatureDays.of(today, new float[12]));
    SimpleSimulator simulator =
        simulator(Episodes.rising(6), Episodes.order(Side.SELL, 90, 0, 6), 2);

    simulator.step(ChildOrder.market(30));
    assertThat(interpreter.observe(simulator.state()).visibleTicks()).isEqualTo(2);
    simulator.step(ChildOrder.market(30));

    assertThatThrownBy(() -> interpreter.observe(simulator.state()))
        .isInstanceOf(SpaceException.class)
        .hasMessageContaining("data_processed[2][1]")
        .hasMessageContaining("was NaN");
  }

  @Test
  void anInfiniteFeatureIsRefusedByName() {
    float[] yesterday = new float[12];
    yesterday[0] = Float.POSITIVE_INFINITY;
    var interpreter = new FullHistoryInterpreter(3, 6, 2, FeatureDays.of(new float[12], yesterday));
    SimpleSimulator simulator =
        simulator(Episodes.rising(6), Episodes.order(Side.SELL, 90, 0, 6), 2);

    assertThatThrownBy(() -> interpreter.observe(simulator.state()))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "SH600000 2021-03-01: expected finite features, was an infinite one of yesterday,"
                + " tick 0 (2021-03-01 09:30:00)");
  }

  @Test
  void anOrderWithMoreStepsThanThereIsRoomForIsNamed() {
    var interpreter = new FullHistoryInterpreter(1, 6, 2, FeatureDays.counting(6));
    SimpleSimulator simulator =
        simulator(Episodes.rising(6), Episodes.order(Side.SELL, 90, 0, 6), 2);
    simulator.step(ChildOrder.market(1));
    simulator.step(ChildOrder.market(1));

    assertThatThrownBy(() -> interpreter.observe(simulator.state()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("step must be at most 1, was 2 of Order[instrument=SH600000");
  }

  /// The check without arrays and the one of the whole dictionary, on days of any shape and with
  /// any gap.
  @Test
  void theCheckAgreesWithTheSpace() {
    Cases.forAll(
        Cases.count(10_000, 100_000),
        random -> {
          int ticks = random.nextInt(2, 12);
          float[] today = features(random, ticks);
          float[] yesterday = features(random, ticks);
          if (random.nextInt(3) == 0) {
            today[random.nextInt(today.length)] = Float.NaN;
          }
          if (random.nextInt(5) == 0) {
            yesterday[random.nextInt(yesterday.length)] = Float.NaN;
          }
          var interpreter =
              new FullHistoryInterpreter(
                  12,
                  random.nextInt(6) == 0 ? ticks - 1 : ticks,
                  2,
                  FeatureDays.of(today, yesterday));
          for (ExecutionState state : run(random, Episodes.random(random, ticks), ticks)) {
            var observation = interpreter.interpret(state);
            boolean valid = true;
            try {
              interpreter.observationSpace().validate(observation.toValue());
            } catch (SpaceException e) {
              valid = false;
            }
            if (valid) {
              assertThat(interpreter.observe(state).tick()).isEqualTo(observation.tick());
            } else {
              assertThatThrownBy(() -> interpreter.observe(state))
                  .isInstanceOf(SpaceException.class);
            }
          }
        });
  }

  /// Runs an episode, changes every bar and feature from some tick on, runs it again, and compares
  /// what was seen until then.
  @Test
  void futureBarsNeverChangeAPastObservation() {
    Cases.forAll(
        Cases.count(10_000, 100_000),
        random -> {
          int ticks = random.nextInt(2, 20);
          int now = random.nextInt(ticks);
          double[] prices = random.doubles(ticks, 1, 100).toArray();
          double[] volumes = random.doubles(ticks, 0, 1000).toArray();
          float[] features = features(random, ticks);
          long seed = random.nextLong();
          List<List<Double>> before =
              seenUntil(now, seed, prices.clone(), volumes.clone(), features.clone());

          for (int tick = now; tick < ticks; tick++) {
            prices[tick] = random.nextDouble(1, 100);
            volumes[tick] = random.nextDouble(0, 1000);
            features[2 * tick] = random.nextFloat();
            features[2 * tick + 1] = random.nextFloat();
          }

          assertThat(seenUntil(now, seed, prices, volumes, features)).isEqualTo(before);
        });
  }

  private static List<List<Double>> seenUntil(
      int now, long seed, double[] prices, double[] volumes, float[] features) {
    int ticks = prices.length;
    var full =
        new FullHistoryInterpreter(ticks, ticks, 2, FeatureDays.of(features, new float[2 * ticks]));
    var current = CurrentStepInterpreter.of(ticks);
    var seen = new ArrayList<List<Double>>();
    var random = new SplittableRandom(seed);
    for (ExecutionState state : run(random, Episodes.day(prices, volumes), ticks)) {
      if (state.tick() <= now) {
        seen.add(Numbers.of(full.observe(state).toValue()));
        seen.add(Numbers.of(current.observe(state).toValue()));
      }
    }
    return seen;
  }

  /// Works a random order with random volumes and returns the states.
  private static List<ExecutionState> run(SplittableRandom random, DayTicks day, int ticks) {
    int from = random.nextInt(ticks);
    Order order =
        Episodes.order(
            random.nextBoolean() ? Side.BUY : Side.SELL,
            random.nextDouble(1, 1000),
            from,
            random.nextInt(from, ticks) + 1);
    SimpleSimulator simulator = simulator(day, order, random.nextInt(1, 6));
    var states = new ArrayList<>(List.of(simulator.state()));
    while (!simulator.isDone()) {
      simulator.step(ChildOrder.market(random.nextDouble() * simulator.state().remaining()));
      states.add(simulator.state());
    }
    return states;
  }

  private static float[] features(SplittableRandom random, int ticks) {
    float[] features = new float[2 * ticks];
    for (int i = 0; i < features.length; i++) {
      features[i] = random.nextFloat() - 0.5f;
    }
    return features;
  }

  @Test
  void anObservationCostsAFewWordsHoweverLongTheDayIs() {
    var interpreter = new FullHistoryInterpreter(240, 240, 2, FeatureDays.counting(240));
    ExecutionState state =
        simulator(Episodes.rising(240), Episodes.order(Side.BUY, 90, 0, 240), 30).state();
    Runnable observe =
        () -> {
          for (int i = 0; i < 1000; i++) {
            interpreter.observe(state);
          }
        };

    assertThat(Allocation.settledBytesOf(1000 * 48 + 1, observe)).isLessThanOrEqualTo(1000 * 48);
  }
}
