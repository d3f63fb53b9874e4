package io.tranche.runtime;

import io.tranche.market.Side;
import io.tranche.policy.learn.Categorical;
import io.tranche.policy.learn.LivePolicy;
import io.tranche.policy.network.LiveNetwork;
import io.tranche.runtime.ModelSpec.Combination;
import java.util.Arrays;
import java.util.List;

/// The policies of one model's members, and how they come to one choice. For one thread. Hot path:
/// allocates only when days and orders begin.
final class Ensemble {

  private final LivePolicy[] members;
  private final Combination combination;
  private final int choices;

  /// The sums of all members' scores, and how many would take each choice, of one row.
  private final float[] sums;

  private final int[] votes;
  private final float[][] scores;
  private final int[] chosen;

  Ensemble(List<LivePolicy> members, Combination combination, int maxRows) {
    this.members = members.toArray(LivePolicy[]::new);
    this.combination = combination;
    this.choices = members.getFirst().choices();
    this.sums = new float[choices];
    this.votes = new int[choices];
    this.scores = new float[members.size()][];
    this.chosen = new int[maxRows];
  }

  int maxRows() {
    return chosen.length;
  }

  List<LiveNetwork.Day> newDays(float[] yesterday, int ticks) {
    return Arrays.stream(members).map(member -> member.newDay(yesterday, ticks)).toList();
  }

  List<LiveNetwork.Episode> newEpisodes(Side side) {
    return Arrays.stream(members).map(member -> member.newEpisode(side)).toList();
  }

  /// Puts a decision into a row; see [LivePolicy#put].
  void put(
      int row,
      List<LiveNetwork.Day> days,
      List<LiveNetwork.Episode> episodes,
      float remaining,
      float progress) {
    for (int i = 0; i < members.length; i++) {
      members[i].put(row, days.get(i), episodes.get(i), remaining, progress);
    }
  }

  /// Returns the choices for the first `count` rows, valid until the next call.
  int[] choose(int count) {
    for (int i = 0; i < members.length; i++) {
      scores[i] = members[i].evaluate(count);
    }
    for (int row = 0; row < count; row++) {
      chosen[row] =
          members.length == 1
              ? Categorical.likeliest(scores[0], row * choices, choices)
              : combine(row * choices);
    }
    return chosen;
  }

  private int combine(int at) {
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
