package io.tranche.env.queue;

import io.tranche.env.RandomTree;

/// In which order the items of a data set come, epoch after epoch: a function of seed and epoch.
///
/// Used by one thread at a time, mostly from low positions to high ones.
final class EpochOrder {

  private final boolean isShuffled;
  private final long seed;
  private final int[] order;
  private long epoch = -1;

  EpochOrder(int size, boolean isShuffled, long seed) {
    this.isShuffled = isShuffled;
    this.seed = seed;
    this.order = new int[size];
  }

  /// Returns the index of the item at a position that counts on through all epochs.
  int index(long position) {
    int inEpoch = (int) (position % order.length);
    if (!isShuffled) {
      return inEpoch;
    }
    if (position / order.length != epoch) {
      epoch = position / order.length;
      shuffle();
    }
    return order[inEpoch];
  }

  private void shuffle() {
    var random = RandomTree.generator(RandomTree.key(seed, "shuffle", epoch));
    for (int i = 0; i < order.length; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
  }
}
