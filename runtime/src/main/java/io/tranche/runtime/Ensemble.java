package io.tranche.runtime;

import io.tranche.market.Side;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.network.LiveNetwork.Day;
import io.tranche.policy.network.LiveNetwork.Episode;
import io.tranche.runtime.ModelSpec.Combination;
import java.util.Arrays;
import java.util.List;

/// The policies of one model's members, which agree on one choice, or whose numbers are averaged.
/// For one thread. Hot path: allocates only when a day or an order begins.
final class Ensemble {

  private final LivePolicy[] members;
  private final Ballot ballot;
  private final int numbers;
  private final float[] averages;
  private final float[][] scores;
  private final int[] chosen;

  /// @param numbers of an action; 0 if actions are choices
  Ensemble(List<LivePolicy> members, Combination combination, int numbers, int maxRows) {
    this.members = members.toArray(LivePolicy[]::new);
    this.ballot = new Ballot(combination, members.getFirst().choices());
    this.numbers = numbers;
    this.averages = new float[Math.multiplyExact(numbers, maxRows)];
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

  /// Returns each member's scores of the choices, or its numbers, in the first row of the newest
  /// call of [#decide].
  List<float[]> scores() {
    int width = numbers > 0 ? numbers : members[0].choices();
    return Arrays.stream(scores).map(each -> Arrays.copyOf(each, width)).toList();
  }

  /// Decides for the first `count` rows; the results are valid until the next call.
  void decide(int count) {
    for (int i = 0; i < members.length; i++) {
      scores[i] = members[i].evaluate(count);
    }
    if (numbers > 0) {
      Ballot.average(scores, count * numbers, averages);
      return;
    }
    for (int row = 0; row < count; row++) {
      chosen[row] = ballot.choose(scores, row);
    }
  }

  /// Returns the choice of a row; [LiveActions#NONE] if actions are numbers.
  int choice(int row) {
    return numbers > 0 ? LiveActions.NONE : chosen[row];
  }

  /// Copies the numbers of a row's action, if it has any.
  void numbers(int row, float[] target) {
    System.arraycopy(averages, row * numbers, target, 0, numbers);
  }
}
