/// Orders, and the matching core that turns wanted volumes and bars into fills.
module io.tranche.backtest {
  requires transitive io.tranche.market;
  requires static transitive org.jspecify;

  exports io.tranche.backtest;
  exports io.tranche.backtest.exchange;
  exports io.tranche.backtest.executor;
  exports io.tranche.backtest.run;
  exports io.tranche.backtest.strategy;
}
