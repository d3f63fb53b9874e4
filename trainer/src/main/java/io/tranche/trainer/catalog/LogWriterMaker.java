package io.tranche.trainer.catalog;

import io.tranche.env.LogWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;

/// Opens a log writer when the folder of the run is known.
@FunctionalInterface
public interface LogWriterMaker {

  /// @param folder the run folder; relative paths are below it
  /// @param clock for times in files
  LogWriter open(Path folder, InstantSource clock);

  /// @param console receives lines for the user
  default LogWriter open(Path folder, InstantSource clock, Consumer<String> console) {
    return open(folder, clock);
  }
}
