package io.tranche.serving.predict;

import io.tranche.config.ConfigException;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.DataException;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.Predictor;
import io.tranche.serving.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Predicts: observations that arrive within a short window are evaluated together, and answers are
/// cached. Any thread may call it.
public final class Predictions implements AutoCloseable {

  /// How many models a thread keeps buffers for.
  private static final int MODELS = 8;

  /// Finds models.
  @FunctionalInterface
  public interface Models {

    /// Returns a model that is loaded, or null.
    ///
    /// @param name null for the model that new orders go to
    @Nullable LoadedModel find(@Nullable String name);
  }

  /// Receives the answer, exactly once.
  public interface Reply {

    /// Called by any thread; must not block.
    void predicted(Prediction prediction);

    /// Called by any thread; must not block.
    void refused(Answer.Refused why);

    /// The deadline came first.
    void late();
  }

  /// Counts since the start.
  public static final class Counts {
    public final LongAdder hits = new LongAdder();
    public final LongAdder misses = new LongAdder();
    public final LongAdder batches = new LongAdder();
    public final LongAdder rows = new LongAdder();
    public final LongAdder late = new LongAdder();
    public final LongAdder refused = new LongAdder();

    private Counts() {}
  }

  /// The key of a cached prediction: everything it depends on. Keys are equal only if every bit is.
  private static final class ObservationKey {

    private final String model;
    private final float[] numbers;
    private final int hash;

    ObservationKey(LoadedModel model, FullHistoryObservation seen) {
      this.model = model.fingerprint();
      var features = seen.features();
      int today = features.ticks() * features.columns().today().size();
      int yesterday = features.ticks() * features.columns().yesterday().size();
      numbers = new float[today + yesterday + seen.maxSteps() + 6];
      features.copyToday(0, features.ticks(), numbers, 0);
      features.copyYesterday(0, features.ticks(), numbers, today);
      int at = today + yesterday;
      for (int past = 0; past < seen.maxSteps(); past++) {
        numbers[at++] = seen.remainingAt(past);
      }
      numbers[at++] = seen.side().code();
      numbers[at++] = seen.visibleTicks();
      numbers[at++] = seen.tick();
      numbers[at++] = seen.step();
      numbers[at++] = seen.target();
      numbers[at] = seen.remaining();
      hash = 31 * this.model.hashCode() + Arrays.hashCode(numbers);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ObservationKey key
          && hash == key.hash
          && model.equals(key.model)
          && Arrays.equals(numbers, key.numbers);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  private record Task(
      LoadedModel model,
      FullHistoryObservation observation,
      ObservationKey key,
      long deadline,
      Reply reply) {}

  private final Models models;
  private final PredictConfig config;
  private final BlockingQueue<Task> queue;
  private final Map<ObservationKey, Prediction> cache;
  private final Counts counts = new Counts();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean isClosed;

  public Predictions(Models models, PredictConfig config) {
    this.models = models;
    this.config = config;
    this.queue = new ArrayBlockingQueue<>(config.maxQueued());
    this.cache = Collections.synchronizedMap(recentlyUsed(config.cacheEntries()));
    for (int i = 0; i < config.threads(); i++) {
      threads.add(Thread.ofPlatform().daemon().name("predict-" + i).start(this::run));
    }
  }

  public PredictConfig config() {
    return config;
  }

  public Counts counts() {
    return counts;
  }

  /// Returns the number of waiting observations.
  public int queued() {
    return queue.size();
  }

  /// Returns the number of cached answers.
  public int cached() {
    return cache.size();
  }

  /// Returns a model; null if it is not loaded.
  ///
  /// @param name null for the model that new orders go to
  public @Nullable LoadedModel model(@Nullable String name) {
    return models.find(name);
  }

  /// Predicts, immediately or later.
  ///
  /// @param micros how long the answer may take
  public void predict(
      LoadedModel model, FullHistoryObservation observation, long micros, Reply reply) {
    var key = new ObservationKey(model, observation);
    Prediction known = cache.get(key);
    if (known != null) {
      counts.hits.increment();
      reply.predicted(known.fromCache());
      return;
    }
    counts.misses.increment();
    long deadline = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
    if (isClosed) {
      refuse(reply, Answer.Reason.UNAVAILABLE, "the service is about to stop");
    } else if (!queue.offer(new Task(model, observation, key, deadline, reply))) {
      refuse(reply, Answer.Reason.OVERLOADED, "too many observations are waiting");
    }
  }

  private void refuse(Reply reply, Answer.Reason reason, String message) {
    counts.refused.increment();
    reply.refused(new Answer.Refused(reason, message));
  }

  /// Returns a map that drops the least recently used of more than `most` entries.
  private static <K, V> Map<K, V> recentlyUsed(int most) {
    return new LinkedHashMap<>(16, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
      }
    };
  }

  private void run() {
    Map<LoadedModel, Predictor> predictors = recentlyUsed(MODELS);
    var batch = new ArrayList<Task>();
    while (!isClosed || !queue.isEmpty()) {
      try {
        collect(batch);
      } catch (InterruptedException _) {
        continue; // closed: waiting observations are still answered
      }
      while (!batch.isEmpty()) {
        LoadedModel model = batch.getFirst().model();
        List<Task> alike = batch.stream().filter(task -> task.model() == model).toList();
        batch.removeAll(alike);
        evaluate(model, alike, predictors);
      }
    }
  }

  /// Waits for a first task, then for the rest of the window for others.
  private void collect(List<Task> batch) throws InterruptedException {
    Task first = queue.poll(100, TimeUnit.MILLISECONDS);
    if (first == null) {
      return;
    }
    batch.add(first);
    long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(config.windowMicros());
    while (batch.size() < config.maxRows()) {
      queue.drainTo(batch, config.maxRows() - batch.size());
      long left = end - System.nanoTime();
      if (left <= 0 || batch.size() == config.maxRows()) {
        return;
      }
      Task next = queue.poll(left, TimeUnit.NANOSECONDS);
      if (next != null) {
        batch.add(next);
      }
    }
  }

  /// Evaluates a batch. Whatever goes wrong, each observation gets an answer.
  private void evaluate(
      LoadedModel model, List<Task> batch, Map<LoadedModel, Predictor> predictors) {
    var inTime = new ArrayList<Task>();
    try {
      Predictor predictor = predictors.get(model);
      if (predictor == null) {
        predictor = model.newPredictor(config.maxRows());
        predictors.put(model, predictor);
      }
      for (Task task : batch) {
        if (task.deadline() - System.nanoTime() <= 0) {
          counts.late.increment();
          task.reply().late();
        } else if (fits(predictor, task)) {
          inTime.add(task);
        }
      }
      if (!inTime.isEmpty()) {
        answer(predictor, inTime);
      }
    } catch (ConfigException e) {
      batch.forEach(
          task ->
              refuse(task.reply(), Answer.Reason.INVALID, "the model cannot predict one by one"));
    } catch (RuntimeException e) {
      batch.forEach(task -> refuse(task.reply(), Answer.Reason.UNAVAILABLE, "the model failed"));
    }
  }

  private boolean fits(Predictor predictor, Task task) {
    try {
      predictor.require(task.observation());
      return true;
    } catch (DataException e) {
      refuse(task.reply(), Answer.Reason.INVALID, String.valueOf(e.getMessage()));
      return false;
    }
  }

  private void answer(Predictor predictor, List<Task> batch) {
    predictor.evaluate(batch.stream().map(Task::observation).toList());
    counts.batches.increment();
    counts.rows.add(batch.size());
    for (int row = 0; row < batch.size(); row++) {
      var scores = new ArrayList<Float>();
      for (int choice = 0; choice < predictor.choices(); choice++) {
        scores.add(predictor.score(row, choice));
      }
      var prediction = new Prediction(predictor.choice(row), scores, false);
      Task task = batch.get(row);
      cache.put(task.key(), prediction);
      task.reply().predicted(prediction);
    }
  }

  /// Answers the waiting observations and stops.
  @Override
  public void close() {
    isClosed = true;
    try {
      for (Thread thread : threads) {
        thread.join(TimeUnit.SECONDS.toMillis(10));
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
