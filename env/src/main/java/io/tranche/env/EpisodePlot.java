package io.tranche.env;

import io.tranche.env.space.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// A picture of an episode: named series over its steps, one panel each, as text or as SVG.
///
/// Problems add their own series, such as the amount remaining or a price.
public final class EpisodePlot {

  /// One value per step. A value that is not finite is a gap.
  private static final class Series {
    final String name;
    final double[] values;
    final double low;
    final double high;

    Series(String name, double[] values) {
      this.name = name;
      this.values = values.clone();
      this.low = Arrays.stream(values).filter(Double::isFinite).min().orElse(0);
      this.high = Arrays.stream(values).filter(Double::isFinite).max().orElse(0);
    }

    /// Returns the height of `value` between the lowest (0) and the highest (1) value; a flat
    /// series is in the middle.
    double height(double value) {
      return high > low ? (value - low) / (high - low) : 0.5;
    }

    /// Returns the mean of the values in part `index` of `parts` equal parts.
    double mean(int index, int parts) {
      int from = (int) ((long) index * values.length / parts);
      int to = Math.max(from + 1, (int) ((index + 1L) * values.length / parts));
      return Arrays.stream(values, from, to).filter(Double::isFinite).average().orElse(Double.NaN);
    }

    String label() {
      return name + " [" + number(low) + ", " + number(high) + "]";
    }
  }

  private static final String BARS = "▁▂▃▄▅▆▇█";
  private static final int MOST_BARS = 80;
  private static final int WIDTH = 760;
  private static final int PANEL = 120;
  private static final int MARGIN = 24;

  private final String title;
  private final List<Series> series = new ArrayList<>();

  public EpisodePlot(String title) {
    this.title = title;
  }

  /// Returns the plot of the actions and rewards of an episode, named by its initial state.
  public static EpisodePlot of(Episode<?, ?> episode) {
    double[] actions = episode.actions().stream().mapToDouble(Action::number).toArray();
    return new EpisodePlot(String.valueOf(episode.initialState()))
        .with("action", actions)
        .with("reward", episode.rewards());
  }

  /// Adds a series below the existing ones.
  public EpisodePlot with(String name, double... values) {
    series.add(new Series(name, values));
    return this;
  }

  /// Returns one line per series: its name, its range, and bars. All lines have the same length, so
  /// bars in one column belong to the same time; values that share a bar are averaged.
  public String toText() {
    var text = new StringBuilder(title).append('\n');
    int width = series.stream().mapToInt(s -> s.label().length()).max().orElse(0);
    int bars = Math.min(MOST_BARS, series.stream().mapToInt(s -> s.values.length).max().orElse(0));
    for (Series one : series) {
      String label = one.label();
      text.append(label).repeat(" ", width - label.length() + 1);
      for (int bar = 0; bar < bars && one.values.length > 0; bar++) {
        double value = one.mean(bar, bars);
        text.append(
            Double.isFinite(value)
                ? BARS.charAt((int) Math.round(one.height(value) * (BARS.length() - 1)))
                : ' ');
      }
      text.append('\n');
    }
    return text.toString();
  }

  /// Returns a self-contained SVG document with one panel per series.
  public String toSvg() {
    int height = MARGIN + series.size() * (PANEL + MARGIN);
    var svg = new StringBuilder();
    svg.append(
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" \
            font-family="sans-serif" font-size="12">
            """
                .formatted(WIDTH, height))
        .append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n")
        .append(label(16, title));
    int top = MARGIN;
    for (Series one : series) {
      svg.append(label(top + 16, one.label())).append(panel(one, top + MARGIN));
      top += PANEL + MARGIN;
    }
    return svg.append("</svg>\n").toString();
  }

  private static String label(int y, String text) {
    return "<text x=\"4\" y=\"%d\">%s</text>\n".formatted(y, escaped(text));
  }

  private static String panel(Series series, int top) {
    var marks = new StringBuilder();
    double stride = (double) WIDTH / Math.max(1, series.values.length);
    boolean drawing = false;
    for (int i = 0; i < series.values.length; i++) {
      double value = series.values[i];
      if (Double.isFinite(value)) {
        double y = top + (PANEL - MARGIN) * (1 - series.height(value));
        // A value holds until the next one: a slope would show values that never existed.
        marks.append(
            String.format(
                Locale.ROOT,
                drawing ? "V%2$.1fH%3$.1f" : "M%.1f %.1fH%.1f",
                i * stride,
                y,
                (i + 1) * stride));
      }
      drawing = Double.isFinite(value);
    }
    return """
    <path d="%s" fill="none" stroke="#1f77b4" stroke-width="2"/>
    """
        .formatted(marks);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4g", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
