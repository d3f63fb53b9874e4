package io.tranche.cli.journal;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.Arguments;
import io.tranche.market.DataException;
import io.tranche.market.TableFormat;
import io.tranche.serving.journal.JournalHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "journal",
    mixinStandardHelpOptions = true,
    description = "Check, export, explain and restore the journal of a service.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    subcommands = {
      JournalCommand.Verify.class,
      JournalCommand.Export.class,
      ExplainCommand.class,
      RestoreCommand.class
    })
public final class JournalCommand {

  @Command(
      name = "verify",
      description = {
        "Check every file of a journal and its archive: checksums, numbers, lengths, the chain of hashes, and that",
        "nothing is missing that was acknowledged. Names file and offset of damage (exit code 3). Writes nothing; the",
        "service may be running."
      })
  static final class Verify implements Callable<Integer> {

    @Parameters(paramLabel = "DIR", description = "The folder of the journal.")
    private Path folder = Path.of("");

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      JournalHistory.Summary summary = JournalHistory.read(folder, _ -> {});
      console
          .out()
          .printf(
              "%s: %d files, records %d to %d, %d links of the chain hold%n",
              folder, summary.segments(), summary.first(), summary.last(), summary.chained());
      if (summary.tailBytes() > 0) {
        console.warn(
            "%d bytes at the end are unfinished; they were never acknowledged"
                .formatted(summary.tailBytes()));
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "export",
      description = {
        "Write every event of a journal and its archive as a table, one row per event, oldest first.",
        "Checks the journal as verify does. TARGET appears when it is complete."
      })
  static final class Export implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "DIR", description = "The folder of the journal.")
    private Path folder = Path.of("");

    @Option(names = "--out", paramLabel = "TARGET", description = "A .csv or .parquet file.")
    private @Nullable Path out;

    @Parameters(index = "1", arity = "0..1", hidden = true)
    private @Nullable Path old;

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      Path target = Arguments.target(out, old, console);
      TableFormat format = TableFormat.of(target);
      try (TableFormat.Writer writer = format.create(target)) {
        JournalHistory.Summary summary =
            JournalHistory.read(
                folder,
                entries -> {
                  try {
                    writer.append(EventTable.of(entries));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
        writer.commit();
        console.out().printf("%s: records %d to %d%n", target, summary.first(), summary.last());
        return ExitCode.OK;
      } catch (IOException e) {
        throw DataException.unwritable(target, e);
      } catch (UncheckedIOException e) {
        throw DataException.unwritable(target, new IOException(e.getMessage(), e));
      }
    }
  }
}
