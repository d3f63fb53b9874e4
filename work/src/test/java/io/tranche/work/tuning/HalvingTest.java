package io.tranche.work.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.config.ConfigFiles;
import io.tranche.testkit.Cases;
import io.tranche.work.tuning.Halving.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntBinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Decisions on made-up curves, which are told in whatever order they come.
class HalvingTest {

  /// What a trial is worth after some iterations.
  private interface Objective {
    double value(int trial, int iteration);
  }

  @Test
  void oneInThreeGoesOnFromEachRung() {
    var config = config(9, List.of(1, 3, 9), 3, null);

    List<Task> tasks = oneByOne(new Halving(config), (trial, _) -> -trial, 9);

    // One worker, and the first trials are the best: a promotion with every third that comes.
    assertThat(tasks)
        .containsExactly(
            new Task(1, 1),
            new Task(2, 1),
            new Task(3, 1),
            new Task(1, 3),
            new Task(4, 1),
            new Task(5, 1),
            new Task(6, 1),
            new Task(2, 3),
            new Task(7, 1),
            new Task(8, 1),
            new Task(9, 1),
            new Task(3, 3),
            new Task(1, 9));
  }

  @Test
  void decisionsAreThoseOfASimulationByTheBook() {
    for (int i = 0; i < Cases.count(200, 2_000); i++) {
      var random = new Random(i);
      int trials = 1 + random.nextInt(40);
      int reduction = 2 + random.nextInt(3);
      var rungs = new ArrayList<Integer>();
      int levels = 1 + random.nextInt(4);
      for (int k = 0; k < levels; k++) {
        rungs.add((int) Math.pow(reduction, k));
      }
      int sign = random.nextBoolean() ? 1 : -1;
      // Few different values, so that there are ties.
      Objective objective =
          (trial, iteration) -> sign * new Random(31L * trial + iteration).nextInt(12);
      var config = config(trials, rungs, reduction, null, sign > 0, false);
      int workers = 1 + random.nextInt(6);

      List<Task> tasks = run(new Halving(config), objective, workers);
      List<Task> expected = byTheBook(rungs, reduction, trials, sign, objective, workers);

      assertThat(tasks).as("case " + i).isEqualTo(expected);
    }
  }

  /// Runs tasks on some workers; which of those under way is done next is drawn.
  private static List<Task> run(Halving halving, Objective objective, int workers) {
    var order = new Random(workers);
    var underWay = new ArrayList<Task>();
    var all = new ArrayList<Task>();
    while (true) {
      while (underWay.size() < workers) {
        Task task = halving.next();
        if (task == null) {
          break;
        }
        underWay.add(task);
        all.add(task);
      }
      if (underWay.isEmpty()) {
        return all;
      }
      Task done = underWay.remove(order.nextInt(underWay.size()));
      halving.tell(done, points(objective, done), false, false);
    }
  }

  /// Algorithm 2 of the paper with the same order of events, written down as it stands there.
  private static List<Task> byTheBook(
      List<Integer> rungs, int reduction, int trials, int sign, Objective objective, int workers) {
    var results = new ArrayList<Map<Integer, Double>>();
    var promoted = new ArrayList<Set<Integer>>();
    rungs.forEach(_ -> results.add(new HashMap<>()));
    rungs.forEach(_ -> promoted.add(new HashSet<>()));
    var order = new Random(workers);
    var underWay = new ArrayList<int[]>();
    var all = new ArrayList<Task>();
    int next = 1;
    while (true) {
      while (underWay.size() < workers) {
        int[] job = null;
        for (int rung = rungs.size() - 2; rung >= 0 && job == null; rung--) {
          List<Integer> ranked = ranked(results.get(rung), sign);
          for (int trial : ranked.subList(0, ranked.size() / reduction)) {
            if (promoted.get(rung).add(trial)) {
              job = new int[] {trial, rung + 1};
              break;
            }
          }
        }
        if (job == null && next <= trials) {
          job = new int[] {next++, 0};
        }
        if (job == null && underWay.isEmpty() && results.getLast().isEmpty()) {
          // Ours, not the book's: the best goes to the end even if few came so far.
          for (int rung = rungs.size() - 2; rung >= 0 && job == null; rung--) {
            for (int trial : ranked(results.get(rung), sign)) {
              if (promoted.get(rung).add(trial)) {
                job = new int[] {trial, rung + 1};
                break;
              }
            }
          }
        }
        if (job == null) {
          break;
        }
        underWay.add(job);
        all.add(new Task(job[0], rungs.get(job[1])));
      }
      if (underWay.isEmpty()) {
        return all;
      }
      int[] done = underWay.remove(order.nextInt(underWay.size()));
      results.get(done[1]).put(done[0], objective.value(done[0], rungs.get(done[1])));
    }
  }

  private static List<Integer> ranked(Map<Integer, Double> results, int sign) {
    return results.keySet().stream()
        .sorted(
            Comparator.comparingDouble(
                    (Integer trial) -> -sign * results.getOrDefault(trial, Double.NaN))
                .thenComparing(trial -> trial))
        .toList();
  }

  @Test
  void aPlainSearchTrainsEveryTrialToTheEnd() {
    var halving = new Halving(config(4, List.of(6), 3, null));

    assertThat(oneByOne(halving, (trial, _) -> trial, 4))
        .containsExactly(new Task(1, 6), new Task(2, 6), new Task(3, 6), new Task(4, 6));
    assertThat(IntStream.rangeClosed(1, 4).mapToObj(halving::state))
        .containsOnly(TrialState.COMPLETED);
  }

  @Test
  void theBaseIsTrainedInOneGoAndDoesNotCompete() {
    var halving = new Halving(config(3, List.of(1, 3), 3, null, true, true));

    Task base = halving.next();
    List<Task> others = oneByOne(halving, (trial, _) -> trial, 3);
    halving.tell(required(base), List.of(new Point(3, 100)), false, false);

    assertThat(base).isEqualTo(new Task(Trial.BASE, 3));
    assertThat(others).endsWith(new Task(3, 1), new Task(3, 3));
    assertThat(halving.state(Trial.BASE)).isEqualTo(TrialState.COMPLETED);
  }

  @Test
  void failedTrialsCountAsTheWorstAndNeverGoOn() {
    var halving = new Halving(config(3, List.of(1, 3), 3, null));
    var tasks = new ArrayList<Task>();

    for (Task task = halving.next(); task != null; task = halving.next()) {
      tasks.add(task);
      boolean fails = task.trial() != 2;
      halving.tell(task, fails ? List.of() : List.of(new Point(task.to(), -5)), false, fails);
    }

    assertThat(tasks)
        .containsExactly(new Task(1, 1), new Task(2, 1), new Task(3, 1), new Task(2, 3));
    assertThat(halving.state(1)).isEqualTo(TrialState.FAILED);
    assertThat(halving.state(2)).isEqualTo(TrialState.COMPLETED);
  }

  @Test
  void aTrialThatStoppedByItselfKeepsItsPlaceWithoutFurtherWork() {
    var halving = new Halving(config(3, List.of(1, 3, 9), 3, null));
    var tasks = new ArrayList<Task>();

    for (Task task = halving.next(); task != null; task = halving.next()) {
      tasks.add(task);
      halving.tell(task, List.of(new Point(1, task.trial())), task.trial() == 3, false);
    }

    assertThat(tasks).containsExactly(new Task(1, 1), new Task(2, 1), new Task(3, 1));
    assertThat(halving.state(3)).isEqualTo(TrialState.COMPLETED);
    assertThat(halving.rungs().get(1).reached()).isEqualTo(1);
  }

  @Test
  void fewTrialsStillHaveOneThatIsTrainedToTheEnd() {
    var halving = new Halving(config(2, List.of(1, 3, 9), 3, null));

    assertThat(oneByOne(halving, (trial, _) -> -trial, 2))
        .containsExactly(new Task(1, 1), new Task(2, 1), new Task(1, 3), new Task(1, 9));
    assertThat(halving.state(2)).isEqualTo(TrialState.WAITING);
  }

  @Test
  void aTrialBelowTheMedianIsStoppedBetweenRungs() {
    var halving = new Halving(config(4, List.of(8), 3, new MedianRule(2, 2, 3)));

    List<Task> tasks = oneByOne(halving, (trial, _) -> trial == 4 ? -1 : trial, 4);

    // Three are trained to the end; the fourth is worse than the second of them when it is seen.
    assertThat(tasks.subList(0, 4))
        .containsExactly(new Task(1, 2), new Task(1, 4), new Task(1, 6), new Task(1, 8));
    assertThat(tasks.subList(12, tasks.size())).containsExactly(new Task(4, 2));
    assertThat(halving.state(4)).isEqualTo(TrialState.STOPPED);
  }

  @Test
  void theMedianLooksAtAveragesUpToTheSameIteration() {
    var rule = new MedianRule(2, 1, 3);
    List<List<Point>> others =
        List.of(
            List.of(new Point(1, 0), new Point(2, 2), new Point(3, 100)),
            List.of(new Point(1, 4), new Point(2, 4)),
            List.of(new Point(1, 5), new Point(2, 7)),
            List.of(new Point(1, 1000))); // not there yet

    assertThat(rule.looksAt(1)).isFalse();
    assertThat(rule.stops(2, List.of(new Point(1, 3.9), new Point(2, 0)), others, 1)).isTrue();
    assertThat(rule.stops(2, List.of(new Point(1, 4.0), new Point(2, 0)), others, 1)).isFalse();
    assertThat(rule.stops(2, List.of(new Point(2, 4.1)), others, -1)).isTrue();
    assertThat(new MedianRule(2, 1, 4).stops(2, List.of(new Point(2, -9)), others, 1)).isFalse();
  }

  private static List<Task> oneByOne(Halving halving, IntBinaryOperator value, int trials) {
    var tasks = new ArrayList<Task>();
    for (Task task = halving.next(); task != null; task = halving.next()) {
      tasks.add(task);
      halving.tell(task, points(value::applyAsInt, task), false, false);
    }
    assertThat(tasks.stream().mapToInt(Task::trial).max()).hasValue(trials);
    return tasks;
  }

  private static List<Point> points(Objective objective, Task task) {
    return IntStream.rangeClosed(1, task.to())
        .mapToObj(at -> new Point(at, objective.value(task.trial(), at)))
        .toList();
  }

  private static Task required(@Nullable Task task) {
    assertThat(task).isNotNull();
    return task == null ? new Task(-1, 0) : task;
  }

  private static TuneConfig config(
      int trials, List<Integer> rungs, int reduction, @Nullable MedianRule median) {
    return config(trials, rungs, reduction, median, true, false);
  }

  private static TuneConfig config(
      int trials,
      List<Integer> rungs,
      int reduction,
      @Nullable MedianRule median,
      boolean higherIsBetter,
      boolean triesBase) {
    return new TuneConfig(
        ConfigFiles.parse("base", "{}"),
        new SearchSpace(List.of()),
        IntStream.rangeClosed(1, trials).mapToObj(i -> new Trial(i, List.of())).toList(),
        "metric",
        higherIsBetter,
        new TuneConfig.Schedule(rungs, reduction, median, 1, 1),
        triesBase,
        ConfigFiles.parse("resolved", "{}"));
  }
}
