package io.tranche.site.picture;

import java.util.Locale;

/// A picture that is being drawn. Colours are classes, so that the reader's theme chooses them.
final class SvgDrawing {

  private static final String STYLE =
      """
      <style>
      text { font: 15px system-ui, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; fill: #1c2430; }
      .small { font-size: 13px; fill: #5a6675; }
      .strong { font-weight: 600; }
      .box { fill: #f4f6f8; stroke: #8795a5; }
      .own { fill: #dcecf9; stroke: #0b62a4; }
      .warn { fill: #fdeeda; stroke: #b26a00; }
      .rise { fill: #0b62a4; } .fall { fill: #b26a00; } .pale { fill: #b9c4cf; }
      .line { fill: none; stroke: #5a6675; stroke-width: 1.5; }
      .bold { fill: none; stroke: #0b62a4; stroke-width: 2.5; }
      .dash { fill: none; stroke: #8795a5; stroke-dasharray: 5 4; }
      @media (prefers-color-scheme: dark) {
        text { fill: #dfe5ec; } .small { fill: #98a5b3; }
        .box { fill: #1c2229; stroke: #6b7886; } .own { fill: #1b2d3d; stroke: #7cbcf0; } .warn { fill: #3a2b14; stroke: #f0b35c; }
        .rise { fill: #7cbcf0; } .fall { fill: #f0b35c; } .pale { fill: #4a5561; }
        .line { stroke: #98a5b3; } .bold { stroke: #7cbcf0; } .dash { stroke: #6b7886; }
        marker path { fill: #98a5b3; }
      }
      </style>
      <defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#5a6675"/></marker></defs>
      """;

  private final StringBuilder svg = new StringBuilder();
  private final boolean isChinese;

  SvgDrawing(int width, int height, String title, boolean isChinese) {
    this.isChinese = isChinese;
    svg.append(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n"
                .formatted(width, height, width, height))
        .append("<title>%s</title>\n".formatted(title))
        .append(STYLE);
  }

  /// Returns the words for the picture's language.
  String say(String english, String chinese) {
    return isChinese ? chinese : english;
  }

  /// Draws a box with lines of text in its middle, the first of them strong.
  SvgDrawing box(String kind, double x, double y, double width, double height, String... lines) {
    svg.append(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"6\"/>\n"
            .formatted(kind, number(x), number(y), number(width), number(height)));
    double top = y + height / 2 - 9.5 * (lines.length - 1) + 5;
    for (int i = 0; i < lines.length; i++) {
      text(x + width / 2, top + 19 * i, "middle", i == 0 ? "strong" : "small", lines[i]);
    }
    return this;
  }

  SvgDrawing rect(String kind, double x, double y, double width, double height) {
    svg.append(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n"
            .formatted(kind, number(x), number(y), number(width), number(height)));
    return this;
  }

  SvgDrawing dot(String kind, double x, double y) {
    svg.append(
        "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"4\"/>\n"
            .formatted(kind, number(x), number(y)));
    return this;
  }

  SvgDrawing arrow(double x1, double y1, double x2, double y2) {
    svg.append(
        "<path class=\"line\" marker-end=\"url(#tip)\" d=\"M%s %sL%s %s\"/>\n"
            .formatted(number(x1), number(y1), number(x2), number(y2)));
    return this;
  }

  /// Draws straight lines through points: x and y in turn.
  SvgDrawing line(String kind, double... points) {
    var path = new StringBuilder();
    for (int i = 0; i < points.length; i += 2) {
      path.append(i == 0 ? 'M' : 'L')
          .append(number(points[i]))
          .append(' ')
          .append(number(points[i + 1]));
    }
    svg.append("<path class=\"%s\" d=\"%s\"/>\n".formatted(kind, path));
    return this;
  }

  SvgDrawing text(double x, double y, String anchor, String kind, String words) {
    svg.append(
        "<text class=\"%s\" text-anchor=\"%s\" x=\"%s\" y=\"%s\">%s</text>\n"
            .formatted(
                kind,
                anchor,
                number(x),
                number(y),
                words.replace("&", "&amp;").replace("<", "&lt;")));
    return this;
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }

  String svg() {
    return svg + "</svg>\n";
  }
}
