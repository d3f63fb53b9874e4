package io.tranche.policy.experience;

import io.tranche.env.RandomTree;
import java.util.Arrays;
import java.util.SplittableRandom;

/// The order in which an algorithm learns from steps, and where each minibatch ends.
///
/// Made once and refilled; allocates only to grow, and one generator per shuffle.
public final class Minibatches {

  /// Chooses the steps of each minibatch.
  @FunctionalInterface
  public interface Order {

    /// @param repeat the number of passes before this one
    void arrange(int repeat, Minibatches target);
  }

  private int[] rows = new int[0];
  private int[] ends = new int[1];
  private int[] units = new int[0];
  private int[] starts = new int[1];
  private int count;

  public int count() {
    return count;
  }

  /// Returns the rows in order; minibatch `index` is `rows()[start(index)]` to `rows()[end(index) -
  /// 1]`.
  public int[] rows() {
    return rows;
  }

  public int start(int index) {
    return index == 0 ? 0 : ends[index - 1];
  }

  public int end(int index) {
    return ends[index];
  }

  /// Shuffles all of `steps` and cuts them into minibatches of about `size` steps.
  ///
  /// @param size at least 1, or 0 for one minibatch of all steps
  /// @param key the random key of the shuffle
  public void shuffle(Transitions<?> steps, Batching batching, int size, long key) {
    int total = steps.size();
    int unitCount = units(steps, batching);
    SplittableRandom random = RandomTree.generator(key);
    for (int i = unitCount - 1; i > 0; i--) {
      swap(i, random.nextInt(i + 1));
    }
    int filled = 0;
    for (int i = 0; i < unitCount; i++) {
      int unit = units[i];
      for (int row = starts[unit]; row < starts[unit + 1]; row++) {
        rows[filled++] = row;
      }
    }
    switch (batching) {
      case EPISODES -> cutAtEpisodes(steps, size == 0 ? total : size);
      case TRANSITIONS -> cut(total, size == 0 ? total : size);
    }
  }

  /// Draws one minibatch of about `size` distinct steps. Hot path: creates no generator.
  ///
  /// @param size at least 1, or 0 for all steps
  /// @param key the random key of the draw
  public void sample(Transitions<?> steps, Batching batching, int size, long key) {
    int wanted = size == 0 ? steps.size() : Math.min(size, steps.size());
    int unitCount = units(steps, batching);
    int filled = 0;
    for (int i = 0; filled < wanted; i++) {
      double draw = RandomTree.uniform(RandomTree.child(key, i));
      swap(i, i + (int) (draw * (unitCount - i)));
      for (int row = starts[units[i]]; row < starts[units[i] + 1]; row++) {
        rows[filled++] = row;
      }
    }
    cut(filled, filled);
  }

  /// Uses the given order and cuts it into minibatches of `size` steps.
  ///
  /// @param size at least 1, or 0 for one minibatch of all steps
  public void fixed(int[] order, int size) {
    ensure(order.length);
    System.arraycopy(order, 0, rows, 0, order.length);
    cut(order.length, size == 0 ? order.length : size);
  }

  private void ensure(int total) {
    if (total > rows.length) {
      rows = new int[total];
      ends = new int[Math.max(1, total)];
      units = new int[total];
      starts = new int[total + 1];
    }
  }

  /// Finds the units that stay together (episodes or steps), in order, and returns their number.
  private int units(Transitions<?> steps, Batching batching) {
    ensure(steps.size());
    Arrays.setAll(units, i -> i);
    return switch (batching) {
      case EPISODES -> episodes(steps);
      case TRANSITIONS -> {
        Arrays.setAll(starts, i -> i);
        yield steps.size();
      }
    };
  }

  private int episodes(Transitions<?> steps) {
    int episodes = 0;
    for (int row = 0; row < steps.size(); row++) {
      if (steps.startsEpisode(row)) {
        starts[episodes++] = row;
      }
    }
    starts[episodes] = steps.size();
    return episodes;
  }

  private void swap(int one, int other) {
    int swapped = units[one];
    units[one] = units[other];
    units[other] = swapped;
  }

  /// Leftover steps join the last whole minibatch, as in tianshou.
  private void cut(int total, int size) {
    count = total == 0 ? 0 : Math.max(1, total / size);
    for (int i = 0; i < count; i++) {
      ends[i] = (i + 1) * size;
    }
    if (count > 0) {
      ends[count - 1] = total;
    }
  }

  /// Like [#cut], but every cut is moved to the end of its episode.
  private void cutAtEpisodes(Transitions<?> steps, int size) {
    int total = steps.size();
    count = 0;
    int start = 0;
    for (int i = 1; i < total; i++) {
      boolean boundary = steps.episode(rows[i]) != steps.episode(rows[i - 1]);
      if (boundary && i - start >= size) {
        ends[count++] = i;
        start = i;
      }
    }
    boolean whole = total - start >= size || count == 0;
    if (total > 0 && whole) {
      count++;
    }
    if (count > 0) {
      ends[count - 1] = total;
    }
  }
}
