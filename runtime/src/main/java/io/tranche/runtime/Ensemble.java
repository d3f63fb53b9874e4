package io.tranche.runtime;

import io.tranche.market.Side;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.network.LiveNetwork.Day;
import io.tranche.policy.network.LiveNetwork.Episode;
import io.tranche.runtime.ModelSpec.Combination;
import java.util.Arrays;
import java.util.List;

/// The policies of one model's members, which agree on one choice. For one thread. Hot path:
/// allocates only when a day or an order begins.
final class Ensemble {

  private final LivePolicy[] members;
  private final Ballot ballot;
  private final float[][] scores;
  private final int[] chosen;

  Ensemble(List<LivePolicy> members, Combination combination, int maxRows) {
    this.members = members.toArray(LivePolicy[]::new);
    this.ballot = new Ballot(combination, members.getFirst().choices());
    this.scores = new float[members.size()][];
    this.chosen = new int[maxRows];
  }

  int maxRows() {
    return chosen.length;
  }

  List<Day> newDays(float[] yesterday, int ticks) {
    return Arrays.stream(members).map(member -> member.newDay(yesterday, ticks)).toList();
  }

  List<Episode> newEpisodes(Side side) {
    return Arrays.stream(members).map(member -> member.newEpisode(side.code())).toList();
  }

  /// Puts a decision into a row; see [LivePolicy#put].
  void put(int row, List<Day> days, List<Episode> episodes, float remaining, float progress) {
    for (int i = 0; i < members.length; i++) {
      members[i].put(row, days.get(i), episodes.get(i), remaining, progress);
    }
  }

  /// Returns each member's scores of the first row of the newest call of [#choose].
  List<float[]> scores(int choices) {
    return Arrays.stream(scores).map(each -> Arrays.copyOf(each, choices)).toList();
  }

  /// Returns the choices for the first `count` rows, valid until the next call.
  int[] choose(int count) {
    for (int i = 0; i < members.length; i++) {
      scores[i] = members[i].evaluate(count);
    }
    for (int row = 0; row < count; row++) {
      chosen[row] = ballot.choose(scores, row);
    }
    return chosen;
  }
}
