package io.tranche.onnx;

import static io.tranche.onnx.GraphWriter.FLOAT;
import static io.tranche.onnx.GraphWriter.INT64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.LiveNetwork.Day;
import io.tranche.policy.network.LiveNetwork.Episode;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Graphs that decide: in a simulation and on a live day.
final class OnnxAgentTest {

  private static final int TICKS = 4;
  private static final int STEPS = 2;

  @TempDir private Path folder;

  /// The last feature of the newest tick, its negative, and a half: choices 0, 1 and 2.
  private static GraphWriter row() {
    return new GraphWriter()
        .input("obs", FLOAT, "batch", 5)
        .constant("w", new int[] {5, 3}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1, 0)
        .constant("b", new int[] {3}, 0, 0, 0.5f)
        .node("MatMul", "", "m", "obs", "w")
        .node("Add", "", "scores", "m", "b")
        .output("scores", FLOAT, "batch", 3);
  }

  /// Counts decisions in its state and chooses the choice of that number.
  private static GraphWriter counter() {
    return new GraphWriter()
        .input("cur_step", INT64, "batch")
        .input("count", FLOAT, "batch", 3)
        .constant("turn", new int[] {3, 3}, 0, 2, 0, 0, 0, 2, 2, 0, 0)
        .constant("first", new int[] {1, 3}, 0.1f, 0, 0)
        .node("Add", "", "scores", "count", "first")
        .node("MatMul", "", "next_count", "scores", "turn")
        .output("scores", FLOAT, "batch", 3)
        .output("next_count", FLOAT, "batch", 3);
  }

  @Test
  void choosesTheBestScoreOfARowOfNumbers() throws IOException {
    Agent<Seen> agent = agent(row());

    assertThat(act(agent, new Seen(new Object(), 0, 2, 1)))
        .containsExactly(new Action.Discrete(0));
    assertThat(act(agent, new Seen(new Object(), 0, 2, -1), new Seen(new Object(), 1, 2, 0.1f)))
        .containsExactly(new Action.Discrete(1), new Action.Discrete(2));
  }

  @Test
  void aLiveDayDecidesAlike() throws IOException {
    LivePolicy live = agent(row()).newLivePolicy(2);
    Day day = live.newDay(new float[TICKS * 2], TICKS);
    Episode order = live.newEpisode(1);
    day.append(new float[] {0, 7}, 0);
    live.put(0, day, order, 1, 0);
    assertThat(live.evaluate(1)).startsWith(7, -7, 0.5f);
    day.append(new float[] {0, -3}, 0);
    live.put(0, day, order, 0.5f, 0.5f);
    assertThat(live.evaluate(1)).startsWith(-3, 3, 0.5f);
  }

  @Test
  void aStreamingGraphKeepsAStateForEachOrder() throws IOException {
    Agent<Seen> agent = agent(counter());
    Policy<Seen> policy = agent.newPolicy(8);
    Object one = new Object();
    Object other = new Object();

    assertThat(act(policy, new Seen(one, 0, 1, 0))).containsExactly(new Action.Discrete(0));
    assertThat(act(policy, new Seen(one, 1, 2, 0), new Seen(other, 0, 2, 0)))
        .containsExactly(new Action.Discrete(1), new Action.Discrete(0));
    assertThatThrownBy(() -> act(policy, new Seen(new Object(), 1, 2, 0)))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("expected every decision of an order in turn")
        .hasMessageContaining("was step 1 of a day first");
    LivePolicy live = agent.newLivePolicy(2);
    Day day = live.newDay(new float[TICKS * 2], TICKS);
    Episode order = live.newEpisode(0);
    live.put(0, day, order, 1, 0);
    assertThat(live.evaluate(1)).startsWith(0.1f, 0);
    live.put(0, day, order, 1, 0.5f);
    assertThat(live.evaluate(1)).startsWith(0.1f, 0.2f);
  }

  @Test
  void theBytesAreItsWeights() throws IOException {
    Agent<Seen> agent = agent(row());
    StateDict packed = agent.weights().stateDict();
    var spec = new OnnxSpec<Seen>(Path.of("gone.onnx"), context());

    assertThat(act(spec.load("a checkpoint", packed), new Seen(new Object(), 0, 2, -1)))
        .containsExactly(new Action.Discrete(1));
    Tensor tensor = packed.tensors().values().iterator().next();
    float[] rounded = tensor.toArray();
    rounded[9] = Float.float16ToFloat(Float.floatToFloat16(rounded[9] + 3));
    assertThatThrownBy(
            () ->
                spec.load(
                    "a checkpoint",
                    new StateDict(Map.of("onnx.graph", Tensor.of(tensor.shape(), rounded)))))
        .isInstanceOf(CheckpointException.class)
        .hasMessageStartingWith(
            "a checkpoint: expected the bytes of an ONNX graph, in the precision float32, was ");
    assertThatThrownBy(() -> spec.load("a checkpoint", new StateDict(Map.of())))
        .hasMessage("a checkpoint: expected an ONNX graph, was []");
    Agent<Seen> blank = spec.create(RandomGenerator.getDefault());
    assertThatThrownBy(() -> blank.newPolicy(1)).hasMessageContaining("gone.onnx");
    blank.load("a checkpoint", packed);
    assertThat(act(blank, new Seen(new Object(), 0, 2, 1))).containsExactly(new Action.Discrete(0));
  }

  @Test
  void graphsThatDoNotFitHaveOneMessage() {
    assertRefused(
        new GraphWriter()
            .input("obs", FLOAT, "batch", 4)
            .node("Identity", "", "y", "obs")
            .output("y", FLOAT, "batch", 4),
        "input obs: expected the shape [batch, 5], was [-1, 4]");
    assertRefused(
        new GraphWriter()
            .input("image", FLOAT, "batch", 3)
            .node("Identity", "", "y", "image")
            .output("y", FLOAT, "batch", 3),
        "input image: expected one of [obs, data_processed,");
    assertRefused(
        new GraphWriter()
            .input("obs", FLOAT, "batch", 5)
            .node("Identity", "", "y", "obs")
            .output("y", FLOAT, "batch", 5),
        "output y: expected float32 of the shape [batch, 3], was FLOAT [-1, 5]");
    assertRefused(
        new GraphWriter()
            .input("obs", INT64, "batch", 5)
            .node("Identity", "", "y", "obs")
            .output("y", INT64, "batch", 5),
        "input obs: expected float32, was INT64");
    assertRefused(
        new GraphWriter()
            .input("obs", FLOAT, "batch", 5)
            .node("Nonsense", "", "y", "obs")
            .output("y", FLOAT, "batch", 3),
        "expected a graph that ONNX Runtime opens, was ");
  }

  @Test
  void anAnswerThatIsNotFiniteIsNamed() throws IOException {
    Agent<Seen> agent =
        agent(
            new GraphWriter()
                .input("position_history", FLOAT, "batch", STEPS)
                .constant("w", new int[] {STEPS, 3}, 1, 1, 1, 1, 1, 1)
                .constant("none", new int[] {1}, Float.NaN)
                .node("MatMul", "", "m", "position_history", "w")
                .node("Add", "", "logits", "m", "none")
                .output("logits", FLOAT, "batch", 3));

    assertThatThrownBy(() -> act(agent, new Seen(new Object(), 1, 2, 0)))
        .isInstanceOf(CheckpointException.class)
        .hasMessageEndingWith(
            "output logits: expected finite numbers, was NaN at step 1 of a day");
  }

  private void assertRefused(GraphWriter graph, String message) {
    assertThatThrownBy(() -> agent(graph))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(message);
  }

  private Agent<Seen> agent(GraphWriter graph) throws IOException {
    Path file = Files.write(folder.resolve("policy.onnx"), graph.bytes());
    return new OnnxSpec<Seen>(file, context()).create(RandomGenerator.getDefault());
  }

  private static BuildContext context() {
    var matrix = new Space.Box(ElementType.FLOAT32, List.of(TICKS, 2), -9, 9);
    var history = new Space.Box(ElementType.FLOAT32, List.of(STEPS), 0, 1);
    return BuildContext.of(
        new Space.Dict(
            Map.of(
                "data_processed", matrix,
                "data_processed_prev", matrix,
                "position_history", history)),
        new Space.Discrete(3),
        2);
  }

  private static Action[] act(Agent<Seen> agent, Seen... seen) {
    return act(agent.newPolicy(8), seen);
  }

  private static Action[] act(Policy<Seen> policy, Seen... seen) {
    return policy.act(List.of(seen), new long[seen.length], Policy.Mode.EVALUATE);
  }

  /// A decision of an order whose newest tick has the features 0 and `newest`.
  private record Seen(Object episode, int step, int tick, float newest)
      implements Observation, DayObservation {

    @Override
    public Object day() {
      return this;
    }

    @Override
    public int ticks() {
      return TICKS;
    }

    @Override
    public int todayWidth() {
      return 2;
    }

    @Override
    public int yesterdayWidth() {
      return 2;
    }

    @Override
    public void copyToday(int atTick, float[] target, int at) {
      target[at] = 0;
      target[at + 1] = atTick == tick - 1 ? newest : 0;
    }

    @Override
    public void copyYesterday(int atTick, float[] target, int at) {
      target[at] = 0;
      target[at + 1] = 0;
    }

    @Override
    public int visibleTicks() {
      return tick;
    }

    @Override
    public int finiteToday() {
      return TICKS;
    }

    @Override
    public int finiteYesterday() {
      return TICKS;
    }

    @Override
    public String where() {
      return "a day";
    }

    @Override
    public String describe(int atTick) {
      return "tick " + atTick;
    }

    @Override
    public int maxSteps() {
      return STEPS;
    }

    @Override
    public float target() {
      return 100;
    }

    @Override
    public float remainingAt(int past) {
      return past <= step ? 100 : 0;
    }

    @Override
    public int sideCode() {
      return 0;
    }

    @Override
    public Value toValue() {
      return new Value.Dict(Map.of());
    }
  }
}
