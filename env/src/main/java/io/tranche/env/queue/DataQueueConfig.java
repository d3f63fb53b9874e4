package io.tranche.env.queue;

/// How a [DataQueue] goes through its data set.
///
/// @param repeat number of epochs, or [#ENDLESS]
/// @param shuffle whether each epoch has its own random order
/// @param producers number of threads that load items in advance; with 0, consumers load items
///   themselves
/// @param capacity maximum number of items loaded in advance
/// @param seed seed of the orders of all epochs
/// @param start number of items taken in earlier runs
public record DataQueueConfig(
    int repeat, boolean shuffle, int producers, int capacity, long seed, long start) {

  public static final int ENDLESS = -1;

  /// Far beyond the cores and memory of any machine.
  private static final int MAX = 1 << 16;

  /// Qlib's defaults: one shuffled epoch, no extra producers, one item in advance per core.
  public static final DataQueueConfig DEFAULT =
      new DataQueueConfig(1, true, 0, Runtime.getRuntime().availableProcessors(), 0, 0);

  public DataQueueConfig {
    if (repeat < ENDLESS) {
      throw new IllegalArgumentException("repeat must be -1 or at least 0, was " + repeat);
    }
    requireIn("producers", producers, 0);
    requireIn("capacity", capacity, 1);
    if (start < 0) {
      throw new IllegalArgumentException("start must not be negative, was " + start);
    }
  }

  private static void requireIn(String name, int value, int least) {
    if (value < least || value > MAX) {
      throw new IllegalArgumentException(
          "%s must be in [%d, %d], was %d".formatted(name, least, MAX, value));
    }
  }

  public DataQueueConfig withRepeat(int epochs) {
    return new DataQueueConfig(epochs, shuffle, producers, capacity, seed, start);
  }

  public DataQueueConfig withShuffle(boolean isShuffled) {
    return new DataQueueConfig(repeat, isShuffled, producers, capacity, seed, start);
  }

  public DataQueueConfig withProducers(int threads, int itemsAhead) {
    return new DataQueueConfig(repeat, shuffle, threads, itemsAhead, seed, start);
  }

  public DataQueueConfig withSeed(long newSeed) {
    return new DataQueueConfig(repeat, shuffle, producers, capacity, newSeed, start);
  }

  public DataQueueConfig withStart(long position) {
    return new DataQueueConfig(repeat, shuffle, producers, capacity, seed, position);
  }
}
