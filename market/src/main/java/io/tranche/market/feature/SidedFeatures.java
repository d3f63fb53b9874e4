package io.tranche.market.feature;

import io.tranche.market.Side;
import java.time.LocalDate;

/// Features as an order of either side is to see them. Safe to use from several threads.
///
/// All orders of one instrument, day and side get the same object, as long as it is remembered: by
/// that, encodings of a day are shared.
public final class SidedFeatures {

  private final FeatureSource sells;
  private final FeatureSource buys;

  private SidedFeatures(FeatureSource sells, FeatureSource buys) {
    this.sells = sells;
    this.buys = buys;
  }

  /// Both sides see the same.
  ///
  /// @param source stays open: it is the caller's
  public static SidedFeatures alike(FeatureSource source) {
    return new SidedFeatures(source, source);
  }

  /// A buy sees the day upside down, as a sell would if prices had gone the other way.
  ///
  /// @param source stays open: it is the caller's
  /// @param cachedDays how many mirrored days are kept in memory
  /// @throws IllegalArgumentException if the columns cannot be mirrored
  public static SidedFeatures mirrored(FeatureSource source, int cachedDays) {
    var mirror = new Mirror(source.columns());
    return new SidedFeatures(
        source,
        new DayCache(
            source.columns(),
            cachedDays,
            (instrument, date) -> mirror.apply(source.day(instrument, date))));
  }

  @SuppressWarnings("ReferenceEquality") // sameness is what is asked
  public boolean isMirrored() {
    return sells != buys;
  }

  /// Returns where the features come from, before any mirroring.
  public FeatureSource source() {
    return sells;
  }

  /// Returns what an order of `side` is to see; see [FeatureSource#day].
  public DayFeatures day(String instrument, LocalDate date, Side side) {
    return switch (side) {
      case SELL -> sells.day(instrument, date);
      case BUY -> buys.day(instrument, date);
    };
  }
}
