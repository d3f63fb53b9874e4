package io.tranche.runtime;

import io.tranche.policy.agent.Categorical;
import io.tranche.runtime.ModelSpec.Combination;
import java.util.Arrays;

/// How the members of an ensemble agree on one choice. For one thread. Hot path: allocates nothing.
final class Ballot {

  private final Combination combination;
  private final int choices;

  private final float[] sums; // of all members' scores, per choice
  private final int[] votes; // the number of members that prefer each choice

  Ballot(Combination combination, int choices) {
    this.combination = combination;
    this.choices = choices;
    this.sums = new float[choices];
    this.votes = new int[choices];
  }

  /// Returns the choice of one row.
  ///
  /// @param scores one array per member
  int choose(float[][] scores, int row) {
    int at = row * choices;
    return scores.length == 1 ? Categorical.likeliest(scores[0], at, choices) : combine(scores, at);
  }

  private int combine(float[][] scores, int at) {
    Arrays.fill(sums, 0);
    Arrays.fill(votes, 0);
    for (float[] each : scores) {
      for (int i = 0; i < choices; i++) {
        sums[i] += each[at + i];
      }
      votes[Categorical.likeliest(each, at, choices)]++;
    }
    return switch (combination) {
      case MEAN -> Categorical.likeliest(sums, 0, choices);
      case MAJORITY -> majority();
    };
  }

  /// Writes the average of the members' first `count` numbers to `target`.
  static void average(float[][] members, int count, float[] target) {
    for (int i = 0; i < count; i++) {
      float sum = 0;
      for (float[] each : members) {
        sum += each[i];
      }
      target[i] = sum / members.length;
    }
  }

  private int majority() {
    int best = 0;
    for (int i = 1; i < choices; i++) {
      if (votes[i] > votes[best] || (votes[i] == votes[best] && sums[i] > sums[best])) {
        best = i;
      }
    }
    return best;
  }
}
