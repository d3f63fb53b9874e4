package io.tranche.benchmarks.runtime;

import io.tranche.runtime.BarAnswer;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// Answers two questions: how long does a bar take on average, and how long a decision?
///
/// A new day is begun after 240 bars, and 30 bars are taken after 4,096 decisions; both are
/// counted.
@State(Scope.Thread)
public class LiveSteps {

  private static final int ORDERS = 4096;

  private final DecisionRuntime runtime;
  private final float[][] bars;
  private LiveDay quiet;
  private LiveDay busy;
  private int next;

  public LiveSteps() {
    LiveModel model = LiveModel.given();
    runtime = new DecisionRuntime(model.loaded());
    bars = model.drawBars();
    quiet = LiveModel.open(runtime, "quiet", List.of(), 0);
    busy = LiveModel.open(runtime, "busy", List.of(), ORDERS);
  }

  @Benchmark
  public BarAnswer bar() {
    if (quiet.ticks() == LiveModel.TICKS) {
      quiet.close();
      quiet = LiveModel.open(runtime, "quiet", List.of(), 0);
    }
    return quiet.bar(quiet.time(quiet.ticks()), bars[quiet.ticks()]);
  }

  @Benchmark
  public double decision() {
    if (next == ORDERS) {
      advance();
    }
    return runtime.orders().get(next++).decide();
  }

  private void advance() {
    next = 0;
    if (busy.ticks() + LiveModel.TICKS_PER_STEP == LiveModel.TICKS) {
      busy.close();
      busy = LiveModel.open(runtime, "busy", List.of(), ORDERS);
      return;
    }
    for (int i = 0; i < LiveModel.TICKS_PER_STEP; i++) {
      busy.bar(busy.time(busy.ticks()), bars[busy.ticks()]);
    }
  }
}
