package io.tranche.policy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.env.space.Space;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.policy.network.BuildContext;
import io.tranche.tensor.Weights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkComponentsTest {

  private static final BuildContext CONTEXT =
      BuildContext.of(FullHistoryInterpreter.space(8, 240, 3), new Space.Discrete(5), 3);

  private static Weights weights(String text) {
    var weights = new Weights();
    PolicyCatalog.network(ConfigFiles.parse("network", text), CONTEXT).create(weights, "");
    return weights;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {class: DualAttention} | raw_attention.q_net.weight [64, 64]
          {class: DualAttention, kwargs: {cell: lstm, hidden: 8}} | prev_rnn.weight_hh_l0 [32, 8]
          {class: DualAttention, kwargs: {depth: 2}} | pri_rnn.bias_ih_l1 [192]
          {class: CausalTransformer} | raw_positions.weight [241, 64]
          {class: CausalTransformer, kwargs: {ticks: 48}} | raw_positions.weight [49, 64]
          {class: CausalTransformer, kwargs: {inner: 9}} | raw_blocks.1.forward.0.weight [9, 64]
          {class: CausalTransformer, kwargs: {depth: 3}} | raw_blocks.2.forward_norm.bias [64]
          {class: CausalTransformer, kwargs: {output: 5}} | fc.2.weight [5, 64]
          {class: Layers, kwargs: {layers: [dense: 8, relu, gru: 4]}} | day.2.weight_ih_l0 [12, 8]
          {class: Layers, kwargs: {layers: [lstm: {width: 4, depth: 2}]}} | day.0.bias_ih_l1 [16]
          {class: Layers, kwargs: {layers: [residual: [norm, dense: 3]]}} | day.0.1.weight [3, 3]
          {class: Layers, kwargs: {layers: [concat: [[dense: 2, tanh], rnn: 4], dense: 5]}} | day.1.weight [5, 6]
          {class: Layers, kwargs: {layers: [positions: 9, dropout: 0.1]}} | day.0.weight [10, 3]
          {class: Layers, kwargs: {layers: [{class: dense, kwargs: {width: 2}}, sigmoid]}} | day.0.weight [2, 3]
          {class: Layers, kwargs: {layers: [relu], hidden: 7, output: 2}} | fc.0.weight [7, 17]
          """)
  void settingsShapeTheNetwork(String text, String parameter) {
    assertThat(weights(text).parameters()).extracting(Object::toString).contains(parameter);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {class: DualAttention, kwargs: {cell: cnn}} | kwargs.cell: expected rnn, lstm or gru
          {class: DualAttention, kwargs: {heads: 2}} | heads
          {class: DualAttention, kwargs: {hidden: 0}} | kwargs.hidden
          {class: CausalTransformer, kwargs: {ticks: -1}} | kwargs.ticks
          {class: Layers} | kwargs.layers: expected a value, was missing
          {class: Layers, kwargs: {layers: []}} | kwargs.layers: expected at least one layer
          {class: Layers, kwargs: {layers: [relu, relo]}} | kwargs.layers.1: expected a word
          {class: Layers, kwargs: {layers: [dens: 4]}} | kwargs.layers.0: expected a key
          {class: Layers, kwargs: {layers: [dense]}} | layers.0: expected `dense:` with its width, was 'dense'
          {class: Layers, kwargs: {layers: [dense: 0]}} | layers.0.dense: expected an integer of at least 1
          {class: Layers, kwargs: {layers: [relu: 3]}} | layers.0.relu: expected nothing
          {class: Layers, kwargs: {layers: [dropout: 1]}} | layers.0.dropout: expected a number of at least 0
          {class: Layers, kwargs: {layers: [{gru: 4, dense: 3}]}} | layers.0: expected one layer
          {class: Layers, kwargs: {layers: [gru: {size: 4}]}} | layers.0.gru: expected a key
          {class: Layers, kwargs: {layers: [dense: 4, residual: [dense: 5]]}} | layers.1: expected layers that keep the width of their input, 4, was 5
          {class: Layers, kwargs: {layers: [concat: [dense: 2, [attention: 2]]]}} | concat.1.0: expected heads that divide the width of the input, 3, was 2
          {class: Layers, kwargs: {layers: [class: Mine]}} | layers.0.class: expected a name
          {class: CausalTransformer, kwargs: {hidden: 30}} | heads that divide hidden, which is 30
          """)
  void badSettingsAreNamed(String text, String message) {
    assertThatThrownBy(() -> weights(text))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void headsThatDoNotDivideTheWidthAreNamedWithTheirNumber() {
    assertThatThrownBy(() -> weights("{class: CausalTransformer, kwargs: {hidden: 8, heads: 3}}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected heads that divide hidden, which is 8, was 3");
  }
}
