package io.tranche.serving;

import org.jspecify.annotations.Nullable;

/// How far a model's live inputs and choices, over the last complete window, are from those in
/// validation.
///
/// @param hasReference whether the bundle has statistics of the validation; if not, nothing is
///   known
/// @param featureShift the largest shift of a feature's mean, in standard deviations of the
///   reference; NaN before the first window
/// @param feature the feature with that shift
/// @param actionIndex the population stability index of the choices; NaN before the first window
/// @param isAlarmed whether one of the two exceeds its limit
public record DriftReport(
    boolean hasReference,
    double featureShift,
    @Nullable String feature,
    double actionIndex,
    boolean isAlarmed) {

  public static final DriftReport NO_REFERENCE =
      new DriftReport(false, Double.NaN, null, Double.NaN, false);
}
