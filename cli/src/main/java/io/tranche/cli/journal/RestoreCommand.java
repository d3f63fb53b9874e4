package io.tranche.cli.journal;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.Arguments;
import io.tranche.files.Fsync;
import io.tranche.market.DataException;
import io.tranche.serving.journal.JournalHistory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "restore",
    description = {
      "Make a journal from a backup: checks the backup as verify does and copies it with its archive. A service that",
      "is started on TARGET continues where the backup ends. TARGET appears when it is complete."
    })
final class RestoreCommand implements Callable<Integer> {

  private static final String ARCHIVE = "archive";

  @Parameters(index = "0", paramLabel = "BACKUP", description = "A copy of a journal's folder.")
  private Path backup = Path.of("");

  @Option(names = "--out", paramLabel = "TARGET", description = "A folder that does not exist.")
  private @Nullable Path out;

  @Parameters(index = "1", arity = "0..1", hidden = true)
  private @Nullable Path old;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    Path target = Arguments.target(out, old, console);
    if (Files.exists(target)) {
      throw new DataException(target.toString(), "a folder that does not exist", "one that does");
    }
    JournalHistory.Summary summary = JournalHistory.read(backup, _ -> {});
    Path whole = target.toAbsolutePath();
    Path draft = whole.resolveSibling(whole.getFileName() + ".part");
    try {
      delete(draft);
      copy(backup, draft);
      if (Files.isDirectory(backup.resolve(ARCHIVE))) {
        copy(backup.resolve(ARCHIVE), draft.resolve(ARCHIVE));
      }
      Files.move(draft, whole, StandardCopyOption.ATOMIC_MOVE);
      Path parent = whole.getParent();
      if (parent != null) {
        Fsync.force(parent);
      }
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
    console.out().printf("%s: records %d to %d%n", target, summary.first(), summary.last());
    return ExitCode.OK;
  }

  /// Copies the segments, and what was switched off. The mark of what was acknowledged stays: it is
  /// of the journal that goes on elsewhere.
  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (String pattern : List.of("*.journal", "switches")) {
      try (var files = Files.newDirectoryStream(from, pattern)) {
        for (Path file : files) {
          Path copy = to.resolve(file.getFileName());
          Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
          Fsync.force(copy);
        }
      }
    }
    Fsync.force(to);
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      var all = new ArrayList<Path>();
      try (var files = Files.walk(folder)) {
        files.forEach(all::add);
      }
      for (Path each : all.reversed()) {
        Files.delete(each);
      }
    }
  }
}
