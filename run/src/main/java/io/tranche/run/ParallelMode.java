package io.tranche.run;

import io.tranche.config.ConfigNode;
import java.util.Arrays;
import java.util.Locale;

/// Which threads step the environments; changes no result. Qlib: `parallel_mode`.
public enum ParallelMode {
  /// The trainer's own.
  DUMMY,
  /// Several.
  SHMEM,
  /// Several, as with `shmem`. Qlib forks processes here, because its interpreter runs one thread
  /// at a time.
  SUBPROC;

  static ParallelMode from(ConfigNode node) {
    return valueOf(
        node.asChoice(
                Arrays.stream(values()).map(mode -> mode.name().toLowerCase(Locale.ROOT)).toList())
            .toUpperCase(Locale.ROOT));
  }
}
