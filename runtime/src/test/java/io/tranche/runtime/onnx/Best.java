package io.tranche.runtime.onnx;

import io.tranche.policy.weights.Tensor;
import java.util.stream.IntStream;

/// The first of the best actions of each row.
final class Best {

  private Best() {}

  static int[] of(Tensor values) {
    int width = values.shape().get(1);
    return IntStream.range(0, values.shape().get(0))
        .map(
            row -> {
              int best = 0;
              for (int i = 1; i < width; i++) {
                if (values.at(row * width + i) > values.at(row * width + best)) {
                  best = i;
                }
              }
              return best;
            })
        .toArray();
  }
}
