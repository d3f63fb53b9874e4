package io.tranche.benchmarks.measure;

import io.tranche.cli.console.Text;

/// A picture of curves in panels, as an SVG.
public final class Drawing {

  private final StringBuilder svg = new StringBuilder();

  /// Begins a picture whose title starts at `left`.
  public Drawing(int width, int height, int left, String title) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
            + " font-family=\"sans-serif\" font-size=\"12\">",
        width, height);
    add(
        "<style>text { fill: #444 } .title { font-size: 15px; font-weight: bold } .grid { stroke:"
            + " #ddd } .curve { fill: none; stroke-width: 2 }</style>");
    add("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", width, height);
    add("<text class=\"title\" x=\"%d\" y=\"26\">%s</text>", left, title);
  }

  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more dependency
  public void add(String format, Object... arguments) {
    svg.append(Text.of(format, arguments)).append('\n');
  }

  /// Adds a line of the legend.
  public void legend(int left, int y, String colour, String text) {
    add(
        "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>"
            + "<text x=\"%d\" y=\"%d\">%s</text>",
        left, left + 24, y - 4, y - 4, colour, left + 30, y, text);
  }

  /// Adds a horizontal line of the grid and its label.
  public void grid(int left, int width, double y, String label) {
    add(
        "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>"
            + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
        left, left + width, y, y, left - 6, y + 4, label);
  }

  public String end() {
    add("</svg>");
    return svg.toString();
  }
}
