package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxGraph.Type.FLOAT;
import static io.tranche.runtime.onnx.OnnxGraph.Type.INT32;

import io.tranche.backtest.ChildOrder;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.env.ActionInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.DayNetworkFactory;
import io.tranche.policy.network.MlpFactory;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.StateDict;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A model as ONNX: one graph from whole observations to the scores that the policy chooses by, and
/// the same cut into graphs whose state the caller keeps, for live days.
///
/// The same model gives the same bytes. Immutable.
public final class OnnxModel {

  static final Size BATCH = Size.any("batch");

  private static final String DAY = "day";

  private final StateDict weights;
  private final @Nullable DayGraph day;
  private final OrderGraph decisions;
  private final ActionHead head;
  private final OnnxOrigin origin;
  private final Map<String, String> metadata;

  private OnnxModel(
      StateDict weights,
      @Nullable DayGraph day,
      OrderGraph decisions,
      ActionHead head,
      OnnxOrigin origin,
      Map<String, String> metadata) {
    this.weights = weights;
    this.day = day;
    this.decisions = decisions;
    this.head = head;
    this.origin = origin;
    this.metadata = metadata;
  }

  /// Makes a model of one set of weights; each member of an ensemble is a model of its own.
  ///
  /// @param weights under Qlib's keys; those of a target network are ignored
  /// @throws ConfigException if the network or the policy cannot be written as ONNX
  /// @throws CheckpointException if the weights are for another model
  public static OnnxModel of(ModelSpec spec, StateDict weights, OnnxOrigin origin) {
    ActionInterpreter<ExecutionState, ChildOrder> actions =
        ExecutionCatalog.actionInterpreters()
            .withInstalled()
            .make(ComponentSpec.from(spec.actions()));
    BuildContext context = spec.context(actions.actionSpace());
    Network.Factory<FullHistoryObservation> network =
        PolicyCatalog.network(spec.network(), context);
    DayGraph day;
    OrderGraph order;
    switch (network) {
      case DayNetworkFactory<FullHistoryObservation> days -> {
        day = DayGraph.of(days);
        order = DecisionGraph.of(days.config(), spec.maxSteps());
      }
      case MlpFactory<FullHistoryObservation> mlp -> {
        day = context.features() == 0 ? null : new MlpGraph.NewestTick(context.features());
        order = MlpGraph.of(mlp);
      }
      default ->
          throw new ConfigException(
              spec.network().where(),
              "a network that can be written as ONNX: Recurrent, RecurrentNetwork, DualAttention,"
                  + " CausalTransformer, Layers or Mlp",
              ComponentSpec.from(spec.network()).name());
    }
    ActionHead head = head(spec, network, context, weights, origin);
    return new OnnxModel(weights, day, order, head, origin, metadata(spec, actions, origin));
  }

  private static ActionHead head(
      ModelSpec spec,
      Network.Factory<FullHistoryObservation> network,
      BuildContext context,
      StateDict weights,
      OnnxOrigin origin) {
    ComponentSpec component = ComponentSpec.from(spec.policy());
    ActionHead head = ActionHead.of(PolicyCatalog.agent(spec.policy(), network, context));
    if (head == null) {
      throw new ConfigException(
          spec.policy().where(),
          "a policy that can be written as ONNX: PPO, Ppo, DQN, Dqn or QuantileDqn",
          component.name());
    }
    head.check(origin.checkpoint(), weights);
    return head;
  }

  private static Map<String, String> metadata(
      ModelSpec spec, ActionInterpreter<ExecutionState, ChildOrder> actions, OnnxOrigin origin) {
    var metadata = new LinkedHashMap<String, String>();
    metadata.put("tranche.version", origin.version());
    metadata.put("tranche.checkpoint", origin.checkpoint());
    metadata.put("tranche.network", ComponentSpec.from(spec.network()).name());
    metadata.put("tranche.policy", ComponentSpec.from(spec.policy()).name());
    metadata.put("tranche.columns", String.join("\n", spec.features().columns().today()));
    metadata.put(
        "tranche.columns_yesterday", String.join("\n", spec.features().columns().yesterday()));
    if (actions instanceof CategoricalInterpreter categorical) {
      metadata.put(
          "tranche.shares",
          String.join("\n", categorical.shares().stream().map(Object::toString).toList()));
    }
    metadata.put("tranche.max_steps", Integer.toString(spec.maxSteps()));
    metadata.put("tranche.ticks_per_step", Integer.toString(spec.ticksPerStep()));
    metadata.put("tranche.mirrors", Boolean.toString(spec.mirrors()));
    return metadata;
  }

  /// Returns the graph from Qlib's observation dictionary to the scores that the policy chooses by.
  public byte[] full() {
    var graph = new OnnxGraph();
    String read =
        day == null ? null : day.whole(network(graph), graph.input("cur_tick", INT32, BATCH));
    choose(graph, decisions.whole(network(graph), read));
    return file(graph, "full");
  }

  /// Returns the graph that takes one row of features and the state of a day, and returns the next
  /// state and the encoding that decisions read; null for a network that does not read the day.
  public byte @Nullable [] tick() {
    if (day == null) {
      return null;
    }
    var graph = new OnnxGraph();
    graph.output(DAY, day.tick(network(graph)), BATCH, Size.of(day.width()));
    return file(graph, "tick");
  }

  /// Returns the graph that takes the encoding from [#tick] and the state of an order, and returns
  /// the next state and the scores that the policy chooses by.
  public byte[] decision() {
    var graph = new OnnxGraph();
    String read = day == null ? null : graph.input(DAY, FLOAT, BATCH, Size.of(day.width()));
    choose(graph, decisions.one(network(graph), read));
    return file(graph, "decision");
  }

  /// Returns the graph that computes from yesterday the inputs that every [#tick] of the day
  /// shares; null for a network that does not look at yesterday.
  public byte @Nullable [] opening() {
    var graph = new OnnxGraph();
    return day != null && day.opening(network(graph)) ? file(graph, "opening") : null;
  }

  private OnnxLayers network(OnnxGraph graph) {
    return new OnnxLayers(graph, weights, head.prefix() + "extractor.");
  }

  private void choose(OnnxGraph graph, String features) {
    head.output(new OnnxLayers(graph, weights, head.prefix()), features);
  }

  private byte[] file(OnnxGraph graph, String name) {
    var all = new LinkedHashMap<>(metadata);
    all.put("tranche.graph", name);
    return graph.toByteArray(name, origin.version(), all);
  }

  /// Writes the full graph to `file`, such as `NAME.onnx`, and beside it the others, if there are
  /// such graphs: `NAME.tick.onnx`, `NAME.decision.onnx` and `NAME.opening.onnx`.
  ///
  /// @return all files, `file` first
  /// @throws CheckpointException if one cannot be written; each becomes visible only when complete
  public List<Path> write(Path file) {
    List<Path> files = files(file);
    var graphs = new LinkedHashMap<Path, byte[]>();
    graphs.put(files.get(0), full());
    byte[] tick = tick();
    if (tick != null) {
      graphs.put(files.get(1), tick);
    }
    graphs.put(files.get(2), decision());
    byte[] opening = opening();
    if (opening != null) {
      graphs.put(files.get(3), opening);
    }
    graphs.forEach(OnnxModel::write);
    return List.copyOf(graphs.keySet());
  }

  /// Returns all files that [#write] may write, `file` first.
  public static List<Path> files(Path file) {
    String name = String.valueOf(file.getFileName()).replaceFirst("\\.onnx$", "");
    return List.of(
        file,
        file.resolveSibling(name + ".tick.onnx"),
        file.resolveSibling(name + ".decision.onnx"),
        file.resolveSibling(name + ".opening.onnx"));
  }

  private static void write(Path file, byte[] bytes) {
    try {
      PendingFile.write(file, bytes);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }
}
