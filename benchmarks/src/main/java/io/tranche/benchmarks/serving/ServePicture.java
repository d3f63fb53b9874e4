package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.measure.Drawing;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.cli.console.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Saturation curves as a CSV file, and as an SVG that is drawn from it: the 99th percentile by
/// offered rate, both logarithmic, with a panel for the requests of a desk and one for whole
/// observations.
public final class ServePicture {

  private static final List<String> COLOURS =
      List.of("#d1481f", "#e8a33d", "#1f6feb", "#2a9d5c", "#8250df", "#57606a");

  private static final int WIDTH = 400;
  private static final int PITCH = 500;
  private static final int LEFT = 60;
  private static final int TOP = 64;
  private static final int BOTTOM = 330;
  private static final int HEIGHT = 460;

  private static final double LOW_MILLIS = 0.1;
  private static final double HIGH_MILLIS = 10_000;

  private static final String HEADER = "offered_per_s,p99_ms,saturation,server";

  private record Point(double offered, double millis, boolean isSaturation) {

    static Point of(String[] cells) {
      return new Point(
          Double.parseDouble(cells[0]),
          Double.parseDouble(cells[1]),
          Boolean.parseBoolean(cells[2]));
    }
  }

  private final Drawing drawing =
      new Drawing(
          2 * PITCH + LEFT - 40,
          HEIGHT,
          LEFT,
          "99th percentile from schedule, in milliseconds, by requests offered per second");

  private ServePicture() {}

  /// Writes table and picture of the curves of a [ServeBenchmark] into the folder of the documents.
  ///
  /// @param figures of the benchmark
  public static void publish(Path docs, List<Figure> figures) throws IOException {
    String csv = csv(figures);
    Files.writeString(docs.resolve("serve.csv"), csv);
    Files.writeString(docs.resolve("serve.svg"), draw(csv));
  }

  /// Returns what the picture shows, so that it can be drawn again.
  public static String csv(List<Figure> figures) {
    var text = new StringBuilder(HEADER + "\n");
    for (OfferedLoad load : OfferedLoad.values()) {
      for (OfferedLoad.Point point : load.points(figures)) {
        text.append(
            Text.of(
                "%d,%.2f,%b,%s\n",
                point.offered(), point.millis(), point.isSaturation(), load.server()));
      }
    }
    return text.toString();
  }

  /// @param csv curves, one after the other
  static String draw(String csv) {
    List<String> lines = csv.lines().toList();
    if (!lines.getFirst().equals(HEADER)) {
      throw new IllegalArgumentException("expected " + HEADER + ", was " + lines.getFirst());
    }
    Map<String, List<Point>> curves =
        lines.stream()
            .skip(1)
            .map(line -> line.split(",", 4)) // names have commas
            .collect(
                Collectors.groupingBy(
                    cells -> cells[3],
                    LinkedHashMap::new,
                    Collectors.mapping(Point::of, Collectors.toList())));
    return new ServePicture().drawAll(curves);
  }

  private String drawAll(Map<String, List<Point>> curves) {
    panel(LEFT, "requests of a desk: bars, decisions, fills", 2, curves, "desk");
    panel(LEFT + PITCH, "whole observations", 1, curves, "predict");
    return drawing.end();
  }

  /// @param decade the power of ten at which the axis of rates begins
  private void panel(
      int left, String title, int decade, Map<String, List<Point>> curves, String kind) {
    int decades = 3;
    drawing.add("<text x=\"%d\" y=\"50\" font-weight=\"bold\">%s</text>", left, title);
    for (double millis = LOW_MILLIS; millis <= HIGH_MILLIS; millis *= 10) {
      drawing.grid(left, WIDTH, y(millis), millis < 1 ? "0.1" : Text.of("%,.0f", millis));
    }
    double low = Math.pow(10, decade);
    double high = Math.pow(10, decade + decades);
    for (double rate = low; rate <= high * 1.001; rate *= 10) {
      double x = x(left, rate, low, high);
      drawing.add(
          "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x, TOP, BOTTOM);
      drawing.add(
          "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%,.0f</text>", x, BOTTOM + 16, rate);
    }
    int number = 0;
    for (var each : curves.entrySet()) {
      if (each.getKey().contains(kind)) {
        curve(left, number, each.getKey(), each.getValue(), low, high);
        number++;
      }
    }
  }

  private void curve(
      int left, int number, String name, List<Point> curve, double low, double high) {
    String colour = COLOURS.get(number % COLOURS.size());
    String points =
        curve.stream()
            .map(point -> Text.of("%.1f,%.1f", x(left, point.offered, low, high), y(point.millis)))
            .collect(Collectors.joining(" "));
    drawing.add("<polyline class=\"curve\" stroke=\"%s\" points=\"%s\"/>", colour, points);
    Point last = curve.stream().filter(Point::isSaturation).findFirst().orElseThrow();
    drawing.add(
        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>",
        x(left, last.offered, low, high), y(last.millis), colour);
    drawing.legend(
        left,
        BOTTOM + 38 + 17 * number,
        colour,
        Text.of("%s: saturated at %,.0f per second", name, last.offered));
  }

  private static double x(int left, double rate, double low, double high) {
    double share = Math.log(Math.clamp(rate, low, high) / low) / Math.log(high / low);
    return left + share * WIDTH;
  }

  private static double y(double millis) {
    double share =
        Math.log(Math.clamp(millis, LOW_MILLIS, HIGH_MILLIS) / LOW_MILLIS)
            / Math.log(HIGH_MILLIS / LOW_MILLIS);
    return BOTTOM - share * (BOTTOM - TOP);
  }
}
