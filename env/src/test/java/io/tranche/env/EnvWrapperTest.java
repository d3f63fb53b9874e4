package io.tranche.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.env.space.Action;
import io.tranche.env.space.NanObservation;
import io.tranche.env.space.Space;
import io.tranche.env.space.SpaceException;
import io.tranche.env.space.Value;
import io.tranche.env.walk.TargetWalk;
import io.tranche.env.walk.TargetWalk.Seen;
import io.tranche.env.walk.TargetWalk.Start;
import io.tranche.env.walk.TargetWalk.State;
import io.tranche.testkit.Allocation;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnvWrapperTest {

  private static final Action AHEAD = new Action.Discrete(2);

  @Test
  void partsAreCalledInQlibsOrderAndSeeHowFarTheEpisodeIs() {
    var calls = new ArrayList<String>();
    var inner = TargetWalk.problem();
    var problem =
        new Problem<Start, State, Integer, Seen>(
                (start, context) -> {
                  calls.add("create at " + context.step());
                  return traced(inner.simulators().create(start, context), calls);
                },
                traced(inner.stateInterpreter(), calls),
                traced(inner.actionInterpreter(), calls),
                (state, context) -> {
                  calls.add("reward at " + context.step() + " done " + context.isDone());
                  context.log().scalar("cost", state.distance());
                  return 0.5;
                })
            .withAuxInfo(
                (_, context) -> {
                  calls.add("aux at " + context.step());
                  return new Value.Plain(7L);
                })
            .withMetrics(
                List.of(
                    Metric.atEnd("left", State::distance),
                    Metric.everyStep("always", State::distance)));
    var environment = environment(problem, LogLevel.DEBUG, new Start(1));

    environment.reset();
    Step<Seen> step = environment.step(AHEAD);

    assertThat(calls)
        .containsExactly(
            "create at 0",
            "observe",
            "act",
            "step",
            "observe",
            "reward at 1 done true",
            "aux at 1");
    assertThat(step.log().entries().keySet())
        .containsExactly(
            "target",
            "cost",
            "steps_per_episode",
            "reward",
            "left",
            "always",
            "aux_info",
            "obs",
            "policy_act");
    assertThat(step.aux()).isEqualTo(new Value.Plain(7L));
    assertThat(step.reward()).isEqualTo(0.5);
    assertThat(step.done()).isTrue();
  }

  /// Qlib's interpreters have `self.env`.
  @Test
  void interpretersMayLogAndSeeTheStep() {
    var inner = TargetWalk.problem();
    var problem =
        new Problem<Start, State, Integer, Seen>(
            inner.simulators(),
            new StateInterpreter<>() {
              @Override
              public Space observationSpace() {
                return inner.stateInterpreter().observationSpace();
              }

              @Override
              public Seen interpret(State state) {
                return inner.stateInterpreter().interpret(state);
              }

              @Override
              public Seen observe(State state, EnvContext context) {
                context.log().scalar("seen_at", context.step());
                return observe(state);
              }
            },
            new ActionInterpreter<>() {
              @Override
              public Space actionSpace() {
                return inner.actionInterpreter().actionSpace();
              }

              @Override
              public Integer interpret(State state, Action action) {
                return inner.actionInterpreter().interpret(state, action);
              }

              @Override
              public Integer act(State state, Action action, EnvContext context) {
                context.log().scalar("acted_at", context.step());
                return act(state, action);
              }
            },
            (_, _) -> 0);
    var environment = environment(problem, LogLevel.PERIODIC, new Start(2));

    environment.reset();
    environment.step(AHEAD);
    Step<Seen> step = environment.step(AHEAD);

    assertThat(step.log().entries().get("seen_at").value()).isEqualTo(2.0);
    assertThat(step.log().entries().get("acted_at").value()).isEqualTo(1.0);
  }

  @Test
  void aMetricIsLoggedAtEveryStepOrOnlyAtTheEnd() {
    var problem =
        TargetWalk.problem()
            .withMetrics(
                List.of(
                    Metric.atEnd("left", State::distance),
                    Metric.everyStep("always", State::distance)));
    var environment = environment(problem, LogLevel.PERIODIC, new Start(2));
    environment.reset();

    assertThat(environment.step(AHEAD).log().entries())
        .containsKey("always")
        .doesNotContainKey("left");
    assertThat(environment.step(AHEAD).log().entries()).containsKeys("always", "left");
  }

  @Test
  void twoMetricsOfOneNameAreRefused() {
    var twice = List.<Metric<State>>of(Metric.atEnd("a", _ -> 0), Metric.everyStep("a", _ -> 1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> TargetWalk.problem().withMetrics(twice))
        .withMessage("metrics must differ, was twice a");
  }

  @Test
  void histories() {
    var environment = environment(TargetWalk.problem(), LogLevel.PERIODIC, new Start(3));
    environment.reset();
    environment.step(AHEAD);
    environment.step(new Action.Discrete(0));

    Episode<Start, Seen> episode = environment.episode();
    assertThat(episode.initialState()).isEqualTo(new Start(3));
    assertThat(episode.observations())
        .containsExactly(new Seen(0, 3), new Seen(1, 3), new Seen(0, 3));
    assertThat(episode.actions()).containsExactly(AHEAD, new Action.Discrete(0));
    assertThat(episode.rewards()).containsExactly(-2, -3);
    assertThat(episode.step()).isEqualTo(2);
    assertThat(episode.isDone()).isFalse();
  }

  @Test
  void deadWhenInitialStatesRunOut() {
    var environment = environment(TargetWalk.problem(), LogLevel.PERIODIC);

    assertThat(environment.reset()).isNull();
    assertThat(environment.isDead()).isTrue();
    assertThat(NanObservation.matches(NanObservation.of(environment.observationSpace()))).isTrue();
    assertThatThrownBy(environment::reset)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("dead environment wrapper");
    assertThatThrownBy(() -> environment.step(AHEAD))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("already exhausted");
  }

  @Test
  void aStepNeedsAnEpisode() {
    var environment = environment(TargetWalk.problem(), LogLevel.PERIODIC, new Start(1));

    assertThatThrownBy(() -> environment.step(AHEAD)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(environment::episode).isInstanceOf(IllegalStateException.class);
    assertThat(environment.isDone()).isFalse();
  }

  @Test
  void anEpisodeThatCannotBeginDoesNotGoOnWithTheLastOne() {
    var problem = TargetWalk.problem();
    var choosy =
        new Problem<Start, State, Integer, Seen>(
            (start, context) -> {
              if (start.target() == 2) {
                throw new IllegalArgumentException("not from " + start);
              }
              return problem.simulators().create(start, context);
            },
            problem.stateInterpreter(),
            problem.actionInterpreter(),
            problem.reward());
    var environment = environment(choosy, LogLevel.PERIODIC, new Start(3), new Start(2));
    environment.reset();

    assertThatThrownBy(environment::reset).hasMessage("not from Start[target=2]");
    assertThatThrownBy(() -> environment.step(AHEAD)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void actionsOutsideTheirSpaceNeverReachTheSimulator() {
    var environment = environment(TargetWalk.problem(), LogLevel.PERIODIC, new Start(1));
    environment.reset();

    assertThatThrownBy(() -> environment.step(new Action.Discrete(3)))
        .isInstanceOf(SpaceException.class)
        .hasMessageEndingWith(
            "[0, 2], was 3, at step 1 of Start[target=1]: State[position=0, target=1, step=0]");
    assertThat(environment.step()).isZero();
  }

  @Test
  void rewardsAreAddedUpAndAPartThatIsNotFiniteIsNamed() {
    Reward<State> distance = (state, _) -> state.distance();
    var terms = new LinkedHashMap<String, RewardCombination.Term<State>>();
    terms.put("near", new RewardCombination.Term<>(distance, -2));
    terms.put("bonus", new RewardCombination.Term<>((state, _) -> 1.0 / state.distance(), 1));
    var problem = with(new RewardCombination<>(terms));
    var environment = environment(problem, LogLevel.PERIODIC, new Start(2));
    environment.reset();

    assertThat(environment.step(AHEAD).reward()).isEqualTo(-1);
    assertThat(environment.log().entries().keySet()).containsExactly("near", "bonus", "reward");
    assertThatThrownBy(() -> environment.step(AHEAD))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("reward term bonus must be finite, was Infinity at step 2");
  }

  @Test
  void aRewardThatIsNotFiniteStopsTheEpisode() {
    var environment = environment(with((_, _) -> Double.NaN), LogLevel.PERIODIC, new Start(2));
    environment.reset();

    assertThatThrownBy(() -> environment.step(AHEAD))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage("reward must be finite, was NaN at step 1 of Start[target=2]");
  }

  @Test
  void aStepAllocatesLittleMoreThanItsAnswer() {
    var walk = new TargetWalk.Seen(0, 1);
    var standing = new State(0, 1, 0);
    var problem =
        new Problem<Start, State, Integer, Seen>(
            (_, _) ->
                new Simulator<>() {
                  @Override
                  public State state() {
                    return standing;
                  }

                  @Override
                  public boolean isDone() {
                    return false;
                  }

                  @Override
                  public void step(Integer action) {}
                },
            new StateInterpreter<>() {
              @Override
              public Space observationSpace() {
                return new Space.Discrete(1);
              }

              @Override
              public Seen interpret(State state) {
                return walk;
              }

              @Override
              public Seen observe(State state) {
                return walk;
              }
            },
            TargetWalk.problem().actionInterpreter(),
            (_, _) -> 1);
    var environment =
        new EnvWrapper<>(problem, List.<Start>of().iterator(), new LogCollector(LogLevel.CRITICAL));
    Runnable episodes =
        () -> {
          for (int episode = 0; episode < 100; episode++) {
            environment.begin(new Start(1));
            for (int i = 0; i < 100; i++) {
              environment.step(AHEAD);
            }
          }
        };

    // The answer takes 40 bytes; the rest is the histories' growth.
    long limit = 10_000L * 120;
    assertThat(Allocation.settledBytesOf(limit, episodes)).isLessThan(limit);
  }

  private static Problem<Start, State, Integer, Seen> with(Reward<State> reward) {
    var inner = TargetWalk.problem();
    return new Problem<>(
        inner.simulators(), inner.stateInterpreter(), inner.actionInterpreter(), reward);
  }

  private static EnvWrapper<Start, State, Integer, Seen> environment(
      Problem<Start, State, Integer, Seen> problem, LogLevel level, Start... starts) {
    Iterator<Start> iterator = List.of(starts).iterator();
    return new EnvWrapper<>(problem, iterator, new LogCollector(level));
  }

  private static Simulator<State, Integer> traced(
      Simulator<State, Integer> inner, List<String> calls) {
    return new Simulator<>() {
      @Override
      public State state() {
        return inner.state();
      }

      @Override
      public boolean isDone() {
        return inner.isDone();
      }

      @Override
      public void step(Integer action) {
        calls.add("step");
        inner.step(action);
      }
    };
  }

  private static StateInterpreter<State, Seen> traced(
      StateInterpreter<State, Seen> inner, List<String> calls) {
    return new StateInterpreter<>() {
      @Override
      public Space observationSpace() {
        return inner.observationSpace();
      }

      @Override
      public Seen interpret(State state) {
        calls.add("observe");
        return inner.interpret(state);
      }
    };
  }

  private static ActionInterpreter<State, Integer> traced(
      ActionInterpreter<State, Integer> inner, List<String> calls) {
    return new ActionInterpreter<>() {
      @Override
      public Space actionSpace() {
        return inner.actionSpace();
      }

      @Override
      public Integer interpret(State state, Action action) {
        calls.add("act");
        return inner.interpret(state, action);
      }
    };
  }
}
