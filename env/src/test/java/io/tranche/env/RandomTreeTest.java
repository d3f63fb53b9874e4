package io.tranche.env;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Allocation;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomTreeTest {

  @Test
  void keysAreFixedForEver() {
    assertThat(RandomTree.root(0, "action")).isEqualTo(-5229214975527383879L);
    assertThat(RandomTree.key(42, "shuffle", 1, 2, 3)).isEqualTo(9028663454987263919L);
    assertThat(RandomTree.generator(1).nextLong()).isEqualTo(-7995527694508729151L);
  }

  @Test
  void neighboursAllDiffer() {
    var keys = new HashSet<Long>();
    int count = 0;
    for (String purpose : List.of("", "a", "b", "ab", "ba", "action", "shuffle")) {
      for (int seed = -3; seed < 4; seed++) {
        for (int episode = 0; episode < 50; episode++) {
          for (int step = 0; step < 50; step++) {
            keys.add(RandomTree.key(seed, purpose, episode, step));
            count++;
          }
        }
      }
    }

    assertThat(keys).hasSize(count);
  }

  @Test
  void aWayIsNotItsOwnPrefixAndItsOrderCounts() {
    assertThat(RandomTree.key(1, "a")).isNotEqualTo(RandomTree.key(1, "a", 0));
    assertThat(RandomTree.key(1, "a", 1, 2)).isNotEqualTo(RandomTree.key(1, "a", 2, 1));
    assertThat(RandomTree.key(1, "a", 7)).isEqualTo(RandomTree.child(RandomTree.root(1, "a"), 7));
  }

  @Test
  void drawsOfNeighbouringKeysLookIndependent() {
    int heads = 0;
    int same = 0;
    boolean last = false;
    int draws = 100_000;
    for (int step = 0; step < draws; step++) {
      boolean head = RandomTree.generator(RandomTree.key(5, "coin", 0, step)).nextBoolean();
      heads += head ? 1 : 0;
      same += head == last ? 1 : 0;
      last = head;
    }

    // Five standard deviations.
    assertThat(heads).isBetween(draws / 2 - 800, draws / 2 + 800);
    assertThat(same).isBetween(draws / 2 - 800, draws / 2 + 800);
  }

  @Test
  void goingDownAllocatesNothing() {
    long root = RandomTree.root(1, "a");
    var sum = new long[1];
    Runnable walk =
        () -> {
          for (int i = 0; i < 10_000; i++) {
            sum[0] += RandomTree.child(root, i);
          }
        };

    // The first runs may link call sites; a run that allocates for each item never comes to zero.
    assertThat(Allocation.settledBytesOf(1, walk)).isZero();
  }
}
