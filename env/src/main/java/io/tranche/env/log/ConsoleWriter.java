package io.tranche.env.log;

import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Prints one line of metrics every few episodes. Qlib: `qlib.rl.utils.ConsoleWriter`.
///
/// A line gives the latest value of each metric and, in parentheses, its mean since the collect
/// began: `[Step 20] reward -0.2780 (0.0546) pa -1.4521 (-2.2473)`.
public final class ConsoleWriter implements EpisodeSink {

  /// The format of a line, and when one is printed.
  ///
  /// @param everyEpisodes number of episodes per line
  /// @param totalEpisodes expected number of episodes, after which a line is always printed; null
  ///   if unknown
  /// @param prefix prefix of the line; may be empty
  /// @param numberFormat format of metrics, as for Python's `str.format`
  /// @param countFormat format of the number of episodes, as for Python's `str.format`
  public record Style(
      int everyEpisodes,
      @Nullable Integer totalEpisodes,
      String prefix,
      String numberFormat,
      String countFormat) {

    /// Qlib's style.
    public static final Style DEFAULT = new Style(20, null, "", ":.4f", ":4d");

    public Style {
      if (everyEpisodes < 1) {
        throw new IllegalArgumentException("everyEpisodes must be positive, was " + everyEpisodes);
      }
    }
  }

  private final Consumer<String> out;
  private final Style style;
  private final PythonFormat number;
  private final PythonFormat count;
  private final MetricMeans means = new MetricMeans();

  /// @param out receives lines without line ends
  public ConsoleWriter(Consumer<String> out, Style style) {
    this.out = out;
    this.style = style;
    this.number = new PythonFormat(style.numberFormat());
    this.count = new PythonFormat(style.countFormat());
  }

  @Override
  public void begin() {
    means.clear();
  }

  @Override
  public void episode(EpisodeRecord episode, LogCounters counters) {
    Map<String, Double> metrics = episode.metrics();
    means.add(metrics);
    long episodes = counters.episodeCount();
    Integer total = style.totalEpisodes();
    if (episodes % style.everyEpisodes() == 0 || (total != null && episodes == total)) {
      out.accept(line(episodes, metrics));
    }
  }

  /// Returns the sum of each metric since the collect began.
  public Map<String, Double> sums() {
    return means.sums();
  }

  /// Returns the number of episodes with each metric since the collect began.
  public Map<String, Integer> counts() {
    return means.counts();
  }

  private String line(long episodes, Map<String, Double> metrics) {
    var line = new StringBuilder(style.prefix());
    if (!style.prefix().isEmpty()) {
      line.append(' ');
    }
    line.append(style.totalEpisodes() == null ? "[Step " : "[").append(count.format(episodes));
    if (style.totalEpisodes() != null) {
      line.append('/').append(style.totalEpisodes());
    }
    line.append("] ");
    metrics.forEach(
        (name, value) ->
            line.append(
                "  %s %s (%s)"
                    .formatted(name, number.format(value), number.format(means.mean(name)))));
    return line.toString();
  }
}
