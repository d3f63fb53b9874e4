package io.tranche.market.feature.pipeline;

import static java.util.Objects.requireNonNull;

import io.tranche.market.BarSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BiConsumer;

/// The first pass of [FeaturePipeline], instrument by instrument: raw columns as the bytes of a
/// staged file, volumes as their logarithms. Safe to use from several threads; another process gets
/// the same bytes from the same bars.
public final class RawFeatures {

  /// Makes raw features of many instruments in other processes.
  @FunctionalInterface
  public interface Elsewhere {

    /// @param staged takes each instrument once, with the result of [RawFeatures#of(String)] there
    void make(List<String> instruments, BiConsumer<String, byte[]> staged);
  }

  private final FeatureStaging staging;
  private final IdentityHashMap<StagingGroup, RawColumns.Query> columns = new IdentityHashMap<>();
  private final IdentityHashMap<StagingGroup, RawColumns.Query> bars = new IdentityHashMap<>();

  RawFeatures(FeatureStaging staging) {
    this.staging = staging;
    for (StagingGroup group : staging.groups()) {
      columns.put(group, group.columns());
      bars.put(group, group.bars());
    }
  }

  /// @throws io.tranche.config.ConfigException if the source lacks a wanted instrument
  /// @throws io.tranche.market.DataException if it has no bars in the window or lacks a field
  public static RawFeatures of(BarSource source, FeatureConfig config) {
    return new RawFeatures(new FeatureStaging(source, config));
  }

  public byte[] of(String instrument) {
    RawColumns raw = columns(instrument);
    return StagedFile.bytes(header(instrument, raw), raw.columns());
  }

  /// Returns the checksum of the bars that an instrument's columns are computed from.
  int input(String instrument) {
    return requireNonNull(bars.get(staging.group(instrument))).of(instrument).checksum();
  }

  StagedFile write(String instrument, Path file) throws IOException {
    RawColumns raw = columns(instrument);
    return StagedFile.write(file, header(instrument, raw), raw.columns());
  }

  private RawColumns columns(String instrument) {
    StagingGroup group = staging.group(instrument);
    RawColumns raw = requireNonNull(columns.get(group)).of(instrument);
    group.transform(raw.columns());
    return raw;
  }

  private StagedFile.Header header(String instrument, RawColumns raw) {
    return staging.group(instrument).header(input(instrument), raw);
  }
}
