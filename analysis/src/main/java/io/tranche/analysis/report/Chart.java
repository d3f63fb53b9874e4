package io.tranche.analysis.report;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/// What can be drawn. Numbers that are not known are NaN.
@JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "kind")
sealed interface Chart {

  /// Means with their intervals, one row a label, against a line at zero.
  record Intervals(String unit, List<Item> items) implements Chart {

    public Intervals {
      items = List.copyOf(items);
    }
  }

  record Item(String label, double mean, double low, double high) {}

  /// How many values fall between two edges; one edge more than there are counts.
  record Histogram(String unit, List<Double> edges, List<Integer> counts, double mean)
      implements Chart {

    public Histogram {
      edges = List.copyOf(edges);
      counts = List.copyOf(counts);
    }
  }

  /// Lines over the same places, which have names.
  record Lines(String unit, List<String> labels, List<Line> lines) implements Chart {

    public Lines {
      labels = List.copyOf(labels);
      lines = List.copyOf(lines);
    }
  }

  record Line(String name, List<Double> values) {

    public Line {
      values = List.copyOf(values);
    }
  }

  /// Many lines over the same iterations, of which a few have names and stand out.
  record Curves(String unit, List<Integer> iterations, List<Curve> curves) implements Chart {

    public Curves {
      iterations = List.copyOf(iterations);
      curves = List.copyOf(curves);
    }
  }

  record Curve(String name, boolean standsOut, List<Double> values) {

    public Curve {
      values = List.copyOf(values);
    }
  }

  /// Dots over a number, or over words.
  ///
  /// @param words what the places 0, 1, … are called; empty if places are numbers
  record Dots(String across, String up, boolean isLogarithmic, List<String> words, List<Dot> dots)
      implements Chart {

    public Dots {
      words = List.copyOf(words);
      dots = List.copyOf(dots);
    }
  }

  /// @param isComplete whether it counts in full, and is drawn so
  /// @param standsOut whether it is one of those with names
  record Dot(String name, double x, double y, boolean isComplete, boolean standsOut) {}

  /// A day's prices and volumes with the order's fills, and what remained of it.
  ///
  /// @param from the order's first tick
  /// @param to the tick after its last
  /// @param filled the amount executed at each tick
  /// @param fillPrices what it was executed at
  /// @param remaining after each tick of the order, NaN elsewhere
  /// @param twapRemaining the same of an order that is worked evenly
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
