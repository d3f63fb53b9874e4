package io.tranche.market.pickle;

import io.tranche.files.PendingFile;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.TableStack;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/// Writes tables as one pickled pandas frame, which is held in memory until it is complete.
final class PickleFileWriter implements TableFormat.Writer {

  private final Path target;
  private final TableStack tables = new TableStack();

  PickleFileWriter(Path target) {
    this.target = target;
  }

  static void write(Path target, PickleValue value) throws IOException {
    PendingFile.write(
        target,
        path -> {
          try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path))) {
            PickleOutput.write(value, out);
          }
        });
  }

  @Override
  public void append(Table table) {
    tables.add(target.toString(), table, Set.of());
  }

  @Override
  public void commit() throws IOException {
    write(target, PickledFrames.of(tables.table()));
  }

  @Override
  public void close() {}
}
