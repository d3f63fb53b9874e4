package io.tranche.work.tuning;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Decides which trial goes on and for how long: asynchronous successive halving (Li et al. 2020,
/// "A System for Massively Parallel Hyperparameter Tuning", algorithm 2), with median stopping
/// between rungs. With a single rung it is a plain search.
///
/// Its decisions depend only on the outcomes it is told, in that order, not on where and when
/// trials run.
final class Halving {

  /// Train a trial until it has `to` iterations.
  record Task(int trial, int to) {}

  /// A trial at a rung.
  private record Entry(int trial, double value) {}

  private final List<Integer> rungs;
  private final TreeSet<Integer> milestones;
  private final int reduction;
  private final int sign;
  private final @Nullable MedianRule median;
  private final int trials;

  private final List<List<Entry>> results = new ArrayList<>();
  private final List<Set<Integer>> promoted = new ArrayList<>();
  private final Map<Integer, List<Point>> histories = new LinkedHashMap<>();
  private final Map<Integer, TrialState> states = new LinkedHashMap<>();
  private final Map<Integer, Integer> goals = new LinkedHashMap<>();
  private final ArrayDeque<Task> continuing = new ArrayDeque<>();
  private boolean basePending;
  private int drawn;
  private int running;
  private boolean hasFinalist;

  Halving(TuneConfig config) {
    this.rungs = config.schedule().rungs();
    this.reduction = config.schedule().reduction();
    this.sign = config.higherIsBetter() ? 1 : -1;
    this.median = config.schedule().median();
    this.trials = config.trials().size();
    this.basePending = config.triesBase();
    this.milestones = new TreeSet<>(rungs);
    for (int at = 1; median != null && at < rungs.getLast(); at++) {
      if (median.looksAt(at)) {
        milestones.add(at);
      }
    }
    rungs.forEach(
        _ -> {
          results.add(new ArrayList<>());
          promoted.add(new HashSet<>());
        });
  }

  /// Returns the next task for a free worker, or null if there is none until another task ends.
  @Nullable Task next() {
    if (basePending) {
      basePending = false;
      states.put(Trial.BASE, TrialState.RUNNING);
      return new Task(Trial.BASE, rungs.getLast()); // the base is a yardstick and does not compete
    }
    Task task = continuing.poll();
    if (task == null) {
      task = promotion();
    }
    if (task == null && drawn < trials) {
      task = new Task(++drawn, milestones.first());
    }
    if (task == null && running == 0 && !hasFinalist) {
      task = finalist();
    }
    if (task != null) {
      running++;
      states.put(task.trial(), TrialState.RUNNING);
      goals.put(task.trial(), task.to());
    }
    return task;
  }

  /// Promotes the best trial of a rung that has not been promoted yet; higher rungs first.
  private @Nullable Task promotion() {
    for (int rung = rungs.size() - 2; rung >= 0; rung--) {
      int count = results.get(rung).size() / reduction;
      for (Entry entry : ranked(rung).subList(0, count)) {
        if (promoted.get(rung).contains(entry.trial())) {
          continue;
        }
        switch (state(entry.trial())) {
          case WAITING -> {
            return promote(entry, rung);
          }
          case COMPLETED -> {
            // It stopped early by itself, so its value at the next rung is known.
            promoted.get(rung).add(entry.trial());
            results.get(rung + 1).add(entry);
            return promotion();
          }
          case RUNNING, STOPPED, FAILED -> {}
        }
      }
    }
    return null;
  }

  /// With few trials the last rungs may stay empty. Then the best trial is trained to the end all
  /// the same, so that its final value is known.
  private @Nullable Task finalist() {
    for (int rung = rungs.size() - 2; rung >= 0; rung--) {
      for (Entry entry : ranked(rung)) {
        if (state(entry.trial()) == TrialState.WAITING
            && !promoted.get(rung).contains(entry.trial())) {
          return promote(entry, rung);
        }
      }
    }
    return null;
  }

  private Task promote(Entry entry, int rung) {
    promoted.get(rung).add(entry.trial());
    return onwards(entry.trial(), rungs.get(rung));
  }

  private Task onwards(int trial, int from) {
    Integer next = milestones.higher(from);
    if (next == null) {
      throw new IllegalStateException(
          "a trial must not continue after its last rung, was trial " + trial);
    }
    return new Task(trial, next);
  }

  /// Sorts the best first, and the earlier one of equal trials. Failed trials are last.
  private List<Entry> ranked(int rung) {
    return results.get(rung).stream()
        .sorted(
            Comparator.comparingDouble((Entry entry) -> -sign * entry.value())
                .thenComparingInt(Entry::trial))
        .toList();
  }

  /// Takes the outcome of a task.
  ///
  /// @param points the trial's values up to the end of the task
  /// @param hasEnded whether it stopped early by itself
  /// @param hasFailed whether it cannot go on
  void tell(Task task, List<Point> points, boolean hasEnded, boolean hasFailed) {
    if (task.trial() == Trial.BASE) {
      states.put(Trial.BASE, hasFailed ? TrialState.FAILED : TrialState.COMPLETED);
      return;
    }
    running--;
    histories.put(task.trial(), List.copyOf(points));
    int rung =
        rungs.indexOf(rungs.stream().filter(at -> at >= task.to()).findFirst().orElseThrow());
    boolean isAtRung = rungs.get(rung) == task.to();
    boolean isLast = task.to() == rungs.getLast();
    double value = hasFailed ? -sign * Double.POSITIVE_INFINITY : points.getLast().value();
    TrialState state;
    if (hasFailed) {
      state = TrialState.FAILED;
    } else if (isLast || hasEnded) {
      state = TrialState.COMPLETED;
      hasFinalist = true;
    } else if (isWorseThanTheMedian(task, points)) {
      state = TrialState.STOPPED;
    } else {
      state = isAtRung ? TrialState.WAITING : TrialState.RUNNING;
    }
    states.put(task.trial(), state);
    if (state == TrialState.RUNNING) {
      continuing.add(onwards(task.trial(), task.to()));
    } else {
      results.get(rung).add(new Entry(task.trial(), value));
    }
  }

  private boolean isWorseThanTheMedian(Task task, List<Point> points) {
    if (median == null || !median.looksAt(task.to())) {
      return false;
    }
    var others = new LinkedHashMap<>(histories);
    others.remove(task.trial());
    return median.stops(task.to(), points, others.values(), sign);
  }

  TrialState state(int trial) {
    return states.getOrDefault(trial, TrialState.WAITING);
  }

  /// Returns how many trials have begun, without the base.
  int begun() {
    return drawn;
  }

  /// Returns the status of each rung, from the first to the last.
  List<RungStatus> rungs() {
    var status = new ArrayList<RungStatus>();
    int from = 0;
    for (int rung = 0; rung < rungs.size(); rung++) {
      int low = from;
      int high = rungs.get(rung);
      int busy =
          (int)
              goals.entrySet().stream()
                  .filter(goal -> goal.getValue() > low && goal.getValue() <= high)
                  .filter(goal -> state(goal.getKey()) == TrialState.RUNNING)
                  .count();
      List<Entry> ranked = ranked(rung);
      boolean isEmpty = ranked.isEmpty();
      status.add(
          new RungStatus(
              high,
              busy,
              ranked.size(),
              promoted.get(rung).size(),
              isEmpty ? 0 : ranked.getFirst().trial(),
              isEmpty ? Double.NaN : ranked.getFirst().value()));
      from = high;
    }
    return status;
  }
}
