package io.tranche.tensor.layer;

import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Layers over the same input, whose outputs lie side by side.
record ConcatLayer(List<Layer> parts, int inputs, int outputs) implements Layer {

  static ConcatLayer of(Weights weights, String name, int inputs, List<Factory> factories) {
    var parts = new ArrayList<Layer>();
    int outputs = 0;
    for (Factory each : factories) {
      Layer part = each.create(weights, "%s.%d".formatted(name, parts.size()), inputs);
      parts.add(part);
      outputs += part.outputs();
    }
    return new ConcatLayer(List.copyOf(parts), inputs, outputs);
  }

  @Override
  public int maxSteps() {
    return parts.stream().mapToInt(Layer::maxSteps).min().orElseThrow();
  }

  @Override
  public void initialise(RandomGenerator random) {
    parts.forEach(part -> part.initialise(random));
  }

  @Override
  public Pass newPass(int maxSteps, int maxLanes) {
    return new ConcatPass(this, maxSteps, maxLanes);
  }

  @Override
  public Stream newStream(int maxSteps) {
    Stream[] streams = parts.stream().map(part -> part.newStream(maxSteps)).toArray(Stream[]::new);
    Rows[] results = results(parts, 1);
    return (x, y) -> {
      for (int i = 0; i < streams.length; i++) {
        streams[i].step(x, results[i]);
      }
      join(1, results, y);
    };
  }

  private static Rows[] results(List<Layer> parts, int count) {
    return parts.stream().map(part -> Rows.zeros(count, part.outputs())).toArray(Rows[]::new);
  }

  private static void join(int count, Rows[] results, Rows y) {
    for (int i = 0; i < count; i++) {
      int to = y.offset(i);
      for (Rows part : results) {
        System.arraycopy(part.data(), part.offset(i), y.data(), to, part.stride());
        to += part.stride();
      }
    }
  }

  private static final class ConcatPass implements Pass {
    private final Pass[] passes;
    private final Rows[] results;
    private final Rows[] resultGradients;
    private final Rows partial;
    private final int inputs;
    private int count;

    ConcatPass(ConcatLayer layer, int maxSteps, int maxLanes) {
      int rows = Math.multiplyExact(maxSteps, maxLanes);
      inputs = layer.inputs;
      passes =
          layer.parts.stream().map(each -> each.newPass(maxSteps, maxLanes)).toArray(Pass[]::new);
      results = results(layer.parts, rows);
      resultGradients = results(layer.parts, rows);
      partial = Rows.zeros(rows, inputs);
    }

    @Override
    public void training(boolean on) {
      for (Pass each : passes) {
        each.training(on);
      }
    }

    @Override
    public void forward(int steps, int lanes, Rows x, Rows y) {
      count = steps * lanes;
      for (int i = 0; i < passes.length; i++) {
        passes[i].forward(steps, lanes, x, results[i]);
      }
      join(count, results, y);
    }

    @Override
    public void backward(Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
      for (int i = 0; i < count; i++) {
        int from = dy.offset(i);
        for (Rows part : resultGradients) {
          System.arraycopy(dy.data(), from, part.data(), part.offset(i), part.stride());
          from += part.stride();
        }
      }
      passes[0].backward(x, results[0], resultGradients[0], dx, gradients);
      for (int i = 1; i < passes.length; i++) {
        Rows target = dx == null ? null : partial;
        passes[i].backward(x, results[i], resultGradients[i], target, gradients);
        if (dx != null) {
          dx.add(count, inputs, partial);
        }
      }
    }
  }
}
