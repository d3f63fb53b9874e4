package io.tranche.run.play;

import io.tranche.env.Observation;
import io.tranche.execution.baseline.TwapBaseline;
import io.tranche.market.Side;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Logs at every validation how much the agent is better than TWAP at least: the lower end of the
/// 95 % interval, clustered by day. The best mean of many validations is mostly the luckiest; the
/// best lower bound is less so.
public final class LowerBound<O extends Observation> implements Callback {

  /// The name of the metric in training's log.
  public static final String METRIC = "val/lower_bound";

  private static final String NAME = METRIC.substring(METRIC.indexOf('/') + 1);

  private final Supplier<OrderPlayer> orders;
  private final Candidate<O> agent;
  private @Nullable OrderPlayer player;
  private @Nullable PolicyResults twap;

  /// @param orders makes the player of the validation orders, when it is needed
  public LowerBound(Supplier<OrderPlayer> orders, Candidate<O> agent) {
    this.orders = orders;
    this.agent = agent;
  }

  @Override
  public void on(Hook hook, Trainer trainer) {
    if (hook != Hook.VALIDATE_END) {
      return;
    }
    if (player == null || twap == null) {
      player = orders.get();
      twap = player.run(Candidate.rule("TWAP", new TwapBaseline()));
    }
    if (!player.orders().isEmpty()) {
      trainer.log(NAME, of(player.run(agent), twap));
    }
  }

  /// Returns the lower bound of what orders won; of a single day, which has none, the mean.
  ///
  /// Of an agent that does the same whatever it sees, buys win exactly what sells of the same
  /// orders lose. That no day differs then proves nothing, so the bound is that of the worse side.
  static double of(PolicyResults agent, PolicyResults twap) {
    List<OrderResult> won = agent.minus(twap);
    Difference all = difference(won, null);
    if (all.days() < 2) {
      return all.meanBps();
    }
    double squares = won.stream().mapToDouble(each -> Math.pow(each.netAdvantageBps(), 2)).sum();
    double scatter = Math.sqrt(Math.max(0, squares / won.size() - Math.pow(all.meanBps(), 2)));
    boolean hasBothSides = won.stream().map(each -> each.order().side()).distinct().count() == 2;
    return hasBothSides && all.cancels(scatter)
        ? Math.min(difference(won, Side.SELL).low(), difference(won, Side.BUY).low())
        : all.low();
  }

  private static Difference difference(List<OrderResult> won, @Nullable Side side) {
    var differences = new Difference.Builder();
    for (OrderResult each : won) {
      if (side == null || each.order().side() == side) {
        differences.add(each.order().date(), each.netAdvantageBps());
      }
    }
    return differences.build();
  }
}
