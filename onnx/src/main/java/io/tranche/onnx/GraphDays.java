package io.tranche.onnx;

import io.tranche.market.DataException;
import io.tranche.policy.network.LiveNetwork;
import io.tranche.tensor.Rows;
import java.util.ArrayList;
import java.util.List;

/// A graph on live days and orders. It sees what it sees in a simulation, so it decides alike.
final class GraphDays implements LiveNetwork {

  private final PolicyGraph graph;
  private final List<GraphDecision> rows = new ArrayList<>();

  GraphDays(PolicyGraph graph, int maxRows) {
    this.graph = graph;
    for (int row = 0; row < maxRows; row++) {
      rows.add(new Due(new LiveDay(new float[0], 0, 0), new Worked(0, graph)));
    }
  }

  /// The ticks of a day so far.
  private static final class LiveDay implements Day {
    private final float[] yesterday;
    private final float[] today;
    private final int ticks;
    private final int width;
    private int visible;

    LiveDay(float[] yesterday, int ticks, int width) {
      this.yesterday = yesterday;
      this.ticks = ticks;
      this.width = width;
      this.today = new float[Math.multiplyExact(ticks, width)];
    }

    @Override
    public void append(float[] data, int at) {
      System.arraycopy(data, at, today, visible * width, width);
      visible++;
    }
  }

  /// The decisions of an order so far.
  private static final class Worked implements Episode {
    private final int side;
    private final float[] remained;
    private int step;
    private GraphState state;

    Worked(int side, PolicyGraph graph) {
      this.side = side;
      this.remained = new float[graph.maxSteps()];
      this.state = graph.begin();
    }
  }

  private static final class Due extends GraphDecision {
    private final LiveDay day;
    private final Worked order;

    Due(LiveDay day, Worked order) {
      super(order.state);
      this.day = day;
      this.order = order;
    }

    @Override
    int visible() {
      return day.visible;
    }

    @Override
    int ticks() {
      return day.ticks;
    }

    @Override
    int step() {
      return order.step;
    }

    @Override
    int side() {
      return order.side;
    }

    @Override
    float remainingAt(int past) {
      return past <= order.step ? order.remained[past] : 0;
    }

    @Override
    float progress() {
      return (float) order.step / order.remained.length;
    }

    @Override
    void copyToday(int tick, float[] target, int at) {
      System.arraycopy(day.today, tick * day.width, target, at, day.width);
    }

    @Override
    void copyYesterday(int tick, float[] target, int at) {
      int width = day.yesterday.length / Math.max(1, day.ticks);
      System.arraycopy(day.yesterday, tick * width, target, at, width);
    }

    @Override
    String where() {
      return "step %d of an order".formatted(order.step);
    }
  }

  @Override
  public Day newDay(float[] yesterday, int ticks) {
    if (ticks > graph.ticks()) {
      throw new DataException("day", "at most %d ticks".formatted(graph.ticks()), ticks);
    }
    return new LiveDay(yesterday.clone(), ticks, graph.features());
  }

  @Override
  public Episode newEpisode(int side) {
    return new Worked(side, graph);
  }

  @Override
  public void put(int row, Day day, Episode episode, float remaining, float progress) {
    var order = (Worked) episode;
    order.step = Math.min(Math.round(progress * graph.maxSteps()), graph.maxSteps() - 1);
    order.remained[order.step] = remaining;
    rows.set(row, new Due((LiveDay) day, order));
  }

  @Override
  public Rows features(int count) {
    List<GraphDecision> due = rows.subList(0, count);
    float[] scores = graph.evaluate(due);
    for (GraphDecision each : due) {
      ((Due) each).order.state = each.state();
    }
    return Rows.of(scores, graph.width());
  }
}
