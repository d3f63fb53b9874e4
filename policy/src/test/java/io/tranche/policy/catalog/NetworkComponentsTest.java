package io.tranche.policy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.tensor.Weights;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkComponentsTest {

  private static Weights weights(String text) {
    var weights = new Weights();
    PolicyCatalog.networks(3)
        .make(ComponentSpec.from(ConfigFiles.parse("network", text)))
        .create(weights, "");
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
