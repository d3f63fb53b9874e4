package io.tranche.market.feature.pipeline;

import io.tranche.market.BarSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;

/// The first pass of [FeaturePipeline], instrument by instrument: raw columns as the bytes of a
/// staged file. Safe to use from several threads; another process gets the same bytes from the same
/// bars.
public final class RawFeatures {

  /// Makes raw features of many instruments in other processes.
  @FunctionalInterface
  public interface Elsewhere {

    /// @param staged takes each instrument once, with the result of [RawFeatures#of(String)] there
    void make(List<String> instruments, BiConsumer<String, byte[]> staged);
  }

  private final FeatureStaging staging;
  private final RawColumns.Query columns;
  private final RawColumns.Query bars;

  RawFeatures(FeatureStaging staging) {
    this.staging = staging;
    this.columns = staging.columns();
    this.bars = staging.bars();
  }

  /// @throws io.tranche.config.ConfigException if the source lacks a wanted instrument
  /// @throws io.tranche.market.DataException if it has no bars in the window or lacks a field
  public static RawFeatures of(BarSource source, FeatureConfig config) {
    return new RawFeatures(new FeatureStaging(source, config));
  }

  public byte[] of(String instrument) {
    RawColumns raw = columns.of(instrument);
    return StagedFile.bytes(staging.header(input(instrument), raw), raw.columns());
  }

  /// Returns the checksum of the bars that an instrument's columns are computed from.
  int input(String instrument) {
    return bars.of(instrument).checksum();
  }

  StagedFile write(String instrument, Path file) throws IOException {
    RawColumns raw = columns.of(instrument);
    return StagedFile.write(file, staging.header(input(instrument), raw), raw.columns());
  }
}
