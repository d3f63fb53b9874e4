package io.tranche.analysis;

import io.tranche.run.play.Difference;
import io.tranche.run.play.PolicyResults;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The results of an agent compared with the yardsticks.
///
/// @param overTwap how much better than TWAP it is
/// @param overConstant how much better than constant actions it is; null if the actions are not
///   discrete
/// @param constant name of the constant action with the same result on every order; null if none
/// @param overLinear how much better than the linear baseline it is; null if there is none
/// @param shareOfOptimum its gain over TWAP as a share of the gain that past bars allow; null if
///   that is unknown or nothing
/// @param neutral as `overTwap`, at prices without the market's moves; null if the run is not
///   market-neutral
public record Assessment(
    PolicyResults agent,
    Comparison overTwap,
    @Nullable Comparison overConstant,
    @Nullable String constant,
    @Nullable Comparison overLinear,
    @Nullable Double shareOfOptimum,
    @Nullable Comparison neutral) {

  /// Judges an agent during training: against the constant action that was best on the same orders,
  /// both sides together. Its gain on one side alone comes from the drift of these days, so the
  /// sides are not compared.
  public static Assessment of(PolicyResults agent, Yardsticks yardsticks) {
    Comparison overConstant =
        yardsticks.constants().isEmpty()
            ? null
            : Comparison.of(agent, yardsticks.bestConstant()).withoutSides();
    return of(agent, yardsticks, overConstant);
  }

  /// Judges an agent after training: against the constant actions that were best in validation.
  public static Assessment of(PolicyResults agent, Yardsticks yardsticks, Yardsticks validation) {
    Comparison overConstant =
        yardsticks.constants().isEmpty()
            ? null
            : Comparison.of(agent, yardsticks.constantsChosenOn(validation));
    return of(agent, yardsticks, overConstant);
  }

  private static Assessment of(
      PolicyResults agent, Yardsticks yardsticks, @Nullable Comparison overConstant) {
    Comparison overTwap = Comparison.of(agent, yardsticks.twap());
    PolicyResults linear = yardsticks.linear();
    return new Assessment(
        agent,
        overTwap,
        overConstant,
        constant(agent, yardsticks),
        linear == null ? null : Comparison.of(agent, linear),
        share(overTwap, yardsticks),
        null);
  }

  /// @param comparison with TWAP at prices without the market's moves
  public Assessment withNeutral(Comparison comparison) {
    return new Assessment(
        agent, overTwap, overConstant, constant, overLinear, shareOfOptimum, comparison);
  }

  private static @Nullable String constant(PolicyResults agent, Yardsticks yardsticks) {
    for (PolicyResults constant : yardsticks.constants()) {
      if (agent.isSameAs(constant)) {
        return constant.policy();
      }
    }
    return null;
  }

  private static @Nullable Double share(Comparison overTwap, Yardsticks yardsticks) {
    if (yardsticks.optimum() == null) {
      return null;
    }
    Difference best = Comparison.of(yardsticks.optimum(), yardsticks.twap()).together();
    // Where there is nothing to gain, a share of it means nothing.
    return best.isAboveZero() ? overTwap.together().meanBps() / best.meanBps() : null;
  }

  /// Returns the verdict: better only if the agent beats both TWAP and constant actions.
  public Verdict verdict() {
    Verdict twap = Verdict.of(overTwap);
    if (constant != null) {
      return new Verdict(
          twap.kind() == Verdict.Kind.BETTER ? Verdict.Kind.NO_DIFFERENCE : twap.kind(),
          "The agent has learnt nothing: it is %s; %s.".formatted(constant, twap.sentence()));
    }
    String verb =
        switch (twap.kind()) {
          case BETTER, WORSE -> "is";
          case NO_DIFFERENCE -> "shows";
          case NOT_ENOUGH_DAYS -> "had";
          case DOES_NOT_COMPLETE -> "";
        };
    String text = "The agent %s %s".formatted(verb, twap.sentence()).replace("  ", " ");
    if (twap.kind() != Verdict.Kind.BETTER || overConstant == null) {
      return new Verdict(twap.kind(), text + optimum() + ".");
    }
    Verdict other = Verdict.of(overConstant);
    return other.kind() == Verdict.Kind.BETTER
        ? new Verdict(twap.kind(), "%s, and %s%s.".formatted(text, other.sentence(), optimum()))
        : new Verdict(
            Verdict.Kind.NO_DIFFERENCE,
            "%s, but no better than a constant action: %s%s."
                .formatted(text, other.sentence(), optimum()));
  }

  /// Returns what else the figures say, one sentence each: what could still hide after a verdict of
  /// no difference, what is left without the market's moves, and whether a linear forecast does as
  /// well as an agent that is better than TWAP.
  public List<String> remarks() {
    var remarks = new ArrayList<String>();
    Verdict.Kind kind = verdict().kind();
    String hidden = constant == null ? notRuledOut(kind, overTwap) : null;
    if (hidden != null) {
      remarks.add(hidden);
    }
    if (neutral != null && neutral.scatterBps() > 0) {
      remarks.add("Without the market's moves: " + Verdict.of(neutral).sentence() + ".");
    }
    String simpler = overLinear == null ? null : needsNoNetwork(kind, overLinear.together());
    if (simpler != null) {
      remarks.add(simpler);
    }
    return remarks;
  }

  /// Returns what could still hide after a verdict of no difference from TWAP.
  ///
  /// @return null after another verdict, or if the differences are no measurement
  public static @Nullable String notRuledOut(Verdict.Kind kind, Comparison overTwap) {
    boolean isMeasured = overTwap.scatterBps() > 0 && !overTwap.cancels();
    if (kind != Verdict.Kind.NO_DIFFERENCE || !isMeasured) {
      return null;
    }
    Difference gain = overTwap.together();
    return String.format(
        Locale.ROOT,
        "Not ruled out: an advantage of up to %.1f bps over TWAP. One of %.1f bps would have been"
            + " seen in four of five such samples.",
        Math.max(0, gain.high()),
        Power.detectableBps(gain));
  }

  /// Says that a linear forecast does as well as an agent that is better than TWAP.
  ///
  /// @return null after another verdict, or if the agent is better than the linear baseline too
  public static @Nullable String needsNoNetwork(Verdict.Kind kind, Difference overLinear) {
    return kind == Verdict.Kind.BETTER && !overLinear.isAboveZero()
        ? "It is not shown to be better than the linear baseline: what it has learnt needs no"
            + " network."
        : null;
  }

  private String optimum() {
    return shareOfOptimum == null
        ? ""
        : String.format(Locale.ROOT, "; %.0f %% of what past bars allow", 100 * shareOfOptimum);
  }
}
