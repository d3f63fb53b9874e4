package io.tranche.market.synthetic;

import io.tranche.market.random.Draws;

/// The purposes of random numbers, each with a stream of its own.
enum Stream {
  INSTRUMENT(1),
  DAY(2),
  BARS(3),
  MARKET(4),
  BOOK(5),
  REGIME(6),
  LARGE(7),
  FLOW(8);

  private final long number;

  Stream(long number) {
    this.number = number;
  }

  Draws of(long seed, int instrument, int day) {
    long key = Draws.child(Draws.root(seed), number * 0xd1342543de82ef95L);
    key = Draws.child(key, (instrument + 1L) * 0xaef17502108ef2d9L);
    return new Draws(Draws.child(key, (day + 1L) * 0xf1357aea2e62a9c5L));
  }
}
