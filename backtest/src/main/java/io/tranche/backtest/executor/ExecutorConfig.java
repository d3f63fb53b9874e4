package io.tranche.backtest.executor;

import io.tranche.backtest.Frictions;
import io.tranche.market.Frequency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A nested execution: the levels from the outermost to the innermost, and how the lowest level
/// trades.
///
/// @param levels each with the strategy that splits its decisions; each wider than the next
/// @param leaf the width of the steps in which orders go to the market
/// @param buysFirst whether the purchases of a step go before its sales. Qlib: trade type
///   `parallel`
/// @param matching null to send each order of the lowest level to the exchange, as Qlib does;
///   otherwise the frictions with which the matching core works it over its bars, at the exchange's
///   prices
/// @param lastStepTrades whether a calendar's last entry can be traded; Qlib's cannot
public record ExecutorConfig(
    List<LevelConfig> levels,
    Frequency leaf,
    boolean buysFirst,
    @Nullable Frictions matching,
    boolean lastStepTrades,
    IndicatorConfig indicators) {

  /// One level.
  ///
  /// @param name its frequency as written in the configuration; the key of its history
  /// @param strategy splits the decisions of this level's steps into those of the level below
  public record LevelConfig(String name, Frequency frequency, Strategy.Factory strategy) {

    public static LevelConfig of(String frequency, Strategy.Factory strategy) {
      return new LevelConfig(frequency, Frequency.parse(frequency), strategy);
    }
  }

  public ExecutorConfig {
    levels = List.copyOf(levels);
    if (levels.isEmpty()) {
      throw new IllegalArgumentException("levels must not be empty");
    }
    for (int i = 0; i < levels.size(); i++) {
      Frequency below = i + 1 < levels.size() ? levels.get(i + 1).frequency() : leaf;
      if (levels.get(i).frequency().compareTo(below) < 0) {
        throw new IllegalArgumentException(
            "levels must be from the widest to the narrowest, was %s above %s"
                .formatted(levels.get(i).frequency(), below));
      }
    }
  }

  /// Returns Qlib's executor: each order of the lowest level goes to the exchange.
  public static ExecutorConfig qlib(List<LevelConfig> levels, Frequency leaf) {
    return new ExecutorConfig(levels, leaf, false, null, false, IndicatorConfig.QLIB);
  }

  public ExecutorConfig withBuysFirst(boolean first) {
    return new ExecutorConfig(levels, leaf, first, matching, lastStepTrades, indicators);
  }

  public ExecutorConfig withMatching(Frictions frictions) {
    return new ExecutorConfig(levels, leaf, buysFirst, frictions, lastStepTrades, indicators);
  }

  public ExecutorConfig withLastStepTrades(boolean trades) {
    return new ExecutorConfig(levels, leaf, buysFirst, matching, trades, indicators);
  }

  public ExecutorConfig withIndicators(IndicatorConfig measured) {
    return new ExecutorConfig(levels, leaf, buysFirst, matching, lastStepTrades, measured);
  }
}
