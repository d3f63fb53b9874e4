package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.runtime.LiveModel;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.runtime.Predictor;
import io.tranche.serving.wire.JsonForm;
import io.tranche.serving.wire.PredictJson;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;

/// Qlib's observations, one per request, drawn at random; the predictor in this process tells what
/// the model must choose.
///
/// Each is sent with another first value of yesterday's features, which Qlib's network does not
/// look at: so no two observations are the same, and no cache can help.
final class ObservationScript implements Requests {

  private static final int POOL = 128;

  /// The smallest accepted gap between the two best scores: torch rounds differently.
  private static final float MARGIN = 1e-3f;

  /// The value that is overwritten, with the same number of digits.
  private static final float FIRST = 0.5000001f;

  private static final String HOLE = "5000001";

  private record Asked(int hole, int action) {}

  private final List<byte[]> bodies = new ArrayList<>();
  private final List<Asked> asked = new ArrayList<>();

  ObservationScript(ServedBundle model) {
    var random = new SplittableRandom(3);
    var predictor = model.loaded.newPredictor(1);
    while (asked.size() < POOL) {
      FullHistoryObservation observation = draw(random);
      predictor.evaluate(List.of(observation));
      int action = predictor.choice(0);
      if (isClear(predictor, action)) {
        var question = new PredictJson.Question(null, List.of(observation), null);
        byte[] body = JsonForm.write(question, PredictJson::question);
        byte[] request = HttpBytes.post("/v1/predict", "application/json", body);
        int hole = new String(request, StandardCharsets.ISO_8859_1).indexOf(HOLE);
        bodies.add(request);
        asked.add(new Asked(hole, action));
      }
    }
  }

  private static boolean isClear(Predictor predictor, int action) {
    for (int choice = 0; choice < predictor.choices(); choice++) {
      if (choice != action && predictor.score(0, action) - predictor.score(0, choice) < MARGIN) {
        return false;
      }
    }
    return true;
  }

  private static FullHistoryObservation draw(SplittableRandom random) {
    int step = random.nextInt(LiveModel.STEPS);
    int tick = step * LiveModel.TICKS_PER_STEP;
    double[] today = new double[LiveModel.TICKS * LiveModel.FEATURES];
    double[] yesterday = new double[today.length];
    for (int i = 0; i < today.length; i++) {
      today[i] = i < tick * LiveModel.FEATURES ? (float) random.nextGaussian() : 0;
      yesterday[i] = (float) random.nextGaussian();
    }
    yesterday[0] = FIRST;
    double[] positions = new double[LiveModel.STEPS];
    positions[0] = 1_000;
    for (int past = 1; past <= step; past++) {
      positions[past] = (float) (positions[past - 1] * random.nextDouble(0.5, 1));
    }
    List<Integer> shape = List.of(LiveModel.TICKS, LiveModel.FEATURES);
    var entries = new LinkedHashMap<String, Value>();
    entries.put("data_processed", new Value.Floats(ElementType.FLOAT32, shape, today));
    entries.put("data_processed_prev", new Value.Floats(ElementType.FLOAT32, shape, yesterday));
    entries.put("acquiring", whole(random.nextInt(2)));
    entries.put("cur_tick", whole(tick));
    entries.put("cur_step", whole(step));
    entries.put("num_step", whole(LiveModel.STEPS));
    entries.put("target", single(positions[0]));
    entries.put("position", single(positions[step]));
    entries.put(
        "position_history",
        new Value.Floats(ElementType.FLOAT32, List.of(LiveModel.STEPS), positions));
    return FullHistoryObservation.fromValue(new Value.Dict(entries));
  }

  private static Value whole(int number) {
    return new Value.Integers(ElementType.INT32, List.of(), number);
  }

  private static Value single(double number) {
    return new Value.Floats(ElementType.FLOAT32, List.of(), number);
  }

  /// Returns the mean length of a request.
  double meanBytes() {
    return bodies.stream().mapToInt(each -> each.length).average().orElseThrow();
  }

  @Override
  public int lane(long number) {
    return (int) (number % Integer.MAX_VALUE);
  }

  @Override
  public void write(long number, ByteBuffer to) {
    int which = (int) (number % POOL);
    int last = to.position() + asked.get(which).hole() + HOLE.length() - 1;
    to.put(bodies.get(which));
    long rest = number;
    for (int i = 0; i < HOLE.length(); i++) {
      to.put(last - i, (byte) ('0' + rest % 10));
      rest /= 10;
    }
  }

  @Override
  public Verdict judge(long number, int status, ByteBuffer body) {
    if (status != 200) {
      return Verdict.WRONG;
    }
    String text = StandardCharsets.ISO_8859_1.decode(body).toString();
    String expected = "\"action\":%d,".formatted(asked.get((int) (number % POOL)).action());
    return text.contains(expected) ? Verdict.RIGHT : Verdict.WRONG;
  }
}
