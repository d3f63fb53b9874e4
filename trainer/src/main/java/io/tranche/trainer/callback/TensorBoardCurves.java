package io.tranche.trainer.callback;

import io.tranche.env.log.EventFile;
import io.tranche.market.DataException;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Writes the metrics of each iteration for TensorBoard. A resumed run goes on in a file of its
/// own.
public final class TensorBoardCurves implements Callback, AutoCloseable {

  private final Path folder;
  private final InstantSource clock;
  private @Nullable EventFile events;

  public TensorBoardCurves(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
  }

  @Override
  public void on(Hook hook, Trainer trainer) {
    if (hook != Hook.ITERATION_END) {
      return;
    }
    try {
      if (events == null) {
        events = EventFile.create(folder, clock.instant());
      }
      events.scalars(clock.instant(), trainer.iterations(), trainer.metrics());
      events.flush();
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  @Override
  public void close() {
    try {
      if (events != null) {
        events.close();
      }
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }
}
