package io.tranche.cli;

import io.tranche.config.ConfigFiles;
import io.tranche.market.BarSource;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// How the bars of an input are to be understood; the same options for every verb that reads bars.
final class InputOptions {

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description = "YAML that says which columns are what (docs/data.md).")
  private @Nullable Path mapping;

  @Mixin private BarShapeOptions shape = new BarShapeOptions();

  BarSource open(Path path) {
    return BarFiles.open(path, mapping());
  }

  /// Returns the mapping of the file, overridden by the options.
  ColumnMapping mapping() {
    return shape.applyTo(
        mapping == null ? ColumnMapping.DEFAULT : ColumnMapping.from(ConfigFiles.load(mapping)));
  }
}
