package io.tranche.execution.baseline;

import io.tranche.market.Side;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureSource;
import java.time.LocalDate;
import java.util.List;

/// Trades more or less than TWAP by a linear forecast: where the prices of the rest of the window lie
/// compared with those of the next step, from the features of the newest bar.
///
/// A forecast of one usual size doubles the TWAP volume of a buy and takes that of a sell to zero. An
/// agent that is no better has learnt nothing that needs a network. The first tick of a day has no
/// newest bar and is traded like TWAP.
///
/// @param features of either side alike; stays open
/// @param models one per step, the last for all later ones
public record LinearBaseline(FeatureSource features, List<Model> models) implements Baseline {

  /// A forecast in units of its usual size.
  ///
  /// @param constant what it is without features
  /// @param weights one per column of today; those of constant columns are 0
  public record Model(double constant, List<Double> weights) {

    public Model {
      weights = List.copyOf(weights);
    }

    /// Returns the forecast from a row of features. A number that is missing counts as 0, the middle
    /// of every feature's range.
    double forecast(DayFeatures day, int tick) {
      double sum = constant;
      for (int i = 0; i < weights.size(); i++) {
        float value = day.today(tick, i);
        sum += Float.isFinite(value) ? weights.get(i) * value : 0;
      }
      return sum;
    }
  }

  public LinearBaseline {
    models = List.copyOf(models);
    if (models.isEmpty()) {
      throw new IllegalArgumentException("models must be at least one, was none");
    }
  }

  @Override
  public double volume(DecisionView view) {
    double even = TwapBaseline.even(view);
    int newest = view.tick() - 1;
    if (view.isLastStep() || newest < 0) {
      return even;
    }
    LocalDate date = view.order().date();
    DayFeatures day = features.day(view.order().instrument(), date);
    if (newest >= day.ticks()) {
      return even;
    }
    double rise =
        models.get(Math.min(view.step(), models.size() - 1)).forecast(day, newest);
    double hurry = view.order().side() == Side.BUY ? rise : -rise;
    return Math.min(view.remaining(), even * Math.clamp(1 + hurry, 0, 2));
  }
}
