package io.tranche.policy.experience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.env.space.Action;
import io.tranche.policy.ppo.PpoLoss;
import io.tranche.policy.toy.Lots;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReturnsTest {

  private static final Lots.View VIEW = new Lots.View(0, 0, 0);

  @Test
  void nStepReturnsAreTheDiscountedRewardsAndWhatIsExpectedBehindThem() {
    Cases.forAll(
        Cases.count(200, 5_000),
        random -> {
          var steps = new Transitions<Lots.View>();
          List<List<Integer>> episodes = randomEpisodes(steps, random);
          int count = random.nextInt(1, 7);
          double discount = random.nextDouble();
          double rest = random.nextDouble(-1, 1);

          for (List<Integer> episode : episodes) {
            for (int i = 0; i < episode.size(); i++) {
              List<Integer> ahead = episode.subList(i, Math.min(episode.size(), i + count));
              double naive = rest;
              for (int row : ahead.reversed()) {
                naive = steps.reward(row) + discount * naive;
              }
              int row = episode.get(i);
              assertThat(Returns.lastOfNStep(steps, row, count)).isEqualTo(ahead.getLast());
              assertThat(Returns.nStep(steps, row, count, discount, rest))
                  .isCloseTo(naive, within(1e-12));
            }
          }
        });
  }

  @Test
  void advantagesAreTheSumsOfDiscountedSurprises() {
    Cases.forAll(
        Cases.count(200, 5_000),
        random -> {
          var steps = new Transitions<Lots.View>();
          List<List<Integer>> episodes = randomEpisodes(steps, random);
          double[] values = random.doubles(steps.size(), -1, 1).toArray();
          double[] next = random.doubles(steps.size(), -1, 1).toArray();
          double[] advantages = new double[steps.size()];
          double discount = random.nextDouble();
          double lambda = random.nextDouble();

          PpoLoss.advantages(steps, values, next, discount, lambda, advantages);

          for (List<Integer> episode : episodes) {
            for (int i = 0; i < episode.size(); i++) {
              double naive = 0;
              for (int ahead = episode.size() - 1; ahead >= i; ahead--) {
                int row = episode.get(ahead);
                double surprise = steps.reward(row) + discount * next[row] - values[row];
                naive = surprise + discount * lambda * naive;
              }
              assertThat(advantages[episode.get(i)]).isCloseTo(naive, within(1e-12));
            }
          }
        });
  }

  /// Returns the rows of each episode; some are cut off, some still under way.
  private static List<List<Integer>> randomEpisodes(
      Transitions<Lots.View> steps, SplittableRandom random) {
    var episodes = new ArrayList<List<Integer>>();
    int count = random.nextInt(1, 6);
    for (int episode = 0; episode < count; episode++) {
      var rows = new ArrayList<Integer>();
      int length = random.nextInt(1, 6);
      int end = random.nextInt(3);
      for (int i = 0; i < length; i++) {
        rows.add(steps.size());
        boolean last = i == length - 1;
        double reward = random.nextDouble(-1, 1);
        steps.add(
            VIEW,
            new Action.Discrete(0),
            reward,
            last && end == 0,
            last && end == 1,
            VIEW,
            episode,
            i);
      }
      if (end == 2) {
        steps.endEnvironment();
      }
      episodes.add(rows);
    }
    return episodes;
  }
}
