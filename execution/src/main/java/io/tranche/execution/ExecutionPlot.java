package io.tranche.execution;

import io.tranche.env.EpisodePlot;

/// Draws how an order was worked, tick by tick: the market's price, what was filled, and what
/// remained.
public final class ExecutionPlot {

  private ExecutionPlot() {}

  /// Returns the picture of an order so far, as text or SVG.
  public static EpisodePlot of(ExecutionState state) {
    var picture = new EpisodePlot(OrderEpisode.name(state.order()));
    draw(state, picture);
    return picture;
  }

  /// Adds the order so far to a picture.
  static void draw(ExecutionState state, EpisodePlot picture) {
    int rows = state.rows();
    double[] prices = new double[rows];
    double[] filled = new double[rows];
    double[] remaining = new double[rows];
    double left = state.order().amount();
    for (int row = 0; row < rows; row++) {
      prices[row] = state.marketPrice(row);
      filled[row] = state.filled(row);
      left -= state.filled(row);
      remaining[row] = Math.max(0, left); // what is rounded away would only spoil the label
    }
    double[] advantages = new double[state.step()];
    for (int step = 0; step < advantages.length; step++) {
      advantages[step] = state.stepAdvantageBps(step);
    }
    picture
        .with("price", prices)
        .with("filled", filled)
        .with("remaining", remaining)
        .with("advantage by step, bp", advantages);
  }
}
