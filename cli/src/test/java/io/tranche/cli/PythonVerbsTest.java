package io.tranche.cli;

import static io.tranche.cli.MarketVerbs.done;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The verbs of the package `tranche` of clients/python: frames, functions and results.
final class PythonVerbsTest {

  @TempDir private static Path folder;
  private static PythonPackage python;

  @BeforeAll
  static void prepare() throws IOException {
    python = PythonPackage.in(folder);
  }

  @Test
  void framesAreWrittenAndReadExactly() throws IOException, InterruptedException {
    String printed =
        python.run(
            PythonPackage.frames(),
            """
                import numpy as np
                import pyarrow
                import tranche

                config = {"tranche": 1, "data": {"market": {"instruments": 2, "days": 30}}}
                run = os.path.join(sys.argv[1], "frames run")
                tranche.verb("train", {**config, "trainer": {"max_iterations": 1, "episodes_per_iteration": 20}},
                             "--out", run, "--run-backtest", progress=False)
                bars = tranche.read_bars(os.path.join(run, "data", "bars"))
                seen = []
                for each in (bars, pyarrow.Table.from_pandas(bars, preserve_index=False), os.path.join(run, "data", "bars")):
                    env = tranche.make_vec({"tranche": 1, "data": {"bars": each}}, num_envs=4)
                    seen.append(env.reset(seed=3)[0]["data_processed_prev"])
                    env.close()
                assert np.array_equal(seen[0], seen[1]) and np.array_equal(seen[0], seen[2])
                results = tranche.read_results(run)
                orders = results[["instrument", "side", "start", "end", "amount"]]
                judged = tranche.judge(run, orders=orders, bars=bars)
                assert judged, judged
                tranche.verb("backtest", run, "--orders", orders, "--out", run + " 2", progress=False)
                again = tranche.read_results(run + " 2")
                assert (again["advantage_bps"] == results["advantage_bps"]).all()
                assert "iframe" in tranche.Report(os.path.join(run, "judge"))._repr_html_()
                print(len(results) > 0)
                """,
            folder.toString());

    assertThat(printed).isEqualTo("True\n");
  }

  /// The frame is gone with its program; the run goes on.
  @Test
  void aRunKeepsTheFramesThatItWasGiven() throws IOException, InterruptedException {
    Path run = folder.resolve("run of a frame");

    String printed =
        python.run(
            PythonPackage.frames(),
            """
            import numpy as np
            import pandas as pd
            import tranche

            os.chdir(sys.argv[1])
            minutes = pd.to_timedelta(570 + 5 * np.arange(48), unit="min")
            times = np.concatenate([day + minutes for day in pd.bdate_range("2026-01-05", periods=30)])
            random = np.random.default_rng(1)
            frames = []
            for instrument in ("A", "B"):
                close = 10 * np.exp(np.cumsum(random.normal(0, 1e-3, len(times))))
                frames.append(pd.DataFrame({"instrument": instrument, "datetime": times, "open": close, "high": close,
                                            "low": close, "close": close, "volume": 1000.0}))
            bars = pd.concat(frames, ignore_index=True)

            orders = tranche.make_orders(bars, "--seed", "2", "--per-day", "2")
            data = {"bars": bars, "orders": orders, "both_sides": False}

            def config(iterations):
                return {"tranche": 1, "data": data, "validation": {"every": None},
                        "trainer": {"max_iterations": iterations, "episodes_per_iteration": 20}}

            tranche.verb("train", config(1), "--out", "run of a frame", progress=False)
            tranche.verb("train", config(2), "--out=run of a frame", "--resume", progress=False)
            for _ in range(2):  # data that were made of a frame are those of the same frame
                env = tranche.make_vec({"tranche": 1, "data": data}, out="environments of a frame", stage="test")
                env.reset(seed=1)
                assert env.num_orders == (orders["stage"] == "test").sum() == 24
                env.close()
            print(*(len(os.listdir(os.path.join(each, "frames"))) for each in ("run of a frame", "environments of a frame")))

            def refused(action):
                try:
                    action()
                except (ValueError, tranche.TrancheError) as e:
                    print(e)

            refused(lambda: tranche.verb("train", config(1)))
            data["orders"] = orders.assign(stage="tset")
            refused(lambda: tranche.make_vec({"tranche": 1, "data": data}))
            refused(lambda: tranche.read_features("run of a frame"))

            how = {"start": "2026-01-07", "end": "2026-02-13", "columns": ["$open", "$close"],
                   "norm_groups": {"price": 4, "volume": 2}}
            tranche.verb("data", "features", how, "--bars", bars, "--out", "features of a frame", progress=False)
            features = tranche.read_features("features of a frame")
            assert {"close", "close_1", "volume"} <= set(features) and abs(features["close"].mean()) < 1, features
            assert len(features) == 2 * 28 * 48, len(features)
            """,
            folder.toString());

    assertThat(printed)
        .isEqualTo(
            """
            2 2
            --out: expected the folder of the run, which keeps its frames, was none (tranche train)
            orders: expected a column stage with train, valid, test, was ['tset']
            run of a frame: expected a feature store, was something else
            """);
    Path config = run.resolve("config.yml");
    done("train", config, "--out", run, "--resume", "--set", "trainer.max_iterations=3");
    assertThat(run.resolve("checkpoints/003.ckpt")).exists();
    Path backtested = folder.resolve("backtest of a frame");
    done("backtest", run, "--out", backtested);
    assertThat(backtested.resolve("result.csv")).isNotEmptyFile();
    assertThat(done("judge", run)).isNotBlank();
    assertThat(done("stress", run)).contains("certificate");
  }

  @Test
  void aFunctionIsAPolicyOfEveryVerb() throws IOException, InterruptedException {
    String printed =
        python.run(
            PythonPackage.frames(),
            """
            import threading
            import numpy as np
            import tranche

            market = {"tranche": 1, "data": {"market": {"instruments": 2, "days": 30}}, "validation": {"every": None}}
            rule = {**market, "policy": {"class": "AllOne", "kwargs": {"fill_value": 1}}}
            folder = os.path.join(sys.argv[1], "functions and rules")
            own, run = os.path.join(folder, "own"), os.path.join(folder, "a run")
            one_iteration = {"max_iterations": 1, "episodes_per_iteration": 1}
            tranche.verb("train", {**rule, "trainer": one_iteration}, "--out", own, progress=False)
            tranche.verb("backtest", own, "--out", own + " 2", progress=False)
            expected = tranche.read_results(own + " 2")

            shapes = set()
            def rows(observations):
                shapes.add(observations.shape[1:])
                return np.ones(len(observations), dtype=np.int64)

            def parts(observations):
                assert observations["data_processed"].shape[0] == observations["cur_step"].shape[0]
                return np.ones((len(observations["cur_step"]), 1), dtype=np.int64)

            threads = threading.active_count()
            for function, flat in ((rows, True), (parts, False)):
                made = tranche.policy_run(market, function, f"{run} {flat}", flat=flat)
                tranche.verb("backtest", made, "--out", made + " 2", policy=function, progress=False)
                assert tranche.read_results(made + " 2").equals(expected)
            assert len(shapes) == 1, shapes
            assert threading.active_count() == threads
            assert tranche.judge(made, policy=parts)["policies"] == tranche.judge(own)["policies"]
            assert "001.ckpt" in tranche.verb("select", made, "--last", "1", policy=parts, progress=False)
            assert "certificate" in tranche.verb("stress", made, policy=parts, progress=False)

            def refused(run, function):
                try:
                    tranche.verb("backtest", run, "--out", made + " 3", policy=function, progress=False)
                except tranche.TrancheError as e:
                    print(str(e).splitlines()[-1], type(e.__cause__).__name__)

            refused(made, lambda observations: 1 / 0)
            refused(made, lambda observations: np.full(len(observations["cur_step"]), 99))
            refused(made, lambda observations: np.zeros(1))
            refused(made, None)
            refused(own, parts)
            """,
            folder.toString());

    assertThat(printed.lines())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "policy: expected an action for each observation, was ZeroDivisionError:"
                            + " division by zero (exit code 3) ZeroDivisionError"),
            line ->
                assertThat(line)
                    .startsWith("policy: expected actions of its space")
                    .contains("was 99"),
            line -> assertThat(line).contains("ValueError: actions: expected the shape"),
            line ->
                assertThat(line)
                    .startsWith("policy: expected the Python program whose function it is")
                    .contains("(exit code 2)"),
            line ->
                assertThat(line).startsWith("policy: expected a run that tranche.policy_run made"));
  }

  @Test
  void aFrameOfResultsIsJudged() throws IOException, InterruptedException {
    String printed =
        python.run(
            PythonPackage.frames(),
            """
            import numpy as np
            import pandas as pd
            import tranche

            days = pd.bdate_range("2026-01-05", periods=20)
            results = pd.DataFrame({"instrument": "A", "side": ["buy", "sell"] * 20, "amount": 100.0,
                                    "date": np.repeat(days, 2)})
            noise = np.random.default_rng(1).normal(0, 5, len(results))
            for advantage, reference in ((20 + noise, None), (noise - noise.mean(), None), (20 + noise, 40.0)):
                frame = results.assign(advantage_bps=advantage)
                if reference:
                    frame["reference_bps"] = reference
                judged = tranche.judge(frame)
                mean = judged["policies"][0]["over_twap_bps"]["mean"]
                assert abs(mean - (advantage.mean() - (reference or 0))) < 1e-9
                print(judged["verdict"], judged["orders"], judged["policies"][0]["over_twap_bps"]["days"])
            try:
                tranche.judge(results)
            except tranche.TrancheError as e:
                print(str(e).splitlines()[-1].split(": ", 1)[1])
            """);

    assertThat(printed.lines())
        .satisfiesExactly(
            line -> assertThat(line).isEqualTo("better 40 20"),
            line -> assertThat(line).isEqualTo("no difference 40 20"),
            line -> assertThat(line).isEqualTo("worse 40 20"),
            line -> assertThat(line).startsWith("expected a column advantage_bps, was ["));
  }
}
