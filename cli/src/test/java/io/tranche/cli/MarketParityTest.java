package io.tranche.cli;

import static io.tranche.cli.MarketVerbs.asOrders;
import static io.tranche.cli.MarketVerbs.done;
import static io.tranche.cli.MarketVerbs.doneOrSkipping;
import static io.tranche.cli.MarketVerbs.replayed;
import static io.tranche.cli.MarketVerbs.report;
import static io.tranche.cli.MarketVerbs.reported;
import static io.tranche.cli.MarketVerbs.reportedPart;
import static io.tranche.cli.MarketVerbs.results;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.files.StagedFolder;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.testkit.Cases;
import io.tranche.testkit.MarketBars;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The same orders with the same model end the same way whichever verb executes them, to the last
/// bit: fills, prices, advantage, completion, costs. docs/environments.md has the table of what is
/// compared.
class MarketParityTest {

  /// Market orders, limits that rest and limits that cross; a share of 0 is a cancel.
  private static final String MENU =
      """
      action_interpreter:
        class: QuoteInterpreter
        kwargs: {shares: [0, 0.15, 0.5, 1], offsets_bps: [market, 3, -2]}
      """;

  /// Otherwise a service executes all orders of one agent of each row, and one order of the others:
  /// it takes longer than all other verbs.
  private static final boolean FULL = Boolean.getBoolean("tranche.full");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CN_STOCKS  | 1  | QUOTES         | random  | ''
          CN_STOCKS  | 5  | NEITHER        | trained | , participation: 0.05, lot: 100, costs: cn_stocks
          CN_STOCKS  | 15 | HIGHS_AND_LOWS | waiting | , participation: 0.02, lot: 100, price_limit: 0.004, costs: cn_stocks
          US_STOCKS  | 1  | HIGHS_AND_LOWS | waiting | ''
          US_STOCKS  | 15 | NEITHER        | random  | , participation: 0.05, latency: 1, costs: {preset: us_stocks, minimum_per: child}
          US_STOCKS  | 15 | QUOTES         | trained | , participation: 0.02, lot: 1, price_limit: 0.005, costs: us_stocks
          CN_FUTURES | 15 | QUOTES         | waiting | , lot: 1, latency: 1, costs: {preset: cn_futures, impact: {square_root: 0.1, transient: {coefficient: 0.2, decay: 0.9}}}
          CN_FUTURES | 5  | NEITHER        | random  | ''
          CN_FUTURES | 15 | HIGHS_AND_LOWS | trained | , participation: 0.02, price_limit: 0.004, costs: cn_futures
          CRYPTO     | 15 | QUOTES         | random  | , participation: 0.01, latency: 1, costs: {preset: crypto, minimum: 1, minimum_per: fill}
          CRYPTO     | 15 | HIGHS_AND_LOWS | trained | ''
          CRYPTO     | 15 | NEITHER        | waiting | , participation: 0.02, lot: 10, price_limit: 0.005, costs: {preset: crypto, impact: {linear: 0.1}}
          """)
  void everyVerbAgreesOnEveryKindOfBars(
      Kind kind, int minutes, Columns columns, String served, String frictions) throws IOException {
    assertEveryVerbAgrees(new MarketBars(kind, minutes, columns, 8, 7), served, frictions);
  }

  /// Every width that no other test has, with one order for each instrument: the last bar of a
  /// segment is shorter (10, 60), and a step has at least one bar (60).
  @ParameterizedTest
  @CsvSource({"CN_STOCKS, 2", "US_STOCKS, 3", "CN_FUTURES, 10", "CRYPTO, 30", "US_STOCKS, 60"})
  void everyVerbAgreesOnAnOrderOfEveryWidth(Kind kind, int minutes) throws IOException {
    var market = new MarketBars(kind, minutes, Columns.HIGHS_AND_LOWS, 8, 7);
    Path orders = folder.resolve("orders");
    for (String stage : List.of("train", "valid", "test")) {
      Path file = Files.createDirectories(orders.resolve(stage)).resolve("orders.csv");
      Files.write(file, firstOrderOfEach(orders(market), market));
    }
    Path bars = market.write(folder.resolve("own bars"));
    String settings = "minutes_per_step: %d, participation: 0.02".formatted(Math.max(30, minutes));
    Path config = config(bars, market.kind().instruments(), orders, settings, MENU);
    Path run = folder.resolve("run");
    doneOrSkipping("train", config, "--out", run, "--run-backtest", "--skip-bad");
    Path tested = asOrders(run.resolve("result.csv"), folder.resolve("tested.csv"));
    Path place = Files.createDirectories(folder.resolve("trained"));

    var figures = agree(config, run, run.resolve("checkpoints/001.ckpt"), bars, tested, place);

    assertThat(figures).hasSizeGreaterThan(1);
    assertServed(place, bars, tested, market.kind().instruments().getFirst(), figures, 1);
  }

  /// Returns the header and the first order of each instrument.
  private static List<String> firstOrderOfEach(String orders, MarketBars market) {
    List<String> lines = orders.lines().toList();
    var first = new ArrayList<>(List.of(lines.getFirst()));
    for (String code : market.kind().instruments()) {
      lines.stream().filter(line -> line.startsWith(code + ",")).limit(1).forEach(first::add);
    }
    return first;
  }

  @ParameterizedTest
  @CsvSource({
    "CN_STOCKS, 2",
    "CN_STOCKS, 3",
    "CN_STOCKS, 10",
    "CN_STOCKS, 30",
    "CN_STOCKS, 60",
    "US_STOCKS, 2",
    "US_STOCKS, 3",
    "US_STOCKS, 5",
    "US_STOCKS, 10",
    "US_STOCKS, 30",
    "US_STOCKS, 60",
    "CN_FUTURES, 1",
    "CN_FUTURES, 3",
    "CN_FUTURES, 10",
    "CN_FUTURES, 30",
    "CRYPTO, 1",
    "CRYPTO, 5",
    "CRYPTO, 10",
    "CRYPTO, 30",
    "CRYPTO, 60"
  })
  @Tag("full")
  void everyVerbAgreesOnEveryWidth(Kind kind, int minutes) throws IOException {
    var market = new MarketBars(kind, minutes, Columns.HIGHS_AND_LOWS, 8, 7);
    assertEveryVerbAgrees(market, "random", ", participation: 0.02");
  }

  // Real quotes, of which some are missing; auctions at the open; three sessions in one file.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          us_lean_1min_quotes_Apache2   | [AIG, IBM]        | participation: 0.001, costs: us_stocks
          us_tech_1min_2025_2026        | [AMAT, AMD]       | lot: 1, latency: 1, costs: us_stocks
          cn_000001_1min_201801_Apache2 | [000001.SZ]       | lot: 100, participation: 0.001, costs: cn_stocks
          cn_ashare_15min_2025_2026     | [600011.SH]       | lot: 100, participation: 0.005, costs: cn_stocks
          cn_futures_5min_2024_MIT      | [DCE_jm, SHFE_au] | lot: 1, costs: cn_futures
          """)
  void everyVerbAgreesOnRealBars(String name, String instruments, String frictions)
      throws IOException {
    Path bars = Shared.orSkipUntilCi("data/" + name + ".parquet");
    Path made = folder.resolve("made");
    done("orders", "generate", bars, "--out", made, "--size", 0.01, "--size-of", "day");
    List<String> codes = List.of(instruments.replaceAll("[\\[\\] ]", "").split(",", -1));
    Path orders = folder.resolve("orders");
    for (String stage : List.of("train", "valid", "test")) {
      Files.createDirectories(orders.resolve(stage));
      for (String code : codes) {
        List<String> lines = Files.readAllLines(made.resolve("all/%s.csv".formatted(code)));
        var last = new ArrayList<>(lines.subList(Math.max(1, lines.size() - 12), lines.size()));
        last.addFirst(lines.getFirst());
        Files.write(orders.resolve("%s/%s.csv".formatted(stage, code)), last);
      }
    }
    assertEveryVerbAgrees(
        bars, codes, orders, "random", "minutes_per_step: 30, " + frictions, MENU, false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          US_STOCKS  | TwapRelativeInterpreter | max_rate: 6                                       | Ppo, head: gaussian
          CN_STOCKS  | VolumeInterpreter       | max_share: 0.4                                    | Ppo, head: beta
          CN_FUTURES | QuoteInterpreter        | max_offset_bps: 6, max_rate: 3, cancel_below: 0.8 | Sac, minibatches: 2
          """)
  void everyVerbAgreesOnContinuousActions(Kind kind, String actions, String settings, String policy)
      throws IOException {
    assertContinuousAgrees(
        new MarketBars(kind, 15, Columns.QUOTES, 8, 7), actions, settings, policy);
  }

  /// Every continuous interpreter with every policy that learns it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TwapRelativeInterpreter | max_rate: 6
          VolumeInterpreter       | max_share: 0.4
          VolumeInterpreter       | max_volume: 900
          QuoteInterpreter        | max_offset_bps: 6
          QuoteInterpreter        | max_offset_bps: 6, max_rate: 3, cancel_below: 0.8
          """)
  @Tag("full")
  void everyVerbAgreesOnEveryContinuousAgent(String actions, String settings) throws IOException {
    var market = new MarketBars(Kind.US_STOCKS, 15, Columns.QUOTES, 8, 7);
    for (String policy : List.of("Ppo, head: gaussian", "Ppo, head: beta", "Sac, minibatches: 2")) {
      assertContinuousAgrees(market, actions, settings, policy);
      StagedFolder.delete(folder.resolve("run"));
      for (String agent : List.of("trained", "waiting", "random")) {
        StagedFolder.delete(folder.resolve(agent));
      }
    }
  }

  private void assertContinuousAgrees(
      MarketBars market, String actions, String settings, String policy) throws IOException {
    String[] parts = policy.split(", ", 2);
    assertEveryVerbAgrees(
        market,
        "random",
        ", participation: 0.05",
        """
        action_interpreter: {class: %s, kwargs: {%s}}
        policy: {class: %s, kwargs: {learning_rate: 0.001, %s}}
        """
            .formatted(actions, settings, parts[0], parts[1]));
  }

  private void assertEveryVerbAgrees(MarketBars market, String served, String frictions)
      throws IOException {
    assertEveryVerbAgrees(market, served, frictions, MENU);
  }

  private void assertEveryVerbAgrees(
      MarketBars market, String served, String frictions, String agent) throws IOException {
    Path orders = folder.resolve("orders");
    for (String stage : List.of("train", "valid", "test")) {
      Files.createDirectories(orders.resolve(stage));
      Files.writeString(orders.resolve(stage).resolve("orders.csv"), orders(market));
    }
    assertEveryVerbAgrees(
        market.write(folder.resolve("own bars")),
        market.kind().instruments(),
        orders,
        served,
        "minutes_per_step: %d%s".formatted(Math.max(30, market.minutes()), frictions),
        agent,
        agent.equals(MENU));
  }

  /// @param endsWithLimit whether orders are such that some agents end one with a limit: those of
  ///   whole days seldom do
  private void assertEveryVerbAgrees(
      Path bars,
      List<String> instruments,
      Path orders,
      String served,
      String settings,
      String agentParts,
      boolean endsWithLimit)
      throws IOException {
    boolean isMenu = agentParts.equals(MENU);
    Path config = config(bars, instruments, orders, settings, agentParts);
    Path run = folder.resolve("run");
    doneOrSkipping("train", config, "--out", run, "--run-backtest", "--skip-bad");
    Path tested = asOrders(run.resolve("result.csv"), folder.resolve("tested.csv"));
    Path trained = run.resolve("checkpoints/001.ckpt");
    var agents = new LinkedHashMap<String, Path>();
    agents.put("trained", trained);
    agents.put("waiting", SmallTraining.other(trained, 2, weights -> drawn(weights, 0)));
    agents.put(
        "random",
        isMenu
            ? random(trained, config, bars, tested, endsWithLimit)
            : SmallTraining.other(trained, 3, weights -> drawn(weights, 1)));

    var overTwap = new LinkedHashMap<String, JsonNode>();
    for (Map.Entry<String, Path> agent : agents.entrySet()) {
      Path weights = agent.getValue();
      Path place = Files.createDirectories(folder.resolve(agent.getKey()));
      List<List<Double>> figures = agree(config, run, weights, bars, tested, place);
      assertThat(figures).hasSizeGreaterThan(10);
      overTwap.put(weights.getFileName().toString(), overTwap(place.resolve("judged")));
      boolean isServedWhole = FULL || agent.getKey().equals(served);
      int most = isServedWhole ? Integer.MAX_VALUE : 1;
      assertServed(place, bars, tested, instruments.getFirst(), figures, most);
    }
    if (isMenu) {
      assertThat(kinds(folder.resolve("waiting/decided.csv"))).containsOnly("cancel", "market");
    } else {
      assertThat(Set.copyOf(column(folder.resolve("random/decided.csv"), "volume")))
          .hasSizeGreaterThan(10);
    }

    done("select", run, "--last", 3, "--orders", tested);
    JsonNode selected = report(run);
    assertThat(selected.get("checkpoints")).hasSize(3);
    for (JsonNode checkpoint : selected.get("checkpoints")) {
      assertThat(checkpoint.get("over_twap"))
          .isEqualTo(overTwap.get(checkpoint.get("name").stringValue()));
    }
  }

  private Path config(
      Path bars, List<String> instruments, Path orders, String settings, String agentParts)
      throws IOException {
    return Files.writeString(
        folder.resolve("run.yml"),
        """
        tranche: 1
        data: {bars: '%s', orders: '%s', both_sides: false, instruments: %s}
        simulator: {class: SimpleSimulator, kwargs: {%s}}
        %snetwork: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
        trainer: {max_iterations: 1, episodes_per_iteration: 12, repeat: 1}
        validation: {every: 1, judge: false, guard: false}
        """
            .formatted(bars, orders, instruments, settings, agentParts));
  }

  /// Executes the orders with one set of weights in every way and returns the figures.
  private static List<List<Double>> agree(
      Path config, Path run, Path weights, Path bars, Path tested, Path place) throws IOException {
    doneOrSkipping(
        "train",
        config,
        "--out",
        run,
        "--no-training",
        "--run-backtest",
        "--skip-bad",
        "--weights",
        weights);
    List<List<Double>> figures = results(run.resolve("result.csv"));

    Path backtested = place.resolve("backtested");
    done("backtest", run, "--weights", weights, "--orders", tested, "--out", backtested);
    assertThat(results(backtested.resolve("result.csv"))).isEqualTo(figures);

    Path judged = place.resolve("judged");
    done("judge", run, "--weights", weights, "--orders", tested, "--out", judged);
    assertThat(reported(judged)).isEqualTo(reportedPart(figures));

    Path bundle = place.resolve("model@1.tranche");
    done("export", weights, "--config", config, "--out", bundle);
    Path again = place.resolve("again");
    done("judge", bundle, "--orders", tested, "--bars", bars, "--out", again);
    assertThat(reported(again)).isEqualTo(reportedPart(figures));
    assertThat(overTwap(again)).isEqualTo(overTwap(judged));

    Path replayed = place.resolve("replayed.csv");
    Path decisions = place.resolve("decisions.csv");
    done(
        "replay",
        bundle,
        "--bars",
        bars,
        "--orders",
        tested,
        "--out",
        replayed,
        "--decisions",
        decisions,
        "--quiet");
    assertThat(replayed(replayed)).isEqualTo(figures);

    Path decided = place.resolve("decided.csv");
    done("decide", bundle, "--bars", bars, "--orders", tested, "--out", decided);
    assertThat(decided).hasSameTextualContentAs(decisions);

    return figures;
  }

  /// A service is told every bar of an order's day, so it gets the orders of one instrument.
  ///
  /// @param most how many of them at most
  private static void assertServed(
      Path place, Path bars, Path tested, String instrument, List<List<Double>> figures, int most)
      throws IOException {
    List<String> lines = Files.readAllLines(tested);
    int all = (int) lines.stream().filter(line -> line.startsWith(instrument + ",")).count();
    assertThat(lines.get(all)).startsWith(instrument + ",");
    int count = Math.min(all, most);
    Path orders = Files.write(place.resolve("orders.csv"), lines.subList(0, count + 1));
    Path bundle = place.resolve("model@1.tranche");
    Path served = place.resolve("served.csv");
    assertThat(MarketVerbs.served(place, bundle, bars, orders, served))
        .isEqualTo(figures.subList(0, count));
    Path decided = place.resolve("decided-by-one.csv");
    done("decide", bundle, "--bars", bars, "--orders", orders, "--out", decided);
    for (String name : List.of("id", "time", "volume", "offset_bps", "remaining")) {
      assertThat(column(served, name)).as(name).isEqualTo(column(decided, name));
    }
  }

  private static JsonNode overTwap(Path judged) {
    return report(judged).get("comparisons").get(0).get("together");
  }

  private static List<String> column(Path file, String name) throws IOException {
    List<String> lines = Files.readAllLines(file);
    int column = List.of(lines.getFirst().split(",", -1)).indexOf(name);
    return lines.stream().skip(1).map(line -> line.split(",", -1)[column]).toList();
  }

  /// Writes the first of some agents with random weights that sends every kind of child order.
  ///
  /// @param endsWithLimit whether it must send a limit as the last of an order, which rests first
  ///   and trades its rest at the last tradable bar
  private Path random(Path checkpoint, Path config, Path bars, Path orders, boolean endsWithLimit)
      throws IOException {
    for (int i = 1; i < 100; i++) {
      int seed = i;
      Path file = SmallTraining.other(checkpoint, 3, weights -> drawn(weights, seed));
      Path bundle = folder.resolve("random-%d.tranche".formatted(seed));
      Path decided = folder.resolve("random-%d.csv".formatted(seed));
      done("export", file, "--config", config, "--out", bundle);
      done("decide", bundle, "--bars", bars, "--orders", orders, "--out", decided);
      boolean sendsAll = kinds(decided).containsAll(List.of("market", "limit", "cancel"));
      if (sendsAll && (!endsWithLimit || lastKinds(decided).contains("limit"))) {
        return file;
      }
    }
    throw new AssertionError("no agent sends every kind of child order");
  }

  /// Returns the kinds of the last decisions of orders.
  private static Collection<String> lastKinds(Path decisions) throws IOException {
    List<String> ids = column(decisions, "id");
    List<String> kinds = column(decisions, "kind");
    var last = new LinkedHashMap<String, String>();
    for (int i = 0; i < ids.size(); i++) {
      last.put(ids.get(i), kinds.get(i));
    }
    return last.values();
  }

  private static Set<String> kinds(Path decisions) throws IOException {
    return Set.copyOf(column(decisions, "kind"));
  }

  /// Returns random weights without biases. With seed 0 all actions score the same, so the first is
  /// taken: a cancel; a continuous agent takes the middle of each range.
  private static StateDict drawn(StateDict weights, int seed) {
    var drawn = new LinkedHashMap<String, Tensor>();
    SmallTraining.drawn(weights, seed)
        .tensors()
        .forEach(
            (name, tensor) -> {
              boolean isZero = seed == 0 || name.contains("bias");
              float[] values = isZero ? new float[tensor.size()] : tensor.toArray();
              drawn.put(name, Tensor.of(tensor.shape(), values));
            });
    return new StateDict(drawn);
  }

  /// Returns orders of every instrument, on the first day, which is short, and all others but one:
  /// some for the whole day, some for part of it, some of which have no bars.
  private static String orders(MarketBars market) {
    var random = new SplittableRandom(5);
    var text = new StringBuilder("instrument,side,start,end,amount\n");
    for (String instrument : market.kind().instruments()) {
      var dates = new ArrayList<>(market.dates());
      dates.subList(1, 3).clear();
      for (LocalDate date : dates) {
        List<LocalDateTime> times = market.times(instrument, date);
        List<LocalDateTime> ends = market.ends(instrument, date);
        for (int i = 0; i < Cases.count(2, 6); i++) {
          int from = i == 0 ? 0 : random.nextInt(times.size());
          int last = i == 0 ? times.size() - 1 : random.nextInt(from, times.size());
          text.append(
              "%s,%s,%s,%s,%d%n"
                  .formatted(
                      instrument,
                      random.nextBoolean() ? "buy" : "sell",
                      times.get(from),
                      ends.get(last),
                      random.nextInt(1, 500) * 10));
        }
      }
    }
    return text.toString();
  }
}
