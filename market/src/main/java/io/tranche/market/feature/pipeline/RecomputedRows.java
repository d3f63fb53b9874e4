package io.tranche.market.feature.pipeline;

import io.tranche.market.Calendar;
import io.tranche.market.expression.evaluation.ExpressionPlan;
import io.tranche.market.feature.LiveFeatures;
import io.tranche.market.feature.LiveFrame;
import io.tranche.market.feature.pipeline.PipelineFeatures.Normalised;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/// The rows of a pipeline whose expressions need a whole window: it is evaluated again at each
/// tick, with later bars missing. Correct for every expression, but slow.
final class RecomputedRows implements LiveFeatures {

  private final PipelineFeatures recipe;
  private final LiveFrame day;
  private final ExpressionPlan plan;
  private final float[] yesterday;

  RecomputedRows(PipelineFeatures recipe, LiveFrame day) {
    this.recipe = recipe;
    this.day = day;
    this.plan = plan(recipe.today(), day);
    this.yesterday = yesterday(recipe, day);
  }

  static RecomputedRows restore(PipelineFeatures recipe, DataInput in) throws IOException {
    return new RecomputedRows(recipe, LiveFrame.restore(recipe.fields(), recipe.earlierDays(), in));
  }

  private static ExpressionPlan plan(List<Normalised> columns, LiveFrame day) {
    Calendar calendar = day.series().calendar();
    return new ExpressionPlan(
        calendar, columns.stream().map(Normalised::expression).toList(), 0, calendar.size() - 1);
  }

  /// Returns the columns of yesterday, ticks x columns.
  static float[] yesterday(PipelineFeatures recipe, LiveFrame day) {
    int begin = day.series().calendar().dayStart(day.number());
    int ticks = day.frame().ticks();
    int width = recipe.yesterday().size();
    float[] matrix = new float[ticks * width];
    float[][] columns = RawColumns.evaluate(plan(recipe.yesterday(), day), day.series()).columns();
    for (int tick = 0; tick < ticks; tick++) {
      for (int column = 0; column < width; column++) {
        matrix[tick * width + column] =
            recipe.yesterday().get(column).statistics().normalised(columns[column][begin + tick]);
      }
    }
    return matrix;
  }

  @Override
  public int ticks() {
    return day.ticks();
  }

  @Override
  public void append(float[] bar, int barAt, float[] row, int rowAt) {
    day.append(bar, barAt);
    int now = day.series().calendar().dayStart(day.number()) + day.ticks() - 1;
    float[][] columns = RawColumns.evaluate(plan, day.series()).columns();
    for (int i = 0; i < columns.length; i++) {
      row[rowAt + i] = recipe.today().get(i).statistics().normalised(columns[i][now]);
    }
  }

  @Override
  public float[] yesterday() {
    return yesterday;
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeBoolean(false);
    day.save(out);
  }
}
