package io.tranche.cli.start;

import io.tranche.backtest.Costs;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.check.CheckOptions;
import io.tranche.market.check.CheckReport;
import io.tranche.market.check.DataCheck;
import io.tranche.market.check.Finding;
import io.tranche.market.check.Rule;
import io.tranche.market.session.BarLabel;
import io.tranche.market.session.SessionBars;
import io.tranche.market.session.SessionBars.Reading;
import io.tranche.market.session.StatedSessions;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnGuess;
import io.tranche.market.table.ColumnMapping;
import io.tranche.market.table.TimeColumn;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a look at a user's bars finds.
///
/// @param mapping how to read them
/// @param session of most instruments
/// @param sessions of all of them, in words
/// @param minutes the length of a trading day
/// @param notes what was found, guessed and left out, one line for each
record BarsFound(
    Path bars,
    ColumnMapping mapping,
    Session session,
    String sessions,
    Frequency width,
    int instruments,
    int days,
    int minutes,
    String first,
    String last,
    List<String> notes) {

  /// Three days to train, one to validate, one to test.
  private static final int FEWEST_DAYS = 5;

  private static final int MOST_STEPS = 20;

  private static final List<String> NEEDED = List.of("open", "close", "volume");

  BarsFound {
    notes = List.copyOf(notes);
  }

  /// Looks at bars.
  ///
  /// @param given what the user says about them
  /// @throws DataException if they cannot be read, or not be used
  static BarsFound in(Path path, ColumnMapping given, Questions questions) {
    var notes = new ArrayList<String>();
    ColumnMapping mapping = given;
    if (!BarFiles.isStore(path)) {
      Path file = BarFiles.tableFiles(path).getFirst();
      Table table = TableFormat.of(file).read(file, List.of());
      ColumnGuess guess = ColumnGuess.of(table, given);
      requireTimes(file, table, guess.mapping());
      notes.addAll(guess.notes());
      mapping = withZone(table, guess.mapping(), questions);
    }
    mapping = checked(path, mapping, notes);
    try (BarSource bars = BarFiles.openSessions(path, mapping)) {
      return of(path, mapping, bars, notes);
    }
  }

  private static void requireTimes(Path file, Table table, ColumnMapping mapping) {
    if (table.rows() == 0) {
      throw new DataException(file.toString(), "bars below the header", "none");
    }
    if (mapping.timeIn(table.names()) == null) {
      throw new DataException(
          file.toString(),
          "a time column, one of %s, or a mapping that names it (--mapping)"
              .formatted(ColumnMapping.TIME_NAMES),
          table.names());
    }
  }

  /// Times with an offset need the zone of the exchange, which no file has.
  private static ColumnMapping withZone(Table table, ColumnMapping mapping, Questions questions) {
    TimeColumn time = TimeColumn.of(table, mapping);
    Reading reading = mapping.reading();
    if (time == null || !time.times().areInstants() || !reading.sessions().isEmpty()) {
      return mapping;
    }
    String name =
        questions.ask(
            "--session",
            "The times of the bars have a time zone. Where do the instruments trade?",
            List.copyOf(Session.names()),
            null);
    return mapping.withReading(
        new Reading(StatedSessions.of(Session.parse(name)), reading.label(), reading.zone()));
  }

  /// Checks the bars, and reads them by their ends if that is what their times are.
  private static ColumnMapping checked(Path path, ColumnMapping given, List<String> notes) {
    CheckReport report = DataCheck.check(path, new CheckOptions(given, 1, 5));
    ColumnMapping mapping = given;
    if (report.count(Rule.END_LABELS) > 0 && given.reading().label() == BarLabel.START) {
      notes.add("the times of the bars are their ends (label: end)");
      Reading reading = given.reading();
      mapping = given.withReading(new Reading(reading.sessions(), BarLabel.END, reading.zone()));
    }
    long count = 0;
    for (Rule rule : Rule.values()) {
      count += rule == Rule.END_LABELS ? 0 : report.count(rule);
    }
    for (Finding finding : report.findings()) {
      Rule rule = finding.rule();
      if (rule == Rule.FOREIGN_CLOCK || rule == Rule.WRONG_CLOCK) {
        throw new DataException(
            finding.file(),
            "%s, or --session and --time-zone".formatted(rule.text()),
            finding.value());
      }
    }
    if (count > 0) {
      notes.add("%d doubtful places; tranche data check %s lists them".formatted(count, path));
    }
    return mapping;
  }

  /// Returns the same for bars in another place.
  BarsFound at(Path place) {
    return new BarsFound(
        place, mapping, session, sessions, width, instruments, days, minutes, first, last, notes);
  }

  private static BarsFound of(
      Path path, ColumnMapping mapping, BarSource bars, List<String> notes) {
    for (String field : NEEDED) {
      if (!bars.fields().contains(field)) {
        throw new DataException(
            path.toString(),
            "a column %s, or a mapping that renames one to it (--mapping)".formatted(field),
            bars.fields());
      }
    }
    Frequency width = bars.calendar().frequency();
    if (width.isDay()) {
      throw new DataException(
          path.toString(), "bars within the day, because an order lasts a day or less", width);
    }
    int days = bars.calendar().days();
    if (days < FEWEST_DAYS) {
      throw new DataException(
          path.toString(),
          "bars of at least %d days: three to train, one to validate, one to test"
              .formatted(FEWEST_DAYS),
          days);
    }
    List<String> sessions = bars instanceof SessionBars known ? known.notes() : List.of();
    notes.addAll(sessions);
    Session session = usual(bars);
    int seconds = session.segments().stream().mapToInt(each -> each.close() - each.open()).sum();
    return new BarsFound(
        path,
        mapping,
        session,
        sessions.isEmpty() ? "session: " + session.text() : sessions.getFirst(),
        width,
        bars.instruments().size(),
        days,
        seconds / 60,
        date(bars.calendar().time(0)),
        date(bars.calendar().time(bars.calendar().size() - 1)),
        notes);
  }

  private static String date(long time) {
    return BarTime.date(time).toString();
  }

  /// Returns the session of most instruments, of equals the first.
  private static Session usual(BarSource bars) {
    return bars.instruments().stream()
        .map(code -> Objects.requireNonNull(bars.session(code)))
        .collect(
            Collectors.groupingBy(Function.identity(), LinkedHashMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .max(Map.Entry.comparingByValue())
        .orElseThrow()
        .getKey();
  }

  /// Returns the name of the costs that are usual for the session; null if that is not known.
  @Nullable String usualCosts() {
    return Costs.presets().stream()
        .filter(name -> session.name().startsWith(name))
        .findFirst()
        .orElse(null);
  }

  /// Returns the minutes from one decision to the next: half an hour, or more where that would be
  /// more than twenty decisions a day.
  int minutesPerStep() {
    int bar = Math.max(1, width.seconds() / 60);
    for (int step : List.of(30, 60, 120)) {
      if (step % bar == 0 && minutes <= MOST_STEPS * step) {
        return step;
      }
    }
    return Math.ceilDiv(Math.max(30, minutes / MOST_STEPS), bar) * bar;
  }

  @Override
  public String toString() {
    return "%s: %d instruments, %s bars, %d days from %s to %s"
        .formatted(bars, instruments, width, days, first, last);
  }
}
