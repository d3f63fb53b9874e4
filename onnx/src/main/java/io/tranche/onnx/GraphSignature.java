package io.tranche.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.tranche.env.space.Space;
import io.tranche.onnx.GraphInput.Kind;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.MlpFactory;
import io.tranche.policy.weights.CheckpointException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// What goes into a graph and what comes out, compared with what an order shows.
///
/// @param states the inputs that the graph writes itself, as outputs `next_NAME`
/// @param output the scores of choices, the numbers of an action, or the number of a choice
/// @param outputs everything that a run asks for
/// @param isSingle whether the graph takes one decision at a time
record GraphSignature(
    List<GraphInput> inputs,
    List<String> states,
    GraphState begin,
    String output,
    Set<String> outputs,
    boolean isIndex,
    boolean isSingle,
    Space actions,
    int ticks,
    int features,
    int maxSteps) {

  static final String NEXT = "next_";
  private static final String BATCH = "batch";

  /// Names of an output, best first; without one of them a graph has only one output.
  private static final List<String> OUTPUTS =
      List.of("probabilities", "logits", "values", "scores", "action", "actions");

  static GraphSignature of(String where, OrtSession session, BuildContext context)
      throws OrtException {
    return new Reader(where, context).read(session.getInputInfo(), session.getOutputInfo());
  }

  int width() {
    return width(actions);
  }

  private static int width(Space actions) {
    return switch (actions) {
      case Space.Discrete(int count) -> count;
      case Space.Box box -> box.shape().isEmpty() ? 1 : box.shape().getFirst();
      default -> 0;
    };
  }

  /// Returns the numbers of each decision in an output.
  float[] scores(OnnxTensor tensor, int rows) throws OrtException {
    float[] scores = new float[rows * width()];
    if (isIndex) {
      for (int row = 0; row < rows; row++) {
        long choice =
            tensor.getInfo().type == OnnxJavaType.INT64
                ? tensor.getLongBuffer().get(row)
                : tensor.getIntBuffer().get(row);
        if (choice < 0 || choice >= width()) {
          throw new CheckpointException(
              "output " + output, "a choice in [0, %d)".formatted(width()), choice);
        }
        scores[row * width() + (int) choice] = 1;
      }
      return scores;
    }
    FloatBuffer values = tensor.getFloatBuffer();
    if (values.remaining() != scores.length) {
      throw new CheckpointException(
          "output " + output,
          "%d decisions of %d numbers".formatted(rows, width()),
          Arrays.toString(tensor.getInfo().getShape()));
    }
    values.get(scores);
    return scores;
  }

  /// Compares a graph with a problem.
  private static final class Reader {
    private final String where;
    private final Space actions;
    private final int ticks;
    private final int features;
    private final int maxSteps;
    private boolean isSingle;

    Reader(String where, BuildContext context) {
      this.where = where;
      actions = context.actions();
      features = context.features();
      if (!(context.observations() instanceof Space.Dict(var parts))
          || !(parts.get("data_processed") instanceof Space.Box today)
          || !(parts.get("position_history") instanceof Space.Box history)) {
        throw new CheckpointException(
            where, "a problem whose interpreter is a FullHistoryInterpreter", "another one");
      }
      if (width(actions) == 0) {
        throw new CheckpointException(where, "choices or numbers as actions", actions);
      }
      ticks = today.shape().getFirst();
      maxSteps = history.shape().getFirst();
    }

    GraphSignature read(Map<String, NodeInfo> given, Map<String, NodeInfo> made) {
      var inputs = new ArrayList<GraphInput>();
      var states = new ArrayList<String>();
      var begin = new ArrayList<GraphState.Part>();
      given.forEach(
          (name, node) -> {
            TensorInfo info = tensor("input " + name, node);
            if (made.containsKey(NEXT + name)) {
              states.add(name);
              begin.add(zero(name, info, tensor("output next_" + name, made.get(NEXT + name))));
            } else {
              inputs.add(input(name, info));
            }
          });
      String output = output(made, states);
      boolean isIndex = isIndex(output, tensor("output " + output, made.get(output)));
      return new GraphSignature(
          List.copyOf(inputs),
          List.copyOf(states),
          new GraphState(begin),
          output,
          names(output, states),
          isIndex,
          isSingle,
          actions,
          ticks,
          features,
          maxSteps);
    }

    private TensorInfo tensor(String name, NodeInfo node) {
      if (Objects.requireNonNull(node).getInfo() instanceof TensorInfo info) {
        return info;
      }
      throw wrong(name, "a tensor", node.getInfo());
    }

    /// A dimension of a state that is not fixed begins with 1 if it is the batch, else with 0.
    private GraphState.Part zero(String name, TensorInfo info, TensorInfo next) {
      if (info.type != OnnxJavaType.FLOAT || next.type != OnnxJavaType.FLOAT) {
        throw wrong("state " + name, "float32 before and after", info.type + ", " + next.type);
      }
      long[] shape = info.getShape().clone();
      String[] names = info.getDimensionNames();
      long size = 1;
      for (int i = 0; i < shape.length; i++) {
        if (shape[i] < 0) {
          shape[i] = names[i].toLowerCase(Locale.ROOT).startsWith(BATCH) ? 1 : 0;
        }
        size = Math.multiplyExact(size, shape[i]);
      }
      return new GraphState.Part(shape, new float[Math.toIntExact(size)]);
    }

    private GraphInput input(String name, TensorInfo info) {
      Kind kind =
          Arrays.stream(Kind.values())
              .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      wrong(
                          "input " + name,
                          "one of %s, or a state with an output %s%s"
                              .formatted(known(), NEXT, name),
                          "unknown"));
      List<Integer> shape = shape(kind);
      boolean isWhole =
          switch (kind) {
            case ACQUIRING, CUR_TICK, CUR_STEP, NUM_STEP -> true;
            default -> false;
          };
      boolean fits =
          info.type == OnnxJavaType.FLOAT
              || (isWhole
                  && (info.type == OnnxJavaType.INT32 || info.type == OnnxJavaType.INT64));
      if (!fits) {
        throw wrong("input " + name, isWhole ? "float32, int32 or int64" : "float32", info.type);
      }
      long[] dimensions = info.getShape();
      boolean isColumn = shape.isEmpty() && dimensions.length == 2;
      List<Integer> row = isColumn ? List.of(1) : shape;
      boolean matches = dimensions.length == row.size() + 1 && Math.abs(dimensions[0]) == 1;
      for (int i = 0; matches && i < row.size(); i++) {
        matches = dimensions[i + 1] < 0 || dimensions[i + 1] == row.get(i);
      }
      if (!matches) {
        throw wrong("input " + name, "the shape " + text(row), Arrays.toString(dimensions));
      }
      isSingle |= dimensions[0] == 1;
      return new GraphInput(name, kind, info.type, shape, isColumn);
    }

    private List<Integer> shape(Kind kind) {
      return switch (kind) {
        case OBS -> List.of(MlpFactory.PROGRESS + features);
        case DATA_PROCESSED, DATA_PROCESSED_PREV -> List.of(ticks, features);
        case POSITION_HISTORY -> List.of(maxSteps);
        case ACQUIRING, CUR_TICK, CUR_STEP, NUM_STEP, TARGET, POSITION -> List.of();
      };
    }

    private String output(Map<String, NodeInfo> made, List<String> states) {
      List<String> free =
          made.keySet().stream()
              .filter(
                  name ->
                      !name.startsWith(NEXT) || !states.contains(name.substring(NEXT.length())))
              .toList();
      if (free.size() == 1) {
        return free.getFirst();
      }
      return OUTPUTS.stream()
          .filter(free::contains)
          .findFirst()
          .orElseThrow(
              () -> wrong("outputs", "one, or one that is called one of " + OUTPUTS, free));
    }

    private boolean isIndex(String name, TensorInfo info) {
      long[] shape = info.getShape();
      boolean isWhole = info.type == OnnxJavaType.INT64 || info.type == OnnxJavaType.INT32;
      if (isWhole && actions instanceof Space.Discrete) {
        if (shape.length == 0 || shape.length > 2 || (shape.length == 2 && shape[1] != 1)) {
          throw wrong("output " + name, "the shape [batch]", Arrays.toString(shape));
        }
        return true;
      }
      boolean isRow = shape.length == 2 && (shape[1] < 0 || shape[1] == width(actions));
      boolean isNumber = shape.length == 1 && width(actions) == 1;
      if (info.type != OnnxJavaType.FLOAT || !(isRow || isNumber)) {
        throw wrong(
            "output " + name,
            "float32 of the shape [batch, %d]".formatted(width(actions)),
            "%s %s".formatted(info.type, Arrays.toString(shape)));
      }
      return false;
    }

    private static Set<String> names(String output, List<String> states) {
      var names = new LinkedHashSet<>(Set.of(output));
      states.forEach(state -> names.add(NEXT + state));
      return names;
    }

    private static String text(List<Integer> row) {
      var text = new StringBuilder("[batch");
      row.forEach(size -> text.append(", ").append(size));
      return text.append(']').toString();
    }

    private static List<String> known() {
      return Arrays.stream(Kind.values())
          .map(kind -> kind.name().toLowerCase(Locale.ROOT))
          .toList();
    }

    private CheckpointException wrong(String name, String expected, Object was) {
      return new CheckpointException("%s, %s".formatted(where, name), expected, was);
    }
  }
}
