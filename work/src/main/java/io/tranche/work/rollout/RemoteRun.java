package io.tranche.work.rollout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.DataException;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.RunParts;
import io.tranche.work.SentConfig;
import java.nio.file.Path;

/// Writes a run for other processes, which make the same parts from the same files.
public final class RemoteRun {

  private RemoteRun() {}

  /// Writes a run whose data are prepared. The teacher is left out: a student acts without it.
  ///
  /// @throws io.tranche.config.ConfigException if a part is an object that no other process has
  public static byte[] bytes(RunParts<?> parts) {
    ExecutionRun run = parts.run();
    ExecutionRun prepared =
        run.withData(parts.data().settings()).withAgent(run.agent().withTeacher(null));
    return SentConfig.of(prepared).getBytes(UTF_8);
  }

  /// Makes the parts of a run that [#bytes] wrote.
  ///
  /// @throws DataException if data are missing here
  public static RunParts<?> open(byte[] bytes) {
    ExecutionRun run = SentConfig.run(new String(bytes, UTF_8));
    try {
      // All data exist, so nothing is written to the folder.
      return RunParts.of(run, PreparedData.of(run, new RunFolder(Path.of("")), (_, _, _) -> {}));
    } catch (DataException e) {
      throw DataException.madeElsewhere(
          "all data must have the same paths on every machine: " + e.getMessage());
    }
  }
}
