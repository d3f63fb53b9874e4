package io.tranche.execution;

import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.market.Side;
import java.time.LocalDateTime;

/// What was filled in a period (a tick, a step or a whole order), and what the market did.
///
/// Qlib: `SAOEMetrics`; the names of its fields are the keys in logs and files.
///
/// @param time when the period began
/// @param marketVolume the market's volume
/// @param marketPrice the plain mean of the deal prices
/// @param amount the requested volume
/// @param innerAmount the volume submitted to the level below
/// @param filledAmount the filled volume
/// @param tradePrice the average price of the fills; 0 without a fill
/// @param tradeValue the value of the fills, without fees
/// @param remaining what remained after the period
/// @param fillRate the filled fraction of the whole order
/// @param advantageBps how much better the trade price is than the order's TWAP. For a whole order
///   under the native rule, what was not filled counts at [ExecutionState#restPrice]
public record ExecutionMetrics(
    String instrument,
    LocalDateTime time,
    Side side,
    double marketVolume,
    double marketPrice,
    double amount,
    double innerAmount,
    double filledAmount,
    double tradePrice,
    double tradeValue,
    double remaining,
    double fillRate,
    double advantageBps) {

  /// Logs the metrics of a finished order under Qlib's names and in its order.
  ///
  /// @param singles whether market columns are float32, which Qlib does not average as numbers
  void writeTo(LogCollector log, ExecutionState state, boolean singles) {
    log.any("history_steps", state.stepRows(), LogLevel.DEBUG);
    log.any("history_exec", state.tickRows(), LogLevel.DEBUG);
    log.any("stock_id", instrument, LogLevel.PERIODIC);
    log.any("datetime", time, LogLevel.PERIODIC);
    log.any("direction", side, LogLevel.PERIODIC);
    market(log, "market_volume", marketVolume, singles);
    market(log, "market_price", marketPrice, singles);
    log.scalar("amount", amount);
    log.scalar("inner_amount", innerAmount);
    log.scalar("deal_amount", filledAmount);
    log.scalar("trade_price", tradePrice);
    log.scalar("trade_value", tradeValue);
    log.scalar("position", remaining);
    log.scalar("ffr", fillRate);
    log.scalar("pa", advantageBps);
  }

  private static void market(LogCollector log, String name, double value, boolean singles) {
    if (singles) {
      log.any(name, (float) value, LogLevel.PERIODIC);
    } else {
      log.scalar(name, value);
    }
  }

  /// Returns how much better `price` is than `base` in basis points: 0 where there is nothing to
  /// compare, and never infinite. Qlib: `price_advantage`.
  public static double advantageBps(Side side, double price, double base) {
    if (base == 0) {
      return 0;
    }
    double advantage = side.advantageBps(price, base);
    return Double.isNaN(advantage) ? 0 : Math.clamp(advantage, -Double.MAX_VALUE, Double.MAX_VALUE);
  }

  /// Returns the same in float32 arithmetic, as numpy does it for float32 prices.
  static float singleAdvantageBps(Side side, float price, float base) {
    if (base == 0) {
      return 0;
    }
    float ratio = price / base;
    float advantage = 10_000f * (side == Side.BUY ? 1 - ratio : ratio - 1);
    return Float.isNaN(advantage) ? 0 : Math.clamp(advantage, -Float.MAX_VALUE, Float.MAX_VALUE);
  }
}
