package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.replay.PatientClient;
import io.tranche.cli.replay.Replay;
import io.tranche.cli.replay.ReplayTally;
import io.tranche.cli.replay.ReplayTarget;
import io.tranche.cli.replay.ServiceDecisions;
import io.tranche.cli.replay.StopRequest;
import io.tranche.config.ConfigFiles;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.execution.interpreter.CurrentStepInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.market.BarSource;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.TorchFile;
import io.tranche.run.ExecutionRun;
import io.tranche.run.PreparedData;
import io.tranche.run.RunFolder;
import io.tranche.run.RunParts;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.OrderResult;
import io.tranche.runtime.LoadedModel;
import io.tranche.serving.app.DecisionServer;
import io.tranche.serving.app.DecisionServerConfig;
import io.tranche.serving.client.TrancheClient;
import io.tranche.testkit.Cases;
import io.tranche.testkit.MarketBars;
import io.tranche.work.decide.DecideRun;
import io.tranche.work.decide.OrderDecision;
import io.tranche.work.decide.OrderOutcome;
import io.tranche.work.decide.OrderReplayListener;
import io.tranche.work.decide.Pace;
import io.tranche.work.decide.RuntimeDecisions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The same orders with the same model end the same way in the simulator of training, in `decide`
/// over the exported bundle, and against a service, to the last bit, whatever the network.
/// [MarketParityTest] does the same with every verb on every kind of market.
class LiveParityTest {

  private static final long NEVER_LATE_MICROS = 60_000_000;

  private static final String MARKET =
      "{class: CategoricalInterpreter, kwargs: {shares: [0, 0.1, 0.25, 1]}}";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "network: {class: Mlp}",
        "network: {class: Mlp, kwargs: {layers: [dense: 8, norm, tanh, residual: [dense: 8]]}}",
        "network: {class: Layers, kwargs: {hidden: 6, output: 4, layers: [dense: 6, relu, gru: 6]}}",
        "state_interpreter: {class: CurrentStepInterpreter}\nnetwork: {class: Mlp}",
        "state_interpreter: {class: CurrentStepInterpreter}\nnetwork: {class: Mlp}"
            + "\npolicy: {class: Dqn, kwargs: {learning_rate: 0.001}}",
      })
  void everyNetworkDecidesTheSameEverywhere(String agent) throws IOException {
    requireParity(
        new MarketBars(MarketBars.Kind.US_STOCKS, 15, MarketBars.Columns.QUOTES, 8, 7),
        """
        simulator: {class: SimpleSimulator, kwargs: {minutes_per_step: 30}}
        action_interpreter: %s
        %s
        """
            .formatted(MARKET, agent));
  }

  @Test
  void expressionsOfTheConfigurationAreTheSameEverywhere() throws IOException {
    var market = new MarketBars(MarketBars.Kind.US_STOCKS, 15, MarketBars.Columns.QUOTES, 8, 7);
    Path file = market.write(folder);
    Path config =
        Files.writeString(
            folder.resolve("run.yml"),
            """
            tranche: 1
            data:
              bars: '%s'
              expressions:
                gap: "$close/Ref($close,1)-1"
                range: "Mean(Abs($close-$open)/$close, 30)"
                last: "Log($close/FFillNan(Ref(DayLast($close), 26)))"
            simulator: {class: SimpleSimulator, kwargs: {minutes_per_step: 30}}
            action_interpreter: %s
            network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
            """
                .formatted(file, MARKET));
    requireParity(market, file, config);

    assertThat(Run.of("inspect", folder.resolve("models/demo@1.tranche").toString()).out())
        .contains("$turned_gap", "$x_range", "$turned_last");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TwapRelativeInterpreter | max_rate: 6                                         | Ppo, head: gaussian
          TwapRelativeInterpreter | max_rate: 6                                         | Ppo, head: beta
          TwapRelativeInterpreter | max_rate: 6                                         | Sac
          VolumeInterpreter       | max_share: 0.4                                      | Ppo, head: gaussian
          VolumeInterpreter       | max_volume: 900                                     | Ppo, head: beta
          VolumeInterpreter       | max_share: 1                                        | Sac
          QuoteInterpreter        | max_offset_bps: 6                                   | Ppo, head: gaussian
          QuoteInterpreter        | max_offset_bps: 6, max_rate: 3                      | Ppo, head: beta
          QuoteInterpreter        | max_offset_bps: 6, max_rate: 3, cancel_below: 0.8   | Sac
          """)
  void continuousActionsAreTheSameEverywhere(String actions, String settings, String policy)
      throws IOException {
    String[] parts = policy.split(", ", 2);
    requireParity(
        new MarketBars(MarketBars.Kind.US_STOCKS, 15, MarketBars.Columns.QUOTES, 8, 7),
        """
        simulator: {class: SimpleSimulator, kwargs: {minutes_per_step: 30}}
        action_interpreter: {class: %s, kwargs: {%s}}
        network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
        policy: {class: %s, kwargs: {learning_rate: 0.001%s}}
        """
            .formatted(actions, settings, parts[0], parts.length == 1 ? "" : ", " + parts[1]));
  }

  /// @param parts the parts of the run
  private void requireParity(MarketBars market, String parts) throws IOException {
    Path file = market.write(folder);
    Path config =
        Files.writeString(
            folder.resolve("run.yml"), "tranche: 1\ndata: {bars: '%s'}\n%s".formatted(file, parts));
    requireParity(market, file, config);
  }

  private void requireParity(MarketBars market, Path file, Path config) throws IOException {
    Path run = folder.resolve("run");
    ExecutionRun typed = ExecutionRun.read(ConfigFiles.load(config), _ -> {});
    PreparedData data = PreparedData.of(typed, new RunFolder(run), (_, _, _) -> {});
    try (RunParts<?> parts = RunParts.of(typed, data)) {
      Path weights = folder.resolve("weights.pth");
      var drawn =
          SmallTraining.drawn(
              parts.agent().create(new SplittableRandom(1)).weights().stateDict(), 3);
      TorchFile.write(weights, drawn);
      Path bundle = folder.resolve("models/demo@1.tranche");
      Run export =
          Run.of(
              "export",
              weights.toString(),
              "--config",
              config.toString(),
              "--out",
              bundle.toString());
      assertThat(export.status()).as(export.err()).isZero();
      LoadedModel model = LoadedModel.open(bundle);

      Map<String, OrderResult> expected = simulated(parts, orders(market), model);
      assertSame(trained(parts, orders(market), drawn), expected);
      List<NamedOrder> orders =
          orders(market).stream().filter(each -> expected.containsKey(each.id())).toList();
      assertThat(orders).hasSizeGreaterThan(orders(market).size() / 2);
      try (BarSource bars = BarFiles.openSessions(file, ColumnMapping.DEFAULT)) {
        var decided = new Outcomes();
        new DecideRun(new RuntimeDecisions(model), orders, null, decided)
            .over("bars", bars, Pace.UNLIMITED);
        assertSame(decided.results, expected);
        assertThat(decided.volumes).as("different decisions").hasSizeGreaterThan(2);

        var served = new Outcomes();
        serve(bundle, orders, bars, served);
        assertSame(served.results, expected);
      }
    }
  }

  private static void assertSame(
      Map<String, OrderResult> found, Map<String, OrderResult> expected) {
    assertThat(found.keySet()).isEqualTo(expected.keySet());
    expected.forEach((id, result) -> assertThat(found.get(id)).as(id).isEqualTo(result));
  }

  /// Returns the results of training's simulator; orders that cannot be worked have none.
  private static Map<String, OrderResult> simulated(
      RunParts<?> parts, List<NamedOrder> orders, LoadedModel model) {
    var problem = parts.problem();
    FullHistoryInterpreter states =
        problem.stateInterpreter() instanceof CurrentStepInterpreter steps
            ? FullHistoryInterpreter.ofProgress(steps.maxSteps())
            : (FullHistoryInterpreter) problem.stateInterpreter();
    var results = new LinkedHashMap<String, OrderResult>();
    try (var parallel = new ParallelFor(1)) {
      for (NamedOrder each : orders) {
        var player = new OrderPlayer(problem.simulators(), List.of(each.order()), parallel);
        if (!player.orders().isEmpty()) {
          var candidate =
              new Candidate<>("model", states, problem.actionInterpreter(), model::newPredictor);
          results.put(each.id(), player.run(candidate).orders().getFirst());
        }
      }
    }
    return results;
  }

  /// Returns the results of the run's own agent on what the run shows it.
  private static <O extends Observation> Map<String, OrderResult> trained(
      RunParts<O> parts, List<NamedOrder> orders, StateDict weights) {
    var problem = parts.problem();
    Agent<O> agent = parts.agent().load("weights", weights);
    var results = new LinkedHashMap<String, OrderResult>();
    try (var parallel = new ParallelFor(1)) {
      for (NamedOrder each : orders) {
        var player = new OrderPlayer(problem.simulators(), List.of(each.order()), parallel);
        if (!player.orders().isEmpty()) {
          var candidate =
              new Candidate<>(
                  "agent",
                  problem.stateInterpreter(),
                  problem.actionInterpreter(),
                  agent::newPolicy);
          results.put(each.id(), player.run(candidate).orders().getFirst());
        }
      }
    }
    return results;
  }

  private void serve(
      Path bundle, List<NamedOrder> orders, BarSource bars, OrderReplayListener listener) {
    var node =
        ConfigFiles.parse(
            "test",
            "{journal: journal, http: {port: 0}, engine: {limits: none, needs_earlier_days: false}}");
    try (var server =
        DecisionServer.start(DecisionServerConfig.of(List.of(bundle), node, folder), _ -> {})) {
      String url = server.http().url();
      var client =
          new PatientClient(
              new TrancheClient(URI.create(url)),
              url,
              Duration.ofSeconds(60),
              new StopRequest(),
              _ -> {});
      var manner = new ServiceDecisions.Manner(NEVER_LATE_MICROS, 0, "");
      try (var target =
          new ReplayTarget.OfService(url, client, ServiceDecisions.of(client, manner))) {
        new Replay(target, orders, new ReplayTally(), listener, Pace.UNLIMITED, () -> false)
            .over("bars", bars);
      }
    }
  }

  /// Returns orders of every instrument and day: some for the whole day, some for part of it.
  private static List<NamedOrder> orders(MarketBars market) {
    var random = new SplittableRandom(5);
    var orders = new ArrayList<NamedOrder>();
    for (String instrument : market.kind().instruments()) {
      for (LocalDate date : market.dates()) {
        List<LocalDateTime> times = market.times(instrument, date);
        for (int i = 0; i < Cases.count(2, 6); i++) {
          int from = i == 0 ? 0 : random.nextInt(times.size());
          int last = i == 0 ? times.size() - 1 : random.nextInt(from, times.size());
          var order =
              new Order(
                  instrument,
                  random.nextBoolean() ? Side.BUY : Side.SELL,
                  random.nextInt(1, 500) * 10.0,
                  times.get(from),
                  times.get(last).plusMinutes(market.minutes()),
                  date);
          String id = "%s-%s-%d".formatted(instrument, date, i);
          orders.add(new NamedOrder(id, order, id));
        }
      }
    }
    return orders;
  }

  private static final class Outcomes implements OrderReplayListener {

    private final Map<String, OrderResult> results = new LinkedHashMap<>();
    private final Set<Double> volumes = new HashSet<>();

    @Override
    public void decided(OrderDecision decision) {
      volumes.add(decision.volume());
    }

    @Override
    public void concluded(OrderOutcome outcome) {
      results.put(outcome.named().id(), Objects.requireNonNull(outcome.result()));
    }

    @Override
    public void warned(String warning) {
      throw new AssertionError(warning);
    }
  }
}
