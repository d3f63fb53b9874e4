package io.tranche.market.store;

import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The calendars of a store: those it holds, and those derived from a finer one.
///
/// @param region whose hours steps are cut from
record StoreCalendars(StoreLayout layout, @Nullable Session session, QlibRegion region) {

  /// Returns the calendar of `frequency`, resampled if the store has only finer ones.
  ///
  /// @param future whether to prefer the calendar that reaches beyond the data
  /// @param known a calendar of the store that need not be read again
  Calendar calendar(Frequency frequency, boolean future, Calendar known) {
    NavigableSet<Frequency> stored = stored();
    Frequency source = stored.floor(frequency);
    if (source == null) {
      throw new DataException(
          layout.calendars().toString(),
          "a calendar of %s or finer".formatted(frequency),
          stored.isEmpty() ? "none" : stored);
    }
    Path file = layout.calendar(source, future);
    boolean isFuture = future && Files.exists(file);
    if (!isFuture) {
      file = layout.calendar(source, false);
    }
    Calendar calendar = !isFuture && source.equals(known.frequency()) ? known : read(file, source);
    return source.equals(frequency) ? calendar : resampled(calendar, frequency, file);
  }

  /// Returns the calendar that the store itself holds.
  Calendar stored(Frequency frequency) {
    Path file = layout.calendar(frequency, false);
    if (!Files.exists(file)) {
      NavigableSet<Frequency> stored = stored();
      throw new DataException(
          file.toString(),
          "the calendar of " + frequency,
          stored.isEmpty() ? "no such file" : "no such file, only calendars of " + stored);
    }
    return read(file, frequency);
  }

  /// Returns the bar widths whose calendars the store holds.
  NavigableSet<Frequency> stored() {
    var frequencies = new TreeSet<Frequency>();
    try (Stream<Path> files = Files.list(layout.calendars())) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = file.getFileName().toString();
        if (name.endsWith(".txt") && !name.endsWith("_future.txt")) {
          try {
            frequencies.add(Frequency.parse(name.substring(0, name.length() - 4)));
          } catch (IllegalArgumentException | ArithmeticException _) {
            // Weeks and months exist in other stores; we do not support them.
          }
        }
      }
    } catch (IOException e) {
      throw new DataException(
          layout.calendars().toString(), "a folder of calendars", "no such folder", e);
    }
    return frequencies;
  }

  private Calendar read(Path file, Frequency frequency) {
    long[] plain = PlainTimes.read(file);
    return Calendar.of(frequency, plain == null ? times(file, frequency) : plain, session);
  }

  /// Reads a file line by line, and says which line is wrong.
  private static long[] times(Path file, Frequency frequency) {
    List<TextFile.Line> lines = TextFile.lines(file, "the calendar of " + frequency);
    long[] times = new long[lines.size()];
    for (int i = 0; i < times.length; i++) {
      TextFile.Line line = lines.get(i);
      times[i] = TextFile.time(file, line, line.text());
      if (i > 0 && times[i] <= times[i - 1]) {
        throw new DataException(
            TextFile.where(file, line),
            "a time after " + BarTime.format(times[i - 1]),
            line.text());
      }
    }
    return times;
  }

  /// Days are the distinct dates; minutes are cut from the region's hours, every n-th of them, and
  /// each time falls to the latest cut before it.
  private Calendar resampled(Calendar calendar, Frequency frequency, Path file) {
    long[] times = new long[calendar.size()];
    int[] cuts = frequency.isDay() ? new int[] {0} : cuts(frequency);
    int count = 0;
    long next = Long.MIN_VALUE; // when the step after the current one begins
    for (int i = 0; i < calendar.size(); i++) {
      long time = calendar.time(i);
      if (time < next) {
        continue;
      }
      int second = BarTime.secondOfDay(time);
      int found = Arrays.binarySearch(cuts, second);
      int cut = found >= 0 ? found : -found - 2;
      if (cut < 0) {
        throw new DataException(
            file.toString(),
            "times from %s on, when region %s opens, to be resampled to %s"
                .formatted(LocalTime.ofSecondOfDay(cuts[0]), region, frequency),
            BarTime.format(time));
      }
      long midnight = time - second;
      times[count++] = midnight + cuts[cut];
      next = midnight + (cut + 1 < cuts.length ? cuts[cut + 1] : BarTime.SECONDS_A_DAY);
    }
    return Calendar.of(frequency, Arrays.copyOf(times, count), frequency.isDay() ? null : session);
  }

  private int[] cuts(Frequency frequency) {
    int[] minutes = region.hours().barStarts(Frequency.MINUTE);
    int every = Math.max(1, frequency.seconds() / Frequency.MINUTE.seconds());
    int[] cuts = new int[Math.ceilDiv(minutes.length, every)];
    for (int i = 0; i < cuts.length; i++) {
      cuts[i] = minutes[i * every];
    }
    return cuts;
  }
}
