package io.tranche.policy.catalog;

import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Weights;
import io.tranche.tensor.layer.Layer;
import io.tranche.tensor.layer.Layers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Layers as a configuration names them: `relu`, `dense: 64`, `gru: {width: 64, depth: 2}`,
/// `residual: [norm, dense: 64]`, or `{class, kwargs}`.
final class LayerComponents {

  private static final Map<String, String> SUMMARIES = new LinkedHashMap<>();

  static {
    SUMMARIES.put("dense", "a linear map with a bias, to `width` numbers");
    SUMMARIES.put("relu", "negative numbers become 0");
    SUMMARIES.put("tanh", "the tanh of each number");
    SUMMARIES.put("sigmoid", "the logistic function of each number");
    SUMMARIES.put("norm", "mean 0 and variance 1, then a learned scale and shift");
    SUMMARIES.put("dropout", "in training, the share `rate` of the numbers becomes 0");
    SUMMARIES.put("rnn", "`depth` plain recurrent layers of `width` numbers");
    SUMMARIES.put("gru", "`depth` GRU layers of `width` numbers");
    SUMMARIES.put("lstm", "`depth` LSTM layers of `width` numbers");
    SUMMARIES.put("attention", "each tick attends to itself and earlier ones, with `heads`");
    SUMMARIES.put("positions", "a learned row for each of at most `ticks` ticks");
    SUMMARIES.put("residual", "the output of `layers` plus their input");
    SUMMARIES.put("concat", "the outputs of `parts` side by side");
  }

  /// A layer and where it was written.
  ///
  /// @param parts the layers inside it, in sequences
  private record Written(ConfigNode at, Layer.Factory layer, List<List<Written>> parts) {}

  private LayerComponents() {}

  static Catalog<Layer.Factory> catalog() {
    return Catalog.of(
        Layer.Factory.class,
        SUMMARIES.entrySet().stream()
            .map(
                each ->
                    Component.of(
                        Layer.Factory.class,
                        each.getKey(),
                        each.getValue(),
                        node -> builtIn(each.getKey(), node, node).layer))
            .toList());
  }

  /// Returns what [#read] reads as these layers, or null if one of them is not built in. A sequence
  /// among others is written as its layers.
  static @Nullable List<Object> describe(List<Layer.Factory> layers) {
    var written = new ArrayList<Object>();
    for (Layer.Factory each : layers) {
      if (each instanceof Layers.Sequence(var inner)) {
        List<Object> parts = describe(inner);
        if (parts == null) {
          return null;
        }
        written.addAll(parts);
        continue;
      }
      Object one = each instanceof Layers.Kind kind ? describe(kind) : null;
      if (one == null) {
        return null;
      }
      written.add(one);
    }
    return written;
  }

  private static @Nullable Object describe(Layers.Kind layer) {
    return switch (layer) {
      case Layers.Dense(int width) -> Map.of("dense", width);
      case Layers.Activation function -> function.name().toLowerCase(Locale.ROOT);
      case Layers.Norm() -> "norm";
      case Layers.Dropout(double rate) -> Map.of("dropout", rate);
      case Layers.Recurrence(var type, int width, int depth) ->
          Map.of(
              type.name().toLowerCase(Locale.ROOT),
              new TreeMap<>(Map.of("width", width, "depth", depth)));
      case Layers.CausalAttention(int heads) -> Map.of("attention", heads);
      case Layers.Places(int steps) -> steps < 2 ? null : Map.of("positions", steps - 1);
      case Layers.Residual(var inner) -> {
        List<Object> layers = describe(List.of(inner));
        yield layers == null ? null : Map.of("residual", layers);
      }
      case Layers.Concat(var parts) -> {
        var written = new ArrayList<Object>();
        for (Layer.Factory part : parts) {
          List<Object> layers = describe(List.of(part));
          if (layers == null) {
            yield null;
          }
          written.add(layers);
        }
        yield Map.of("concat", written);
      }
      case Layers.Sequence(var layers) -> describe(layers);
    };
  }

  /// Reads a list of layers.
  ///
  /// @param inputs width of the input of the first
  /// @throws ConfigException naming the place of a layer that is unknown or does not fit
  static List<Layer.Factory> read(ConfigNode list, int inputs) {
    List<Written> written = sequence(list);
    outputs(written, inputs);
    return layers(written);
  }

  private static List<Layer.Factory> layers(List<Written> written) {
    return written.stream().map(Written::layer).toList();
  }

  private static List<Written> sequence(ConfigNode list) {
    List<Written> written = list.asList().stream().map(LayerComponents::one).toList();
    if (written.isEmpty()) {
      throw list.wrong("at least one layer");
    }
    return written;
  }

  private static Written one(ConfigNode node) {
    if (!node.isMapping()) {
      return builtIn(node.asChoice(SUMMARIES.keySet()), node, node);
    }
    if (node.has("class")) {
      node.rejectUnknown(ComponentSpec.KEYS);
      var spec = ComponentSpec.from(node);
      return SUMMARIES.containsKey(spec.name())
          ? builtIn(spec.name(), node, spec.kwargs())
          : new Written(node, catalog().withInstalled().make(spec), List.of());
    }
    if (node.keys().size() != 1) {
      throw node.wrong("one layer, such as `dense: 64`");
    }
    node.rejectUnknown(SUMMARIES.keySet());
    String name = node.keys().iterator().next();
    return builtIn(name, node, node.required(name));
  }

  /// @param value the settings: a mapping, or the value of the only one that has no default, or the
  ///   layer's name
  private static Written builtIn(String name, ConfigNode at, ConfigNode value) {
    return switch (name) {
      case "dense" -> leaf(at, Layers.dense(setting(name, value, "width").asCount()));
      case "relu" -> withoutSettings(at, value, Layers.relu());
      case "tanh" -> withoutSettings(at, value, Layers.tanh());
      case "sigmoid" -> withoutSettings(at, value, Layers.sigmoid());
      case "norm" -> withoutSettings(at, value, Layers.norm());
      case "dropout" -> leaf(at, Layers.dropout(rate(setting(name, value, "rate"))));
      case "attention" -> leaf(at, Layers.attention(setting(name, value, "heads").asCount()));
      // The row of zeros before the first tick has a place as well.
      case "positions" ->
          leaf(at, Layers.positions(Math.addExact(setting(name, value, "ticks").asCount(), 1)));
      case "residual" -> {
        List<Written> layers = sequence(setting(name, value, "layers"));
        var sequence = new Layers.Sequence(layers(layers));
        yield new Written(at, new Layers.Residual(sequence), List.of(layers));
      }
      case "concat" -> concat(at, setting(name, value, "parts"));
      default -> leaf(at, recurrence(name, value));
    };
  }

  private static Written leaf(ConfigNode at, Layer.Factory layer) {
    return new Written(at, layer, List.of());
  }

  private static Written withoutSettings(ConfigNode at, ConfigNode value, Layer.Factory layer) {
    if (value.isMapping()) {
      value.rejectUnknown(List.of());
    } else if (value.path().equals(at.path()) ? value.isNull() : !value.isNull()) {
      throw value.wrong("nothing, because the layer has no settings");
    }
    return leaf(at, layer);
  }

  /// Returns the one setting of a layer.
  private static ConfigNode setting(String layer, ConfigNode value, String key) {
    if (value.isMapping()) {
      value.rejectUnknown(List.of(key));
      return value.required(key);
    }
    return required(layer, value, key);
  }

  private static ConfigNode required(String layer, ConfigNode value, String key) {
    if (!value.isList() && layer.equals(value.scalar())) {
      throw value.wrong("`%s:` with its %s".formatted(layer, key));
    }
    return value;
  }

  private static Layers.Recurrence recurrence(String name, ConfigNode value) {
    RnnType type =
        switch (name) {
          case "gru" -> RnnType.GRU;
          case "lstm" -> RnnType.LSTM;
          default -> RnnType.RNN;
        };
    if (value.isMapping()) {
      value.rejectUnknown(List.of("width", "depth"));
      return new Layers.Recurrence(
          type, value.required("width").asCount(), value.countOr("depth", 1));
    }
    return new Layers.Recurrence(type, required(name, value, "width").asCount(), 1);
  }

  private static double rate(ConfigNode given) {
    double rate = given.asDouble();
    if (!(rate >= 0 && rate < 1)) {
      throw given.wrong("a number of at least 0 and below 1");
    }
    return rate;
  }

  /// Each part is a layer or a list of layers.
  private static Written concat(ConfigNode at, ConfigNode list) {
    var parts = new ArrayList<List<Written>>();
    for (ConfigNode each : list.asList()) {
      parts.add(each.isList() ? sequence(each) : List.of(one(each)));
    }
    if (parts.isEmpty()) {
      throw list.wrong("at least one part");
    }
    List<Layer.Factory> layers =
        parts.stream().<Layer.Factory>map(part -> new Layers.Sequence(layers(part))).toList();
    return new Written(at, new Layers.Concat(layers), parts);
  }

  /// Returns the width of the last output.
  private static int outputs(List<Written> layers, int inputs) {
    int width = inputs;
    for (Written each : layers) {
      width = outputs(each, width);
    }
    return width;
  }

  private static int outputs(Written written, int inputs) {
    return switch (written.layer) {
      case Layers.Dense(int width) -> width;
      case Layers.Recurrence(_, int width, _) -> width;
      case Layers.CausalAttention(int heads) -> {
        if (inputs % heads != 0) {
          throw wrong(written, "heads that divide the width of the input, " + inputs, heads);
        }
        yield inputs;
      }
      case Layers.Residual _ -> {
        int width = outputs(written.parts.getFirst(), inputs);
        if (width != inputs) {
          throw wrong(written, "layers that keep the width of their input, " + inputs, width);
        }
        yield inputs;
      }
      case Layers.Concat _ -> {
        int width = 0;
        for (List<Written> part : written.parts) {
          width = Math.addExact(width, outputs(part, inputs));
        }
        yield width;
      }
      case Layers.Kind _ -> inputs;
      default -> {
        try {
          yield written.layer.create(new Weights(), "layer", inputs).outputs();
        } catch (IllegalArgumentException e) {
          String reason = String.valueOf(e.getMessage());
          throw wrong(written, "a layer for inputs of width " + inputs, reason);
        }
      }
    };
  }

  private static ConfigException wrong(Written written, String expected, Object was) {
    return new ConfigException(written.at.where(), expected, was);
  }
}
