package io.tranche.work.export;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.Quantiser;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.Predictor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Rounds a model's weights, and measures on validation orders how its decisions change.
///
/// For int8 the range of each matrix is calibrated: of a few clips, it takes the one that changes
/// the policy's scores least while all other matrices stay in float32.
public final class Quantisation {

  /// Receives the progress.
  @FunctionalInterface
  public interface Progress {
    void at(long done, long total);
  }

  private static final int ROWS = 256;

  private final ModelSpec spec;
  private final ValidationOrders orders;
  private final Progress progress;
  private long done;
  private long total;

  private Quantisation(ModelSpec spec, ValidationOrders orders, Progress progress) {
    this.spec = spec;
    this.orders = orders;
    this.progress = progress;
  }

  /// A rounded model.
  ///
  /// @param trial its comparison with the model in float32
  public record Quantised(ModelBundle bundle, ModelComparison trial) {}

  /// Rounds every member to `precision`. The result is deterministic.
  ///
  /// @throws io.tranche.policy.weights.CheckpointException if a weight is too large for the
  ///   precision
  public static Quantised of(
      ModelBundle bundle, Precision precision, ValidationOrders orders, Progress progress) {
    var rounded = new Quantisation(bundle.spec(), orders, progress).round(bundle, precision);
    ModelComparison trial =
        orders.compare(
            LoadedModel.of(bundle.spec(), rounded),
            LoadedModel.of(bundle.spec(), bundle.members()));
    return new Quantised(bundle.with(precision, rounded), trial);
  }

  private List<StateDict> round(ModelBundle bundle, Precision precision) {
    if (precision != Precision.INT8) {
      return bundle.members().stream()
          .map(member -> Quantiser.round(member, precision, _ -> 1))
          .toList();
    }
    for (StateDict member : bundle.members()) {
      total += (long) matrices(member).size() * Quantiser.CLIPS.size();
    }
    var rounded = new ArrayList<StateDict>();
    for (StateDict member : bundle.members()) {
      Map<Tensor, Double> clips = calibrated(member);
      rounded.add(Quantiser.round(member, precision, matrix -> clips.getOrDefault(matrix, 1.0)));
    }
    return rounded;
  }

  /// Returns the matrices; one with several names comes once.
  private static List<Tensor> matrices(StateDict member) {
    return new LinkedHashSet<>(member.tensors().values())
        .stream().filter(tensor -> tensor.shape().size() >= 2).toList();
  }

  private Map<Tensor, Double> calibrated(StateDict member) {
    List<FullHistoryObservation> decisions = orders.sample(model(member));
    float[] wanted = scores(member, decisions);
    var clips = new HashMap<Tensor, Double>();
    for (Tensor matrix : matrices(member)) {
      double least = Double.POSITIVE_INFINITY;
      for (double clip : Quantiser.CLIPS) {
        // A matrix without influence, such as a critic's, needs no second try.
        if (least > 0) {
          double error = squares(wanted, scores(clipped(member, matrix, clip), decisions));
          if (error < least) {
            least = error;
            clips.put(matrix, clip);
          }
        }
        progress.at(++done, total);
      }
    }
    return clips;
  }

  /// Returns the member with one matrix rounded.
  private static StateDict clipped(StateDict member, Tensor matrix, double clip) {
    Tensor rounded = Quantiser.round(matrix, clip);
    var tensors = new LinkedHashMap<>(member.tensors());
    tensors.replaceAll((_, tensor) -> tensor == matrix ? rounded : tensor);
    return new StateDict(tensors);
  }

  private LoadedModel model(StateDict member) {
    return LoadedModel.of(spec, List.of(member));
  }

  private float[] scores(StateDict member, List<FullHistoryObservation> decisions) {
    Predictor predictor = model(member).newPredictor(ROWS);
    int choices = predictor.choices();
    float[] scores = new float[decisions.size() * choices];
    for (int from = 0; from < decisions.size(); from += ROWS) {
      int to = Math.min(decisions.size(), from + ROWS);
      predictor.evaluate(decisions.subList(from, to));
      for (int i = from * choices; i < to * choices; i++) {
        scores[i] = predictor.score(i / choices - from, i % choices);
      }
    }
    return scores;
  }

  private static double squares(float[] wanted, float[] found) {
    double sum = 0;
    for (int i = 0; i < wanted.length; i++) {
      double difference = (double) found[i] - wanted[i];
      sum += difference * difference;
    }
    return sum;
  }
}
