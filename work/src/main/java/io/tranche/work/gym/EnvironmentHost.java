package io.tranche.work.gym;

import io.tranche.env.LogCollector;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.env.queue.DataQueue;
import io.tranche.env.queue.DataQueueConfig;
import io.tranche.env.space.Action;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.OnFailure;
import io.tranche.env.vector.VectorConfig;
import io.tranche.market.DataException;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.policy.network.NetworkInput;
import io.tranche.run.RunParts;
import io.tranche.trainer.ProblemRun;
import io.tranche.work.gym.HostSettings.Autoreset;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Environments of a run, or of a problem of the user's own, whose actions come from, and whose observations go to, shared memory.
///
/// Episodes begin with the orders of a stage, in the order in which a training with the same seed
/// takes them. Driven by one thread.
///
/// @param <I> what an episode begins with, such as an order
/// @param <O> the observation
public final class EnvironmentHost<I, O extends Observation> implements AutoCloseable {

  private final HostedProblem<I, O> hosted;
  private final HostSettings settings;
  private final SharedArea area;
  private final Action[] actions;
  private final int[] everyone;
  private final boolean[] awaitsReset;
  private final ObservationWriter<O> writer;
  private final @Nullable ObservationWriter<O> finalWriter;
  private final ParallelFor threads;
  private final Map<String, Integer> metrics = new LinkedHashMap<>();
  private @Nullable DataQueue<I> queue;
  private @Nullable FiniteVectorEnv<I, O> vector;
  private int[] written = new int[0];
  private final ParallelFor.Work write = (item, _) -> write(item);

  /// Opens environments over a run, none of which has begun an episode.
  ///
  /// @param file is mapped, and made as large as needed
  /// @throws io.tranche.config.ConfigException if the run sees the future
  public static EnvironmentHost<?, ?> open(RunParts<?> parts, HostSettings settings, Path file) {
    return new EnvironmentHost<>(HostedProblem.of(parts, settings.stage()), settings, file);
  }

  /// Opens environments of a problem of the user's own.
  ///
  /// @throws io.tranche.config.ConfigException if it has no starts for the stage
  public static EnvironmentHost<?, ?> open(
      ProblemRun<?, ?> problem, HostSettings settings, Path file) {
    return new EnvironmentHost<>(HostedProblem.of(problem, settings.stage()), settings, file);
  }

  private EnvironmentHost(HostedProblem<I, O> hosted, HostSettings settings, Path file) {
    this.hosted = hosted;
    this.settings = settings;
    int count = settings.environments();
    NetworkInput input = NetworkInput.of(hosted.context());
    area =
        SharedArea.map(
            file,
            count,
            ObservationWriter.space(settings.isFlat(), hosted.context()),
            hosted.context().actions(),
            settings.autoreset() == Autoreset.SAME_STEP);
    writer = writer(area.observations(), input);
    SpaceLayout finals = area.finals();
    finalWriter = finals == null ? null : writer(finals, input);
    actions = new Action[count];
    everyone = IntStream.range(0, count).toArray();
    awaitsReset = new boolean[count];
    threads = new ParallelFor(Math.min(settings.threads(), count));
  }

  private ObservationWriter<O> writer(SpaceLayout layout, NetworkInput input) {
    return ObservationWriter.of(
        settings.isFlat(), input, layout, area.memory(), settings.environments());
  }

  /// Returns what another program must know to read and write the shared memory, in the form of
  /// JSON.
  public Map<String, Object> describe() {
    Map<String, Object> described = area.describe();
    described.put("orders", hosted.starts().size());
    return described;
  }

  /// Returns the names of the metrics that episodes have logged so far, by their position.
  List<String> metrics() {
    return List.copyOf(metrics.keySet());
  }

  /// Begins an episode in every environment.
  ///
  /// @param seed of the order in which orders are taken, from the beginning; null to go on, at
  ///   first with the seed of the run
  public void reset(@Nullable Long seed) {
    if (seed != null || vector == null) {
      begin(seed == null ? hosted.context().seed() : seed);
    }
    reset(everyone);
  }

  /// Begins an episode in the environments that the other program chose.
  void resetChosen() {
    reset(IntStream.of(everyone).filter(area::isChosen).toArray());
  }

  private void begin(long seed) {
    closeVector();
    DataQueue<I> begun =
        new DataQueue<>(
                hosted.starts().size(),
                hosted.starts().load(),
                DataQueueConfig.DEFAULT
                    .withRepeat(DataQueueConfig.ENDLESS)
                    .withShuffle(settings.stage() == Tag.TRAIN)
                    .withSeed(RandomTree.root(seed, "train states")))
            .activate();
    queue = begun;
    vector =
        new FiniteVectorEnv<>(
            hosted.problem(),
            begun.iterator(),
            VectorConfig.of(settings.environments()).with(OnFailure.PROPAGATE),
            List.of(),
            settings.threads());
  }

  private void reset(int[] ids) {
    begun().reset(ids);
    for (int id : ids) {
      awaitsReset[id] = false;
      area.reward(id, 0);
      area.ended(id, false);
    }
    write(ids);
  }

  /// Takes the step that the other program asks for in every environment.
  ///
  /// @throws IllegalStateException if no episode has begun
  /// @throws io.tranche.env.space.SpaceException if an action lies outside its space
  public void step() {
    FiniteVectorEnv<I, O> current = begun();
    int[] over = chosen(true);
    if (over.length > 0 && settings.autoreset() == Autoreset.DISABLED) {
      throw new IllegalStateException(
          "environment %d must be reset before its next step, was at the end of its episode"
              .formatted(over[0]));
    }
    boolean all = over.length == 0;
    int[] running = all ? everyone : chosen(false);
    Action[] decided = all ? actions : new Action[running.length];
    for (int i = 0; i < running.length; i++) {
      decided[i] = area.action(running[i]);
      hosted.context().actions().validate(decided[i]); // before anything has changed
    }
    current.step(running, decided);
    if (over.length > 0) {
      reset(over);
    }
    int[] done = Arrays.stream(running).filter(current::isDone).toArray();
    for (int id : running) {
      area.reward(id, current.reward(id));
      area.ended(id, current.isDone(id));
    }
    for (int id : done) {
      log(id, current.log(id));
    }
    ObservationWriter<O> last = finalWriter;
    if (last == null) {
      write(running);
      for (int id : done) {
        awaitsReset[id] = true;
      }
      return;
    }
    for (int id : done) {
      last.write(id, current.observation(id));
    }
    if (done.length > 0) {
      current.reset(done);
    }
    write(running);
  }

  private int[] chosen(boolean awaiting) {
    return IntStream.of(everyone).filter(id -> awaitsReset[id] == awaiting).toArray();
  }

  private FiniteVectorEnv<I, O> begun() {
    if (vector == null) {
      throw new IllegalStateException("environments must be reset before their first step");
    }
    return vector;
  }

  private void write(int[] ids) {
    written = ids;
    threads.run(ids.length, write);
  }

  private void write(int item) {
    int id = written[item];
    writer.write(id, begun().observation(id));
  }

  private void log(int id, Map<String, LogCollector.Entry> entries) {
    for (int i = 0; i < metrics.size(); i++) {
      area.metric(id, i, Double.NaN);
    }
    entries.forEach(
        (name, entry) -> {
          if (entry.value() instanceof Number number) {
            int at = metrics.computeIfAbsent(name, _ -> metrics.size());
            if (at >= SharedArea.METRICS) {
              throw new DataException(
                  "metrics", "at most %d per episode".formatted(SharedArea.METRICS), name);
            }
            area.metric(id, at, number.doubleValue());
          }
        });
  }

  private void closeVector() {
    if (vector != null) {
      vector.close();
    }
    if (queue != null) {
      queue.close();
    }
    Arrays.fill(awaitsReset, false);
  }

  @Override
  public void close() {
    closeVector();
    threads.close();
    area.close();
  }
}
