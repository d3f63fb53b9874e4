package io.tranche.cli;

import static io.tranche.cli.MarketVerbs.asOrders;
import static io.tranche.cli.MarketVerbs.done;
import static io.tranche.cli.MarketVerbs.replayed;
import static io.tranche.cli.MarketVerbs.results;
import static io.tranche.cli.MarketVerbs.served;
import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The parts of `examples`, as a jar that no class path has: trained, exported, decided with.
class PluginJarTest {

  private static final String FEATURES =
      "META-INF/services/io.tranche.market.feature.provider.FeatureProvider";

  @TempDir Path folder;
  private Path jar;

  @BeforeEach
  void makeTheJar() throws IOException {
    jar =
        jar(
            "my plug-ins.jar",
            Map.of(
                PluginJar.COMPONENTS,
                "io.tranche.examples.java.OwnProvider\nio.tranche.examples.network.GlanceProvider",
                FEATURES,
                "io.tranche.examples.java.RangePlace"),
            "from-java",
            "custom-network");
  }

  private Path jar(String name, Map<String, String> services, String... examples)
      throws IOException {
    return PluginJar.of(folder, name, services, examples);
  }

  private Run run(String... arguments) {
    Run run = Run.of(arguments);
    assertThat(run.status()).as(run.err()).isZero();
    return run;
  }

  private Path config(String text) throws IOException {
    return Files.writeString(
        folder.resolve("own.yml"),
        """
        tranche: 1
        data: {market: {instruments: 2, days: 20}, features: {providers: [price_moves, range_place]}}
        reward: {class: Early}
        metrics: [{class: Left}]
        callbacks: [{class: Hooks}]
        log_writers: [{class: Tally}]
        trainer: {max_iterations: 2, episodes_per_iteration: 10, repeat: 2}
        validation: {every: 1, judge: false}
        """
            + text);
  }

  /// A feature, a layer, an algorithm and what watches training, from the jar to decisions.
  @Test
  void whatDecidesIsExportedAndNeedsThePlugInAgain() throws IOException {
    Path config =
        config(
            """
            network: {class: Layers, kwargs: {hidden: 8, output: 8, layers: [dense: 8, {class: Gain}, gru: 8]}}
            policy: {class: LoggingPpo, kwargs: {rate: 0.01}}
            """);
    String out = folder.resolve("run").toString();
    String model = folder.resolve("model.tranche").toString();
    String plugIn = jar.toString();

    run("train", config.toString(), "--out", out, "--plugins", plugIn);
    run("export", out, "--out", model, "--plugins", plugIn);
    Run decided =
        run(
            "decide",
            model,
            "--bars",
            out + "/data/bars",
            "--orders",
            out + "/data/orders/test",
            "--plugins",
            plugIn);
    Run without =
        Run.of(
            "decide", model, "--bars", out + "/data/bars", "--orders", out + "/data/orders/test");

    assertThat(folder.resolve("run/metrics.jsonl"))
        .content()
        .contains("\"left\"", "\"passes\"", "\"hooks\"");
    assertThat(decided.out().lines().count()).isGreaterThan(10);
    assertThat(without.status()).as(without.err()).isEqualTo(4); // the bundle cannot be read
    assertThat(without.err())
        .contains("range_place")
        .contains("or one of a plug-in that is loaded with --plugins");
    assertDocumented("or one of a plug-in that is loaded with --plugins");
  }

  /// An observation with its network, a simulator and actions: what only a simulator can show is
  /// trained and judged, and the export says why it stops.
  @Test
  void whatOnlyASimulatorShowsIsTrainedAndJudged() throws IOException {
    Path config =
        config(
            """
            simulator: {class: FirstTick}
            state_interpreter: {class: Place}
            action_interpreter: {class: Thirds}
            network: {class: Small}
            aux_info: {class: Steps}
            """);
    String out = folder.resolve("run").toString();

    run("train", config.toString(), "--out", out, "--plugins", jar.toString());
    Run judged = run("judge", out, "--plugins", jar.toString());
    Run exported =
        Run.of(
            "export",
            out,
            "--out",
            folder.resolve("model.tranche").toString(),
            "--plugins",
            jar.toString());
    Run without = Run.of("judge", out);

    assertThat(judged.out()).contains("TWAP");
    assertThat(exported.status()).isEqualTo(2);
    assertThat(exported.err()).contains("expected ");
    assertThat(without.status()).isEqualTo(2);
    assertThat(without.err()).contains("loaded with --plugins");
  }

  /// The same parts twice: once honest, once with prices of the rest of the day.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          state.remaining() | state.rows()      |
          state.twapPrice() | state.rows()      | [state_interpreter]
          state.rows()      | state.twapPrice() | [reward]
          state.twapPrice() | state.twapPrice() | [state_interpreter, reward]
          """)
  void theDoctorFindsPartsThatLookAhead(String seen, String paid, @Nullable String found)
      throws IOException {
    Path own =
        sourceJar(
            "seers.jar",
            """
            package mine;

            import io.tranche.config.Component;
            import io.tranche.config.ComponentProvider;
            import io.tranche.env.StateInterpreter;
            import io.tranche.execution.ExecutionState;
            import io.tranche.execution.catalog.ExecutionCatalog;
            import java.util.List;

            public final class Plugged implements ComponentProvider {
              private static double[] seen(ExecutionState state) {
                return new double[] {%s / 1000.0};
              }

              @Override
              public List<Component<?>> components() {
                return List.of(
                    Component.of(
                        ExecutionCatalog.STATE_INTERPRETER,
                        "Seer",
                        "sees",
                        _ -> StateInterpreter.numbers(1, Plugged::seen)),
                    Component.of(
                        ExecutionCatalog.REWARD, "Payer", "pays", _ -> (state, _) -> %s / 1000.0));
              }
            }
            """
                .formatted(seen, paid));
    Path config =
        Files.writeString(
            folder.resolve("seer.yml"),
            """
            tranche: 1
            data: {market: {instruments: 1, days: 10}}
            state_interpreter: {class: Seer}
            reward: {class: Payer}
            network: {class: Mlp}
            trainer: {max_iterations: 1, episodes_per_iteration: 4, repeat: 1}
            validation: {every: 1, judge: false}
            """);
    String out = folder.resolve("run").toString();
    run("train", config.toString(), "--out", out, "--plugins", own.toString());

    Run doctor = Run.of("doctor", out, "--plugins", own.toString());

    if (found == null) {
      assertThat(doctor.out()).doesNotContain("looks ahead");
    } else {
      assertThat(doctor.out())
          .contains("a part that looks ahead\n")
          .contains("other bars after a decision change %s before it".formatted(found));
      assertDocumented("a part that looks ahead");
      assertThat(doctor.status()).isEqualTo(1);
    }
  }

  /// A network, a feature, actions and an algorithm of the jar, over HTTP and in this process.
  @Test
  void whatDecidesIsServedAndReplayed() throws IOException {
    Path own =
        sourceJar(
            "halves.jar",
            """
            package mine;

            import io.tranche.backtest.ChildOrder;
            import io.tranche.config.Component;
            import io.tranche.config.ComponentProvider;
            import io.tranche.env.ActionInterpreter;
            import io.tranche.env.space.Action;
            import io.tranche.env.space.Space;
            import io.tranche.execution.ExecutionState;
            import io.tranche.execution.OrderProgress;
            import io.tranche.execution.catalog.ExecutionCatalog;
            import io.tranche.execution.interpreter.DiscreteActions;
            import io.tranche.execution.interpreter.FullHistoryObservation;
            import io.tranche.policy.catalog.PolicyCatalog;
            import io.tranche.policy.network.LayersConfig;
            import io.tranche.policy.network.LayersNetwork;
            import io.tranche.policy.network.Network;
            import io.tranche.tensor.layer.Layers;
            import java.util.List;

            public final class Plugged implements ComponentProvider {
              /// Nothing, half of what remains, or all of it.
              record Halves() implements ActionInterpreter<ExecutionState, ChildOrder>, DiscreteActions {
                public Space actionSpace() {
                  return new Space.Discrete(3);
                }

                public ChildOrder interpret(ExecutionState state, Action action) {
                  return ChildOrder.market(volume(state, false, (int) action.number()));
                }

                public int choices() {
                  return 3;
                }

                public double volume(OrderProgress progress, boolean isLast, int choice) {
                  return progress.remaining() * choice / 2;
                }

                public ChildOrder.Kind kind(boolean isLast, int choice) {
                  return ChildOrder.Kind.MARKET;
                }
              }

              @Override
              public List<Component<?>> components() {
                Network.Maker<FullHistoryObservation> tower =
                    context ->
                        LayersNetwork.factory(
                            LayersConfig.of(Layers.dense(8), Layers.relu(), Layers.gru(8)),
                            context.features());
                return List.of(
                    Component.of(PolicyCatalog.network(), "Tower", "layers", _ -> tower),
                    Component.of(
                        ExecutionCatalog.ACTION_INTERPRETER, "Halves", "halves", _ -> new Halves()));
              }
            }
            """);
    Path config =
        config(
            """
            action_interpreter: {class: Halves}
            network: {class: Tower}
            policy: {class: LoggingPpo, kwargs: {rate: 0.01}}
            """);
    Path out = folder.resolve("run");
    Path bundle = folder.resolve("model@1.tranche");
    Path bars = out.resolve("data/bars");
    Object[] plugIns = {"--plugins", own, "--plugins", jar};
    done(with(plugIns, "train", config, "--out", out, "--run-backtest"));
    done(with(plugIns, "export", out, "--out", bundle));
    Path orders = asOrders(out.resolve("result.csv"), folder.resolve("orders.csv"));
    List<String> few = Files.readAllLines(orders).subList(0, 4);
    Files.write(orders, few);

    Path here = folder.resolve("here.csv");
    Path backtested = folder.resolve("backtested");
    done(with(plugIns, "backtest", out, "--orders", orders, "--out", backtested));
    List<List<Double>> figures = results(backtested.resolve("result.csv"));
    done(
        with(
            plugIns,
            "replay",
            bundle,
            "--bars",
            bars,
            "--orders",
            orders,
            "--out",
            here,
            "--quiet"));
    assertThat(figures).hasSize(3);
    assertThat(replayed(here)).isEqualTo(figures);
    assertThat(served(folder, bundle, bars, orders, folder.resolve("served.csv"), plugIns))
        .isEqualTo(figures);
  }

  /// The weights of a network that reads whole observations can be had, a model cannot.
  @Test
  void whatCannotFollowADayIsRefusedByTheExport() throws IOException {
    Path config = config("network: {class: Glance, kwargs: {hidden: 8}}");
    Path out = folder.resolve("run");
    Object[] plugIns = {"--plugins", jar};
    done(with(plugIns, "train", config, "--out", out, "--set", "trainer.max_iterations=1"));
    done(with(plugIns, "export", out, "--to", folder.resolve("weights.pth")));

    Run exported =
        Run.of(
            "export",
            out.toString(),
            "--out",
            folder.resolve("model.tranche").toString(),
            "--plugins",
            jar.toString());

    assertThat(exported.status()).isEqualTo(2);
    assertThat(exported.err()).contains("network: expected one that can follow a day tick by tick");
    assertDocumented("expected one that can follow a day tick by tick");
  }

  private static Object[] with(Object[] options, Object... words) {
    return Stream.concat(Stream.of(words), Stream.of(options)).toArray();
  }

  /// Compiles a provider `mine.Plugged`, against other classes of Tranche if these are given.
  private Path sourceJar(String name, String provider, String... others) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("sources of " + name));
    var files = new ArrayList<String>();
    for (String text : Stream.concat(Stream.of(provider), Stream.of(others)).toList()) {
      String type = text.replaceAll("(?s).*?public (?:final class|interface) (\\w+).*", "$1");
      files.add(Files.writeString(sources.resolve(type + ".java"), text).toString());
    }
    Path classes = Files.createDirectories(folder.resolve("classes of " + name));
    var arguments =
        new ArrayList<>(
            List.of(
                "-proc:none",
                "-nowarn",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString()));
    arguments.addAll(files);
    int status =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(status).isZero();
    Path made = folder.resolve(name);
    try (var jarred = new JarOutputStream(Files.newOutputStream(made));
        Stream<Path> compiled = Files.list(classes.resolve("mine"))) {
      jarred.putNextEntry(new JarEntry(PluginJar.COMPONENTS));
      jarred.write("mine.Plugged".getBytes(UTF_8));
      for (Path file : compiled.toList()) {
        jarred.putNextEntry(new JarEntry("mine/" + file.getFileName()));
        Files.copy(file, jarred);
      }
    }
    return made;
  }

  /// Another version had a class that is gone, or asked for a method that is called otherwise now.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          (state, _) -> io.tranche.env.Gone.scale(1)                   | io/tranche/env/Gone
          new io.tranche.env.Reward<>() { public double praise(io.tranche.execution.ExecutionState s) { return 1; } } | mine.Plugged
          """)
  void aPlugInForAnotherVersionFailsWithItsNameAndWhatToDo(String reward, String culprit)
      throws IOException {
    String[] others = {
      "package io.tranche.env; public final class Gone { public static double scale(double x) { return x; } }",
      "package io.tranche.env; public interface Reward<S> { default double praise(S state) { return 0; }"
          + " default double reward(S state, EnvContext context) { return 0; } }"
    };
    Path old =
        sourceJar(
            "old.jar",
            """
            package mine;

            import io.tranche.config.Component;
            import io.tranche.config.ComponentProvider;
            import io.tranche.env.Reward;
            import io.tranche.execution.ExecutionState;
            import io.tranche.execution.catalog.ExecutionCatalog;
            import java.util.List;

            public final class Plugged implements ComponentProvider {
              @Override
              public List<Component<?>> components() {
                return List.of(
                    Component.of(ExecutionCatalog.REWARD, "Old", "an old one", _ -> reward()));
              }

              private static Reward<ExecutionState> reward() {
                return %s;
              }
            }
            """
                .formatted(reward),
            reward.startsWith("new") ? others : new String[] {others[0]});
    Path config = SmallTraining.write(folder);
    String[] words = {
      "train",
      config.toString(),
      "--out",
      folder.resolve("run").toString(),
      "--set",
      "reward={class: Old}",
      "--plugins",
      old.toString()
    };

    Run run = Run.of(words);

    assertThat(run.status()).as(run.err()).isEqualTo(2);
    String message =
        run.err().lines().filter(line -> line.contains("expected")).findFirst().orElse("");
    assertThat(message).startsWith("mine.Plugged").contains(culprit, "build it again");
    assertDocumented(message.substring(message.indexOf("expected")));
  }

  @Test
  void aStrategyWorksTheOrdersOfABacktest() {
    Run listed = run("components", "AtOnce", "--plugins", jar.toString());

    assertThat(listed.out()).startsWith("strategies").contains("AtOnce");
  }

  @Test
  void aPlugInThatCannotBeUsedIsNamedWithWhatToDo() throws IOException {
    Path missing = jar("missing.jar", Map.of(FEATURES, "mine.Missing"));
    Path config = config("");

    Run noClass =
        Run.of(
            "train",
            config.toString(),
            "--out",
            folder.resolve("no").toString(),
            "--plugins",
            missing.toString());

    assertThat(noClass.status()).isEqualTo(2);
    assertThat(noClass.err())
        .contains("plug-in: expected the class that META-INF/services names")
        .contains("mine.Missing");
    assertDocumented("expected the class that META-INF/services names");
  }
}
