package io.tranche.work.roll;

import io.tranche.analysis.Power;
import io.tranche.analysis.selection.Selection;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.execution.DeviationGuard;
import io.tranche.files.FolderLock;
import io.tranche.files.PendingFile;
import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.OrderFiles;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.run.DataSettings.Orders;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunCheckpoints.Chosen;
import io.tranche.run.RunCheckpoints.Scored;
import io.tranche.run.RunFolder;
import io.tranche.run.RunListener;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import io.tranche.runtime.BundleFile;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.judge.Seeds;
import io.tranche.work.judge.TrainedRun;
import io.tranche.work.roll.RollPlan.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Walks forward over the days of a run: trains on a window of days, chooses a checkpoint on the
/// next ones, judges it on those after, and exports it; then the window moves on.
///
/// The files of a window are written one after another, each whole, and the last one marks it as
/// done. A roll that was killed goes on where it was and leaves the same bytes.
public final class Roll {

  /// The name under which a [RunListener] gets the number of windows that are done.
  public static final String WINDOWS = "windows";

  static final String CHOSEN = "chosen.txt";

  private final ExecutionRun run;
  private final RollPlan plan;
  private final Path folder;
  private final Parts parts;

  /// What a roll is given from outside.
  ///
  /// @param exporter writes the model of a run directory to a file; null for no models
  /// @param threads null for what the run says
  /// @param message receives a line for each step
  /// @param listener is told what data are made, and how many windows ([#WINDOWS]) are done
  public record Parts(
      @Nullable Exporter exporter,
      @Nullable Integer threads,
      Consumer<String> message,
      RunListener listener,
      TrainingProgress progress,
      InstantSource clock) {}

  /// Writes the chosen model of a run directory.
  @FunctionalInterface
  public interface Exporter {
    void export(Path run, Path target);
  }

  /// @param folder of all windows
  /// @throws ConfigException if the run cannot be cut into windows
  public Roll(ExecutionRun run, RollPlan plan, Path folder, Parts parts) {
    this.run = run;
    this.plan = plan;
    this.folder = folder;
    this.parts = parts;
    run.rejectHindsight("a walk forward");
    run.rejectObjects("windows");
    if (!(run.data() instanceof BarData data) || run.isQlib()) {
      throw new ConfigException("CONFIG", "a configuration of our own dialect", "one of Qlib's");
    }
    if (!(data.features() instanceof Features.Recipe
        || data.features() instanceof Features.Provided)) {
      throw new ConfigException(
          "data.features",
          "features that are computed from the bars: the statistics of a store know later days",
          "a store");
    }
    if (run.validation().every() == null) {
      throw new ConfigException("validation.every", "validations to choose by", "null");
    }
  }

  /// Walks, or goes on.
  ///
  /// @throws ConfigException if the folder has another roll
  /// @throws DataException if data are missing or wrong
  public RollReport run() {
    try (FolderLock _ = new RunFolder(folder).lock()) {
      claim();
      forgetOrders();
      PreparedData data = PreparedData.of(run, new RunFolder(folder), parts.listener());
      List<Order> orders = orders(data);
      List<LocalDate> days = orders.stream().map(Order::date).distinct().sorted().toList();
      List<Window> windows = plan.cut(days);
      List<Path> folders =
          windows.stream()
              .map(each -> folder.resolve("windows").resolve("%03d".formatted(each.number())))
              .toList();
      var ahead = new ArrayList<Integer>();
      for (int i = 0; i < windows.size(); i++) {
        if (!isDone(windows.get(i), folders.get(i))) {
          ahead.add(i);
        } else {
          RollReport.requireColumns(folders.get(i).resolve(RollReport.JUDGED));
        }
      }
      for (int i = 0; i < ahead.size(); i++) {
        walk(windows.get(ahead.get(i)), folders.get(ahead.get(i)), orders, data, i == 0);
        parts.listener().making(WINDOWS, i + 1L, ahead.size());
      }
      RollReport report = RollReport.read(windows, folders);
      report.write(folder);
      return report;
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  /// Marks the folder as that of this roll.
  private void claim() throws IOException {
    var values = new LinkedHashMap<String, Object>();
    values.put("train_days", plan.train());
    values.put("valid_days", plan.valid());
    values.put("next_days", plan.next());
    values.put("candidates", plan.candidates());
    values.put("seeds", plan.seeds());
    values.put("name", plan.name());
    values.put("run", run.withTrainer(run.trainer().withThreads(null)).toConfig());
    String text = ConfigFiles.of("roll", values).toYaml();
    Path mark = folder.resolve("roll.yml");
    if (!Files.exists(mark)) {
      PendingFile.write(mark, text);
    } else if (!Files.readString(mark).equals(text)) {
      throw new ConfigException(
          "--out", "the roll that %s says, or another".formatted(mark), folder);
    }
  }

  /// Orders that are drawn are drawn again, because there may be new days. Those of windows that
  /// have begun are kept with them.
  private void forgetOrders() throws IOException {
    Path drawn = new RunFolder(folder).data().resolve("orders");
    if (run.data() instanceof BarData data
        && data.orders() instanceof Orders.Generated
        && Files.exists(drawn)) {
      StagedFolder.delete(drawn);
    }
  }

  private static List<Order> orders(PreparedData data) {
    var orders = new ArrayList<Order>();
    if (data.settings() instanceof BarData bars
        && bars.orders() instanceof Orders.Folder(Path place)) {
      for (String stage : List.of("train", "valid", "test")) {
        Path files = place.resolve(stage);
        if (Files.exists(files)) {
          data.placedOrders(files).orders().stream().map(NamedOrder::order).forEach(orders::add);
        }
      }
    }
    return orders;
  }

  private boolean isDone(Window window, Path place) {
    return Files.exists(place.resolve(RollReport.JUDGED))
        && (parts.exporter() == null || Files.exists(model(window)));
  }

  private Path model(Window window) {
    return folder.resolve("models").resolve(plan.model(window) + BundleFile.SUFFIX);
  }

  /// @param tells whether to say first what can be seen on these bars
  private void walk(Window window, Path place, List<Order> orders, PreparedData data, boolean tells)
      throws IOException {
    Path model = model(window);
    Exporter exporter = parts.exporter();
    parts
        .message()
        .accept(
            "window %d: trains %s to %s, validates to %s, is judged to %s"
                .formatted(
                    window.number(),
                    window.train().getFirst(),
                    window.train().getLast(),
                    window.valid().getLast(),
                    window.judged().getLast()));
    Path split = place.resolve("orders");
    if (!Files.exists(split)) {
      write(window, orders, split);
    }
    BarData bars = (BarData) data.settings();
    var trained = new RunFolder(place.resolve("run"));
    ExecutionRun first = run.withData(bars.withOrders(new Orders.Folder(split)));
    List<RunFolder> seeds = Seeds.folders(trained, plan.seeds());
    for (int i = 0; i < seeds.size(); i++) {
      train(first.withSeed(run.trainer().seed() + i), seeds.get(i), tells && i == 0);
    }
    judge(seeds, place);
    if (exporter != null && !Files.exists(model)) {
      Files.createDirectories(Objects.requireNonNull(model.getParent()));
      exporter.export(trained.folder(), model);
    }
  }

  /// Gives each stage the orders of its days and no others.
  private static void write(Window window, List<Order> orders, Path target) throws IOException {
    Map<String, List<LocalDate>> stages =
        Map.of("train", window.train(), "valid", window.valid(), "test", window.judged());
    try (StagedFolder staged = StagedFolder.create(target)) {
      for (var stage : stages.entrySet()) {
        Path files = Files.createDirectories(staged.folder().resolve(stage.getKey()));
        var days = new HashSet<>(stage.getValue());
        Map<String, List<Order>> own =
            orders.stream()
                .filter(order -> days.contains(order.date()))
                .collect(
                    Collectors.groupingBy(
                        Order::instrument, LinkedHashMap::new, Collectors.toList()));
        for (var each : own.entrySet()) {
          String name = DataException.requireFileName("instrument", each.getKey());
          OrderFiles.write(OrderFiles.table(each.getValue()), files.resolve(name + ".csv"));
        }
      }
      staged.commit();
    }
  }

  private void train(ExecutionRun window, RunFolder trained, boolean tells) {
    var options = TrainingOptions.in(trained.folder()).withThreads(parts.threads());
    Path newest = Seeds.newest(trained, parts.message());
    try (TrainingRun<?> training =
        TrainingRun.open(window, options, parts.listener(), parts.progress(), parts.clock())) {
      if (tells) {
        Power.tell(training, parts.message());
      }
      training.train(newest);
    }
  }

  /// Chooses on the validation orders, then executes the judged ones, which nobody saw before.
  private void judge(List<RunFolder> seeds, Path place) throws IOException {
    RunFolder trained = seeds.getFirst();
    int threads =
        parts.threads() == null ? Runtime.getRuntime().availableProcessors() : parts.threads();
    try (TrainedRun<?> opened =
        TrainedRun.open(
            trained,
            TrainedRun.Input.OWN,
            place.resolve("made"),
            threads,
            parts.listener(),
            parts.message())) {
      var names = new ArrayList<String>();
      Selection selection = null;
      for (RunFolder each : seeds) {
        List<Scored> checkpoints =
            RunCheckpoints.best(each, RunCheckpoints.monitor(each), plan.candidates());
        selection = opened.select(checkpoints, null, _ -> {});
        Scored winner = checkpoints.get(selection.winner());
        names.add(winner.name());
        PendingFile.write(
            each.selected(),
            target -> Files.copy(winner.file(), target, StandardCopyOption.REPLACE_EXISTING));
      }
      List<Path> members = seeds.stream().map(RunFolder::selected).toList();
      DeviationGuard guard =
          members.size() == 1
              ? opened.fitGuard(Objects.requireNonNull(selection), trained.selected(), null)
              : opened.fitGuard(members);
      Chosen chosen =
          guard == null && members.size() == 1
              ? new Chosen(trained.selected(), "chosen", null)
              : Seeds.write(trained, members, guard);
      if (guard != null) {
        parts.message().accept("guard: " + guard);
      }
      opened.load(chosen);
      PolicyResults twap = opened.twap();
      PolicyResults agent = opened.play("the agent", null);
      agent.writeTo(place.resolve("result.csv"));
      var columns = new LinkedHashMap<String, List<?>>();
      columns.put(RollReport.SIDE, each(agent, result -> side(result.order())));
      columns.put(RollReport.FILLED, each(agent, OrderResult::completion));
      columns.put(RollReport.TWAP_FILLED, each(twap, OrderResult::completion));
      columns.put(RollReport.BPS, over(agent, twap));
      TrainedRun.Pair neutral = opened.neutral();
      if (neutral != null) {
        columns.put(RollReport.NEUTRAL, over(neutral.agent(), neutral.twap()));
      }
      PolicyResults linear = opened.linear();
      if (linear != null) {
        columns.put(RollReport.LINEAR, over(linear, twap));
      }
      opened.load(new Chosen(chosen.file(), chosen.others(), "without its guard", null));
      columns.put(RollReport.ALONE, over(opened.play("the agent", null), twap));
      List<PolicyResults> alone = opened.seeds();
      for (int i = 0; i < alone.size(); i++) {
        columns.put(RollReport.SEED + (i + 1), over(alone.get(i), twap));
      }
      if (guard != null) {
        TrainedRun.Pair seen = opened.onSelectionDays();
        PendingFile.write(
            place.resolve(RollReport.SELECTED),
            table(seen.agent(), Map.of(RollReport.ALONE, over(seen.agent(), seen.twap()))));
      }
      String said =
          "checkpoint,guard\n%s,%s\n"
              .formatted(String.join(" ", names), guard == null ? 1 : guard.size());
      PendingFile.write(place.resolve(CHOSEN), said);
      PendingFile.write(place.resolve(RollReport.JUDGED), table(agent, columns));
    }
  }

  private static List<Double> over(PolicyResults agent, PolicyResults twap) {
    var over = new ArrayList<Double>();
    for (int i = 0; i < agent.orders().size(); i++) {
      over.add(agent.orders().get(i).netAdvantageBps() - twap.orders().get(i).netAdvantageBps());
    }
    return over;
  }

  private static <T> List<T> each(PolicyResults results, Function<OrderResult, T> value) {
    return results.orders().stream().map(value).toList();
  }

  private static String side(Order order) {
    return order.side().name().toLowerCase(Locale.ROOT);
  }

  private static String table(PolicyResults agent, Map<String, ? extends List<?>> columns) {
    var text = new StringBuilder(RollReport.DAYS);
    columns.keySet().forEach(name -> text.append(',').append(name));
    for (int i = 0; i < agent.orders().size(); i++) {
      text.append('\n').append(agent.orders().get(i).order().date());
      for (List<?> column : columns.values()) {
        text.append(',').append(column.get(i));
      }
    }
    return text.append('\n').toString();
  }
}
