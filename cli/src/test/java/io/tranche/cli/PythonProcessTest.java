package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is left of a Python and a Java process that work together when one of them dies.
final class PythonProcessTest {

  @TempDir private static Path folder;
  private static PythonPackage python;

  @BeforeAll
  static void prepare() throws IOException {
    python = PythonPackage.in(folder);
  }

  @Test
  void aKilledJavaIsAnException() throws IOException, InterruptedException {
    String printed =
        python.run(
            """
            import gc, glob, signal, tempfile, threading, time
            import numpy as np
            import tranche

            def held():
                gc.collect()
                return (sorted(os.readlink(each) for each in glob.glob("/proc/self/fd/*") if os.path.exists(each)),
                        threading.active_count(), sorted(glob.glob("/dev/shm/tranche*")),
                        [line for line in open("/proc/self/maps") if "tranche" in line])

            before = held()
            env = tranche.make_vec(sys.argv[1], num_envs=2, out=sys.argv[2])
            env.reset(seed=1)
            process = env._bridge._process
            os.kill(process.pid, signal.SIGKILL)
            began = time.monotonic()
            try:
                for _ in range(10):
                    env.step(np.array([0, 0]))
            except tranche.TrancheError as e:
                print(e)
            assert time.monotonic() - began < 1, time.monotonic() - began
            env.close()
            assert process.returncode == -9  # waited for: no zombie
            del env
            assert held() == before, (held(), before)
            """,
            python.config().toString(),
            python.out().toString());

    assertThat(printed).contains("(exit code -9)");
  }

  @Test
  void whateverALauncherAnswersEndsInANamedError() throws IOException, InterruptedException {
    String printed =
        python.run(
            """
            import random, stat, tempfile
            import tranche

            random.seed(1)
            folder = tempfile.mkdtemp()
            launcher, answer = os.path.join(folder, "tranche"), os.path.join(folder, "answer")
            with open(launcher, "w") as script:
                script.write("#!/bin/sh\\nexec cat '%s'\\n" % answer)
            os.chmod(launcher, stat.S_IRWXU)
            os.environ["TRANCHE"] = launcher
            described = b'{"protocol": 1, "environments": 1}'
            answers = [random.randbytes(random.randrange(30)) for _ in range(100)]
            answers += [bytes([random.randrange(3)]) + random.randbytes(random.randrange(9)) for _ in range(100)]
            answers += [b"\\x02" + len(text).to_bytes(4, "big") + text for text in (b"[]", b"7", b"{", described, b"\\xff")]
            for each in answers:
                with open(answer, "wb") as out:
                    out.write(each)
                try:
                    tranche.make_vec({})
                    print("accepted", each)
                except tranche.TrancheError as e:
                    assert str(e), each
            print("named")
            """);

    assertThat(printed).isEqualTo("named\n");
  }

  @Test
  @Tag("full")
  void aMillionStepsLeakNothing() throws IOException, InterruptedException {
    String printed =
        python.run(
            """
            import glob
            import numpy as np
            import tranche

            def listed(pid, what):
                found = []
                for each in glob.glob(f"/proc/{pid}/{what}/*"):
                    try:
                        found.append(os.readlink(each) if what == "fd" else "thread")
                    except FileNotFoundError:
                        pass  # that of glob itself
                return sorted(found)

            def used(pid):
                with open(f"/proc/{pid}/statm") as pages:
                    memory = int(pages.read().split()[1]) * 4096
                with open(f"/proc/{pid}/maps") as maps:
                    segments = sum("tranche" in line for line in maps)
                return memory, listed(pid, "fd"), listed(pid, "task"), segments, glob.glob("/dev/shm/*tranche*")

            first = used(os.getpid())
            env = tranche.make_vec(sys.argv[1], num_envs=256, out=sys.argv[2], copy=False, autoreset_mode="SameStep")
            env.reset(seed=1)
            process = env._bridge._process
            pids = (os.getpid(), process.pid)
            actions = np.zeros(256, dtype=np.int64)
            steps = ended = 0
            for batch in range(2000):  # until both processes have all they ever need
                env.step(actions)
            before = [used(pid) for pid in pids]
            while steps < 1_000_000:
                _, rewards, over, _, _ = env.step(actions)
                steps += len(rewards)
                ended += over.sum()
            after = [used(pid) for pid in pids]
            env.close()
            assert ended > 100_000, ended
            for one, other in zip(before, after):
                assert one[3] > 0 and other[0] < one[0] + 16_000_000 and other[1:] == one[1:], (before, after)
            assert process.returncode == 0
            del env, _
            assert used(os.getpid())[1:] == first[1:], (used(os.getpid()), first)
            print("flat")
            """,
            python.config().toString(),
            python.out().toString());

    assertThat(printed).isEqualTo("flat\n");
  }

  @Test
  void aKilledPythonLeavesNoJava() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                PythonPackage.gymnasium().toString(),
                "-c",
                python.preamble()
                    + """
                    import time
                    import tranche

                    env = tranche.make_vec(sys.argv[1], num_envs=2, out=sys.argv[2])
                    env.reset(seed=1)
                    print(env._bridge._process.pid, flush=True)
                    time.sleep(600)
                    """,
                python.config().toString(),
                python.out().toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var reader = process.inputReader()) {
      ProcessHandle java = ProcessHandle.of(Long.parseLong(reader.readLine())).orElseThrow();
      process.destroyForcibly().waitFor();

      java.onExit().orTimeout(60, TimeUnit.SECONDS).join();
      assertThat(java.isAlive()).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aKilledPythonEndsTheVerbThatAsksItsFunction() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                PythonPackage.gymnasium().toString(),
                "-c",
                python.preamble()
                    + """
                    import time
                    import tranche

                    def policy(observations):
                        print("asked", flush=True)
                        time.sleep(600)

                    market = {"tranche": 1, "data": {"market": {"instruments": 2, "days": 30}}}
                    tranche.policy_run(market, policy, sys.argv[1])
                    """,
                folder.resolve("run of a function").toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var reader = process.inputReader()) {
      assertThat(reader.readLine()).isEqualTo("asked");
      var started = process.descendants().toList();
      process.destroyForcibly().waitFor();

      assertThat(started).isNotEmpty();
      for (ProcessHandle java : started) {
        java.onExit().orTimeout(60, TimeUnit.SECONDS).join();
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }
}
