package io.tranche.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/// Made-up bars of each kind of market, with the days that go wrong: an early close, also on the
/// first day; a late open, a halt, bars without trades, and a day on which one instrument is
/// missing.
///
/// @param minutes the width of a bar; the last bar of a segment may be shorter
/// @param days the number of trading days, from Monday, 4 March 2024 on; at least 8
public record MarketBars(Kind kind, int minutes, Columns columns, int days, long seed) {

  /// A kind of market: the sessions of its instruments, in minutes from the trading day's midnight.
  public enum Kind {
    CN_STOCKS("570 690 780 900", "570 690 780 900"),
    US_STOCKS("570 960", "570 960"),
    /// Three sessions in one file: a long night, a short one, and none.
    CN_FUTURES(
        "-180 150 540 615 630 690 810 900",
        "-180 -60 540 615 630 690 810 900",
        "540 615 630 690 810 900"),
    CRYPTO("0 1440", "0 1440");

    private final String sessions;

    Kind(String... sessions) {
      this.sessions = String.join(",", sessions);
    }

    /// Returns the codes of its instruments.
    public List<String> instruments() {
      var codes = new ArrayList<String>();
      for (int i = 0; i < sessions.split(",", -1).length; i++) {
        codes.add("%s%d".formatted(name().replace("_", ""), i));
      }
      return codes;
    }

    /// Returns the opens and closes of an instrument, in turn.
    public List<Integer> session(String instrument) {
      String session = sessions.split(",", -1)[instruments().indexOf(instrument)];
      return Arrays.stream(session.split(" ", -1)).map(Integer::valueOf).toList();
    }
  }

  /// What bars have besides open, close, volume and the change since the previous close.
  public enum Columns {
    QUOTES,
    HIGHS_AND_LOWS,
    NEITHER
  }

  /// The day that closes early, the day that opens late, and the day with a halt.
  public static final int EARLY_CLOSE = 3;

  public static final int LATE_OPEN = 4;
  public static final int HALT = 5;

  /// The day on which the second instrument is missing.
  public static final int MISSING = 6;

  private static final LocalDate FIRST = LocalDate.of(2024, 3, 4);
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  /// Returns the trading days.
  public List<LocalDate> dates() {
    var dates = new ArrayList<LocalDate>();
    for (LocalDate date = FIRST; dates.size() < days; date = date.plusDays(1)) {
      if (kind == Kind.CRYPTO || isWeekday(date)) {
        dates.add(date);
      }
    }
    return dates;
  }

  private static boolean isWeekday(LocalDate date) {
    return date.getDayOfWeek() != DayOfWeek.SATURDAY && date.getDayOfWeek() != DayOfWeek.SUNDAY;
  }

  /// Returns the starts of all bars that the session has on a day, whether or not they are there.
  public List<LocalDateTime> times(String instrument, LocalDate date) {
    return times(instrument, date, 0);
  }

  /// Returns the ends of the same bars.
  public List<LocalDateTime> ends(String instrument, LocalDate date) {
    return times(instrument, date, minutes);
  }

  private List<LocalDateTime> times(String instrument, LocalDate date, int later) {
    var times = new ArrayList<LocalDateTime>();
    List<Integer> session = kind.session(instrument);
    for (int i = 0; i < session.size(); i += 2) {
      for (int at = session.get(i); at < session.get(i + 1); at += minutes) {
        // What opens on the evening before does so on the weekday before.
        boolean isNight = session.getFirst() < 0 && i == 0;
        int minute = Math.min(at + later, session.get(i + 1));
        times.add((isNight ? before(date).plusDays(1) : date).atStartOfDay().plusMinutes(minute));
      }
    }
    return times;
  }

  private static LocalDate before(LocalDate date) {
    LocalDate before = date.minusDays(1);
    while (!isWeekday(before)) {
      before = before.minusDays(1);
    }
    return before;
  }

  /// Whether the market or the instrument does not trade at all then.
  private boolean isClosed(int instrument, int day, int tick, int ticks) {
    return switch (day) {
      case 0, EARLY_CLOSE -> tick >= ticks * 2 / 3;
      case LATE_OPEN -> tick < ticks / 8;
      case HALT -> instrument == 0 && tick >= ticks / 3 && tick < ticks / 2;
      case MISSING -> instrument == 1;
      default -> false;
    };
  }

  /// Writes the bars as CSV and returns the file.
  public Path write(Path folder) {
    var text = new StringBuilder("instrument,datetime,open,close,volume,change");
    text.append(
        switch (columns) {
          case QUOTES -> ",bid,ask";
          case HIGHS_AND_LOWS -> ",high,low";
          case NEITHER -> "";
        });
    text.append('\n');
    var random = new SplittableRandom(seed);
    List<String> instruments = kind.instruments();
    for (int i = 0; i < instruments.size(); i++) {
      write(instruments.get(i), i, random, text);
    }
    Path file =
        folder.resolve("%s-%dmin.csv".formatted(kind.name().toLowerCase(Locale.ROOT), minutes));
    try {
      Files.createDirectories(folder);
      return Files.writeString(file, text, UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void write(String instrument, int number, SplittableRandom random, StringBuilder text) {
    double price = 20 + 30 * random.nextDouble();
    double previous = price;
    List<LocalDate> dates = dates();
    for (int day = 0; day < dates.size(); day++) {
      List<LocalDateTime> times = times(instrument, dates.get(day));
      for (int tick = 0; tick < times.size(); tick++) {
        double open = price;
        price *= Math.exp(0.0006 * Math.sqrt(minutes) * (random.nextDouble() - 0.5) * 2);
        double range = price * 0.0004 * random.nextDouble();
        int volume = (int) (random.nextDouble() * random.nextDouble() * 20_000 * minutes);
        boolean isQuiet = random.nextInt(60) == 0;
        if (isQuiet || isClosed(number, day, tick, times.size())) {
          continue;
        }
        text.append(instrument)
            .append(',')
            .append(TIME.format(times.get(tick)))
            .append(',')
            .append(number(open))
            .append(',')
            .append(number(price))
            .append(',')
            .append(volume)
            .append(',')
            .append(number(price / previous - 1));
        switch (columns) {
          case QUOTES ->
              text.append(',')
                  .append(number(price - range))
                  .append(',')
                  .append(number(price + range));
          case HIGHS_AND_LOWS ->
              text.append(',')
                  .append(number(Math.max(open, price) + range))
                  .append(',')
                  .append(number(Math.min(open, price) - range));
          case NEITHER -> {}
        }
        text.append('\n');
      }
      previous = price;
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }
}
