/// The order-execution problem: states, simulators, interpreters, rewards and baselines.
module io.tranche.execution {
  requires transitive io.tranche.backtest;
  requires transitive io.tranche.env;
  requires transitive io.tranche.market;
  requires static transitive org.jspecify;

  exports io.tranche.execution;
  exports io.tranche.execution.baseline;
  exports io.tranche.execution.catalog;
  exports io.tranche.execution.interpreter;
  exports io.tranche.execution.reward;
}
