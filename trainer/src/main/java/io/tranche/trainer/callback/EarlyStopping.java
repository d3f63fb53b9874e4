package io.tranche.trainer.callback;

import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.SafeTensors;
import io.tranche.policy.weights.StateDict;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stops a run whose validations no longer improve. Qlib: `qlib.rl.trainer.EarlyStopping`.
public final class EarlyStopping implements Callback {

  private final EarlyStoppingConfig config;
  private long wait;
  private double best;
  private long bestIteration;
  private @Nullable StateDict bestWeights;
  private boolean isRestored;

  public EarlyStopping(EarlyStoppingConfig config) {
    this.config = config;
    this.best = config.better().worst();
  }

  /// Returns the number of consecutive validations without improvement.
  public long waited() {
    return wait;
  }

  /// Returns the best value so far; an infinity before the first.
  public double best() {
    return best;
  }

  /// Returns the number of iterations completed before the one with the best value.
  public long bestIteration() {
    return bestIteration;
  }

  @Override
  public void on(Hook hook, Trainer trainer) {
    if (hook == Hook.FIT_START) {
      if (!isRestored) {
        wait = 0;
        best = config.better().worst();
        bestIteration = 0;
        bestWeights = null;
      }
      isRestored = false;
    } else if (hook == Hook.VALIDATE_END) {
      validated(trainer);
    }
  }

  private void validated(Trainer trainer) {
    Double value = trainer.metrics().get(config.monitor());
    if (value == null) {
      trainer
          .progress()
          .message(
              "early stopping needs the metric %s, was one of %s"
                  .formatted(config.monitor(), trainer.metrics().keySet()));
      return;
    }
    if (config.restoresBest() && bestWeights == null) {
      bestWeights = trainer.policyWeights().stateDict();
    }
    wait++;
    if (config.better().isBetter(value, best, config.minDelta())) {
      improve(value, trainer);
    }
    boolean isChecked = config.stopsWhileImproving() || wait > 0;
    if (isChecked && wait >= config.patience() && trainer.iterations() > 0) {
      stop(trainer);
    }
  }

  private void improve(double value, Trainer trainer) {
    best = value;
    bestIteration = trainer.iterations();
    if (config.restoresBest()) {
      bestWeights = trainer.policyWeights().stateDict();
    }
    Double baseline = config.baseline();
    if (baseline == null || config.better().isBetter(value, baseline, config.minDelta())) {
      wait = 0;
    }
  }

  private void stop(Trainer trainer) {
    trainer.stop();
    if (bestWeights != null) {
      trainer.policyWeights().load("the best weights", bestWeights);
    }
  }

  @Override
  public Map<String, @Nullable Object> state() {
    return state(bestWeights == null ? null : pack(bestWeights));
  }

  @Override
  public Map<String, @Nullable Object> qlibState() {
    return state(bestWeights);
  }

  private Map<String, @Nullable Object> state(@Nullable Object weights) {
    var state = new LinkedHashMap<String, @Nullable Object>();
    state.put("wait", wait);
    state.put("best", best);
    state.put("best_weights", weights);
    state.put("best_iter", bestIteration);
    return state;
  }

  /// Returns tensors as a plain value: a safetensors file in Base64.
  private static String pack(StateDict tensors) {
    return Base64.getEncoder().encodeToString(new SafeTensors(tensors, Map.of()).toBytes());
  }

  private static StateDict unpack(Object packed) {
    if (!(packed instanceof String text)) {
      throw States.wrong("packed tensors", "a text", packed);
    }
    try {
      return SafeTensors.read("packed tensors", Base64.getDecoder().decode(text)).tensors();
    } catch (CheckpointException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  @Override
  public void restore(Map<String, @Nullable Object> state) {
    wait = States.count(state, "wait");
    best = States.value(state, "best", Double.class, "a number");
    bestIteration = States.count(state, "best_iter");
    Object weights = state.get("best_weights");
    bestWeights = weights == null ? null : unpack(weights);
    isRestored = true;
  }
}
