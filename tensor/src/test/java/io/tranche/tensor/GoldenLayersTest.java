package io.tranche.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The layers, put together as Qlib's networks are, give torch's outputs and gradients.
class GoldenLayersTest {

  private static final double OUTPUT = 1e-5;
  private static final double GRADIENT = 1e-4;

  static Stream<Arguments> cases(String module) throws IOException {
    var file = Path.of("..", "conformance", "golden", "networks.json.gz");
    try (var in = new GZIPInputStream(Files.newInputStream(file))) {
      return JsonMapper.shared()
          .readTree(in)
          .get("cases")
          .valueStream()
          .filter(each -> each.get("input").get("module").asString().equals(module))
          .map(each -> Arguments.of(each.get("name").asString(), each));
    }
  }

  static Stream<Arguments> attention() throws IOException {
    return cases("Attention");
  }

  static Stream<Arguments> recurrent() throws IOException {
    return cases("Recurrent");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void attention(String name, JsonNode golden) {
    JsonNode input = golden.get("input");
    int inputs = input.get("args").get("in_dim").asInt();
    int width = input.get("args").get("out_dim").asInt();
    var weights = new Weights();
    var attention = new Attention(weights, "", inputs, width);
    load(weights, input.get("state_dict"));
    int lanes = input.get("Q").size();
    int queries = input.get("Q").get(0).size();
    int keys = input.get("K").get(0).size();
    Rows q = Rows.of(floats(input.get("Q")), inputs);
    Rows k = Rows.of(floats(input.get("K")), inputs);
    Rows v = Rows.of(floats(input.get("V")), inputs);
    var pass = attention.newPass(lanes, queries, keys);
    float[] gradients = new float[weights.size()];

    pass.forward(lanes, queries, keys, q, k, v, null);
    Rows dy = Rows.of(floats(input.get("projection")), width);
    pass.backward(q, k, v, dy, null, null, null, gradients);

    JsonNode expected = golden.get("expected");
    assertClose("output", pass.output().data(), floats(expected.get("output")), OUTPUT);
    assertGradients(weights, gradients, expected.get("gradients"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void recurrent(String name, JsonNode golden) {
    JsonNode input = golden.get("input");
    var network = new Network(input);

    float[] gradients = network.gradients(floats(input.get("projection")));

    JsonNode expected = golden.get("expected");
    assertClose("features", network.features.data(), floats(expected.get("features")), OUTPUT);
    // The largest case comes without.
    if (!expected.get("gradients").isNull()) {
      assertGradients(network.weights, gradients, expected.get("gradients"));
    }
  }

  /// Qlib's `Recurrent`, as section 6.3 of its behaviour describes it.
  private static final class Network {
    final Weights weights = new Weights();
    final Rows features;

    private final int lanes;
    private final int hidden;
    private final Branch data;
    private final Branch history;
    private final Linear[] direction = new Linear[2];
    private final Linear[] head = new Linear[2];
    private final Rows sides;
    private final Rows[] directions;
    private final Rows joined;
    private final Rows neck;

    Network(JsonNode input) {
      JsonNode args = input.get("args");
      JsonNode obs = input.get("obs");
      hidden = args.get("hidden_dim").asInt();
      int outputs = args.get("output_dim").asInt();
      lanes = obs.get("cur_tick").size();
      data = new Branch("raw", args, input.get("data_dim").asInt());
      history = new Branch("pri", args, 2);
      direction[0] = Linear.withRelu(weights, "dire_fc.0", 2, hidden);
      direction[1] = Linear.withRelu(weights, "dire_fc.2", hidden, hidden);
      head[0] = Linear.withRelu(weights, "fc.0", 3 * hidden, hidden);
      head[1] = Linear.withRelu(weights, "fc.2", hidden, outputs);
      load(weights, input.get("state_dict"));
      sides = Rows.zeros(lanes, 2);
      joined = Rows.zeros(lanes, 3 * hidden);
      directions = new Rows[] {Rows.zeros(lanes, hidden), joined.fromColumn(2 * hidden)};
      neck = Rows.zeros(lanes, hidden);
      features = Rows.zeros(lanes, outputs);
      observe(obs, input.get("data_ticks").asInt(), input.get("max_step").asInt());
    }

    private void observe(JsonNode obs, int ticks, int steps) {
      data.start(ticks + 1, obs.get("cur_tick"));
      history.start(steps, obs.get("cur_step"));
      for (int lane = 0; lane < lanes; lane++) {
        float side = obs.get("acquiring").get(lane).floatValue();
        sides.data()[2 * lane] = side;
        sides.data()[2 * lane + 1] = 1 - side;
        for (int tick = 0; tick < ticks; tick++) {
          float[] row = floats(obs.get("data_processed").get(lane).get(tick));
          data.input(tick + 1, lane, row);
        }
        float target = obs.get("target").get(lane).floatValue();
        float count = obs.get("num_step").get(lane).floatValue();
        for (int step = 0; step < steps; step++) {
          float position = obs.get("position_history").get(lane).get(step).floatValue();
          history.input(step, lane, new float[] {position / target, step / count});
        }
      }
    }

    float[] gradients(float[] projection) {
      data.forward(joined);
      history.forward(joined.fromColumn(hidden));
      direction[0].forward(lanes, sides, directions[0]);
      direction[1].forward(lanes, directions[0], directions[1]);
      head[0].forward(lanes, joined, neck);
      head[1].forward(lanes, neck, features);

      float[] gradients = new float[weights.size()];
      Rows dNeck = Rows.zeros(lanes, hidden);
      Rows dJoined = Rows.zeros(lanes, 3 * hidden);
      Rows dDirection = Rows.zeros(lanes, hidden);
      Rows dFeatures = Rows.of(projection.clone(), projection.length / lanes);
      head[1].backward(lanes, neck, features, dFeatures, dNeck, gradients);
      head[0].backward(lanes, joined, neck, dNeck, dJoined, gradients);
      Rows last = dJoined.fromColumn(2 * hidden);
      direction[1].backward(lanes, directions[0], directions[1], last, dDirection, gradients);
      direction[0].backward(lanes, sides, directions[0], dDirection, null, gradients);
      history.backward(dJoined.fromColumn(hidden), gradients);
      data.backward(dJoined, gradients);
      return gradients;
    }

    /// A linear layer, a recurrent one, and one row of its output a lane.
    private final class Branch {
      private final Linear encoder;
      private final Rnn rnn;
      private final int width;
      private int steps;
      private int[] read = new int[0];
      private Rows x = Rows.zeros(0, 1);
      private Rows encoded = Rows.zeros(0, 1);
      private Rnn.Pass pass;

      Branch(String name, JsonNode args, int width) {
        var type = Map.of("rnn", RnnType.RNN, "lstm", RnnType.LSTM, "gru", RnnType.GRU);
        this.width = width;
        encoder = Linear.withRelu(weights, name + "_fc.0", width, hidden);
        rnn =
            new Rnn(
                weights,
                name + "_rnn",
                type.getOrDefault(args.get("rnn_type").asString(), RnnType.GRU),
                hidden,
                hidden,
                args.get("rnn_num_layers").asInt());
        pass = rnn.newPass(1, 1);
      }

      void start(int count, JsonNode rowsRead) {
        steps = count;
        read = rowsRead.valueStream().mapToInt(JsonNode::asInt).toArray();
        x = Rows.zeros(steps * lanes, width);
        encoded = Rows.zeros(steps * lanes, hidden);
        pass = rnn.newPass(steps, lanes);
      }

      void input(int step, int lane, float[] row) {
        System.arraycopy(row, 0, x.data(), x.offset(step * lanes + lane), width);
      }

      void forward(Rows y) {
        encoder.forward(steps * lanes, x, encoded);
        pass.forward(steps, lanes, encoded);
        for (int lane = 0; lane < lanes; lane++) {
          int from = pass.output().offset(read[lane] * lanes + lane);
          System.arraycopy(pass.output().data(), from, y.data(), y.offset(lane), hidden);
        }
      }

      void backward(Rows dy, float[] gradients) {
        for (int lane = 0; lane < lanes; lane++) {
          int to = pass.outputGradient().offset(read[lane] * lanes + lane);
          System.arraycopy(dy.data(), dy.offset(lane), pass.outputGradient().data(), to, hidden);
        }
        Rows dEncoded = Rows.zeros(steps * lanes, hidden);
        pass.backward(encoded, dEncoded, gradients);
        encoder.backward(steps * lanes, x, encoded, dEncoded, null, gradients);
      }
    }
  }

  private static void load(Weights weights, JsonNode state) {
    for (Parameter parameter : weights.parameters()) {
      weights.load(parameter, floats(state.get(parameter.name()).get("data")));
    }
  }

  private static void assertGradients(Weights weights, float[] gradients, JsonNode expected) {
    for (Parameter parameter : weights.parameters()) {
      float[] actual = Weights.rowMajor(parameter, gradients);
      assertClose(parameter.name(), actual, floats(expected.get(parameter.name())), GRADIENT);
    }
  }

  private static void assertClose(String name, float[] actual, float[] expected, double within) {
    assertThat(actual).as(name).hasSameSizeAs(expected);
    for (int i = 0; i < expected.length; i++) {
      double scale = Math.max(1, Math.abs(expected[i]));
      assertThat((double) actual[i])
          .as("%s[%d]", name, i)
          .isCloseTo(expected[i], within(within * scale));
    }
  }

  /// Returns all numbers in `node`, however deep, in their order.
  private static float[] floats(JsonNode node) {
    double[] values = numbers(node).toArray();
    float[] floats = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  private static DoubleStream numbers(JsonNode node) {
    return node.isArray()
        ? node.valueStream().flatMapToDouble(GoldenLayersTest::numbers)
        : DoubleStream.of(node.asDouble());
  }
}
