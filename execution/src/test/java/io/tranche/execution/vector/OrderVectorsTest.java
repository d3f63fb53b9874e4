package io.tranche.execution.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.queue.DataQueue;
import io.tranche.env.queue.DataQueueConfig;
import io.tranche.env.vector.TrajectoryListener;
import io.tranche.env.vector.Transition;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.interpreter.Numbers;
import io.tranche.market.Order;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrderVectorsTest {

  private static final long SEED = 7;

  @TempDir private static Path folder;
  private static OrderVectors vectors;
  private static Order fourth;

  @BeforeAll
  static void writeFeatures() throws IOException {
    vectors = new OrderVectors(folder);
    fourth = vectors.orders().get(3);
    assertThat(vectors.orders()).hasSizeGreaterThan(8).doesNotHaveDuplicates();
  }

  /// One step, by episode; its text has every number that policies and learners see.
  private record Line(long episode, int step, String text) {}

  /// What was seen and done in a collect.
  private static final class Trace<O extends Observation> implements TrajectoryListener<O> {
    final List<Line> lines = new ArrayList<>();
    final List<String> finished = new ArrayList<>();

    @Override
    public void step(Transition<O> step) {
      lines.add(
          new Line(
              step.episode(),
              step.step(),
              "%s %s %s %s %s %x"
                  .formatted(
                      Numbers.of(step.observation().toValue()),
                      step.action(),
                      step.reward(),
                      step.done(),
                      Numbers.of(step.next().toValue()),
                      step.drawKey())));
      if (step.done() && step.next() instanceof FullHistoryObservation seen) {
        finished.add(seen.features().instrument() + " " + seen.features().date());
      }
    }

    @Override
    public void abandoned(int env, long episode) {
      lines.removeIf(line -> line.episode() == episode);
    }

    List<Line> byEpisode() {
      lines.sort(Comparator.comparingLong(Line::episode).thenComparingInt(Line::step));
      return lines;
    }
  }

  private static DataQueue<Order> queue(int epochs) {
    return new DataQueue<>(
            vectors.orders(), DataQueueConfig.DEFAULT.withRepeat(epochs).withSeed(SEED))
        .activate();
  }

  private static <O extends Observation> List<Line> trajectories(
      Problem<Order, ExecutionState, ChildOrder, O> spec, int threads, int size) {
    var trace = new Trace<O>();
    try (var queue = queue(1);
        var environments = vectors.make(spec, threads, size, queue.iterator(), "none", fourth)) {
      OrderVectors.collect(environments, trace, SEED);
    }
    return trace.byEpisode();
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "1, 8", "2, 2", "3, 3", "8, 8"})
  void theSameSeedGivesTheSameTrajectories(int threads, int size) {
    List<Line> alone = trajectories(vectors.problem(), 1, 1);

    assertThat(alone).hasSizeGreaterThan(3 * vectors.orders().size());
    assertThat(trajectories(vectors.problem(), threads, size)).isEqualTo(alone);
  }

  @ParameterizedTest
  @CsvSource({"1, 3, none", "1, 3, throw", "1, 1, throw", "3, 3, throw", "8, 8, throw"})
  void everyOrderRunsOnceAnEpoch(int threads, int size, String mode) {
    assertEveryOrderRunsOnceAnEpoch(vectors.problem(), threads, size, mode);
  }

  private static <O extends Observation> void assertEveryOrderRunsOnceAnEpoch(
      Problem<Order, ExecutionState, ChildOrder, O> spec, int threads, int size, String mode) {
    int epochs = 2;
    var trace = new Trace<O>();
    try (var queue = queue(epochs);
        var environments = vectors.make(spec, threads, size, queue.iterator(), mode, fourth)) {

      var result = OrderVectors.collect(environments, trace, SEED);

      int failures = mode.equals("none") ? 0 : epochs;
      assertThat(result.failures())
          .hasSize(failures)
          .allSatisfy(
              failure -> {
                assertThat(failure.initialState()).isEqualTo(fourth.toString());
                assertThat(failure.step()).isEqualTo(2);
              });
      assertThat(result.exhausted()).isTrue();
      var runs = new TreeMap<String, Integer>();
      trace.finished.forEach(name -> runs.merge(name, 1, Integer::sum));
      result.failures().forEach(_ -> runs.merge(name(fourth), 1, Integer::sum));
      assertThat(runs.keySet())
          .containsExactlyInAnyOrderElementsOf(
              vectors.orders().stream().map(OrderVectorsTest::name).toList());
      assertThat(runs.values()).containsOnly(epochs);
    }
  }

  private static String name(Order order) {
    return order.instrument() + " " + order.date();
  }
}
