package io.tranche.work.gym;

import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.market.DataException;
import io.tranche.work.gym.SpaceLayout.Cursor;
import io.tranche.work.gym.SpaceLayout.Leaf;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The arrays that environments share with another program, in one mapped file.
final class SharedArea implements AutoCloseable {

  /// How many metrics an episode may have.
  static final int METRICS = 64;

  /// No machine has as much memory to spare.
  private static final long LARGEST = 1L << 36;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final int environments;
  private final SpaceLayout observations;
  private final @Nullable SpaceLayout finals;
  private final SpaceLayout actions;
  private final long rewards;
  private final long ended;
  private final long mask;
  private final long metrics;
  private final long size;

  /// Maps a file, which is made as large as needed.
  ///
  /// @param keepsFinals whether the last observation of an episode is kept beside the first one of
  ///   the next
  static SharedArea map(
      Path file, int environments, Space observed, Space action, boolean keepsFinals) {
    return new SharedArea(file, environments, observed, action, keepsFinals);
  }

  private SharedArea(
      Path file, int environments, Space observed, Space action, boolean keepsFinals) {
    this.environments = environments;
    var cursor = new Cursor();
    actions = SpaceLayout.of(action, environments, cursor);
    rewards = cursor.take((long) environments * Double.BYTES);
    ended = cursor.take(environments);
    mask = cursor.take(environments);
    metrics = cursor.take((long) environments * METRICS * Double.BYTES);
    observations = SpaceLayout.of(observed, environments, cursor);
    finals = keepsFinals ? SpaceLayout.of(observed, environments, cursor) : null;
    size = cursor.end();
    if (size > LARGEST) {
      throw new DataException(
          "--environments",
          "observations that fit into %,d bytes together".formatted(LARGEST),
          "%,d bytes".formatted(size));
    }
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      memory = channel.map(MapMode.READ_WRITE, 0, size, arena);
    } catch (IOException e) {
      arena.close();
      throw DataException.unwritable(file, e);
    }
  }

  MemorySegment memory() {
    return memory;
  }

  SpaceLayout observations() {
    return observations;
  }

  @Nullable SpaceLayout finals() {
    return finals;
  }

  SpaceLayout actions() {
    return actions;
  }

  /// Reads an action. Whether it is in its space, the space says.
  Action action(int environment) {
    if (!(actions instanceof Leaf leaf)) {
      throw new IllegalStateException("actions must be numbers, was " + actions);
    }
    if (leaf.space() instanceof Space.Discrete) {
      double index = leaf.read(memory, environment, 0);
      return new Action.Discrete((int) Math.clamp(index, -1, Integer.MAX_VALUE));
    }
    if (leaf.shape().isEmpty()) {
      return new Action.Continuous(leaf.read(memory, environment, 0));
    }
    var numbers = new ArrayList<Double>(leaf.size());
    for (int i = 0; i < leaf.size(); i++) {
      numbers.add(leaf.read(memory, environment, i));
    }
    return new Action.Vector(numbers);
  }

  void reward(int environment, double reward) {
    memory.set(ValueLayout.JAVA_DOUBLE, rewards + (long) environment * Double.BYTES, reward);
  }

  void ended(int environment, boolean isDone) {
    memory.set(ValueLayout.JAVA_BYTE, ended + environment, (byte) (isDone ? 1 : 0));
  }

  /// Whether the other program chose this environment.
  boolean isChosen(int environment) {
    return memory.get(ValueLayout.JAVA_BYTE, mask + environment) != 0;
  }

  void metric(int environment, int number, double value) {
    long at = metrics + ((long) environment * METRICS + number) * Double.BYTES;
    memory.set(ValueLayout.JAVA_DOUBLE, at, value);
  }

  /// Returns the description for the other program, in the form of JSON.
  Map<String, Object> describe() {
    var described = new LinkedHashMap<String, Object>();
    described.put("environments", environments);
    described.put("size", size);
    described.put("action", actions.describe());
    described.put("observation", observations.describe());
    if (finals != null) {
      described.put("final_observation", finals.describe());
    }
    described.put("reward", rewards);
    described.put("terminated", ended);
    described.put("mask", mask);
    described.put("metrics", metrics);
    described.put("metrics_per_environment", METRICS);
    return described;
  }

  @Override
  public void close() {
    arena.close();
  }
}
