package io.tranche.backtest.run;

import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.executor.ExecutorConfig;
import io.tranche.backtest.executor.TradeRange;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A backtest without its data and orders.
///
/// @param window the times of day at which orders may trade
/// @param accounts makes the account of a run; must be safe to use from several threads
/// @param apart whether each order is run alone, on an exchange that only knows its day, instead of
///   all orders of an instrument in one run. Qlib: `--use_simulator`
/// @param benchmark an instrument that must have daily or 1-minute bars; Qlib's account with real
///   cash needs one, SH000300 (quirk Q35); null if there is none
/// @param recordsOrders whether results contain every child order that was sent
public record BacktestConfig(
    ExchangeConfig exchange,
    ExecutorConfig executor,
    TradeRange window,
    Supplier<Account> accounts,
    boolean apart,
    @Nullable String benchmark,
    boolean recordsOrders) {

  private static final Account UNLIMITED = new Account.Unlimited();

  /// Makes a backtest with unlimited cash and holdings.
  public static BacktestConfig of(
      ExchangeConfig exchange, ExecutorConfig executor, TradeRange window) {
    return new BacktestConfig(exchange, executor, window, () -> UNLIMITED, false, null, false);
  }

  public BacktestConfig withAccounts(Supplier<Account> maker) {
    return new BacktestConfig(exchange, executor, window, maker, apart, benchmark, recordsOrders);
  }

  public BacktestConfig withApart(boolean alone) {
    return new BacktestConfig(
        exchange, executor, window, accounts, alone, benchmark, recordsOrders);
  }

  public BacktestConfig withBenchmark(@Nullable String instrument) {
    return new BacktestConfig(
        exchange, executor, window, accounts, apart, instrument, recordsOrders);
  }

  public BacktestConfig withRecordedOrders(boolean records) {
    return new BacktestConfig(exchange, executor, window, accounts, apart, benchmark, records);
  }
}
