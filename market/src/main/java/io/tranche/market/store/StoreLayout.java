package io.tranche.market.store;

import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Where the files of a store are.
///
/// @param root the folder that holds `calendars`, `instruments` and `features`
record StoreLayout(Path root) {

  static final String BIN = ".bin";
  private static final String PREFIX = "_qlib_";

  /// Names that Windows reserves for devices; Qlib writes them with a prefix on every system.
  private static final Set<String> DEVICES =
      Stream.concat(
              Stream.of("con", "prn", "aux", "nul"),
              IntStream.range(0, 10).boxed().flatMap(i -> Stream.of("com" + i, "lpt" + i)))
          .collect(Collectors.toUnmodifiableSet());

  Path calendars() {
    return root.resolve("calendars");
  }

  Path calendar(Frequency frequency, boolean future) {
    return calendars().resolve(frequency + (future ? "_future.txt" : ".txt"));
  }

  Path sessions(Frequency frequency) {
    return calendars().resolve(frequency + ".sessions");
  }

  Path instruments() {
    return root.resolve("instruments");
  }

  Path instruments(String market) {
    return instruments().resolve(fileName("market", market) + ".txt");
  }

  Path features() {
    return root.resolve("features");
  }

  Path features(String instrument) {
    return features().resolve(folderName(instrument));
  }

  Path bin(String instrument, String field, Frequency frequency) {
    return features(instrument).resolve(fileName("field", field) + suffix(frequency));
  }

  static String suffix(Frequency frequency) {
    return "." + frequency + BIN;
  }

  static String folderName(String instrument) {
    String name = fileName("instrument", instrument);
    return DEVICES.contains(name) ? PREFIX + name : name;
  }

  /// Returns `name` in lower case if it stays within its folder.
  private static String fileName(String kind, String name) {
    return DataException.requireFileName(kind, name).toLowerCase(Locale.ROOT);
  }
}
