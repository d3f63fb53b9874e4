package io.tranche.market.feature.pipeline;

import io.tranche.market.expression.evaluation.ExpressionStream;
import io.tranche.market.feature.LiveFeatures;
import io.tranche.market.feature.LiveFrame;
import io.tranche.market.feature.pipeline.PipelineFeatures.Normalised;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/// The rows of a pipeline whose expressions can be computed tick by tick. Only the results of
/// earlier days are kept.
final class SteppedRows implements LiveFeatures {

  private final ExpressionStream stream;
  private final GroupStatistics[] statistics;
  private final int maxTicks;
  private final float[] yesterday;

  SteppedRows(PipelineFeatures recipe, ExpressionStream stream, float[] yesterday) {
    this.stream = stream;
    this.statistics =
        recipe.today().stream().map(Normalised::statistics).toArray(GroupStatistics[]::new);
    this.maxTicks = stream.ticks();
    this.yesterday = yesterday;
  }

  static SteppedRows restore(PipelineFeatures recipe, DataInput in) throws IOException {
    int maxTicks = LiveFrame.within("ticks", in.readInt(), 1, LiveFrame.MOST_TICKS);
    ExpressionStream stream =
        ExpressionStream.restore(
            recipe.today().stream().map(Normalised::expression).toList(),
            recipe.fields(),
            maxTicks,
            in);
    float[] yesterday = new float[Math.multiplyExact(maxTicks, recipe.yesterday().size())];
    for (int i = 0; i < yesterday.length; i++) {
      yesterday[i] = in.readFloat();
    }
    return new SteppedRows(recipe, stream, yesterday);
  }

  @Override
  public int ticks() {
    return stream.tick();
  }

  @Override
  public void append(float[] bar, int barAt, float[] row, int rowAt) {
    stream.next(bar, barAt, row, rowAt);
    for (int i = 0; i < statistics.length; i++) {
      row[rowAt + i] = statistics[i].normalised(row[rowAt + i]);
    }
  }

  @Override
  public float[] yesterday() {
    return yesterday;
  }

  @Override
  public void save(DataOutput out) throws IOException {
    out.writeBoolean(true);
    out.writeInt(maxTicks);
    stream.save(out);
    for (float value : yesterday) {
      out.writeFloat(value);
    }
  }
}
