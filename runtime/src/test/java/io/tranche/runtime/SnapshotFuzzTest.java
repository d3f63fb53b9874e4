package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.files.Sha256;
import io.tranche.market.Side;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.testkit.Allocation;
import io.tranche.testkit.Cases;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Snapshots that somebody made up: refused by name, or a runtime that works.
class SnapshotFuzzTest {

  private static final int HASH = 32;
  private static final long MOST_BYTES = 20_000_000;

  private final TestModel model = TestModel.draw(TestModel.plainSpec(), 1, 3);
  private final LoadedModel loaded = model.load();
  private final TestDay day = new TestDay(model.spec(), "A", new SplittableRandom(1));

  @Test
  void hostileBytesAreRefusedOrHarmless() {
    byte[] sound = sound();
    int count = Cases.count(1_000, 100_000);
    int[] restored = new int[1];
    Cases.forAll(
        count,
        random -> {
          byte[] bytes = damage(sound, random);
          long allocated = Allocation.bytesOf(() -> restored[0] += tryToRestore(bytes) ? 1 : 0);
          assertThat(allocated).isLessThan(MOST_BYTES);
        });
    assertThat(restored[0]).isBetween(count / 20, count - count / 20);
  }

  @Test
  void everyTruncationIsRefused() {
    byte[] sound = sound();
    for (int length = 0; length < sound.length; length += Cases.count(293, 1)) {
      byte[] cut = Arrays.copyOf(sound, length + HASH);
      sign(cut);
      assertThat(tryToRestore(cut))
          .as("cut at %d", length)
          .isEqualTo(length == sound.length - HASH);
    }
  }

  private byte[] sound() {
    var runtime = new DecisionRuntime(loaded);
    LiveDay live = day.open(runtime);
    for (int i = 0; i < 5; i++) {
      live.openOrder(
          "" + i, Side.BUY, 100 + i, TestDay.DATE.atTime(9, 30), TestDay.DATE.atTime(14, 59));
    }
    for (int tick = 0; tick < 40; tick++) {
      runtime.decideAll(order -> order.fill(order.working() / 3, 10));
      live.bar(day.times[tick], day.bar(tick));
    }
    return runtime.snapshot();
  }

  /// Changes some bytes, and signs the result so that it is read at all.
  private static byte[] damage(byte[] sound, SplittableRandom random) {
    byte[] bytes = sound.clone();
    int changes = random.nextInt(1, 5);
    for (int i = 0; i < changes; i++) {
      // Half of them behind the day, where the orders are.
      int from = random.nextBoolean() ? 0 : bytes.length - 1200;
      int at = random.nextInt(from, bytes.length - HASH);
      bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : bytes[at] ^ 0x80);
    }
    sign(bytes);
    return bytes;
  }

  private static void sign(byte[] bytes) {
    int length = bytes.length - HASH;
    System.arraycopy(Sha256.bytes(Arrays.copyOf(bytes, length)), 0, bytes, length, HASH);
  }

  /// Returns whether it could be restored; then it must work.
  private boolean tryToRestore(byte[] bytes) {
    DecisionRuntime runtime;
    try {
      runtime = DecisionRuntime.restore(loaded, bytes);
    } catch (CheckpointException e) {
      assertThat(e).hasMessageStartingWith("snapshot: expected ");
      return false;
    }
    for (LiveDay live : runtime.days()) {
      while (live.ticks() < live.allTicks() && !live.isBroken()) {
        runtime.decideAll(order -> order.fill(order.working() / 2, 10));
        live.skipTo(live.time(live.ticks()) + 1);
      }
    }
    for (LiveOrder order : runtime.orders()) {
      assertThat(order.remaining()).isBetween(0.0, order.order().amount());
    }
    return true;
  }
}
