package io.tranche.work.roll;

import io.tranche.config.ConfigException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How many days each window trains on, validates on, and is judged on.
///
/// @param next the days after those, which are judged; the next window begins as many days later
/// @param windows how many windows at most, the latest ones; null for all
/// @param candidates how many checkpoints are compared on the validation days
/// @param seeds how many seeds each window trains, whose agents act together
/// @param name of the models, whose versions are the numbers of the windows
public record RollPlan(
    int train,
    int valid,
    int next,
    @Nullable Integer windows,
    int candidates,
    int seeds,
    String name) {

  /// The days of one window, in this order in time.
  ///
  /// @param number from 1
  public record Window(
      int number, List<LocalDate> train, List<LocalDate> valid, List<LocalDate> judged) {

    public Window {
      train = List.copyOf(train);
      valid = List.copyOf(valid);
      judged = List.copyOf(judged);
      if (!train.getLast().isBefore(valid.getFirst())
          || !valid.getLast().isBefore(judged.getFirst())) {
        throw new IllegalArgumentException(
            "days must follow each other, was %s, %s, %s".formatted(train, valid, judged));
      }
    }
  }

  /// Returns the name of a window's model.
  public String model(Window window) {
    return "%s@%d".formatted(name, window.number());
  }

  /// Cuts days into windows, the first of which begins with the first day, so that later days
  /// change no window. Days that are too few for another one are left out.
  ///
  /// @param days in order
  /// @throws ConfigException if they are too few for one window
  List<Window> cut(List<LocalDate> days) {
    int size = train + valid + next;
    int count = (days.size() - size) / next + 1;
    if (days.size() < size) {
      throw new ConfigException(
          "--train-days, --valid-days and --next-days",
          "together at most the %d days with orders".formatted(days.size()),
          size);
    }
    int first = windows == null ? 0 : Math.max(0, count - windows);
    var cut = new ArrayList<Window>();
    for (int i = first; i < count; i++) {
      int from = i * next;
      cut.add(
          new Window(
              i + 1,
              days.subList(from, from + train),
              days.subList(from + train, from + train + valid),
              days.subList(from + train + valid, from + size)));
    }
    return cut;
  }
}
