package io.tranche.env;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/// A weighted sum of rewards. Logs each weighted term under its name. Qlib: `RewardCombination`.
///
/// @param terms by name, in the order they are added up
/// @param <S> the simulator's state
public record RewardCombination<S>(Map<String, Term<S>> terms) implements Reward<S> {

  /// One term of the sum.
  ///
  /// @param <S> the simulator's state
  public record Term<S>(Reward<S> reward, double weight) {}

  public RewardCombination {
    terms = Collections.unmodifiableMap(new LinkedHashMap<>(terms));
  }

  /// @throws ArithmeticException naming a term that is not finite
  @Override
  public double reward(S state, EnvContext context) {
    double total = 0;
    for (var entry : terms.entrySet()) {
      double part = entry.getValue().reward().reward(state, context) * entry.getValue().weight();
      if (!Double.isFinite(part)) {
        throw new ArithmeticException(
            "reward term %s must be finite, was %s at step %d"
                .formatted(entry.getKey(), part, context.step()));
      }
      context.log().scalar(entry.getKey(), part);
      total += part;
    }
    return total;
  }
}
