package io.tranche.policy.experience;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.env.space.Action;
import io.tranche.policy.toy.Lots;
import io.tranche.testkit.Cases;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MinibatchesTest {

  private static final Lots.View VIEW = new Lots.View(0, 0, 0);

  private final Minibatches minibatches = new Minibatches();

  @Test
  void samplesSingleStepsWithoutRepeatingOne() {
    Cases.forAll(
        Cases.count(100, 2_000),
        random -> {
          Transitions<Lots.View> steps = episodes(random);
          int size = random.nextInt(1, 40);

          minibatches.sample(steps, Batching.TRANSITIONS, size, random.nextLong());

          assertThat(minibatches.count()).isOne();
          assertThat(sampled()).hasSize(Math.min(size, steps.size())).doesNotHaveDuplicates();
        });
  }

  @Test
  void samplesWholeEpisodesUntilThereAreEnoughSteps() {
    Cases.forAll(
        Cases.count(100, 2_000),
        random -> {
          Transitions<Lots.View> steps = episodes(random);
          int size = random.nextInt(1, 40);

          minibatches.sample(steps, Batching.EPISODES, size, random.nextLong());

          int[] rows = sampled();
          assertThat(rows).doesNotHaveDuplicates();
          assertThat(rows).hasSizeGreaterThanOrEqualTo(Math.min(size, steps.size()));
          for (int i = 0; i < rows.length; i++) {
            boolean first = i == 0 || steps.episode(rows[i]) != steps.episode(rows[i - 1]);
            assertThat(steps.startsEpisode(rows[i])).isEqualTo(first);
          }
          long lastEpisode = steps.episode(rows[rows.length - 1]);
          long without =
              Arrays.stream(rows).filter(row -> steps.episode(row) != lastEpisode).count();
          assertThat(without).isLessThan(size);
        });
  }

  @Test
  void everyStepIsAsLikelyAsAnyOther() {
    Transitions<Lots.View> steps = new Transitions<>();
    for (int row = 0; row < 10; row++) {
      steps.add(VIEW, new Action.Discrete(0), 0, true, false, VIEW, row, 0);
    }
    int[] counts = new int[10];
    for (int key = 0; key < 10_000; key++) {
      minibatches.sample(steps, Batching.TRANSITIONS, 3, key);
      Arrays.stream(sampled()).forEach(row -> counts[row]++);
    }

    assertThat(Arrays.stream(counts)).allMatch(count -> count > 2_800 && count < 3_200);
  }

  @Test
  void sizeZeroIsEverything() {
    Transitions<Lots.View> steps = episodes(new SplittableRandom(1));

    minibatches.sample(steps, Batching.EPISODES, 0, 1);

    assertThat(sampled()).hasSize(steps.size()).doesNotHaveDuplicates();
  }

  @Test
  void nothingGivesNoMinibatch() {
    minibatches.sample(new Transitions<Lots.View>(), Batching.TRANSITIONS, 5, 1);

    assertThat(minibatches.count()).isZero();
  }

  private int[] sampled() {
    return Arrays.copyOf(minibatches.rows(), minibatches.end(0));
  }

  private static Transitions<Lots.View> episodes(SplittableRandom random) {
    var steps = new Transitions<Lots.View>();
    int count = random.nextInt(1, 12);
    for (int episode = 0; episode < count; episode++) {
      int length = random.nextInt(1, 6);
      for (int i = 0; i < length; i++) {
        steps.add(VIEW, new Action.Discrete(0), 0, i == length - 1, false, VIEW, episode, i);
      }
    }
    return steps;
  }
}
