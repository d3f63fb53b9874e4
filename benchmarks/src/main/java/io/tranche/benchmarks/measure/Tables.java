package io.tranche.benchmarks.measure;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Writes the rows and figures of [Results] into pages. A page marks a table with the names of its
/// rows, or a curve with the beginning of its figures' names (`guidance.repeat_5.cpu` and so on):
///
/// ```
/// <!-- bench bin.read bin.query -->
/// <!-- /bench -->
/// <!-- curve guidance.repeat -->
/// <!-- /curve -->
/// ```
public final class Tables {

  private static final Pattern PLACE =
      Pattern.compile("<!-- bench ([^>]*?) -->\n(?:.*?)<!-- /bench -->", Pattern.DOTALL);

  private static final Pattern CURVE =
      Pattern.compile("<!-- curve ((\\w+)\\.\\w+) -->\n(?:.*?)<!-- /curve -->", Pattern.DOTALL);

  private static final String[] UNITS = {"s", "ms", "µs", "ns"};

  private Tables() {}

  /// Returns the page with all its tables made anew.
  ///
  /// Curves of a benchmark that is not among the results stay as they are.
  ///
  /// @throws IllegalArgumentException if a table names a row that was not measured
  public static String fill(String page, Results results) {
    String tables =
        PLACE.matcher(page).replaceAll(place -> Matcher.quoteReplacement(fill(place, results)));
    return CURVE
        .matcher(tables)
        .replaceAll(
            place ->
                Matcher.quoteReplacement(
                    results
                        .figures(place.group(2))
                        .map(figures -> curve(place.group(1), figures, results))
                        .orElse(place.group())));
  }

  /// Returns a table with one row per value of the curve's number.
  private static String curve(String name, List<Figure> figures, Results results) {
    Map<String, Map<String, Figure>> rows = new LinkedHashMap<>();
    var header = new LinkedHashSet<String>();
    for (Figure figure : figures) {
      if (figure.name().startsWith(name + "_")) {
        String rest = figure.name().substring(name.length() + 1);
        int dot = rest.indexOf('.');
        String what = rest.substring(dot + 1).replaceFirst("_" + figure.unit() + "$", "");
        String column = "%s, %s".formatted(what, figure.unit());
        header.add(column);
        rows.computeIfAbsent(rest.substring(0, dot), _ -> new LinkedHashMap<>())
            .put(column, figure);
      }
    }
    if (rows.isEmpty()) {
      throw missing(name, results);
    }
    var table = new StringBuilder("<!-- curve %s -->\n".formatted(name));
    table.append(
        "%s, commit %s, %s.\n\n".formatted(results.machine(), results.commit(), results.date()));
    String number = name.substring(name.indexOf('.') + 1);
    table.append("| %s | %s |\n".formatted(number, String.join(" | ", header)));
    table.append("|---".repeat(header.size() + 1)).append("|\n");
    rows.forEach(
        (value, found) -> {
          table.append("| %,d ".formatted(Integer.parseInt(value)));
          for (String column : header) {
            Figure figure = found.get(column);
            table.append("| ").append(figure == null ? "–" : digits(figure.value(), 3)).append(' ');
          }
          table.append("|\n");
        });
    return table.append("<!-- /curve -->").toString();
  }

  private static String fill(MatchResult place, Results results) {
    List<Row> rows =
        List.of(place.group(1).strip().split("\\s+", -1)).stream()
            .map(name -> results.row(name).orElseThrow(() -> missing(name, results)))
            .toList();
    var table = new StringBuilder("<!-- bench %s -->\n".formatted(place.group(1)));
    table.append(
        "%s, commit %s, %s.\n\n".formatted(results.machine(), results.commit(), results.date()));
    table.append("| work | threads | ours | as users run it | as an expert would |\n");
    table.append("|---|---|---|---|---|\n");
    for (Row row : rows) {
      table.append(
          "| %s | %d | %s | %s | %s |\n"
              .formatted(
                  row.work(),
                  row.threads(),
                  spread(row.ours()),
                  rival(row, Row.Form.USUAL),
                  rival(row, Row.Form.EXPERT)));
    }
    return table.append("<!-- /bench -->").toString();
  }

  private static IllegalArgumentException missing(String name, Results results) {
    return new IllegalArgumentException(
        "expected a row that was measured at %s, was %s".formatted(results.commit(), name));
  }

  /// Such as `Qlib: 2.95 s (2.91 to 3.02), 53x, CPU 37x`; several peers of a form one after the
  /// other.
  private static String rival(Row row, Row.Form form) {
    String all =
        row.rivals().stream()
            .filter(rival -> rival.form() == form)
            .map(
                rival ->
                    "%s: %s, **%sx**, CPU %sx"
                        .formatted(
                            rival.name(),
                            spread(rival.times()),
                            digits(rival.wallRatio(row), 2),
                            digits(rival.cpuRatio(row), 2)))
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? "–" : all;
  }

  private static String spread(Row.Times times) {
    int unit = 0;
    double factor = 1;
    while (unit < UNITS.length - 1 && times.wall() * factor < 1) {
      unit++;
      factor *= 1_000;
    }
    return "%s %s (%s to %s)"
        .formatted(
            digits(times.wall() * factor, 3),
            UNITS[unit],
            digits(times.low() * factor, 3),
            digits(times.high() * factor, 3));
  }

  /// So many digits, or all before the point, with commas.
  private static String digits(double value, int count) {
    var rounded = new BigDecimal(value).round(new MathContext(count));
    int places = Math.max(0, count - rounded.precision() + rounded.scale());
    return String.format(Locale.ROOT, "%,." + places + "f", rounded);
  }
}
