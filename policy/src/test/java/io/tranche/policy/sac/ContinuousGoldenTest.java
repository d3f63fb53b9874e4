package io.tranche.policy.sac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.policy.agent.ActionDistribution;
import io.tranche.policy.agent.ActionDistribution.Head;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.InvalidActions;
import io.tranche.policy.agent.SquashedGaussian;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.Mlp;
import io.tranche.policy.network.Network;
import io.tranche.policy.ppo.Ppo;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.state.Fields;
import io.tranche.policy.state.PlainJson;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares continuous actions with what PyTorch computed (`continuous/make_golden.py`).
class ContinuousGoldenTest {

  /// Relative to the largest entry of each tensor.
  private static final double TOLERANCE = 1e-5;

  private static final Network.Factory<Point> NETWORK =
      Mlp.factory(
          (point, data, at) -> {
            for (int i = 0; i < point.numbers().size(); i++) {
              data[at + i] = (float) (double) point.numbers().get(i);
            }
          },
          3,
          5);

  private record Point(List<Double> numbers) implements Observation {

    @Override
    public Value toValue() {
      return new Value.Plain(0L);
    }
  }

  private static Fields golden(String section) throws IOException {
    try (var in = ContinuousGoldenTest.class.getResourceAsStream("/continuous/golden.json")) {
      byte[] bytes = Objects.requireNonNull(in, "golden.json").readAllBytes();
      return new Fields("golden.json", PlainJson.read("golden.json", bytes)).field(section);
    }
  }

  private static double[] numbers(Fields list) {
    return IntStream.range(0, list.list().size()).mapToDouble(i -> list.item(i).number()).toArray();
  }

  private static float[] floats(Fields list) {
    double[] numbers = numbers(list);
    float[] floats = new float[numbers.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) numbers[i];
    }
    return floats;
  }

  private static void assertClose(String what, float[] found, double[] expected) {
    double largest = 1e-30;
    for (double each : expected) {
      largest = Math.max(largest, Math.abs(each));
    }
    assertThat(found).hasSize(expected.length);
    for (int i = 0; i < expected.length; i++) {
      assertThat((double) found[i])
          .as("%s[%d]", what, i)
          .isCloseTo(expected[i], within(TOLERANCE * largest));
    }
  }

  private static ActionDistribution distribution(String head, int count, double low, double high) {
    var box =
        new Space.Box(
            Value.ElementType.FLOAT64, count == 1 ? List.of() : List.of(count), low, high);
    return Objects.requireNonNull(
        ActionDistribution.over(
            box, Head.valueOf(head.toUpperCase(Locale.ROOT)), InvalidActions.ERROR));
  }

  @Test
  void logProbabilitiesEntropiesAndSlopesAreTorchsAlsoAtTheEdges() throws IOException {
    Fields cases = golden("distributions");
    assertThat(cases.list()).hasSizeGreaterThan(200);
    for (int i = 0; i < cases.list().size(); i++) {
      Fields each = cases.item(i);
      float[] outputs = floats(each.field("outputs"));
      float[] code = floats(each.field("code"));
      ActionDistribution made =
          distribution(
              each.field("head").text(),
              code.length,
              each.field("low").number(),
              each.field("high").number());
      String what = "case %d %s %s ".formatted(i, made, each.field("outputs").list());
      float[] slopes = new float[outputs.length];

      assertClose(
          what + "log",
          new float[] {made.logProbability(outputs, 0, code, 0)},
          new double[] {each.field("log").number()});
      made.logSlopes(outputs, 0, code, 0, slopes);
      assertClose(what + "log slopes", slopes, numbers(each.field("log_slopes")));
      assertThat((double) made.entropy(outputs, 0))
          .as(what + "entropy")
          .isCloseTo(each.field("entropy").number(), within(TOLERANCE));
      made.entropySlopes(outputs, 0, slopes);
      assertClose(what + "entropy slopes", slopes, numbers(each.field("entropy_slopes")));
    }
  }

  private static List<Point> points(Fields rows) {
    return IntStream.range(0, rows.list().size())
        .mapToObj(
            i ->
                new Point(
                    IntStream.range(0, 3).mapToObj(j -> rows.item(i).item(j).number()).toList()))
        .toList();
  }

  private static Action action(Fields numbers) {
    double[] values = numbers(numbers);
    return values.length == 1
        ? new Action.Continuous(values[0])
        : new Action.Vector(IntStream.range(0, values.length).mapToObj(i -> values[i]).toList());
  }

  private static void load(Weights weights, Fields tensors) {
    List<Parameter> parameters = weights.parameters();
    assertThat(parameters).hasSize(tensors.list().size());
    for (int i = 0; i < parameters.size(); i++) {
      weights.load(parameters.get(i), floats(tensors.item(i)));
    }
  }

  private static void assertGradients(Weights weights, float[] found, Fields expected) {
    List<Parameter> parameters = weights.parameters();
    for (int i = 0; i < parameters.size(); i++) {
      assertClose(
          parameters.get(i).name(),
          Weights.rowMajor(parameters.get(i), found),
          numbers(expected.item(i)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void lossesAndGradientsOfPpoAreTorchs(int index) throws IOException {
    Fields golden = golden("ppo").item(index);
    boolean hasTeacher = Boolean.TRUE.equals(golden.field("teacher").value());
    int count = (int) golden.field("count").count();
    List<Point> seen = points(golden.field("seen"));
    var config =
        PpoConfig.DEFAULT
            .withLearningRate(0.02)
            .withClip(0.2)
            .withNormalizedRewards(false)
            .withValueWeight(0.5)
            .withEntropyWeight(0.02)
            .withMaxNorm(0)
            .withAdvantageEpsilon(1e-8);
    Policy<Point> teacher =
        (observations, _, _) ->
            observations.stream()
                .map(each -> action(golden.field("advice").item(seen.indexOf(each))))
                .toArray(Action[]::new);
    ActorCritic<Point> agent =
        ActorCritic.create(
            NETWORK,
            distribution(golden.field("head").text(), count, -1, 1),
            true,
            new SplittableRandom(1));
    Weights weights = agent.model().weights();
    load(weights, golden.field("steps").item(0).field("weights"));
    var steps = new Transitions<Point>();
    for (int row = 0; row < seen.size(); row++) {
      steps.add(
          seen.get(row),
          action(golden.field("actions").item(row)),
          golden.field("rewards").item(row).number(),
          true,
          false,
          seen.get(row),
          row,
          0);
    }
    try (var parallel = new ParallelFor(2)) {
      var ppo =
          new Ppo<>(
              agent, config, hasTeacher ? Distillation.of(teacher, x -> x, 0.1) : null, parallel);
      var found = new ArrayList<float[]>();
      ppo.observe((_, gradients) -> found.add(gradients.clone()));

      ppo.prepare(steps);
      for (int i = 0; i < 3; i++) {
        Fields expected = golden.field("steps").item(i);
        load(weights, expected.field("weights"));
        double divergence = divergence(ppo, new Ppo<>(agent, config, parallel), steps);
        UpdateReport report =
            ppo.learn(steps, 1, (_, order) -> order.shuffle(steps, Batching.TRANSITIONS, 0, 1));

        assertGradients(weights, found.get(i), expected.field("gradients"));
        assertLoss(report, "loss", expected.field("loss"));
        assertLoss(report, "loss/clip", expected.field("clip"));
        assertLoss(report, "loss/vf", expected.field("value"));
        assertLoss(report, "loss/ent", expected.field("entropy"));
        assertThat(report.mean("kl")).isCloseTo(divergence, withinPercentage(0.1));
        if (hasTeacher) {
          assertLoss(report, "loss/teacher", expected.field("teacher"));
        }
      }
    }
  }

  /// Estimates how far the policy is from the one that `ppo` prepared the steps with.
  private static double divergence(Ppo<Point> ppo, Ppo<Point> now, Transitions<Point> steps) {
    now.prepare(steps);
    double sum = 0;
    for (int row = 0; row < steps.size(); row++) {
      double change = now.experience().logProbability(row) - ppo.experience().logProbability(row);
      sum += Math.exp(change) - 1 - change;
    }
    return sum / steps.size();
  }

  private static void assertLoss(UpdateReport report, String name, Fields expected) {
    double found = Objects.requireNonNull(report.series().get(name)).getFirst();
    double size = Math.max(1, Math.abs(expected.number()));
    assertThat(found).as(name).isCloseTo(expected.number(), within(TOLERANCE * size));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void lossesAndGradientsOfSacAreTorchs(int index) throws IOException {
    Fields golden = golden("sac").item(index);
    int count = (int) golden.field("count").count();
    var actions = (SquashedGaussian) distribution("gaussian", count, 0, 4);
    var config =
        SacConfig.DEFAULT
            .withLearningRate(0.01)
            .withDiscount(0.9)
            .withTemperature(0.2)
            .withHidden(6)
            .withMaxNorm(0)
            .withMinibatches(1);
    ActorCritic<Point> agent = ActorCritic.createActor(NETWORK, actions, new SplittableRandom(1));
    load(agent.model().weights(), golden.field("actor"));
    var steps = new Transitions<Point>();
    List<Point> seen = points(golden.field("seen"));
    List<Point> after = points(golden.field("after"));
    for (int row = 0; row < seen.size(); row++) {
      steps.add(
          seen.get(row),
          action(golden.field("actions").item(row)),
          golden.field("rewards").item(row).number(),
          Boolean.TRUE.equals(golden.field("done").item(row).value()),
          true,
          after.get(row),
          row,
          0);
    }
    try (var parallel = new ParallelFor(2)) {
      var sac = new Sac<>(agent, actions, NETWORK, config, parallel);
      sac.restore(withCritics(sac.state(), golden));
      var found = new ArrayList<float[]>();
      sac.observe((_, gradients) -> found.add(gradients.clone()));

      UpdateReport report =
          sac.update(
              steps, new UpdateSettings(0, 1, Batching.TRANSITIONS), golden.field("key").count());

      assertLoss(report, "loss/critic", golden.field("critic_loss"));
      assertLoss(report, "loss/actor", golden.field("actor_loss"));
      assertLoss(report, "entropy", golden.field("entropy"));
      for (int i = 0; i < 2; i++) {
        assertCritic(found.get(i), golden.field("gradients").item(i), count, golden);
      }
      assertGradients(agent.model().weights(), found.get(2), golden.field("gradients").item(2));
    }
  }

  private static Weights criticWeights(int count) {
    var weights = new Weights();
    Network<Point> network =
        ActionNetwork.<Point>factory(NETWORK, 6, new ActionNetwork.Inputs(count))
            .create(weights, "critic1.extractor.");
    weights.matrix("critic1.value_out.weight", 1, network.width());
    weights.vector("critic1.value_out.bias", 1);
    return weights;
  }

  private static void assertCritic(float[] found, Fields expected, int count, Fields golden) {
    Weights weights = criticWeights(count);
    load(weights, golden.field("critics").item(0));
    assertGradients(weights, found, expected);
  }

  private static AlgorithmState withCritics(AlgorithmState state, Fields golden) {
    Map<String, Tensor> tensors = new LinkedHashMap<>(state.tensors().tensors());
    Weights names = criticWeights((int) golden.field("count").count());
    for (int critic = 0; critic < 2; critic++) {
      for (int i = 0; i < names.parameters().size(); i++) {
        Parameter each = names.parameters().get(i);
        String name = each.name().replace("critic1", "critic" + (critic + 1));
        assertThat(tensors).containsKey(name);
        tensors.put(
            name, Tensor.of(each.shape(), floats(golden.field("critics").item(critic).item(i))));
        tensors.put(
            name + ".target",
            Tensor.of(each.shape(), floats(golden.field("targets").item(critic).item(i))));
      }
    }
    var numbers = new LinkedHashMap<>(state.numbers());
    numbers.put("log_temperature", golden.field("log_temperature").number());
    return new AlgorithmState(new StateDict(tensors), numbers);
  }
}
