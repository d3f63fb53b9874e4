package io.tranche.analysis.doctor;

import io.tranche.analysis.Verdict;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.config.NearestName;
import io.tranche.run.ValidationSettings;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.Stop;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Everything that is looked for in a run. Each check reads facts and changes nothing.
enum RunCheck {
  EARLY_STOPPING_WITHOUT_EFFECT(RunCheck::earlyStopping),
  A_MONITOR_THAT_NEVER_APPEARS(RunCheck::monitor),
  CHECKPOINTS_ARE_NOT_SAVED(RunCheck::notSaved),
  THE_BEST_WEIGHTS_ARE_NOT_RESTORED(RunCheck::notRestored),
  TRAINING_STALLS(ProcessChecks::stalls),
  ODD_VALIDATION_METRICS(RunCheck::oddValidation),
  METRICS_ARE_MISSING(RunCheck::missing),
  A_LOG_LEVEL_HIDES_METRICS(RunCheck::hidden),
  AN_ODD_PRICE_ADVANTAGE(RunCheck::oddAdvantage),
  A_CONSTANT_POLICY(RunCheck::constant),
  AN_OVERFITTING_GAP(RunCheck::gap),
  TOO_FEW_DAYS(RunCheck::fewDays),
  WEIGHT_NAMES_DO_NOT_MATCH(RunCheck::weights),
  A_BACKTEST_UNLIKE_ITS_TRAINING(RunCheck::unlike),
  OBSERVATIONS_OF_ANOTHER_SHAPE(RunCheck::shape),
  NAN_REWARDS(RunCheck::nanRewards),
  VOLUMES_OUT_OF_BOUNDS(RunCheck::volumes),
  A_PART_THAT_LOOKS_AHEAD(OwnPartsCheck::lookAhead),
  A_HEAP_THAT_IS_TOO_SMALL(ProcessChecks::heap),
  TOO_MANY_THREADS(ProcessChecks::threads);

  private static final double MOST_ADVANTAGE_BPS = 200;
  private static final double LARGE_GAP_BPS = 5;
  private static final double LEAST_FILLED = 0.9;
  private static final double ROUNDING = 1e-6;
  private static final int FEWEST_VALIDATIONS = 3;

  @SuppressWarnings("ImmutableEnumChecker") // a method reference has no state
  private final Function<RunFacts, @Nullable Diagnosis> check;

  RunCheck(Function<RunFacts, @Nullable Diagnosis> check) {
    this.check = check;
  }

  /// Returns what is wrong, or null.
  @Nullable Diagnosis find(RunFacts facts) {
    if (!facts.metrics().isEmpty()) {
      return check.apply(facts);
    }
    return this == TRAINING_STALLS ? ProcessChecks.neverBegan(facts) : null;
  }

  Diagnosis found(String symptom, String cause, String cure) {
    return new Diagnosis(title(), symptom, cause, cure);
  }

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static @Nullable Diagnosis earlyStopping(RunFacts facts) {
    ValidationSettings validation = facts.run().validation();
    Integer patience = validation.patience();
    Integer most = facts.run().trainer().maxIterations();
    Integer every = validation.every();
    if (patience == null || most == null) {
      return null;
    }
    int validations = every == null ? 0 : most / every;
    return validations > Math.max(patience, 1)
        ? null
        : EARLY_STOPPING_WITHOUT_EFFECT.found(
            "a patience of %d, and %d validations in %d iterations"
                .formatted(patience, validations, most),
            "the budget ends before the patience can",
            "validate more often (validation.every), be less patient, or train longer");
  }

  private static @Nullable Diagnosis monitor(RunFacts facts) {
    String monitor = facts.run().monitor();
    Set<String> names = facts.names();
    if (facts.validated().isEmpty() || names.contains(monitor)) {
      return null;
    }
    String nearest = NearestName.of(monitor, names);
    return A_MONITOR_THAT_NEVER_APPEARS.found(
        "validations are compared by %s, which no iteration has".formatted(monitor),
        nearest == null ? "nothing logs it" : "the nearest metric is " + nearest,
        "set validation.monitor to one of metrics.jsonl; val/ comes before the names of validation");
  }

  private static @Nullable Diagnosis notSaved(RunFacts facts) {
    if (facts.newest() != null) {
      return null;
    }
    return CHECKPOINTS_ARE_NOT_SAVED.found(
        "%d iterations and no checkpoint in %s"
            .formatted(facts.metrics().size(), facts.folder().checkpoints()),
        "every_n_iters is larger than the iterations that were done, or null, and the end was not"
            + " reached or save_on_fit_end is false; or the files were deleted",
        "set checkpoint.every_n_iters, checkpoint.time_interval or checkpoint.save_on_fit_end");
  }

  private static @Nullable Diagnosis notRestored(RunFacts facts) {
    Checkpoint newest = facts.newest();
    ValidationSettings validation = facts.run().validation();
    boolean isLost =
        newest != null
            && newest.position().stop() == Stop.CALLBACK
            && validation.stopping() != null
            && !validation.stopping().restoresBest()
            && validation.keepBest() == 0;
    return isLost
        ? THE_BEST_WEIGHTS_ARE_NOT_RESTORED.found(
            "training stopped early, and its last weights are those of the worst validations",
            "validation.restore_best_weights is false and validation.keep_best is 0",
            "set one of them, or choose among the checkpoints with tranche select")
        : null;
  }

  private static @Nullable Diagnosis oddValidation(RunFacts facts) {
    for (Map<String, @Nullable Object> line : facts.validated()) {
      for (String name : line.keySet()) {
        if (name.startsWith("val/")
            && !name.equals("val/reward")
            && RunFacts.numbers(List.of(line), name).stream().anyMatch(v -> !Double.isFinite(v))) {
          return ODD_VALIDATION_METRICS.found(
              "%s is %s in iteration %s".formatted(name, line.get(name), line.get("iteration")),
              "an order without a price or a volume, or a metric of yours that divides by 0",
              "tranche data check finds bars without prices; --skip-bad leaves such orders out");
        }
      }
    }
    List<Double> filled = facts.values("val/ffr");
    return !filled.isEmpty() && filled.getLast() < LEAST_FILLED
        ? ODD_VALIDATION_METRICS.found(
            "only %.0f %% of the volume is filled in validation".formatted(100 * filled.getLast()),
            "limits (vol_threshold, participation) or limit orders leave the rest",
            "give orders more time or less volume, or let the last step take market orders")
        : null;
  }

  private static boolean isHidden(RunFacts facts) {
    ConfigNode writers = facts.config().optional("log_writers");
    List<ConfigNode> all = writers == null ? List.of() : writers.asList();
    return !all.isEmpty() && all.stream().allMatch(RunCheck::hides);
  }

  private static boolean hides(ConfigNode writer) {
    String level = ComponentSpec.from(writer).kwargs().textOr("level", "periodic");
    return level.equals("info") || level.equals("critical");
  }

  private static List<String> absent(RunFacts facts) {
    Set<String> names = facts.names();
    return List.of("reward", "pa", "ffr").stream().filter(name -> !names.contains(name)).toList();
  }

  private static @Nullable Diagnosis missing(RunFacts facts) {
    List<String> absent = absent(facts);
    return absent.isEmpty() || isHidden(facts)
        ? null
        : METRICS_ARE_MISSING.found(
            "no iteration has %s".formatted(absent),
            "the simulator or the stages are your own and log nothing of that name",
            "log them: metrics (a list of parts), or LogCollector in a simulator of your own");
  }

  private static @Nullable Diagnosis hidden(RunFacts facts) {
    List<String> absent = absent(facts);
    return absent.isEmpty() || !isHidden(facts)
        ? null
        : A_LOG_LEVEL_HIDES_METRICS.found(
            "no iteration has %s".formatted(absent),
            "every log writer has a level above periodic, and nobody below it collects metrics",
            "set the level of one log writer to periodic, or leave it out");
  }

  private static @Nullable Diagnosis oddAdvantage(RunFacts facts) {
    for (String name : List.of("val/pa", "pa")) {
      List<Double> values = facts.values(name);
      if (!values.isEmpty() && Math.abs(values.getLast()) > MOST_ADVANTAGE_BPS) {
        return AN_ODD_PRICE_ADVANTAGE.found(
            "%s is %.0f basis points".formatted(name, values.getLast()),
            values.getLast() > 0
                ? "nobody earns that: a feature that looks ahead, prices of another day, a teacher"
                : "prices jump within a day: an unadjusted split, a wrong unit, bars of two venues",
            "tranche data check on the bars; CausalityCheck on features of your own");
      }
    }
    return null;
  }

  private static @Nullable Diagnosis constant(RunFacts facts) {
    List<Double> values = facts.values("val/trade_price");
    int count = values.size();
    boolean isConstant =
        count >= FEWEST_VALIDATIONS
            && values.subList(count - FEWEST_VALIDATIONS, count).stream().distinct().count() == 1;
    return isConstant
        ? A_CONSTANT_POLICY.found(
            "the last %d validations filled at exactly the same prices"
                .formatted(FEWEST_VALIDATIONS),
            "the policy takes the same action whatever it sees",
            "a lower entropy_weight or learning rate, more iterations, a larger reward scale; see"
                + " docs/learning.md")
        : null;
  }

  private static @Nullable Diagnosis gap(RunFacts facts) {
    List<Map<String, @Nullable Object>> validated = facts.validated();
    List<Map<String, @Nullable Object>> last =
        validated.subList(Math.max(0, validated.size() - FEWEST_VALIDATIONS), validated.size());
    double training = mean(RunFacts.numbers(last, "pa"));
    double validation = mean(RunFacts.numbers(last, "val/pa"));
    boolean isLarge =
        training - validation > LARGE_GAP_BPS && training > 2 * Math.max(validation, 0);
    return isLarge
        ? AN_OVERFITTING_GAP.found(
            "%.1f basis points in training and %.1f in validation".formatted(training, validation),
            "the policy remembers days instead of learning from them",
            "more days and instruments, a smaller network, early stopping (validation.patience)")
        : null;
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }

  private static @Nullable Diagnosis fewDays(RunFacts facts) {
    for (String stage : List.of("train", "valid", "test")) {
      Long days = facts.days(stage);
      if (days != null && days < Verdict.FEWEST_DAYS) {
        return TOO_FEW_DAYS.found(
            "%d days in %s".formatted(days, stage),
            "orders of one day go together, so days count and not orders",
            "at least %d days for each of train, valid and test, better 100"
                .formatted(Verdict.FEWEST_DAYS));
      }
    }
    return null;
  }

  private static @Nullable Diagnosis weights(RunFacts facts) {
    Set<String> names = facts.startingWeights();
    Checkpoint newest = facts.newest();
    if (names == null || newest == null || names.equals(newest.policy().tensors().keySet())) {
      return null;
    }
    return WEIGHT_NAMES_DO_NOT_MATCH.found(
        "%s has %s, the checkpoints have %s"
            .formatted(facts.weightFile(), some(names), some(newest.policy().tensors().keySet())),
        names.isEmpty()
            ? "the file is not there any more, or cannot be read"
            : "it was written by another network or policy",
        "weights of the same network and policy; tranche inspect shows what a file has");
  }

  private static String some(Set<String> names) {
    return names.size() + " tensors such as " + names.stream().sorted().findFirst().orElse("none");
  }

  private static @Nullable Diagnosis unlike(RunFacts facts) {
    List<String> changed =
        List.of("simulator", "costs", "action_interpreter", "network", "policy").stream()
            .filter(facts::hasChanged)
            .toList();
    return changed.isEmpty()
        ? null
        : A_BACKTEST_UNLIKE_ITS_TRAINING.found(
            "config.yml and the checkpoints differ in %s".formatted(changed),
            "config.yml was edited after training, so tests play what was not trained",
            "undo it, or train again");
  }

  private static @Nullable Diagnosis shape(RunFacts facts) {
    boolean isOther =
        facts.hasChanged("state_interpreter")
            || !String.valueOf(part(facts.trained(), "features"))
                .equals(String.valueOf(part(facts.config(), "features")))
            || !String.valueOf(part(facts.trained(), "expressions"))
                .equals(String.valueOf(part(facts.config(), "expressions")));
    return facts.trained() != null && isOther
        ? OBSERVATIONS_OF_ANOTHER_SHAPE.found(
            "config.yml shows the policy something else than its checkpoints were trained on",
            "the state interpreter or the features were changed after training",
            "undo it, or train again")
        : null;
  }

  private static @Nullable String part(@Nullable ConfigNode config, String key) {
    ConfigNode data = config == null ? null : config.optional("data");
    ConfigNode node = data == null ? null : data.optional(key);
    return node == null ? null : node.toYaml();
  }

  private static @Nullable Diagnosis nanRewards(RunFacts facts) {
    for (String name : List.of("reward", "val/reward")) {
      List<Double> values = facts.values(name);
      long bad = values.stream().filter(value -> !Double.isFinite(value)).count();
      if (bad > 0) {
        return NAN_REWARDS.found(
            "%s is no number in %d of %d iterations".formatted(name, bad, values.size()),
            "a reward that divides by a volume or a price of 0, or takes a logarithm of it",
            "make it 0 where it has nothing to say; a test with one order finds the place");
      }
    }
    return null;
  }

  private static @Nullable Diagnosis volumes(RunFacts facts) {
    for (String prefix : List.of("", "val/")) {
      List<Double> filled = facts.values(prefix + "ffr");
      for (double share : filled) {
        if (share > 1 + ROUNDING || share < -ROUNDING) {
          return VOLUMES_OUT_OF_BOUNDS.found(
              "%sffr is %s: more is filled than was ordered, or less than nothing"
                  .formatted(prefix, share),
              "an action interpreter or a simulator of your own gives volumes that nobody bounds",
              "bound the volume by what remains of the order (ExecutionState.remaining)");
        }
      }
    }
    return null;
  }
}
