package io.tranche.onnx;

import io.tranche.market.feature.DayObservation;

/// What a graph sees at one decision. Amounts are shares of the order.
abstract class GraphDecision {

  private GraphState state;

  GraphDecision(GraphState state) {
    this.state = state;
  }

  /// Returns the state before the decision, or after it if it was taken.
  final GraphState state() {
    return state;
  }

  final void state(GraphState next) {
    state = next;
  }

  /// Returns the ticks that have passed.
  abstract int visible();

  /// Returns the ticks of the day.
  abstract int ticks();

  abstract int step();

  abstract int side();

  /// Returns the share that remained before a decision, 0 for a later one.
  abstract float remainingAt(int past);

  abstract float progress();

  abstract void copyToday(int tick, float[] target, int at);

  abstract void copyYesterday(int tick, float[] target, int at);

  abstract String where();

  static GraphDecision of(DayObservation seen, GraphState state) {
    return new GraphDecision(state) {
      @Override
      int visible() {
        return Math.min(seen.tick(), seen.visibleTicks());
      }

      @Override
      int ticks() {
        return seen.ticks();
      }

      @Override
      int step() {
        return seen.step();
      }

      @Override
      int side() {
        return seen.sideCode();
      }

      @Override
      float remainingAt(int past) {
        return seen.remainingAt(past) / seen.target();
      }

      @Override
      float progress() {
        return seen.stepShare();
      }

      @Override
      void copyToday(int tick, float[] target, int at) {
        seen.copyToday(tick, target, at);
      }

      @Override
      void copyYesterday(int tick, float[] target, int at) {
        seen.copyYesterday(tick, target, at);
      }

      @Override
      String where() {
        return "step %d of %s".formatted(seen.step(), seen.where());
      }
    };
  }
}
