package io.tranche.backtest.strategy;

import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeDecision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Trades along the optimal trajectory of Almgren and Chriss (2000): the more volatile the price,
/// the earlier. Without a volatility it trades evenly. Qlib: `ACStrategy`, completed: it keeps to
/// the trading range, and finishes both sides in its last step.
public final class AlmgrenChrissStrategy implements Strategy {

  private final double riskOverImpact;
  private final SignalSteps volatility;
  private final Remaining remaining = new Remaining(true);

  /// @param riskAversion lambda: the cost of a unit of variance
  /// @param impact eta: the cost of a unit of trading speed
  /// @param window the number of bars for the volatility
  public AlmgrenChrissStrategy(
      SignalSource source, double riskAversion, double impact, int window) {
    if (!(riskAversion >= 0 && impact > 0)) {
      throw new IllegalArgumentException(
          "riskAversion must not be negative and impact be positive, was %s and %s"
              .formatted(riskAversion, impact));
    }
    if (window < 2) {
      throw new IllegalArgumentException("window must be at least 2, was " + window);
    }
    this.riskOverImpact = riskAversion / impact;
    this.volatility = new SignalSteps(source, volatility(window));
  }

  private static String volatility(int window) {
    String change = "Log($close/Ref($close, 1))";
    return "Power(Sum(Power(%s, 2), %d)/%d-Power(Sum(%s, %d), 2)/(%d*%d), 0.5)"
        .formatted(change, window, window - 1, change, window, window, window - 1);
  }

  @Override
  public void begin(Level level) {
    remaining.begin(level.outer().orders());
    volatility.begin(level);
  }

  @Override
  public TradeDecision decide(Level level, @Nullable List<ExchangeFill> last) {
    remaining.take(last);
    StepCalendar steps = level.steps();
    long start = steps.stepStart();
    long end = steps.stepEnd();
    int step = steps.step() - level.firstStep();
    int count = level.lastStep() - level.firstStep() + 1;
    var children = new ArrayList<ExchangeOrder>();
    for (ExchangeOrder order : level.outer().orders()) {
      if (level.exchange().isTradable(order.instrument(), null, start, end)) {
        double left = remaining.of(order);
        double amount =
            step == count - 1
                ? left
                : level
                    .exchange()
                    .rounded(
                        order.instrument(),
                        left * share(volatility.before(order, steps), count - step),
                        order.start(),
                        order.end());
        amount = Math.min(amount, left);
        if (amount > TwapStrategy.NOTHING) {
          children.add(order.child(amount, start, end));
        }
      }
    }
    return TradeDecision.of(children);
  }

  /// Returns the fraction of what is left that the next of `steps` steps trades: the trajectory's
  /// holdings are proportional to sinh(kappa * steps left).
  private double share(double sigma, int steps) {
    double kappa = acosh(riskOverImpact * sigma * sigma / 2 + 1);
    if (!(kappa > 0)) {
      return 1.0 / steps;
    }
    // sinh(a) / sinh(b) without overflow.
    double a = kappa * (steps - 1);
    double b = kappa * steps;
    return 1 - Math.exp(a - b) * Math.expm1(-2 * a) / Math.expm1(-2 * b);
  }

  private static double acosh(double x) {
    return Math.log(x + Math.sqrt(x * x - 1));
  }
}
