package io.tranche.env.vector;

import io.tranche.env.EpisodeFailure;
import java.util.List;

/// The result of a collect.
///
/// @param steps number of steps taken
/// @param rewards the total reward of each finished episode, in the order they finished
/// @param lengths number of steps of each finished episode
/// @param exhausted whether the initial states ran out; Qlib then returns nothing
/// @param failures the episodes that were set aside
public record CollectResult(
    long steps,
    List<Double> rewards,
    List<Integer> lengths,
    boolean exhausted,
    List<EpisodeFailure> failures) {

  public CollectResult {
    rewards = List.copyOf(rewards);
    lengths = List.copyOf(lengths);
    failures = List.copyOf(failures);
  }

  public int episodes() {
    return rewards.size();
  }

  public double rewardMean() {
    return mean(rewards);
  }

  /// Returns the population standard deviation over the episodes.
  public double rewardDeviation() {
    return deviation(rewards);
  }

  public double lengthMean() {
    return mean(lengths);
  }

  /// Returns the population standard deviation over the episodes.
  public double lengthDeviation() {
    return deviation(lengths);
  }

  private static double mean(List<? extends Number> numbers) {
    double sum = 0;
    for (Number number : numbers) {
      sum += number.doubleValue();
    }
    return numbers.isEmpty() ? 0 : sum / numbers.size();
  }

  private static double deviation(List<? extends Number> numbers) {
    double mean = mean(numbers);
    double squares = 0;
    for (Number number : numbers) {
      double distance = number.doubleValue() - mean;
      squares += distance * distance;
    }
    return numbers.isEmpty() ? 0 : Math.sqrt(squares / numbers.size());
  }
}
