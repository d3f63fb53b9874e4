/// Market data: bars become day frames, features and orders.
module io.tranche.market {
  requires transitive io.tranche.config;
  requires static transitive org.jspecify;

  exports io.tranche.market;
  exports io.tranche.market.expression;
  exports io.tranche.market.store;

  uses io.tranche.market.TableFormat;
}
