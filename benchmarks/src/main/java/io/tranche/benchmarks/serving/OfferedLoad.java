package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A kind of requests that the service gets at rising rates.
enum OfferedLoad {
  COMPACT("ours, desk, compact", "serve.desk", "serve.requests", "compact."),
  JSON("ours, desk, JSON", "serve.desk_json", "serve.requests", "json."),
  PREDICT("ours, predict", "serve.predict", "serve.observations", "");

  private static final String P99 = "p99";

  private final String server;
  private final String prefix;
  private final String curve;
  private final String column;

  /// @param server what the picture calls it
  /// @param prefix of its single figures
  /// @param curve of its table, which several can share
  /// @param column what its columns of the table begin with
  OfferedLoad(String server, String prefix, String curve, String column) {
    this.server = server;
    this.prefix = prefix;
    this.curve = curve;
    this.column = column;
  }

  String server() {
    return server;
  }

  String prefix() {
    return prefix;
  }

  /// Returns the figures of all curves, in the order in which a table has them: by rate.
  static List<Figure> figures(Map<OfferedLoad, SaturationCurve> curves) {
    var byRate = new TreeMap<Long, List<Figure>>();
    var figures = new ArrayList<Figure>();
    curves.forEach(
        (load, curve) -> {
          double most = curve.saturation().offered();
          figures.add(new Figure(load.saturation(), most, "requests/s"));
          for (LoadResult point : curve.points()) {
            long rate = Math.round(point.offered());
            List<Figure> its = byRate.computeIfAbsent(rate, _ -> new ArrayList<>());
            its.add(new Figure(load.name(rate, "p50"), point.millis(50), "ms"));
            its.add(new Figure(load.name(rate, P99), point.millis(99), "ms"));
          }
        });
    byRate.values().forEach(figures::addAll);
    return figures;
  }

  /// The 99th percentile at a rate.
  ///
  /// @param isSaturation whether this is the highest rate that the service sustained
  record Point(long offered, double millis, boolean isSaturation) {}

  /// Returns the curve that [#figures] has put among these.
  List<Point> points(List<Figure> figures) {
    long most =
        figures.stream()
            .filter(figure -> figure.name().equals(saturation()))
            .mapToLong(figure -> Math.round(figure.value()))
            .findFirst()
            .orElse(0);
    var points = new ArrayList<Point>();
    for (Figure figure : figures) {
      String rate = figure.name().replaceFirst(curve + "_(\\d+)\\..*", "$1");
      if (figure.name().equals("%s_%s.%s%s".formatted(curve, rate, column, P99))) {
        long offered = Long.parseLong(rate);
        points.add(new Point(offered, figure.value(), offered == most));
      }
    }
    return points;
  }

  private String saturation() {
    return prefix + ".saturation";
  }

  private String name(long rate, String percentile) {
    return "%s_%d.%s%s".formatted(curve, rate, column, percentile);
  }
}
