package io.tranche.run;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The file and line of each setting of a section, for error messages. Any two are equal, because a
/// run is the same wherever its settings were written.
public final class Places {

  /// Something to do with data.
  ///
  /// @param <T> what it returns
  /// @param <E> what it throws
  @FunctionalInterface
  interface Action<T, E extends Exception> {
    T run() throws E;
  }

  /// The section `data` of a run that was made in Java.
  static final Places DATA = new Places(ConfigFiles.of("data", Map.of()));

  private final ConfigNode section;

  Places(ConfigNode section) {
    this.section = section;
  }

  /// Returns the place of the whole section.
  String where() {
    return section.where();
  }

  /// Returns a setting as it was written; null if it was not.
  @Nullable ConfigNode setting(String key) {
    return section.optional(key);
  }

  /// Calls `action`, and names the place of `key` in front of any error about data.
  <T, E extends Exception> T naming(String key, Action<T, E> action) throws E {
    try {
      return action.run();
    } catch (DataException e) {
      ConfigNode setting = section.optional(key);
      throw setting == null ? e : e.in(setting.where());
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Places;
  }

  @Override
  public int hashCode() {
    return 0;
  }
}
