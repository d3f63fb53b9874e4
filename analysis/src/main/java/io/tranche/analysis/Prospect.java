package io.tranche.analysis;

import io.tranche.market.Side;
import io.tranche.market.synthetic.Benchmarks;
import io.tranche.market.synthetic.Opportunity;
import io.tranche.market.synthetic.Split;
import io.tranche.run.play.Summary;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What can be won on one split of the embedded market.
///
/// @param side null for both together
/// @param expected what the optimum expected, which does not depend on how the days turned out
public record Prospect(
    Split split,
    @Nullable Side side,
    Summary optimum,
    Summary expected,
    Summary bestStep,
    Summary bestBar) {

  /// Returns for each split of the embedded market both sides together, then the sells, then the
  /// buys.
  public static List<Prospect> of(Benchmarks benchmarks) {
    var parts = new ArrayList<Part>();
    for (Split split : Split.values()) {
      parts.add(new Part(split, null));
      for (Side side : Side.values()) {
        parts.add(new Part(split, side));
      }
    }
    benchmarks.opportunities().forEach(each -> parts.forEach(part -> part.add(each)));
    return parts.stream().map(Part::build).toList();
  }

  private static final class Part {

    private final Split split;
    private final @Nullable Side side;
    private final Summary.Builder optimum = new Summary.Builder();
    private final Summary.Builder expected = new Summary.Builder();
    private final Summary.Builder bestStep = new Summary.Builder();
    private final Summary.Builder bestBar = new Summary.Builder();

    Part(Split split, @Nullable Side side) {
      this.split = split;
      this.side = side;
    }

    void add(Opportunity opportunity) {
      if (opportunity.split() == split && (side == null || opportunity.side() == side)) {
        optimum.add(opportunity.date(), opportunity.optimumBps());
        expected.add(opportunity.date(), opportunity.expectedBps());
        bestStep.add(opportunity.date(), opportunity.bestStepBps());
        bestBar.add(opportunity.date(), opportunity.bestBarBps());
      }
    }

    Prospect build() {
      return new Prospect(
          split, side, optimum.build(), expected.build(), bestStep.build(), bestBar.build());
    }
  }
}
