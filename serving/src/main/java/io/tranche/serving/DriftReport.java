package io.tranche.serving;

import org.jspecify.annotations.Nullable;

/// How far what a model sees and does live is from what it saw and did in validation, over the last
/// whole window.
///
/// @param hasReference whether its bundle says what that was; without, nothing can be told
/// @param featureShift of the feature that moved most: how far its mean is from the reference's, in
///   the reference's standard deviations; NaN before the first window
/// @param feature its name
/// @param actionIndex the population stability index of the choices; NaN before the first window
/// @param isAlarmed whether one of them is beyond its limit
public record DriftReport(
    boolean hasReference,
    double featureShift,
    @Nullable String feature,
    double actionIndex,
    boolean isAlarmed) {

  public static final DriftReport NO_REFERENCE =
      new DriftReport(false, Double.NaN, null, Double.NaN, false);
}
