/// Market data: bars become day frames, features and orders.
module io.tranche.market {
  requires transitive io.tranche.config;
  requires transitive io.tranche.files;
  requires static transitive org.jspecify;

  exports io.tranche.market;
  exports io.tranche.market.cache;
  exports io.tranche.market.check;
  exports io.tranche.market.expression;
  exports io.tranche.market.expression.evaluation;
  exports io.tranche.market.feature;
  exports io.tranche.market.feature.pipeline;
  exports io.tranche.market.feature.provider;
  exports io.tranche.market.order;
  exports io.tranche.market.pickle;
  exports io.tranche.market.session;
  exports io.tranche.market.store;
  exports io.tranche.market.synthetic;
  exports io.tranche.market.table;
  exports io.tranche.market.volume;

  uses io.tranche.market.TableFormat;
  uses io.tranche.market.feature.provider.FeatureProvider;

  provides io.tranche.market.TableFormat with
      io.tranche.market.pickle.PickleFormat,
      io.tranche.market.table.CsvFormat;
  provides io.tranche.market.feature.provider.FeatureProvider with
      io.tranche.market.feature.provider.Spread,
      io.tranche.market.feature.provider.DepthImbalance,
      io.tranche.market.feature.provider.PriceMoves,
      io.tranche.market.feature.provider.RealisedVolatility,
      io.tranche.market.feature.provider.RelativeVolume,
      io.tranche.market.feature.provider.TimeOfDay,
      io.tranche.market.feature.provider.VolumeAhead,
      io.tranche.market.feature.provider.VolumeProfile;
}
