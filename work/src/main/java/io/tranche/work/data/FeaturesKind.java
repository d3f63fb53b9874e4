package io.tranche.work.data;

import io.tranche.config.ConfigFiles;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.RawFeatures;
import io.tranche.market.store.QlibStore;
import io.tranche.work.Backend;
import io.tranche.work.Job;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import io.tranche.work.Unpacker;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiConsumer;

/// Raw features, a piece of which is an instrument.
public final class FeaturesKind implements JobKind {

  /// How many instruments somebody who works gets in a round: their columns are large, and the next
  /// ones are sent when these are on disk.
  private static final int ROUND = 4;

  @Override
  public String name() {
    return "features";
  }

  /// Returns what makes raw features at a place.
  public static RawFeatures.Elsewhere at(Backend place, StorePlace store, FeatureConfig config) {
    byte[] setup = store.pack().put(config.toYaml()).bytes();
    return (instruments, staged) -> {
      try (JobSession team = place.open(new FeaturesKind(), setup)) {
        int round = ROUND * place.width();
        for (int from = 0; from < instruments.size(); from += round) {
          run(team, instruments.subList(from, Math.min(instruments.size(), from + round)), staged);
        }
      }
    };
  }

  private static void run(
      JobSession team, List<String> instruments, BiConsumer<String, byte[]> staged) {
    team.run(
        new byte[0],
        instruments.stream().map(code -> code.getBytes(StandardCharsets.UTF_8)).toList(),
        (piece, answer) -> staged.accept(instruments.get(piece), answer));
  }

  @Override
  public Job open(byte[] setup) {
    var packed = new Unpacker(setup);
    QlibStore store = StorePlace.open(packed);
    FeatureConfig config = FeatureConfig.from(ConfigFiles.parse("features", packed.nextText()));
    return new RawJob(store, RawFeatures.of(store, config));
  }

  private record RawJob(QlibStore store, RawFeatures features) implements Job {

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      return features.of(new String(piece, StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
      store.close();
    }
  }
}
