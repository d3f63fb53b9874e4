package io.tranche.market.check;

import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.table.BarWidths;
import io.tranche.market.table.ColumnMapping;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Checks the raw files of a Qlib `.bin` store: calendars, instruments and features.
final class StoreCheck {

  private final Path folder;
  private final CheckOptions options;
  private final Findings findings;
  private final @Nullable String wanted; // the bar width asked for; null: all
  private final Map<String, long[]> calendars = new TreeMap<>();

  StoreCheck(Path folder, CheckOptions options, Findings findings) {
    this.folder = folder;
    this.options = options;
    this.findings = findings;
    Frequency frequency = options.mapping().frequency();
    this.wanted = frequency == null ? null : frequency.toString();
  }

  void check() {
    for (Path file : entries(folder.resolve("calendars"), ".txt")) {
      checkCalendar(file);
    }
    if (wanted != null && !calendars.containsKey(wanted)) {
      findings.add(
          Rule.CALENDAR,
          folder.resolve("calendars"),
          "none of %s, only of %s".formatted(wanted, calendars.keySet()));
    }
    var listed = new TreeSet<String>();
    for (Path file : entries(folder.resolve("instruments"), ".txt")) {
      checkInstruments(file, listed);
    }
    Path features = folder.resolve("features");
    List<Path> instruments = entries(features, "");
    if (instruments.isEmpty()) {
      findings.add(Rule.NO_BARS, features, "no folder of an instrument");
    }
    for (Path instrument : instruments) {
      listed.remove(name(instrument));
      checkFeatures(instrument);
    }
    for (String code : listed) {
      findings.add(Rule.INSTRUMENT_WITHOUT_BARS, features, "", code, "no folder");
    }
  }

  private void checkCalendar(Path file) {
    List<String> lines = lines(file);
    long[] times = new long[lines.size()];
    int count = 0;
    for (int i = 0; i < lines.size(); i++) {
      String place = ":" + (i + 1);
      try {
        long time = BarTime.parse(lines.get(i));
        if (count > 0 && time <= times[count - 1]) {
          Rule rule = time == times[count - 1] ? Rule.DUPLICATE_BAR : Rule.NON_MONOTONE_TIME;
          findings.add(rule, file, place, null, lines.get(i));
        }
        times[count++] = time; // a wrong line still has an index
      } catch (DateTimeException e) {
        findings.add(Rule.CALENDAR, file, place, null, "'" + lines.get(i) + "'");
        times[count] = count == 0 ? 0 : times[count - 1];
        count++;
      }
    }
    if (count == 0) {
      findings.add(Rule.CALENDAR, file, "no line");
    }
    String frequency = name(file).replace(".txt", "");
    if (frequency.endsWith("_future")) {
      return; // a calendar with future days: the same bars and more
    }
    calendars.put(frequency, times);
    try {
      Frequency width = Frequency.parse(frequency);
      int misfit = BarWidths.firstMisfit(times, count, width);
      if (misfit >= 0) {
        findings.add(Rule.MIXED_BAR_WIDTHS, file, ":" + (misfit + 1), null, lines.get(misfit));
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      findings.add(Rule.CALENDAR, file, "the frequency " + frequency);
    }
  }

  private void checkInstruments(Path file, Set<String> listed) {
    List<String> lines = lines(file);
    for (int i = 0; i < lines.size(); i++) {
      String[] parts = lines.get(i).split("\t", -1);
      boolean sound = parts.length == 3 && !parts[0].isBlank();
      if (sound) {
        try {
          sound = BarTime.parse(parts[1]) <= BarTime.parse(parts[2]);
        } catch (DateTimeException e) {
          sound = false;
        }
      }
      if (sound) {
        listed.add(parts[0].toLowerCase(Locale.ROOT));
      } else {
        findings.add(Rule.INSTRUMENT_LINE, file, ":" + (i + 1), null, "'" + lines.get(i) + "'");
      }
    }
  }

  /// Checks the files of one instrument, all fields of one frequency together.
  private void checkFeatures(Path instrument) {
    var byFrequency = new TreeMap<String, List<Path>>();
    for (Path file : entries(instrument, ".bin")) {
      String[] parts = name(file).split("\\.", -1);
      if (parts.length != 3 || !calendars.containsKey(parts[1])) {
        findings.add(
            Rule.WRONG_COLUMN, file, "a name other than field.frequency.bin, or no calendar");
      } else {
        byFrequency.computeIfAbsent(parts[1], _ -> new ArrayList<>()).add(file);
      }
    }
    if (byFrequency.isEmpty()) {
      findings.add(Rule.INSTRUMENT_WITHOUT_BARS, instrument, "", name(instrument), "no file");
    }
    byFrequency.forEach(
        (frequency, files) -> {
          long[] calendar = calendars.get(frequency);
          if (calendar != null && (wanted == null || wanted.equals(frequency))) {
            checkBars(instrument, frequency, calendar, files);
          }
        });
  }

  private void checkBars(Path instrument, String frequency, long[] calendar, List<Path> files) {
    var fields = new ArrayList<String>();
    var columns = new ArrayList<float[]>();
    for (Path file : files) {
      float[] column = read(file, calendar.length);
      if (column != null) {
        fields.add(ColumnMapping.DEFAULT.field(name(file).replace("." + frequency + ".bin", "")));
        columns.add(column);
      }
    }
    if (fields.isEmpty()) {
      return;
    }
    var stream =
        new BarStream(
            instrument, name(instrument),
            fields, options.longRun(),
            findings, row -> "%s index %d".formatted(frequency, row));
    double[] values = new double[fields.size()];
    for (int row = 0; row < calendar.length; row++) {
      boolean sound = row == 0 || calendar[row] > calendar[row - 1];
      for (int i = 0; i < values.length; i++) {
        values[i] = columns.get(i)[row];
      }
      if (sound) { // a calendar out of order was reported before
        stream.add(row, calendar[row], values);
      }
    }
    var named = options.mapping();
    var mapping =
        new ColumnMapping(
            null, null, null, named.session(), frequencyOf(frequency), Map.of(), List.of());
    var withWidth = new CheckOptions(mapping, options.findingsARule(), options.longRun());
    new MarketDays(instrument, withWidth, findings).check(List.of(stream));
  }

  private static @Nullable Frequency frequencyOf(String text) {
    try {
      return Frequency.parse(text);
    } catch (IllegalArgumentException | ArithmeticException e) {
      return null;
    }
  }

  /// Returns a field on the whole calendar, or null, with a finding, if the file is damaged.
  private float @Nullable [] read(Path file, int bars) {
    try {
      long size = Files.size(file);
      if (size % 4 != 0 || size < 4) {
        findings.add(Rule.TRUNCATED_FILE, file, "byte " + size / 4 * 4, null, size + " bytes");
        return null;
      }
      if (size / 4 - 1 > bars) {
        findings.add(
            Rule.BIN_TOO_LONG,
            file,
            "",
            null,
            "%d values for %d bars".formatted(size / 4 - 1, bars));
        return null;
      }
      var values =
          ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
      float first = values.get();
      if (!(first >= 0 && first < bars && first == Math.rint(first))) {
        findings.add(Rule.BIN_HEADER, file, "byte 0", null, first);
        return null;
      }
      if (first + values.remaining() > bars) {
        findings.add(
            Rule.BIN_TOO_LONG,
            file,
            "byte 4",
            null,
            "%d values from %d of %d bars".formatted(values.remaining(), (int) first, bars));
        return null;
      }
      float[] column = new float[bars];
      Arrays.fill(column, Float.NaN);
      values.get(column, (int) first, values.remaining());
      return column;
    } catch (IOException e) {
      findings.add(Rule.UNREADABLE, file, e);
      return null;
    }
  }

  private List<String> lines(Path file) {
    try {
      var lines = new ArrayList<>(Files.readAllLines(file, StandardCharsets.UTF_8));
      while (!lines.isEmpty() && lines.getLast().isBlank()) {
        lines.removeLast();
      }
      return lines;
    } catch (IOException e) {
      findings.add(Rule.UNREADABLE, file, e);
      return List.of();
    }
  }

  /// Returns what is in a folder, by name.
  private List<Path> entries(Path parent, String suffix) {
    try (Stream<Path> entries = Files.list(parent)) {
      return entries.filter(entry -> name(entry).endsWith(suffix)).sorted().toList();
    } catch (IOException e) {
      findings.add(Rule.UNREADABLE, parent, "no such folder");
      return List.of();
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
  }
}
