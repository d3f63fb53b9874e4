package io.tranche.benchmarks.measure;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Writes the results of one commit into pages. A page marks a table with the names of its rows,
/// one a line, with other words than the row's own if it likes, and the words above the columns; or
/// a curve with the beginning of its figures' names (`guidance.repeat_5.cpu` and so on):
///
/// ```
/// <!-- bench
/// bin.read
/// bin.query: the same as a query
/// -->
/// <!-- /bench -->
/// <!-- curve guidance.repeat -->
/// <!-- /curve -->
/// ```
///
/// With `brief` for `bench`, a table has medians and ratios of wall time only, and of each form the
/// peer that comes closest to us. A table of single figures has `figures`, and lines such as
/// `runtime.bar.p99: one bar | < 5 µs`, with what it is and a goal.
public final class Tables {

  private static final Pattern PLACE =
      Pattern.compile(
          "<!-- (bench|brief|figures)\\s+([^>]*?)\\s*-->\n(.*?)<!-- /\\1 -->", Pattern.DOTALL);

  private static final Pattern CURVE =
      Pattern.compile("<!-- curve ((\\w+)\\.\\w+) -->\n(?:.*?)<!-- /curve -->", Pattern.DOTALL);

  private static final String[] UNITS = {"s", "ms", "µs", "ns"};

  private static final String COLUMNS =
      "| work | threads | ours | as users run it | as an expert would |";

  private static final String BRIEF_COLUMNS =
      "| work | ours | as users run it | as an expert would |";

  private Tables() {}

  /// Returns the page with all its tables made anew.
  ///
  /// Tables and curves of which nothing is among the results stay as they are.
  ///
  /// @throws IllegalArgumentException if a table names a row or figure that was not measured beside
  ///   others that were
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
        String what =
            rest.substring(dot + 1).replaceFirst("_" + figure.unit() + "$", "").replace('.', ' ');
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

  /// Returns what the tables of a page have now.
  public static List<String> contents(String page) {
    return PLACE.matcher(page).results().map(place -> place.group(3)).toList();
  }

  private static String fill(MatchResult place, Results results) {
    String marked = place.group(2);
    // Names alone may stand on the line of the mark.
    List<String> lines = List.of(marked.split(marked.contains("\n") ? "\n" : "\\s+", -1));
    String kind = place.group(1);
    if (lines.stream().map(line -> Named.of(line).name).noneMatch(results::knows)) {
      return place.group();
    }
    String opening = marked.contains("\n") ? "<!-- %s\n%s\n-->\n" : "<!-- %s %s -->\n";
    var table = new StringBuilder(opening.formatted(kind, marked));
    table.append(
        "%s, commit %s, %s.\n\n".formatted(results.machine(), results.commit(), results.date()));
    switch (kind) {
      case "bench" -> rows(lines, results, COLUMNS, table, Tables::row);
      case "brief" -> rows(lines, results, BRIEF_COLUMNS, table, Tables::briefRow);
      default -> figures(lines, results, table);
    }
    return table.append("<!-- /%s -->".formatted(kind)).toString();
  }

  private static void rows(
      List<String> lines,
      Results results,
      String usualColumns,
      StringBuilder table,
      Function<Row, String> cells) {
    String first = lines.getFirst();
    boolean hasColumns = first.startsWith("|");
    String columns = hasColumns ? first : usualColumns;
    table.append(columns).append('\n').append(columns.replaceAll("[^|]+", "---")).append('\n');
    for (String line : lines.subList(hasColumns ? 1 : 0, lines.size())) {
      Named named = Named.of(line);
      Row row = results.row(named.name).orElseThrow(() -> missing(named.name, results));
      String work = named.words.isEmpty() ? row.work() : named.words;
      table.append("| %s | %s |\n".formatted(work, cells.apply(row)));
    }
  }

  private static String row(Row row) {
    return "%d | %s | %s | %s"
        .formatted(
            row.threads(),
            spread(row.ours()),
            rivals(row, Row.Form.USUAL),
            rivals(row, Row.Form.EXPERT));
  }

  private static String briefRow(Row row) {
    return "%s | %s | %s"
        .formatted(
            time(row.ours().wall()), closest(row, Row.Form.USUAL), closest(row, Row.Form.EXPERT));
  }

  private static void figures(List<String> lines, Results results, StringBuilder table) {
    table.append("| figure | goal | result |\n|---|---|---|\n");
    for (String line : lines) {
      Named named = Named.of(line);
      Figure figure = results.figure(named.name).orElseThrow(() -> missing(named.name, results));
      String[] parts = named.words.split("\\s*\\|\\s*", 2);
      table.append(
          "| `%s`%s | %s | %s %s |\n"
              .formatted(
                  named.name,
                  parts[0].isEmpty() ? "" : ": " + parts[0],
                  parts.length > 1 ? parts[1] : "",
                  digits(figure.value(), 3),
                  figure.unit()));
    }
  }

  /// A line of a mark.
  private record Named(String name, String words) {

    static Named of(String line) {
      String[] parts = line.strip().split(":\\s*", 2);
      return new Named(parts[0], parts.length > 1 ? parts[1] : "");
    }
  }

  private static IllegalArgumentException missing(String name, Results results) {
    return new IllegalArgumentException(
        "expected something that was measured at %s, was %s".formatted(results.commit(), name));
  }

  /// Such as `Qlib: 2.95 s (2.91 to 3.02), 53x, CPU 37x`; several peers of a form one after the
  /// other.
  private static String rivals(Row row, Row.Form form) {
    return orDash(
        of(row, form)
            .map(
                rival ->
                    "%s: %s, **%sx**, CPU %sx"
                        .formatted(
                            rival.name(),
                            spread(rival.times()),
                            digits(rival.wallRatio(row), 2),
                            digits(rival.cpuRatio(row), 2)))
            .collect(Collectors.joining("; ")));
  }

  /// Such as `2.95 s (Qlib), 53x`.
  private static String closest(Row row, Row.Form form) {
    return orDash(
        of(row, form)
            .min(Comparator.comparingDouble(rival -> rival.times().wall()))
            .map(
                rival ->
                    "%s (%s), **%sx**"
                        .formatted(
                            time(rival.times().wall()),
                            rival.name(),
                            digits(rival.wallRatio(row), 2)))
            .orElse(""));
  }

  private static Stream<Row.Rival> of(Row row, Row.Form form) {
    return row.rivals().stream().filter(rival -> rival.form() == form);
  }

  private static String orDash(String cell) {
    return cell.isEmpty() ? "–" : cell;
  }

  private static String spread(Row.Times times) {
    int unit = unit(times.wall());
    return "%s (%s to %s)"
        .formatted(time(times.wall()), inUnit(times.low(), unit), inUnit(times.high(), unit));
  }

  private static String time(double seconds) {
    int unit = unit(seconds);
    return inUnit(seconds, unit) + ' ' + UNITS[unit];
  }

  /// Returns the largest unit of which it is at least one.
  private static int unit(double seconds) {
    int unit = 0;
    while (unit < UNITS.length - 1 && seconds * Math.pow(1_000, unit) < 1) {
      unit++;
    }
    return unit;
  }

  private static String inUnit(double seconds, int unit) {
    return digits(seconds * Math.pow(1_000, unit), 3);
  }

  /// So many digits, or all before the point, with commas.
  private static String digits(double value, int count) {
    var rounded = new BigDecimal(value).round(new MathContext(count));
    boolean isZero = rounded.signum() == 0;
    int places = isZero ? 0 : Math.max(0, count - rounded.precision() + rounded.scale());
    return String.format(Locale.ROOT, "%,." + places + "f", rounded);
  }
}
