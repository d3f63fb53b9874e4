package io.tranche.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Guesses which name a user meant by a wrong one.
public final class NearestName {

  /// Longer names are not compared: they are not typing errors.
  private static final int MAX_LENGTH = 100;

  private NearestName() {}

  /// Returns the "expected" of an error: all names, and the nearest one if it is close.
  public static String choices(String what, String written, Collection<String> names) {
    String all = what + " out of " + new TreeSet<>(names);
    String nearest = of(written, names);
    return nearest == null ? all : all + " (nearest: " + nearest + ")";
  }

  /// Returns the name with the fewest edits, if at most a third of its letters change.
  public static @Nullable String of(String written, Collection<String> names) {
    if (written.length() > MAX_LENGTH) {
      return null;
    }
    return names.stream()
        .filter(name -> name.length() <= MAX_LENGTH)
        .filter(name -> 3 * edits(written, name) <= Math.max(3, name.length()))
        .min(
            Comparator.<String>comparingInt(name -> edits(written, name))
                .thenComparing(Comparator.naturalOrder()))
        .orElse(null);
  }

  /// Returns how many letters must be added, removed, replaced or swapped with their neighbour,
  /// ignoring case.
  private static int edits(String one, String other) {
    String from = one.toLowerCase(Locale.ROOT);
    String to = other.toLowerCase(Locale.ROOT);
    int[] last = new int[to.length() + 1];
    int[] previous = new int[to.length() + 1];
    int[] current = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          current[j] = Math.min(current[j], 1 + last[j - 2]);
        }
      }
      int[] spare = last;
      last = previous;
      previous = current;
      current = spare;
    }
    return previous[to.length()];
  }
}
