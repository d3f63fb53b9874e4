package io.tranche.work.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.GroupStatistics.Deviation;
import io.tranche.market.feature.pipeline.RawFeatures;
import io.tranche.market.store.QlibStore;
import io.tranche.work.Job;
import io.tranche.work.JobBackend;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import io.tranche.work.PieceCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
  public static RawFeatures.Elsewhere on(
      JobBackend backend, StorePlace store, FeatureConfig config) {
    byte[] setup =
        PieceCodec.write(
            out -> {
              store.write(out);
              write(config, out);
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
          return new RawJob(store, RawFeatures.of(store, read(in)));
        });
  }

  private static void write(FeatureConfig config, DataOutputStream out) throws IOException {
    for (long time : List.of(config.start(), config.end(), config.fitStart(), config.fitEnd())) {
      out.writeLong(time);
    }
    out.writeInt(config.dayLength());
    writeTexts(config.prices(), out);
    PieceCodec.writeNumber(config.groups().size(), out);
    for (var group : config.groups().entrySet()) {
      PieceCodec.writeText(group.getKey(), out);
      out.writeInt(group.getValue());
    }
    PieceCodec.writeText(config.deviation().name(), out);
    out.writeBoolean(config.backtestVwap());
    writeTexts(config.instruments(), out);
  }

  private static FeatureConfig read(DataInputStream in) throws IOException {
    long start = in.readLong();
    long end = in.readLong();
    long fitStart = in.readLong();
    long fitEnd = in.readLong();
    int dayLength = in.readInt();
    List<String> prices = readTexts(in);
    var groups = new LinkedHashMap<String, Integer>();
    for (int left = PieceCodec.readCount(in, 1 + Integer.BYTES); left > 0; left--) {
      groups.put(PieceCodec.readText(in), in.readInt());
    }
    try {
      return new FeatureConfig(
          start,
          end,
          fitStart,
          fitEnd,
          dayLength,
          prices,
          groups,
          Deviation.valueOf(PieceCodec.readText(in)),
          in.readBoolean(),
          readTexts(in));
    } catch (IllegalArgumentException e) {
      throw new StreamCorruptedException(e.getMessage());
    }
  }

  private static void writeTexts(List<String> texts, DataOutputStream out) throws IOException {
    PieceCodec.writeNumber(texts.size(), out);
    for (String text : texts) {
      PieceCodec.writeText(text, out);
    }
  }

  private static List<String> readTexts(DataInputStream in) throws IOException {
    var texts = new ArrayList<String>();
    for (int left = PieceCodec.readCount(in, 1); left > 0; left--) {
      texts.add(PieceCodec.readText(in));
    }
    return texts;
  }

  private record RawJob(QlibStore store, RawFeatures features) implements Job {

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
