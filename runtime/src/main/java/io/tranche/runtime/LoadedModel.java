package io.tranche.runtime;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.env.space.Action;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.files.Sha256;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.market.feature.Mirror;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.weights.StateDict;
import io.tranche.runtime.ModelSpec.Combination;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A model that is ready to decide: its specification and its weights. Several sets of weights form
/// an ensemble.
///
/// Immutable: any number of threads may share one, each with its own [DecisionRuntime].
public final class LoadedModel {

  private static final LocalDate WARM_UP_DATE = LocalDate.of(2000, 1, 3);
  private static final int WARM_UP_DAYS = 20;

  /// More than one batch, so that an incomplete batch runs too.
  private static final int WARM_UP_ORDERS = 70;

  private final ModelSpec spec;
  private final LiveActions actions;
  private final List<Agent<FullHistoryObservation>> members;
  private final @Nullable Mirror mirror;
  private final String fingerprint;
  private final @Nullable ReferenceStatistics reference;

  private LoadedModel(
      ModelSpec spec,
      LiveActions actions,
      List<Agent<FullHistoryObservation>> members,
      @Nullable Mirror mirror,
      String fingerprint,
      @Nullable ReferenceStatistics reference) {
    this.spec = spec;
    this.actions = actions;
    this.members = members;
    this.mirror = mirror;
    this.fingerprint = fingerprint;
    this.reference = reference;
  }

  /// Opens a bundle, after every byte of it was verified.
  ///
  /// @throws io.tranche.policy.weights.CheckpointException if it is missing, damaged or not a
  ///   bundle
  /// @throws ConfigException as [#of]
  public static LoadedModel open(Path bundle) {
    ModelBundle read = BundleFile.read(bundle);
    return of(read.spec(), read.members(), read.reference());
  }

  /// Makes a model.
  ///
  /// @param weights one set, or those of an ensemble
  /// @throws ConfigException if `spec` names an unknown component or one that cannot decide tick by
  ///   tick
  /// @throws io.tranche.policy.weights.CheckpointException if weights are for another model
  public static LoadedModel of(ModelSpec spec, List<StateDict> weights) {
    return of(spec, weights, null);
  }

  private static LoadedModel of(
      ModelSpec spec, List<StateDict> weights, @Nullable ReferenceStatistics reference) {
    if (weights.isEmpty()) {
      throw new IllegalArgumentException("weights must be at least one set, was none");
    }
    var interpreter =
        ExecutionCatalog.actionInterpreters()
            .withInstalled()
            .make(ComponentSpec.from(spec.actions()));
    LiveActions actions = LiveActions.of(interpreter, spec.actions());
    if (actions.numbers() > 0 && weights.size() > 1 && spec.combination() != Combination.MEAN) {
      throw new ConfigException(
          "combination", "mean, because continuous actions have no majority", spec.combination());
    }
    AgentSpec<FullHistoryObservation> agent = spec.agent(interpreter.actionSpace());
    var members = new ArrayList<Agent<FullHistoryObservation>>();
    for (int i = 0; i < weights.size(); i++) {
      members.add(agent.load("weights %d".formatted(i), weights.get(i)));
      members.getLast().weights().parts().forEach(part -> part.weights().pack());
      requireLive(spec, members.getLast().newLivePolicy(1));
    }
    return new LoadedModel(
        spec, actions, List.copyOf(members), mirror(spec), fingerprint(spec, weights), reference);
  }

  /// Checks that the network takes a whole day of the spec.
  private static void requireLive(ModelSpec spec, LivePolicy policy) {
    int ticks = spec.ticks();
    try {
      policy.newDay(new float[ticks * spec.features().columns().yesterday().size()], ticks);
    } catch (DataException e) {
      throw new ConfigException(
          spec.network().where(),
          "a network for days of %d ticks and these features".formatted(ticks),
          "one that needs " + e.getMessage());
    }
  }

  private static @Nullable Mirror mirror(ModelSpec spec) {
    if (!spec.mirrors()) {
      return null;
    }
    try {
      return new Mirror(spec.features().columns());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "features", "columns that can be mirrored", String.valueOf(e.getMessage()));
    }
  }

  /// Hashes everything that a decision depends on.
  private static String fingerprint(ModelSpec spec, List<StateDict> weights) {
    var hash = new Sha256();
    for (Object part :
        List.of(
            spec.isQlib(),
            spec.network().toYaml(),
            spec.policy().toYaml(),
            spec.actions().toYaml(),
            spec.maxSteps(),
            spec.ticksPerStep(),
            spec.mirrors(),
            // As records of version 1 wrote it: a model keeps its fingerprint.
            "Session[name=%s, segments=%s]"
                .formatted(spec.session().name(), spec.session().segments()),
            spec.frequency(),
            spec.features(),
            spec.combination())) {
      hash.add(part.toString());
    }
    spec.sessions().forEach((instrument, each) -> hash.add(instrument).add(each.text()));
    DeviationGuard guard = spec.guard();
    if (guard != null) {
      hash.add("guard " + guard.size());
    }
    for (StateDict dict : weights) {
      // Sorted by name: files list the aliases of a tensor elsewhere, in another order.
      new TreeMap<>(dict.tensors())
          .forEach(
              (name, tensor) -> {
                hash.add(name + tensor.shape());
                float[] elements = tensor.toArray();
                var bytes = ByteBuffer.allocate(Math.multiplyExact(elements.length, Float.BYTES));
                bytes.asFloatBuffer().put(elements);
                hash.add(bytes);
              });
    }
    return hash.hex();
  }

  public ModelSpec spec() {
    return spec;
  }

  /// Returns the number of sets of weights that decide together.
  public int members() {
    return members.size();
  }

  /// Returns the bytes that the weights of all members take in memory. Large matrices of quantised
  /// weights stay as small as in their file.
  public long weightBytes() {
    return members.stream()
        .flatMap(member -> member.weights().parts().stream())
        .mapToLong(part -> part.weights().bytes())
        .sum();
  }

  /// Returns a text that identifies this model: a hash of spec and weights.
  public String fingerprint() {
    return fingerprint;
  }

  /// Works synthetic orders on days without trades for a second or two, so that the JIT compiler
  /// has finished before the market opens: the first decisions of a cold JVM take a thousand times
  /// as long as later ones. Has no other effect.
  public void warmUp() {
    var runtime = new DecisionRuntime(this);
    for (int i = 0; i < WARM_UP_DAYS; i++) {
      LiveDay day = runtime.openDay("warm-up", WARM_UP_DATE, List.of());
      LocalDateTime start = BarTime.dateTime(day.time(0));
      LocalDateTime end = BarTime.dateTime(day.time(day.allTicks() - 1) + 1);
      for (int j = 0; j < WARM_UP_ORDERS; j++) {
        day.openOrder("" + j, j % 2 == 0 ? Side.SELL : Side.BUY, 1, start, end);
      }
      for (int tick = 0; tick < day.allTicks(); tick++) {
        decide(runtime, i % 2 == 0);
        day.skipTo(day.time(tick) + 1);
      }
      day.close();
    }
  }

  private static void decide(DecisionRuntime runtime, boolean together) {
    if (together) {
      runtime.decideAll(order -> order.fill(0, 1));
      return;
    }
    for (LiveOrder order : runtime.orders()) {
      if (order.isDue()) {
        order.decide();
      }
    }
  }

  /// Returns the model's statistics from validation; null if its bundle has none.
  public @Nullable ReferenceStatistics reference() {
    return reference;
  }

  /// Returns the number of kinds of actions that [ReferenceStatistics] counts: choices, or parts of
  /// the range of continuous actions.
  public int actionKinds() {
    return actions.kinds();
  }

  /// Returns the kind of an action.
  public int kindOf(Action action) {
    return actions.kindOf(action);
  }

  /// Whether two actions of this model are the same choice, or numbers that hardly differ.
  public boolean alike(Action one, Action other) {
    return actions.alike(one, other);
  }

  LiveActions actions() {
    return actions;
  }

  /// Returns how a buy is turned into a sell; null if the model does not mirror.
  @Nullable Mirror mirror() {
    return mirror;
  }

  /// Makes a predictor for one thread.
  ///
  /// @param maxRows the maximal number of observations per call
  /// @throws ConfigException if the model's policy has no scores of whole observations
  public Predictor newPredictor(int maxRows) {
    return new Predictor(
        spec, actions, members.stream().map(member -> member.newScores(maxRows)).toList(), maxRows);
  }

  Ensemble newEnsemble(int maxRows) {
    return new Ensemble(
        members.stream().map(member -> member.newLivePolicy(maxRows)).toList(),
        spec.combination(),
        actions.numbers(),
        maxRows);
  }
}
