package io.tranche.serving;

import org.jspecify.annotations.Nullable;

/// How far a model's live inputs and choices, over the last complete window, are from those in
/// validation.
///
/// @param hasReference whether the bundle has statistics of the validation; if not, nothing is
///   known
/// @param featureShift the largest shift of a feature's mean, in standard deviations of the
///   reference; NaN before the first window
/// @param feature the feature that is farthest from its reference
/// @param actionIndex the population stability index of the choices; NaN before the first window
/// @param isAlarmed whether one of them exceeds its limit
/// @param featureIndex the largest population stability index of a feature; NaN before the first
///   window, or if the bundle has only means
public record DriftReport(
    boolean hasReference,
    double featureShift,
    @Nullable String feature,
    double actionIndex,
    boolean isAlarmed,
    double featureIndex) {

  public static final DriftReport NO_REFERENCE =
      new DriftReport(false, Double.NaN, null, Double.NaN, false, Double.NaN);
}
