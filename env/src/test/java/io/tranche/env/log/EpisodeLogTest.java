package io.tranche.env.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tranche.env.LogLevel;
import io.tranche.env.space.Value;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EpisodeLogTest {

  @Test
  void episodesOfManyEnvironmentsDoNotMix() {
    Cases.forAll(
        Cases.count(200, 5_000),
        random -> {
          int envs = random.nextInt(1, 6);
          var sums = new double[envs];
          var lengths = new int[envs];
          var expected = new ArrayList<Map<String, Double>>();
          var was = new ArrayList<Map<String, Double>>();
          var log = new EpisodeLog((episode, _) -> was.add(episode.metrics()));
          log.onEnvAllReady();
          for (int env = 0; env < envs; env++) {
            log.onEnvReset(env, Episodes.NOTHING);
          }
          for (int i = 0; i < 60; i++) {
            int env = random.nextInt(envs);
            double reward = random.nextInt(10);
            boolean isDone = random.nextInt(5) == 0;
            sums[env] += reward;
            lengths[env]++;
            Episodes.step(log, env, reward, isDone, lengths[env]);
            if (isDone) {
              expected.add(Map.of("reward", sums[env], "steps_per_episode", (double) lengths[env]));
              sums[env] = 0;
              lengths[env] = 0;
              log.onEnvReset(env, Episodes.NOTHING);
            }
          }

          assertThat(was).isEqualTo(expected);
          assertThat(log.counters())
              .isEqualTo(new LogCounters(expected.size(), 60, 60, expected.size()));
        });
  }

  @Test
  void aNewCollectClearsItsOwnCountersOnly() {
    var log = new EpisodeLog((_, _) -> {});
    log.onEnvAllReady();
    Episodes.run(log, 3, 1, 2);
    log.onEnvAllDone();
    log.onEnvAllReady();
    Episodes.run(log, 0, 1);

    assertThat(log.counters()).isEqualTo(new LogCounters(1, 1, 3, 2));
    assertThat(log.activeEnvs()).containsExactly(0);
  }

  @Test
  void whatIsBelowItsLevelIsNotHandedOn() {
    var names = new ArrayList<String>();
    var log =
        new EpisodeLog((episode, _) -> names.addAll(episode.metrics().keySet()), LogLevel.DEBUG);

    Episodes.run(log, 0, 1);

    assertThat(names).containsExactly("reward", "debug", "steps_per_episode");
    assertThat(log.level()).isEqualTo(LogLevel.DEBUG);
  }

  @Test
  void aStepWithoutAResetIsNamed() {
    var log = new EpisodeLog((_, _) -> {});

    assertThatIllegalStateException()
        .isThrownBy(() -> Episodes.step(log, 4, 1, true, 1))
        .withMessage("env must be reset before it steps, was 4");
  }

  @Test
  void aRestoredLogGoesOnAsIfNothingHadHappened() {
    var heard = new ArrayList<Map<String, Double>>();
    var first = new EpisodeLog(new LogBuffer((_, _) -> {}));
    first.onEnvAllReady();
    Episodes.run(first, 0, 1, 2);
    first.onEnvReset(1, Episodes.NOTHING);
    Episodes.step(first, 1, 5, false, 1);
    Value.Dict state = first.state();

    var second =
        new EpisodeLog(
            new LogBuffer(
                (moment, buffer) ->
                    heard.add(
                        moment == LogBuffer.Moment.EPISODE
                            ? buffer.episodeMetrics()
                            : buffer.collectMetrics())));
    second.restore(state);
    Episodes.step(second, 1, 6, true, 2);
    second.onEnvAllDone();

    assertThat(state.entries().keySet())
        .containsExactly(
            "episode_count",
            "step_count",
            "global_step",
            "global_episode",
            "active_env_ids",
            "episode_lengths",
            "episode_rewards",
            "episode_logs",
            "latest_metrics",
            "aggregated_metrics");
    assertThat(second.counters()).isEqualTo(new LogCounters(2, 4, 4, 2));
    assertThat(second.activeEnvs()).containsExactlyInAnyOrder(0, 1);
    assertThat(heard)
        .containsExactly(
            Map.of("reward", 11.0, "steps_per_episode", 2.0),
            Map.of("reward", 7.0, "steps_per_episode", 2.0));
  }

  @Test
  void aDamagedStateIsRefusedByName() {
    Value.Dict sound = new EpisodeLog(new LogBuffer((_, _) -> {})).state();
    for (String name : sound.entries().keySet()) {
      if (name.equals("episode_lengths")) {
        continue; // follows from the rewards
      }
      for (Value wrong : List.of(new Value.Plain("text"), new Value.Plain(-1L))) {
        var entries = new LinkedHashMap<>(sound.entries());
        entries.put(name, wrong);

        assertThatIllegalArgumentException()
            .isThrownBy(
                () -> new EpisodeLog(new LogBuffer((_, _) -> {})).restore(new Value.Dict(entries)))
            .withMessageStartingWith(name + " must be ");
      }
    }
  }

  @Test
  void metricsBeforeTheFirstEpisodeAreRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> new LogBuffer((_, _) -> {}).episodeMetrics());
  }
}
