package io.tranche.run;

import io.tranche.config.ConfigNode;
import java.util.Arrays;
import java.util.Locale;

/// Where environments run; changes no result. Qlib: `parallel_mode`.
public enum ParallelMode {
  /// On the trainer's thread.
  DUMMY,
  /// On several threads.
  SHMEM,
  /// In child processes.
  SUBPROC;

  static ParallelMode from(ConfigNode node) {
    return valueOf(
        node.asChoice(
                Arrays.stream(values()).map(mode -> mode.name().toLowerCase(Locale.ROOT)).toList())
            .toUpperCase(Locale.ROOT));
  }
}
