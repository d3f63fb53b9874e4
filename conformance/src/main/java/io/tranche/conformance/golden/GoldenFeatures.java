package io.tranche.conformance.golden;

import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.FeatureSource;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/// Features that are the same on every day.
///
/// @param times of the ticks of a day
public record GoldenFeatures(
    JsonNode today, JsonNode yesterday, int dimension, Function<LocalDate, long[]> times)
    implements FeatureSource {

  @Override
  public FeatureColumns columns() {
    List<String> names = Collections.nCopies(dimension, "feature");
    return new FeatureColumns(names, names);
  }

  @Override
  public DayFeatures day(String instrument, LocalDate date) {
    return DayFeatures.wrap(
        instrument, date, columns(), times.apply(date), matrix(today), matrix(yesterday));
  }

  private float[] matrix(JsonNode rows) {
    float[] matrix = new float[rows.size() * dimension];
    for (int row = 0; row < rows.size(); row++) {
      var numbers = GoldenFrames.numbers(rows.get(row));
      for (int column = 0; column < dimension; column++) {
        matrix[row * dimension + column] = (float) numbers.value(column);
      }
    }
    return matrix;
  }
}
