package io.tranche.trainer;

import io.tranche.config.ConfigException;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.ObservationCodec;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.queue.DataQueue;
import io.tranche.env.queue.DataQueueConfig;
import io.tranche.env.vector.CollectResult;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.Collector.Resets;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.TrajectoryListener;
import io.tranche.env.vector.VectorConfig;
import io.tranche.policy.experience.ReplayBuffer;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.UpdateContext;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.trainer.TrainingProgress.Phase;
import io.tranche.trainer.checkpoint.Stage;
import io.tranche.trainer.rollout.ReplayedRollouts;
import io.tranche.trainer.rollout.Rollouts;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A vessel in training: its policy, its replay buffer, and its position in the data.
///
/// Every random draw comes from a key of (seed, purpose, iteration), and environments hand out
/// initial states on one thread, so neither threads nor a resume change a result.
final class VesselRun<I, O extends Observation> {

  private final Trainer trainer;
  private final TrainerConfig config;
  private final TrainingVessel<I, O> vessel;
  private final VectorConfig vectorConfig;
  private final List<LogWriter> loggers;
  private final Policy<O> policy;
  private final ReplayBuffer<O> replay;
  private final Transitions<O> experience = new Transitions<>();
  private long statesTaken;

  VesselRun(
      Trainer trainer,
      TrainerConfig config,
      TrainingVessel<I, O> vessel,
      VectorConfig vectorConfig,
      List<LogWriter> loggers) {
    this.trainer = trainer;
    this.config = config;
    this.vessel = vessel;
    this.vectorConfig = vectorConfig;
    this.loggers = loggers;
    this.policy = vessel.algorithm().agent().newPolicy(config.concurrency());
    boolean isLimited = config.quirks().limitsBuffer() || keepsReplay();
    this.replay =
        new ReplayBuffer<>(
            isLimited ? vessel.config().bufferSize() : Integer.MAX_VALUE, config.concurrency());
  }

  TrainingVessel<I, O> vessel() {
    return vessel;
  }

  /// Whether checkpoints hold the replay buffer. Without a codec of observations they do not, and
  /// the run cannot be resumed.
  boolean storesReplay() {
    return keepsReplay() && vessel.problem().stateInterpreter().codec() != null;
  }

  /// Whether experience of earlier iterations is kept.
  boolean keepsReplay() {
    return vessel.algorithm().isOffPolicy() && !config.quirks().forgetsReplay();
  }

  ReplayBuffer<O> replay() {
    return replay;
  }

  /// Returns the codec of the observations in the replay buffer.
  ///
  /// @throws ConfigException if they cannot be stored
  ObservationCodec<O> codec() {
    ObservationCodec<O> codec = vessel.problem().stateInterpreter().codec();
    if (codec == null) {
      throw new ConfigException(
          "state_interpreter",
          "one with a codec, because checkpoints hold the replay buffer",
          vessel.problem().stateInterpreter().getClass().getSimpleName());
    }
    return codec;
  }

  long statesTaken() {
    return statesTaken;
  }

  void goOnFrom(long states) {
    statesTaken = states;
  }

  /// Collects episodes and learns from them.
  void train(long iteration) {
    InitialStates<I> states = states(Stage.TRAIN, vessel.training());
    if (!keepsReplay()) {
      replay.clear();
    }
    boolean restarts = config.quirks().restartsData();
    DataQueueConfig order =
        DataQueueConfig.DEFAULT
            .withRepeat(DataQueueConfig.ENDLESS)
            .withSeed(
                restarts
                    ? RandomTree.key(config.seed(), "train states", iteration)
                    : RandomTree.root(config.seed(), "train states"))
            .withStart(restarts ? 0 : statesTaken);
    try (var queue = new DataQueue<>(states.size(), states.load(), order).activate()) {
      long start = queue.position();
      Integer few = config.fastDevRun();
      int episodes = few == null ? vessel.config().episodesPerIteration() : few;
      run(queue, Stage.TRAIN, episodes, iteration);
      statesTaken += queue.position() - start;
    }
  }

  /// Runs the policy without exploration in every episode of a stage.
  void evaluate(Stage stage, long iteration) {
    InitialStates<I> states =
        states(stage, stage == Stage.VALIDATE ? vessel.validation() : vessel.test());
    DataQueueConfig order =
        DataQueueConfig.DEFAULT
            .withShuffle(config.quirks().shufflesEvaluation())
            .withSeed(RandomTree.key(config.seed(), stage.qlibName() + " states", iteration));
    try (var queue = new DataQueue<>(states.size(), states.load(), order).activate()) {
      run(queue, stage, states.size(), iteration);
    }
  }

  private void run(DataQueue<I> queue, Stage stage, int episodes, long iteration) {
    trainer.begin(
        switch (stage) {
          case TRAIN -> Phase.COLLECT;
          case VALIDATE -> Phase.VALIDATE;
          case TEST -> Phase.TEST;
        },
        episodes);
    boolean trains = stage == Stage.TRAIN;
    Policy.Mode mode = trains ? Policy.Mode.TRAIN : Policy.Mode.EVALUATE;
    TrajectoryListener<O> listener = trains ? replay : _ -> {};
    long seed = RandomTree.root(config.seed(), stage.qlibName());
    long root = Collector.drawRoot(seed, iteration);
    Iterator<I> states = queue.iterator();
    Rollouts<I> rollouts = vessel.rollouts();
    ReplayedRollouts<I, O> replayed =
        rollouts == null
            ? null
            : new ReplayedRollouts<>(rollouts, mode, root, states, episodes, policy, listener);
    Iterator<I> source = replayed == null ? states : replayed;
    var resets = config.quirks().resetsEagerly() ? Resets.EAGER : Resets.NEEDED;
    try (var environments =
        new FiniteVectorEnv<>(vessel.problem(), source, vectorConfig, loggers, config.threads())) {
      environments.guarded(
          () -> {
            // Episode numbers must not repeat across iterations.
            var collector =
                new Collector<>(
                        replayed == null ? policy : replayed,
                        mode,
                        environments,
                        replayed == null ? listener : replayed,
                        resets,
                        seed,
                        iteration)
                    .numberingFrom(statesTaken);
            var work = new Work(stage, collector, episodes, iteration);
            switch (stage) {
              case TRAIN -> vessel.stages().train(work);
              case VALIDATE -> vessel.stages().validate(work);
              case TEST -> vessel.stages().test(work);
            }
            return work;
          });
    }
  }

  /// A stage under way.
  private final class Work implements StageRun<O> {
    private final Stage stage;
    private final Collector<O> collector;
    private final int episodes;
    private final long iteration;
    private int updates;

    Work(Stage stage, Collector<O> collector, int episodes, long iteration) {
      this.stage = stage;
      this.collector = collector;
      this.episodes = episodes;
      this.iteration = iteration;
    }

    @Override
    public Trainer trainer() {
      return trainer;
    }

    @Override
    public Algorithm<O> algorithm() {
      return vessel.algorithm();
    }

    @Override
    public ReplayBuffer<O> experience() {
      return replay;
    }

    @Override
    public CollectResult collect() {
      return stage == Stage.TRAIN ? collect(episodes) : reported(collector.collectAll());
    }

    @Override
    public CollectResult collect(int count) {
      requireTraining("episodes to be counted");
      return reported(collector.collectEpisodes(count));
    }

    private CollectResult reported(CollectResult result) {
      trainer.failed(result.failures());
      return result;
    }

    @Override
    public UpdateReport update() {
      return update(vessel.config().update());
    }

    @Override
    public UpdateReport update(UpdateSettings settings) {
      requireTraining("an update");
      trainer.begin(Phase.UPDATE, 0);
      replay.copyTo(experience);
      long key = RandomTree.key(config.seed(), "update", iteration);
      var context =
          new UpdateContext(
              settings,
              updates == 0 ? key : RandomTree.child(key, updates),
              iteration,
              config.maxIterations(),
              trainer.episodes(),
              trainer.metrics());
      updates++;
      UpdateReport report = vessel.algorithm().update(experience, context);
      experience.clear();
      report.series().keySet().forEach(name -> trainer.log(name, report.mean(name)));
      return report;
    }

    private void requireTraining(String purpose) {
      if (stage != Stage.TRAIN) {
        throw new IllegalStateException(
            "stage must be TRAIN for %s, was %s".formatted(purpose, stage));
      }
    }
  }

  private InitialStates<I> states(Stage stage, @Nullable InitialStates<I> all) {
    if (all == null) {
      throw new ConfigException(
          "vessel." + stage.qlibName(), "initial states for this stage", "none");
    }
    Integer few = config.fastDevRun();
    return few == null || few >= all.size() ? all : all.only(sample(stage, all.size(), few));
  }

  /// Returns `count` of the indices below `size`, the same for every iteration.
  private int[] sample(Stage stage, int size, int count) {
    var random =
        RandomTree.generator(RandomTree.root(config.seed(), "fast_dev_run " + stage.qlibName()));
    int[] indices = new int[count];
    for (int i = 0; i < size; i++) {
      int place = i < count ? i : random.nextInt(i + 1);
      if (place < count) {
        indices[place] = i;
      }
    }
    return indices;
  }
}
