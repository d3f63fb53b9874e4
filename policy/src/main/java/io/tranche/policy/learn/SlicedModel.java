package io.tranche.policy.learn;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Gradients;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Runs a model on rows of experience, slice by slice, on all threads.
///
/// Rows that share a lane go into one slice, so that costly work is done once. The slices, and the
/// order in which gradients are added up, depend on the rows alone: any number of threads gives the
/// same bits. Hot path: after [#index] allocates only to grow.
public final class SlicedModel<O extends Observation> {

  /// Lanes per slice: as many as the kernels need to be fast, few enough to stay in the cache.
  private static final int LANES = 16;

  private static final int ROWS = 256;

  /// Number of partial sums of gradients before they are added up.
  private static final int TASKS = 16;

  /// Handles a slice after its forward pass.
  @FunctionalInterface
  public interface Visitor<O extends Observation> {

    /// @param task the partial sum of the slice: the slices of one task come one after the other
    void visit(Slice<O> slice, Model<O>.Pass pass, int task);
  }

  private final Model<O> model;
  private final ParallelFor parallel;
  private final List<Model<O>.Pass> passes = new ArrayList<>();
  private final Gradients gradients;
  private final List<Slice<O>> slices = new ArrayList<>();
  private final ParallelFor.Work forward = (task, worker) -> run(task, worker, false);
  private final ParallelFor.Work forwardAndBack = (task, worker) -> run(task, worker, true);
  private final ParallelFor.Work addUp = this::addUp;
  private final Map<Object, Integer> lanes = new HashMap<>();
  private int[] laneOf = new int[0];
  private int[] laneOfNext = new int[0];

  /// The rows of a minibatch in lane order; the end of each lane among them; and the last minibatch
  /// that each row was in.
  private int[] sorted = new int[0];

  private int[] laneEnds = new int[0];
  private int[] chosen = new int[0];

  /// How far the rows of a minibatch read into each lane; the lanes in that order; and, by reach,
  /// the place of the next lane among them.
  private int[] reach = new int[0];

  private int[] byReach = new int[0];
  private int[] reachStarts = new int[0];
  private int round;
  private int sliceCount;
  private int tasks;
  private Visitor<O> visitor = (_, _, _) -> {};

  public SlicedModel(Model<O> model, ParallelFor parallel) {
    this.model = model;
    this.parallel = parallel;
    for (int i = 0; i < parallel.threads(); i++) {
      passes.add(model.newPass(ROWS, LANES));
    }
    gradients = new Gradients(model.weights(), TASKS);
  }

  /// Finds the rows that share a lane. Must be called before any other method uses `experience`.
  public void index(Transitions<O> experience) {
    int size = experience.size();
    if (laneOf.length < size) {
      laneOf = new int[size];
      laneOfNext = new int[size];
      sorted = new int[size];
      chosen = new int[size];
    }
    lanes.clear();
    for (int row = 0; row < size; row++) {
      laneOf[row] = lane(experience.observation(row));
      laneOfNext[row] = lane(experience.next(row));
    }
    makeRoom(lanes.size());
    // The keys are days, which must remain garbage-collectable.
    lanes.clear();
  }

  /// Takes the lanes that `other` found for the same experience, because both models share the
  /// same.
  public void indexLike(SlicedModel<O> other) {
    laneOf = other.laneOf;
    laneOfNext = other.laneOfNext;
    if (sorted.length < other.sorted.length) {
      sorted = new int[other.sorted.length];
      chosen = new int[other.sorted.length];
      round = 0;
    }
    makeRoom(other.laneEnds.length);
  }

  private void makeRoom(int laneCount) {
    if (laneEnds.length < laneCount) {
      laneEnds = new int[laneCount];
      reach = new int[laneCount];
      byReach = new int[laneCount];
    }
  }

  private int lane(O observation) {
    return lanes.computeIfAbsent(model.network().lane(observation), _ -> lanes.size());
  }

  /// Passes the model's outputs for `rows[0]` to `rows[count - 1]` to `reader`.
  ///
  /// @param next whether to evaluate the observations after those steps instead of before
  public void evaluate(
      Transitions<O> experience, int[] rows, int count, boolean next, Visitor<O> reader) {
    cut(experience, rows, 0, count, next);
    visitor = reader;
    parallel.run(tasks, forward);
  }

  /// Returns the gradients of `loss` for `rows[from]` to `rows[to - 1]`, laid out like the weights.
  public float[] gradients(
      Transitions<O> experience, int[] rows, int from, int to, Visitor<O> loss) {
    cut(experience, rows, from, to, false);
    visitor = loss;
    parallel.run(tasks, forwardAndBack);
    parallel.run(gradients.chunks(), addUp);
    return gradients.sum();
  }

  /// Returns the maximum number of tasks: a visitor keeps one partial sum for each.
  public static int maxTasks() {
    return TASKS;
  }

  private void cut(Transitions<O> experience, int[] rows, int from, int to, boolean next) {
    int[] lane = next ? laneOfNext : laneOf;
    sortByLane(experience, rows, from, to, next);
    sliceCount = 0;
    Slice<O> slice = nextSlice();
    for (int i = 0; i < to - from; i++) {
      int row = sorted[i];
      boolean isNewLane = i == 0 || lane[row] != lane[sorted[i - 1]];
      if (slice.isFull() || (isNewLane && slice.lanes() == LANES)) {
        slice = nextSlice();
      }
      slice.add(observation(experience, row, next), row, experience.episode(row), isNewLane);
    }
    tasks = Math.min(TASKS, sliceCount);
  }

  /// Sorts distinct rows by lane, and within a lane by row. A counting sort, because the JDK's sort
  /// allocates.
  ///
  /// Lanes come by descending reach of these rows: slices of similar lanes waste little, and when
  /// long ones come first, no thread is left with one at the end.
  private void sortByLane(Transitions<O> experience, int[] rows, int from, int to, boolean next) {
    int[] lane = next ? laneOfNext : laneOf;
    round++;
    Arrays.fill(laneEnds, 0);
    Arrays.fill(reach, 0);
    int furthest = 0;
    for (int i = from; i < to; i++) {
      int row = rows[i];
      chosen[row] = round;
      laneEnds[lane[row]]++;
      int read = model.network().reach(observation(experience, row, next));
      reach[lane[row]] = Math.max(reach[lane[row]], read);
      furthest = Math.max(furthest, read);
    }
    sortByReach(furthest);
    int start = 0;
    for (int each : byReach) {
      int count = laneEnds[each];
      laneEnds[each] = start;
      start += count;
    }
    for (int row = 0; row < experience.size(); row++) {
      if (chosen[row] == round) {
        sorted[laneEnds[lane[row]]++] = row;
      }
    }
  }

  /// Sorts all lanes by descending reach, and those of equal reach by number.
  private void sortByReach(int furthest) {
    if (reachStarts.length < furthest + 2) {
      reachStarts = new int[furthest + 2];
    }
    Arrays.fill(reachStarts, 0);
    for (int each : reach) {
      reachStarts[furthest - each + 1]++;
    }
    for (int i = 0; i < furthest; i++) {
      reachStarts[i + 1] += reachStarts[i];
    }
    for (int lane = 0; lane < reach.length; lane++) {
      byReach[reachStarts[furthest - reach[lane]]++] = lane;
    }
  }

  private O observation(Transitions<O> experience, int row, boolean next) {
    return next ? experience.next(row) : experience.observation(row);
  }

  private Slice<O> nextSlice() {
    if (sliceCount == slices.size()) {
      slices.add(new Slice<>(ROWS));
    }
    Slice<O> slice = slices.get(sliceCount++);
    slice.clear();
    return slice;
  }

  private void addUp(int chunk, int worker) {
    gradients.addUp(chunk, tasks);
  }

  private void run(int task, int worker, boolean back) {
    float @Nullable [] sum = back ? gradients.cleared(task) : null;
    Model<O>.Pass pass = passes.get(worker);
    pass.training(back);
    for (int i = task; i < sliceCount; i += tasks) {
      pass.forward(slices.get(i));
      visitor.visit(slices.get(i), pass, task);
      if (sum != null) {
        pass.backward(sum);
      }
    }
  }
}
