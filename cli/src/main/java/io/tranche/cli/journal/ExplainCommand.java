package io.tranche.cli.journal;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.execution.DeviationGuard;
import io.tranche.market.DataException;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.LoadedModel;
import io.tranche.serving.Answer;
import io.tranche.serving.Insight;
import io.tranche.serving.Request;
import io.tranche.serving.engine.JournalReplay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "explain",
    description = {
      "Take decisions of a journal again, bit for bit, with the same bundles and limits, and show what led to each:",
      "bars, features, scores, the model's wish, the limits, who asked and when. Without an order, all decisions are",
      "compared with what is recorded, and only differences are shown (exit code 3)."
    })
final class ExplainCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "DIR", description = "The folder of the journal.")
  private Path folder = Path.of("");

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "ORDER",
      description = "The id of an order.")
  private @Nullable String order;

  @Option(names = "--step", paramLabel = "N", description = "Only this decision of the order.")
  private @Nullable Integer step;

  @Option(
      names = "--models",
      required = true,
      paramLabel = "DIR",
      description = "The folder of the bundles that decided.")
  private Path models = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "TARGET",
      description = "Write these decisions as a table, a .csv or .parquet file, one row each.")
  private @Nullable Path out;

  @Mixin private Console console = new Console();

  private final DecisionTable table = new DecisionTable();
  private final Map<String, DeviationGuard> guards = new HashMap<>();
  private long count;
  private final List<String> differences = new ArrayList<>();

  @Override
  public Integer call() {
    if (order == null && step == null && out == null) {
      JournalReplay.compare(folder, this::model, this::count);
    } else {
      JournalReplay.read(
          folder,
          this::model,
          decided ->
              (order == null || decided.child().id().equals(order))
                  && (step == null || decided.child().step() == step),
          order == null ? this::count : this::show);
    }
    if (order != null && count == 0) {
      throw new DataException(
          folder.toString(),
          "a decision of order %s".formatted(order) + (step == null ? "" : ", step " + step),
          "none");
    }
    if (out != null) {
      table.write(out);
    }
    console
        .out()
        .printf("%d decisions, %d differ from what is recorded%n", count, differences.size());
    differences.forEach(console.err()::println);
    return differences.isEmpty() ? ExitCode.OK : ExitCode.DATA;
  }

  private LoadedModel model(String name) {
    Path file = models.resolve(name + BundleFile.SUFFIX);
    if (!Files.exists(file)) {
      throw new DataException(models.toString(), "the bundle of model " + name, "none");
    }
    LoadedModel model = LoadedModel.open(file);
    table.steps(name, model.spec().maxSteps());
    DeviationGuard guard = model.spec().guard();
    if (guard != null) {
      guards.put(name, guard);
    }
    return model;
  }

  private void count(JournalReplay.Explained explained) {
    count++;
    if (explained.difference() != null) {
      differences.add("%s: %s".formatted(name(explained), explained.difference()));
    }
    if (out != null) {
      table.add(explained);
    }
  }

  private static String name(JournalReplay.Explained explained) {
    Answer.Child child = explained.decided().child();
    return "record %d, order %s, step %d".formatted(explained.sequence(), child.id(), child.step());
  }

  private void show(JournalReplay.Explained explained) {
    count(explained);
    Answer.Child child = explained.decided().child();
    Request.OpenOrder request = explained.order().request();
    var out = console.out();
    out.printf("%s%n", name(explained));
    out.printf("  at           %s, asked by %s%n", explained.time(), explained.caller());
    out.printf(
        "  order        %s %s of %s on %s, %s to %s, account %s%n",
        request.side(),
        request.amount(),
        request.instrument(),
        request.date(),
        request.start(),
        request.end(),
        request.account());
    out.printf(
        "  model        %s, %s%n", explained.order().model(), explained.order().fingerprint());
    out.printf(
        "  saw          %s events, newest bar %s, %s remaining%n",
        explained.decided().events(), explained.newestBar(), explained.decided().seen());
    Insight insight = explained.insight();
    if (insight != null) {
      out.printf("  features     %s%n", insight.features());
      out.printf("  scores       %s%n", insight.scores());
    }
    DeviationGuard guard = guards.get(explained.order().model());
    if (guard != null) {
      String alone = insight == null ? "" : ", the model alone wanted " + insight.unguarded();
      out.printf("  guard        %s%s%n", guard, alone);
    }
    out.printf("  wish         %s, by %s%n", explained.decided().wish(), child.source());
    explained
        .limits()
        .forEach(
            each ->
                out.printf(
                    "  limits       of %s: %s%n",
                    each.name() == null ? "all" : each.scope() + " " + each.name(),
                    each.limits().values()));
    out.printf(
        "  child order  %s%s%n",
        child.volume(), child.limited() == null ? "" : ", limited by " + child.limited());
    out.printf(
        "  replayed     %s%n",
        explained.difference() == null ? "the same, bit for bit" : explained.difference());
  }
}
