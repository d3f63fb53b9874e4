package io.tranche.benchmarks.data;

import io.tranche.benchmarks.measure.Generated;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Frequency;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.evaluation.Column;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import io.tranche.market.expression.evaluation.FieldSource;
import io.tranche.market.feature.pipeline.HandlerExpressions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Answers one question: what do all ten feature expressions of Qlib's handler cost per bar, with
/// the bars in memory?
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ExpressionEvaluation {

  private static final int DAYS = 80; // of a training run of Qlib's example
  private static final int BARS_A_DAY = 240;

  private final List<Expression> expressions =
      HandlerExpressions.features(List.of("$open", "$high", "$low", "$close"), BARS_A_DAY)
          .values()
          .stream()
          .map(Expression::parse)
          .toList();
  private final BarSource bars = Generated.bars(1, DAYS, Frequency.MINUTE);
  private final BarSeries series = bars.series(bars.instruments().getFirst());
  private final ExpressionPlan plan =
      new ExpressionPlan(bars.calendar(), expressions, 0, DAYS * BARS_A_DAY - 1);
  private final FieldSource fields = this::load;

  private Column load(String field, int from, int to) {
    float[] values = new float[to + 1 - from];
    series.copy(series.fieldIndex(field), from, values, 0, values.length);
    return Column.ofField(from, values);
  }

  @Benchmark
  @OperationsPerInvocation(DAYS * BARS_A_DAY)
  public List<Column> bar() {
    return plan.evaluate(series.instrument(), fields);
  }
}
