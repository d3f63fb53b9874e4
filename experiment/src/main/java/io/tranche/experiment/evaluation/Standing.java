package io.tranche.experiment.evaluation;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/// Where an agent stands among the yardsticks.
///
/// @param overTwap how much better than TWAP it is
/// @param overConstant how much better than a constant action it is; none if actions are not
///   choices
/// @param constant which constant action it is: one that ends every order just as it does
/// @param shareOfOptimum what part of what past bars allow it wins over TWAP
public record Standing(
    PolicyResults agent,
    Comparison overTwap,
    Optional<Comparison> overConstant,
    Optional<String> constant,
    OptionalDouble shareOfOptimum) {

  /// Judges an agent while it is trained: against the constant action that was best on these very
  /// orders.
  public static Standing of(PolicyResults agent, Yardsticks yardsticks) {
    return of(
        agent,
        yardsticks,
        yardsticks.constants().isEmpty()
            ? Optional.empty()
            : Optional.of(yardsticks.bestConstant()));
  }

  /// Judges an agent in the end: against the constant actions that validation would have chosen.
  public static Standing of(PolicyResults agent, Yardsticks yardsticks, Yardsticks validation) {
    return of(
        agent,
        yardsticks,
        yardsticks.constants().isEmpty()
            ? Optional.empty()
            : Optional.of(yardsticks.constantsChosenOn(validation)));
  }

  private static Standing of(
      PolicyResults agent, Yardsticks yardsticks, Optional<PolicyResults> reference) {
    Comparison overTwap = Comparison.of(agent, yardsticks.twap());
    return new Standing(
        agent,
        overTwap,
        reference.map(results -> Comparison.of(agent, results)),
        yardsticks.constants().stream()
            .filter(agent::isSameAs)
            .map(PolicyResults::policy)
            .findFirst(),
        share(overTwap, yardsticks));
  }

  private static OptionalDouble share(Comparison overTwap, Yardsticks yardsticks) {
    if (yardsticks.optimum().isEmpty()) {
      return OptionalDouble.empty();
    }
    Comparison best = Comparison.of(yardsticks.optimum().get(), yardsticks.twap());
    // Where there is nothing to win, a share of it means nothing.
    return best.together().isAboveZero()
        ? OptionalDouble.of(overTwap.together().meanBps() / best.together().meanBps())
        : OptionalDouble.empty();
  }

  /// Returns what all of this shows: better only if it is so against TWAP and constant actions.
  public Verdict verdict() {
    Verdict twap = Verdict.of(overTwap);
    if (constant.isPresent()) {
      return new Verdict(
          twap.kind() == Verdict.Kind.BETTER ? Verdict.Kind.NO_DIFFERENCE : twap.kind(),
          "The agent has learnt nothing: it is %s; %s.".formatted(constant.get(), twap.sentence()));
    }
    String text = "The agent is " + twap.sentence();
    if (twap.kind() != Verdict.Kind.BETTER || overConstant.isEmpty()) {
      return new Verdict(twap.kind(), text + optimum() + ".");
    }
    Verdict other = Verdict.of(overConstant.get());
    return other.kind() == Verdict.Kind.BETTER
        ? new Verdict(twap.kind(), "%s, and %s%s.".formatted(text, other.sentence(), optimum()))
        : new Verdict(
            Verdict.Kind.NO_DIFFERENCE,
            "%s, but no better than a constant action: %s%s."
                .formatted(text, other.sentence(), optimum()));
  }

  private String optimum() {
    return shareOfOptimum.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT, "; %.0f %% of what past bars allow", 100 * shareOfOptimum.getAsDouble());
  }
}
