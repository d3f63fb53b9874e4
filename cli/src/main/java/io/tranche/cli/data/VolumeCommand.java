package io.tranche.cli.data;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Text;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.InputOptions;
import io.tranche.cli.option.JsonOption;
import io.tranche.market.BarSource;
import io.tranche.work.data.VolumeStudy;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "volume",
    description = {
      "Compare the learned volume curve with the mean of the last ten days, on each file of bars.",
      "R² of the next sixteenth of a day, and how far a VWAP order ends from the market's VWAP"
          + " (docs/volume.md)."
    })
final class VolumeCommand implements Callable<Integer> {

  @Parameters(paramLabel = "BARS", arity = "1..*", description = "Stores, files or folders of bars.")
  private List<Path> files = new ArrayList<>();

  @Mixin private InputOptions input = new InputOptions();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads; does not change the result (default: all cores).")
  private @Nullable Integer threads;

  @Mixin private JsonOption json = new JsonOption();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    int count =
        threads == null
            ? Runtime.getRuntime().availableProcessors()
            : Arguments.atLeast("--threads", 1, threads);
    PrintWriter print = console.out();
    var all = new ArrayList<Map<String, Object>>();
    if (!json.isWanted()) {
      print.printf(
          "%-36s %11s %8s %15s %21s %22s%n",
          "", "instruments", "days", "R²", "tracking, bps", "closer by, bps");
    }
    for (Path file : files) {
      try (BarSource bars = input.open(file)) {
        VolumeStudy.Result result = VolumeStudy.of(bars, count);
        all.add(facts(file, result));
        if (!json.isWanted()) {
          print.println(row(file, result));
          print.flush();
        }
      }
    }
    if (json.isWanted()) {
      JsonOption.print(Map.of("files", all), console);
    }
    return ExitCode.OK;
  }

  private static String row(Path file, VolumeStudy.Result result) {
    return Text.of(
        "%-36s %11d %8d %15s %21s %22s",
        file.getFileName(),
        result.instruments(),
        result.days(),
        Text.of("%.3f → %.3f", result.average().rSquared(), result.learned().rSquared()),
        Text.of("%.2f → %.2f", result.average().trackingBps(), result.learned().trackingBps()),
        Text.of("%.2f ± %.2f", result.saved().meanBps(), result.saved().margin()));
  }

  private static Map<String, Object> facts(Path file, VolumeStudy.Result result) {
    var facts = new LinkedHashMap<String, Object>();
    facts.put("file", file.toString());
    facts.put("instruments", result.instruments());
    facts.put("days", result.days());
    facts.put("average", quality(result.average()));
    facts.put("learned", quality(result.learned()));
    facts.put("closer_by_bps", result.saved().meanBps());
    facts.put("low", result.saved().low());
    facts.put("high", result.saved().high());
    return facts;
  }

  private static Map<String, Object> quality(VolumeStudy.Quality quality) {
    return Map.of("r_squared", quality.rSquared(), "tracking_bps", quality.trackingBps());
  }
}
