package io.tranche.market.feature;

import io.tranche.market.Side;
import java.time.LocalDate;

/// Features as an order of either side sees them. Safe to use from several threads.
///
/// All orders of one instrument, day and side get the same object while it is cached, so that they
/// can share encodings of the day.
public final class SidedFeatures {

  private final FeatureSource sells;
  private final FeatureSource buys;

  private SidedFeatures(FeatureSource sells, FeatureSource buys) {
    this.sells = sells;
    this.buys = buys;
  }

  /// Both sides see the same features.
  ///
  /// @param source owned by the caller, who closes it
  public static SidedFeatures alike(FeatureSource source) {
    return new SidedFeatures(source, source);
  }

  /// A buy sees the mirrored day: what a sell would see if prices had gone the other way.
  ///
  /// @param source owned by the caller, who closes it
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

  @SuppressWarnings("ReferenceEquality") // identity is meant
  public boolean isMirrored() {
    return sells != buys;
  }

  /// Returns where the features come from, before any mirroring.
  public FeatureSource source() {
    return sells;
  }

  /// Returns the features for an order of `side`; see [FeatureSource#day].
  public DayFeatures day(String instrument, LocalDate date, Side side) {
    return switch (side) {
      case SELL -> sells.day(instrument, date);
      case BUY -> buys.day(instrument, date);
    };
  }
}
