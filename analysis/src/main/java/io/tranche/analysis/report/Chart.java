package io.tranche.analysis.report;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// What can be drawn. Numbers that are not known are NaN. The page's script reads these records as
/// JSON.
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "kind")
sealed interface Chart {

  String BPS = "bps";

  /// Means with their intervals in basis points, one row per label, and a line at zero.
  record Intervals(List<Item> items) implements Chart {

    public Intervals {
      items = List.copyOf(items);
    }
  }

  record Item(String label, double mean, double low, double high) {}

  /// The number of values between each two edges, which are in basis points.
  record Histogram(List<Double> edges, List<Integer> counts, double mean) implements Chart {

    public Histogram {
      edges = List.copyOf(edges);
      counts = List.copyOf(counts);
    }
  }

  /// Lines over the same places, which have labels.
  record Lines(String unit, List<String> labels, List<Line> lines) implements Chart {

    public Lines {
      labels = List.copyOf(labels);
      lines = List.copyOf(lines);
    }

    static Lines of(String unit, Stream<?> labels, List<Line> lines) {
      return new Lines(unit, labels.map(Object::toString).toList(), lines);
    }
  }

  record Line(String name, List<Double> values) {

    public Line {
      values = List.copyOf(values);
    }

    /// Returns a line with gaps where `values` has nothing.
    static Line of(String name, Collection<Integer> places, Map<Integer, Double> values) {
      return new Line(
          name, places.stream().map(at -> values.getOrDefault(at, Double.NaN)).toList());
    }
  }

  /// Many lines over the same iterations, of which a few stand out and are named in the legend.
  record Curves(String unit, List<Integer> iterations, List<Curve> curves) implements Chart {

    public Curves {
      iterations = List.copyOf(iterations);
      curves = List.copyOf(curves);
    }
  }

  record Curve(boolean standsOut, @JsonUnwrapped Line line) {}

  /// Dots over numbers or words.
  ///
  /// @param words the names of the places 0, 1, …; empty if places are numbers
  record Dots(String across, String up, boolean isLogarithmic, List<String> words, List<Dot> dots)
      implements Chart {

    public Dots {
      words = List.copyOf(words);
      dots = List.copyOf(dots);
    }
  }

  /// @param isComplete whether it counts in full, and is drawn filled
  /// @param standsOut whether it is drawn larger and coloured
  record Dot(String name, double x, double y, boolean isComplete, boolean standsOut) {}

  /// A day's prices and volumes with the order's fills, and what remained of it.
  ///
  /// @param from the order's first tick
  /// @param to the tick after its last
  /// @param filled the amount filled at each tick
  /// @param fillPrices the price of each fill
  /// @param remaining after each tick of the order, NaN elsewhere
  /// @param twapRemaining the same for TWAP
  record OrderDay(
      boolean isBuy,
      List<String> labels,
      List<Double> prices,
      List<Double> volumes,
      int from,
      int to,
      List<Double> filled,
      List<Double> fillPrices,
      List<Double> remaining,
      List<Double> twapRemaining)
      implements Chart {

    public OrderDay {
      labels = List.copyOf(labels);
      prices = List.copyOf(prices);
      volumes = List.copyOf(volumes);
      filled = List.copyOf(filled);
      fillPrices = List.copyOf(fillPrices);
      remaining = List.copyOf(remaining);
      twapRemaining = List.copyOf(twapRemaining);
    }
  }
}
