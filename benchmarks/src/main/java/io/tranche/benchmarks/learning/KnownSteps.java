package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeerTurns;
import io.tranche.market.Frequency;
import io.tranche.policy.weights.TorchFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Recorded steps from which the expert of [TrainBenchmark] must learn what we do. In the training
/// itself draws differ, so the values of two sides cannot be compared there.
final class KnownSteps {

  private static final int INSTRUMENTS = 16;
  private static final int DAYS = 8;

  private final Options options;
  private final Path folder;

  KnownSteps(Options options) throws IOException {
    this.options = options;
    folder = Files.createDirectory(options.work().resolve("known"));
  }

  /// Where [#requireSameLosses] writes the weights to begin with.
  Path weights() {
    return folder.resolve("weights.pth");
  }

  /// Where [#requireSameLosses] writes the steps.
  Path steps() {
    return folder.resolve("steps.pth");
  }

  /// Lets both sides learn from all steps as one minibatch, beginning with the same weights.
  ///
  /// @throws IllegalStateException if a loss or the length of the gradient differs
  void requireSameLosses(@Nullable PeerTurns expert) throws IOException {
    if (expert == null) {
      return;
    }
    Experience experience =
        Experience.endingEarly(folder, Frequency.ofMinutes(5), INSTRUMENTS, DAYS);
    try (var learner = new Learner(experience, 1)) {
      TorchFile.write(weights(), learner.weights());
      TorchFile.write(steps(), UpdateComparison.tensors(experience.steps()));
      double[] ours = UpdateComparison.losses(learner.learn()).get();
      List<Double> theirs = expert.take("known").values();
      options.printf("losses: ours %s, the expert's %s%n", Arrays.toString(ours), theirs);
      Generated.requireRows(ours.length, theirs.size());
      for (int i = 0; i < ours.length; i++) {
        // Each by itself: the loss of the values is a thousand times the others.
        double size = Math.max(UpdateComparison.LEAST_LOSS, Math.abs(ours[i]));
        double most = UpdateComparison.LOSS_TOLERANCE * size;
        if (!(Math.abs(ours[i] - theirs.get(i)) <= most)) {
          throw new IllegalStateException(
              "train.iteration: loss %d of the expert must be %s as ours, was %s"
                  .formatted(i, ours[i], theirs.get(i)));
        }
      }
    }
  }
}
