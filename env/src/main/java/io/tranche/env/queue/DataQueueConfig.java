package io.tranche.env.queue;

/// How a [DataQueue] goes through its data set.
///
/// @param repeat how many epochs there are, or [#ENDLESS]
/// @param shuffle whether each epoch has an order of its own
/// @param producers how many threads load items in advance; with 0 no thread is started, and takers
///   load items themselves
/// @param capacity how many items may be loaded ahead
/// @param seed of the orders of all epochs
/// @param start how many items were taken in an earlier run
public record DataQueueConfig(
    int repeat, boolean shuffle, int producers, int capacity, long seed, long start) {

  public static final int ENDLESS = -1;

  /// Far more than any machine has cores or memory for.
  private static final int MAX = 1 << 16;

  /// Qlib's: one shuffled epoch, no extra producers, one item ahead for each core.
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
