package io.tranche.analysis;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.env.Simulator;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.baseline.LinearBaseline;
import io.tranche.execution.baseline.LinearBaseline.Model;
import io.tranche.market.Order;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureSource;
import io.tranche.run.play.OrderPlayer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Fits a [LinearBaseline] to training orders: one ridge regression per step.
///
/// The penalty is the one that forecasts the last fifth of the training days best when fitted to
/// the others; the model is then fitted to all of them. If no penalty forecasts those days better
/// than their mean, the model forecasts nothing, and the baseline is TWAP.
public final class LinearFit {

  /// More orders do not change so few numbers.
  private static final int MOST_ORDERS = 6000;

  /// Of the number of samples, for features in units of their deviation.
  private static final double[] PENALTIES = {0.001, 0.01, 0.1, 1, 10};

  private static final double LATER_DAYS = 0.2;

  private final FeatureSource features;
  private final int width;
  private final List<List<Sample>> steps = new ArrayList<>();

  private LinearFit(FeatureSource features) {
    this.features = features;
    this.width = features.columns().today().size();
  }

  /// What the features were at the end of a bar, and by how much prices rose afterwards.
  record Sample(LocalDate date, List<Float> row, double riseBps) {}

  /// Fits to orders.
  ///
  /// @param features of either side alike; stays open
  /// @param training executes the training orders; of each window one order is used
  /// @return null if there are no features, or nothing to fit to
  public static @Nullable LinearBaseline fit(FeatureSource features, OrderPlayer training) {
    var fit = new LinearFit(features);
    List<Order> orders = training.orders();
    if (fit.width == 0 || orders.isEmpty()) {
      return null;
    }
    var windows = new HashSet<List<Object>>();
    List<Order> distinct =
        orders.stream()
            .filter(order -> windows.add(List.of(order.instrument(), order.start(), order.end())))
            .toList();
    int every = Math.ceilDiv(distinct.size(), MOST_ORDERS);
    for (int i = 0; i < distinct.size(); i += every) {
      fit.collect(training.open(distinct.get(i)));
    }
    List<Model> models = models(fit.steps, fit.width);
    return models.isEmpty() ? null : new LinearBaseline(features, models);
  }

  private void collect(Simulator<ExecutionState, ChildOrder> simulator) {
    Order order = simulator.state().order();
    DayFeatures day = features.day(order.instrument(), order.date());
    while (!simulator.isDone()) {
      ExecutionState state = simulator.state();
      boolean isLast = state.stepEnd() >= state.endTick();
      int newest = state.tick() - 1;
      while (steps.size() <= state.step()) {
        steps.add(new ArrayList<>());
      }
      if (!isLast && newest >= 0 && newest < day.ticks()) {
        double now = mean(state.ticks(), state.tick(), state.stepEnd());
        double rest = mean(state.ticks(), state.stepEnd(), state.endTick());
        double rise = 10_000 * (rest / now - 1);
        if (Double.isFinite(rise)) {
          steps.get(state.step()).add(new Sample(order.date(), row(day, newest), rise));
        }
      }
      simulator.step(ChildOrder.market(DeviationGuard.even(state, isLast)));
    }
  }

  private List<Float> row(DayFeatures day, int tick) {
    var row = new ArrayList<Float>(width);
    for (int i = 0; i < width; i++) {
      float value = day.today(tick, i);
      row.add(Float.isFinite(value) ? value : 0f);
    }
    return row;
  }

  private static double mean(DayTicks ticks, int from, int to) {
    double sum = 0;
    int count = 0;
    for (int tick = from; tick < to; tick++) {
      double price = ticks.price(tick);
      if (price > 0) {
        sum += price;
        count++;
      }
    }
    return sum / count;
  }

  /// Returns one model per step; none if there are no samples.
  ///
  /// @param width how many numbers each row has
  static List<Model> models(List<List<Sample>> steps, int width) {
    List<LocalDate> days =
        steps.stream().flatMap(List::stream).map(Sample::date).distinct().sorted().toList();
    if (days.isEmpty()) {
      return List.of();
    }
    int earlier = (int) Math.round((1 - LATER_DAYS) * days.size());
    LocalDate end = days.get(Math.clamp(earlier, 0, days.size() - 1));
    double best = 0; // what the mean forecasts
    double penalty = Double.POSITIVE_INFINITY;
    for (double each : PENALTIES) {
      double gain = gain(steps, width, end, each);
      if (gain > best) {
        best = gain;
        penalty = each;
      }
    }
    var models = new ArrayList<Model>();
    for (List<Sample> samples : steps) {
      models.add(
          samples.isEmpty() || Double.isInfinite(penalty)
              ? new Model(0, List.of())
              : unit(Ridge.of(samples, width, penalty), samples));
    }
    return models;
  }

  /// Returns how much of the squares of the days from `end` on the forecasts of earlier days
  /// explain. The drift of the earlier days is left out: it is another one next month.
  private static double gain(List<List<Sample>> steps, int width, LocalDate end, double penalty) {
    double gain = 0;
    for (List<Sample> samples : steps) {
      List<Sample> before = samples.stream().filter(each -> each.date().isBefore(end)).toList();
      if (before.size() <= width) {
        continue;
      }
      Ridge ridge = Ridge.of(before, width, penalty);
      for (Sample each : samples) {
        if (!each.date().isBefore(end)) {
          double forecast = ridge.forecast(each.row()) - ridge.mean;
          gain += each.riseBps() * each.riseBps() - Math.pow(each.riseBps() - forecast, 2);
        }
      }
    }
    return gain;
  }

  /// Returns the model in units of the deviation of its forecasts.
  private static Model unit(Ridge ridge, List<Sample> samples) {
    double squares = 0;
    for (Sample each : samples) {
      double forecast = ridge.forecast(each.row()) - ridge.mean;
      squares += forecast * forecast;
    }
    double scale = Math.sqrt(squares / samples.size());
    if (!(scale > 0)) {
      return new Model(0, List.of());
    }
    return new Model(
        (ridge.constant - ridge.mean) / scale,
        Arrays.stream(ridge.weights).map(weight -> weight / scale).boxed().toList());
  }

  /// A ridge regression on columns in units of their deviation.
  private static final class Ridge {

    final double mean;
    final double constant;
    final double[] weights;

    private Ridge(double mean, double constant, double[] weights) {
      this.mean = mean;
      this.constant = constant;
      this.weights = weights;
    }

    static Ridge of(List<Sample> samples, int width, double penalty) {
      int count = samples.size();
      // Counted from the first sample, the mean of a constant column is exact and its deviation is
      // 0.
      List<Float> first = samples.getFirst().row();
      double[] means = new double[width];
      Arrays.setAll(means, first::get);
      double[] deviations = new double[width];
      double mean = 0;
      for (Sample each : samples) {
        mean += each.riseBps() / count;
        for (int i = 0; i < width; i++) {
          means[i] += ((double) each.row().get(i) - first.get(i)) / count;
        }
      }
      for (Sample each : samples) {
        for (int i = 0; i < width; i++) {
          deviations[i] += Math.pow(each.row().get(i) - means[i], 2) / count;
        }
      }
      Arrays.setAll(deviations, i -> Math.sqrt(deviations[i]));
      double[][] products = new double[width][width + 1];
      double[] unit = new double[width];
      for (Sample each : samples) {
        for (int i = 0; i < width; i++) {
          unit[i] = deviations[i] > 0 ? (each.row().get(i) - means[i]) / deviations[i] : 0;
        }
        for (int i = 0; i < width; i++) {
          for (int j = 0; j < width; j++) {
            products[i][j] += unit[i] * unit[j];
          }
          products[i][width] += unit[i] * (each.riseBps() - mean);
        }
      }
      for (int i = 0; i < width; i++) {
        products[i][i] += penalty * count;
      }
      double[] weights = solved(products);
      double constant = mean;
      for (int i = 0; i < width; i++) {
        weights[i] = deviations[i] > 0 ? weights[i] / deviations[i] : 0;
        constant -= weights[i] * means[i];
      }
      return new Ridge(mean, constant, weights);
    }

    /// Solves a symmetric positive definite system by elimination; its last column is the right
    /// side. The penalty on the diagonal makes pivots unnecessary.
    private static double[] solved(double[][] rows) {
      int size = rows.length;
      for (int i = 0; i < size; i++) {
        for (int below = i + 1; below < size; below++) {
          double factor = rows[below][i] / rows[i][i];
          for (int j = i; j <= size; j++) {
            rows[below][j] -= factor * rows[i][j];
          }
        }
      }
      double[] solution = new double[size];
      for (int i = size - 1; i >= 0; i--) {
        double sum = rows[i][size];
        for (int j = i + 1; j < size; j++) {
          sum -= rows[i][j] * solution[j];
        }
        solution[i] = sum / rows[i][i];
      }
      return solution;
    }

    double forecast(List<Float> row) {
      double sum = constant;
      for (int i = 0; i < weights.length; i++) {
        sum += weights[i] * row.get(i);
      }
      return sum;
    }
  }
}
