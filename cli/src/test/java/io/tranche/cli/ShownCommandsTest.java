package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The commands of pages that need something first: a run, a model, a service. Each page runs in a
/// folder of its own, which has what a reader of the page has by then.
class ShownCommandsTest {

  /// Pages whose commands other tests run: `DeployPageTest`, `FromQlibPageTest`, and `ClusterTest`
  /// of module `cluster`.
  private static final Set<String> ELSEWHERE =
      Set.of("deploy.md", "from-qlib.md", "how-to/cluster.md", "scaling.md", "training.md");

  /// What a reader of most pages has: a run, its model, bars and orders of other days.
  private static final String READER =
      """
      tranche train "$TRANCHE/examples/configs/quick.yml"
      tranche export runs/quick --out model.tranche
      mkdir models
      cp model.tranche models/
      head -c 24 /dev/urandom | base64 > token
      chmod 600 token
      tranche data generate --out bars.csv --instruments 3 --days 40 --seed 5
      tranche orders generate bars.csv --out orders
      tranche orders merge orders/test --out orders.csv
      """;

  /// Verbs that go on until they are stopped go to the background, on a free port.
  private static final String SERVICE =
      """
      start() {
        : > service.out
        tranche "$@" --port 0 > service.out 2>> service.log &
        PID=$!
        until grep -qE '^(listening on|dashboard:) ' service.out; do kill -0 "$PID" || { cat service.log; exit 1; }; sleep 0.1; done
        SERVICE=$(sed -nE 's/^(listening on|dashboard:) //p' service.out)
      }
      """;

  /// @param before what the page takes for granted
  /// @param changed pairs: what is changed because it would take too long, and to what
  record Shown(String page, String before, List<String> changed) {

    static Shown of(String page, String before, String... changed) {
      return new Shown(page, before, List.of(changed));
    }

    String script() throws IOException {
      String blocks =
          String.join("\n", PageCommands.blocks(page))
              .replaceAll("(?m)^(?:\\./)?tranche (serve|dashboard)\\b", "start $1")
              .replaceAll("(?m)^\\./tranche ", "tranche ")
              .replaceAll("http://127\\.0\\.0\\.1:8700", "\\$SERVICE");
      for (int i = 0; i < changed.size(); i += 2) {
        assertThat(blocks).contains(changed.get(i));
        blocks = blocks.replace(changed.get(i), changed.get(i + 1));
      }
      return SERVICE + before + "\n" + blocks;
    }

    @Override
    public String toString() {
      return page;
    }
  }

  @TempDir static Path reader;
  @TempDir static Path programs;
  @TempDir Path folder;

  static Stream<Shown> shown() throws IOException {
    return Stream.of(
        Shown.of("how-to/service.md", ""),
        Shown.of("going-live.md", "rm model.tranche"),
        Shown.of(
            "replay.md",
            "start serve model.tranche --set engine.limits=none\ntranche data convert bars.csv --out bars",
            "--speed 60 ",
            "--speed max ",
            "--for 8h",
            "--for 2s",
            "--days 5",
            "--days 1"),
        Shown.of(
            "runtime.md",
            """
            tranche data convert bars.csv --out bars
            day=$(tail -n 1 bars.csv | cut -d, -f2 | cut -d' ' -f1)
            feed() { head -n 1 bars.csv; grep ",$day " bars.csv | sort -t, -k2,2 -s; }
            feed > today.csv
            head -n 1 orders.csv > last.csv
            grep "^$day" orders.csv >> last.csv
            mv last.csv orders.csv
            echo id,datetime,volume,price > fills.csv"""),
        Shown.of("is-my-agent-good.md", ""),
        Shown.of(
            "judging.md",
            "tranche data convert bars.csv --out june.parquet\ncp orders.csv mine.csv"),
        Shown.of(
            "volume.md", "tranche data convert bars.csv --out bars.parquet\ncp bars.csv other.csv"),
        Shown.of(
            "continuous.md",
            yaml("continuous.md", "continuous.yml")
                + "tranche data convert bars.csv --out bars.parquet",
            "trainer.max_iterations=48",
            "trainer.max_iterations=1",
            "trainer.max_iterations=24",
            "trainer.max_iterations=1 --overwrite",
            "--set data.market.seed=1",
            "--set trainer.episodes_per_iteration=50"),
        Shown.of(
            "real-markets.md",
            "tranche data convert bars.csv --out bars.parquet",
            "start bars.parquet",
            "start bars.parquet --yes --iterations 4"),
        Shown.of(
            "dashboard.md",
            "start serve model.tranche --set engine.limits=none\nmv token t",
            "DIR",
            "runs",
            "URL",
            "$SERVICE",
            "FILE --token-file FILE",
            "t --token-file t"),
        Shown.of(
            "first-contact.md",
            "rm model.tranche",
            "tranche demo",
            "tranche demo --iterations 1",
            "start bars.csv",
            "start bars.csv --yes --iterations 1"));
  }

  private static String yaml(String page, String file) throws IOException {
    String text = Files.readString(Shared.root().resolve("docs").resolve(page));
    String rest = text.substring(text.indexOf("```yaml\n") + "```yaml\n".length());
    return "cat > %s <<'END'\n%sEND\n".formatted(file, rest.substring(0, rest.indexOf("```")));
  }

  @ParameterizedTest
  @MethodSource("shown")
  @Tag("full")
  void everyCommandWorks(Shown shown) throws Exception {
    Path start = folder.resolve("a reader");
    copy(start);

    PageCommands.run(shown.script(), start, folder);
  }

  private static void copy(Path to) throws IOException, InterruptedException {
    if (!Files.exists(reader.resolve("orders.csv"))) {
      PageCommands.run(READER, reader, programs);
    }
    try (Stream<Path> files = Files.walk(reader)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(reader.relativize(file).toString()));
      }
    }
  }

  /// Commands of Qlib's dialect, after those of the page for its users.
  @Test
  @Tag("full")
  void everyCommandOnQlibsFilesWorks() throws Exception {
    String more =
        """
        cp exp_configs/*.yml .
        tranche train "$TRANCHE/examples/configs/quick.yml" --out runs/my-run
        mkdir a b
        cp runs/my-run/checkpoints/002.ckpt a
        cp runs/my-run/checkpoints/004.ckpt b
        """;
    String script =
        Stream.concat(
                Stream.of("from-qlib.md", "how-to/backtest.md").flatMap(ShownCommandsTest::blocks),
                Stream.concat(
                    Stream.of(more),
                    Stream.of("backtest.md", "bundle.md").flatMap(ShownCommandsTest::blocks)))
            .collect(Collectors.joining("\n"))
            .replaceAll("(?m)^\\./tranche ", "tranche ")
            .replace(" --open", "");

    PageCommands.run(script, Files.createDirectory(folder.resolve("qlib")), folder);
  }

  /// The page of the service shows evidence before what makes it.
  @Test
  @Tag("full")
  void everyCommandOfTheServiceWorks() throws Exception {
    List<String> shown = PageCommands.blocks("serving.md");
    assertThat(shown).hasSize(4);
    String evidence =
        shown
            .get(0)
            .replace("./tranche journal restore", "mv journal lost\n./tranche journal restore");
    String whole =
        Files.readString(Shared.root().resolve("docs/serving.md"))
            .transform(text -> text.substring(text.indexOf("```yaml\n") + "```yaml\n".length()))
            .transform(text -> text.substring(0, text.indexOf("```")))
            .replaceAll("port: 870\\d", "port: 0");
    String script =
        String.join(
                "\n",
                SERVICE,
                "cp model.tranche models/demo@1.tranche",
                "cp model.tranche models/demo@2.tranche",
                shown.get(3),
                "tranche sign models/demo@2.tranche --key desk.pem",
                "# The whole configuration of the page.",
                "cat > service.yml <<'END'\n%sEND".formatted(whole),
                """
                for name in certificate clients; do
                  openssl req -x509 -newkey rsa:2048 -nodes -keyout $name-key.pem -out $name.pem -days 30 -subj /CN=localhost \\
                    -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' 2>> service.log
                done
                mv certificate-key.pem key.pem
                for name in client reader; do head -c 24 /dev/urandom | base64 > $name; done
                echo "ann operator $(printf one | sha256sum | cut -d' ' -f1)" > users
                chmod 600 client reader users key.pem
                tranche serve models/demo@1.tranche models/demo@2.tranche --config service.yml > service.out 2>> service.log &
                PID=$!
                until grep -q '^listening on' service.out; do kill -0 "$PID" || { cat service.log; exit 1; }; sleep 0.1; done
                SERVICE=$(sed -n 's/^listening on //p' service.out | head -n 1)
                curl -sS --fail-with-body --cacert certificate.pem --cert clients.pem --key clients-key.pem \\
                  "https://localhost:${SERVICE##*:}/health"
                kill "$PID"
                wait "$PID" || test $? = 143
                rm -r journal
                echo 'engine: {limits: {slice_share: 0.5}}' > service.yml
                """,
                shown.get(1).replace("./tranche serve", "start serve"),
                shown.get(2),
                "mkdir backup\ncp journal/*.journal backup",
                "kill \"$PID\"\nwait \"$PID\" || test $? = 143",
                evidence)
            .replaceAll("(?m)^\\./tranche ", "tranche ");
    Path start = folder.resolve("a reader");
    copy(start);

    assertThat(PageCommands.run(script, start, folder)).contains("tranche_orders_total");
  }

  private static Stream<String> blocks(String page) {
    try {
      return PageCommands.blocks(page).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What no test can run, such as a cluster of another kind, says why in a comment of the page.
  @Test
  void everyBlockIsRunOrSaysWhyNot() throws IOException {
    Set<String> run = shown().map(Shown::page).collect(Collectors.toSet());
    run.addAll(ELSEWHERE);
    run.addAll(List.of("how-to/backtest.md", "serving.md", "backtest.md", "bundle.md"));
    Path docs = Shared.root().resolve("docs");
    List<String> left =
        DocumentationTest.documents()
            .filter(page -> page.startsWith(docs))
            .map(page -> docs.relativize(page).toString())
            .filter(page -> blocks(page).findAny().isPresent())
            .filter(page -> !run.contains(page))
            .toList();

    assertThat(left).isEmpty();
  }
}
