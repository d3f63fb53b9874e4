package io.tranche.work.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSource;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.FeatureConfig.Rules;
import io.tranche.market.feature.pipeline.RawFeatures;
import io.tranche.market.session.SessionBars;
import io.tranche.market.session.SessionBars.Reading;
import io.tranche.market.store.QlibStore;
import io.tranche.work.Job;
import io.tranche.work.JobBackend;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import io.tranche.work.PieceCodec;
import io.tranche.work.SentConfig;
import java.util.List;

/// Raw features. A piece is one instrument.
public final class FeaturesKind implements JobKind {

  /// How many instruments each worker gets in a round. Their columns are large, so the next round
  /// is sent when these are on disk.
  private static final int ROUND = 4;

  @Override
  public String name() {
    return "features";
  }

  /// Returns a maker of raw features that works on `backend`.
  ///
  /// @param reading how the times of the store are read, unless by Qlib's rules
  public static RawFeatures.Elsewhere on(
      JobBackend backend, StorePlace store, Reading reading, FeatureConfig config) {
    byte[] setup =
        PieceCodec.write(
            out -> {
              store.write(out);
              SentConfig.write(config.toConfig(), out);
              SentConfig.write(ConfigFiles.of("reading", reading.toConfig()), out);
            });
    return (instruments, staged) -> {
      try (JobSession session = backend.open(new FeaturesKind(), setup)) {
        int round = ROUND * backend.width();
        for (int from = 0; from < instruments.size(); from += round) {
          List<String> some = instruments.subList(from, Math.min(instruments.size(), from + round));
          session.run(
              new byte[0],
              some.stream().map(code -> code.getBytes(UTF_8)).toList(),
              (piece, result) -> staged.accept(some.get(piece), result));
        }
      }
    };
  }

  @Override
  public Job open(byte[] setup) {
    return PieceCodec.read(
        "the setup of features",
        setup,
        in -> {
          QlibStore store = StorePlace.open(in);
          FeatureConfig config = FeatureConfig.from(SentConfig.read("features", in));
          Reading reading = Reading.from(SentConfig.read("reading", in));
          BarSource bars =
              config.rules() == Rules.QLIB
                  ? store
                  : SessionBars.of(store.root().toString(), store, reading);
          return new RawJob(bars, RawFeatures.of(bars, config));
        });
  }

  private record RawJob(BarSource store, RawFeatures features) implements Job {

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      return features.of(new String(piece, UTF_8));
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
