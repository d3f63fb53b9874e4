package io.tranche.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogTest {

  /// What the catalog of this test makes.
  private interface Reward {
    double scale();
  }

  private static final Component<Reward> NATIVE =
      Component.of(
          Reward.class,
          "shortfall",
          "minus the shortfall",
          kwargs -> reward(kwargs.doubleOr("scale", 1)));

  private static final Component<Reward> QLIB =
      new Component<>(
          Reward.class,
          "PAPenaltyReward",
          List.of("qlib.rl.order_execution.reward", "qlib.rl.order_execution"),
          "price advantage less a penalty",
          kwargs -> reward(kwargs.required("penalty").asDouble()));

  private final Catalog<Reward> catalog = Catalog.of(Reward.class, List.of(NATIVE, QLIB));

  @Test
  void makesWhatAConfigurationNames() {
    assertThat(make("class: shortfall").scale()).isEqualTo(1);
    assertThat(make("{class: shortfall, module_path: null, kwargs: null}").scale()).isEqualTo(1);
    assertThat(
            make("{class: PAPenaltyReward, module_path: qlib.rl.order_execution, kwargs: {penalty: 4}}")
                .scale())
        .isEqualTo(4);
    assertThat(make("{class: PAPenaltyReward, kwargs: {penalty: 4}}").scale()).isEqualTo(4);
    assertThat(
            make("{class: qlib.rl.order_execution.reward.PAPenaltyReward, module_path: ignored, kwargs: {penalty: 4}}")
                .scale())
        .isEqualTo(4);
  }

  @Test
  void whatIsNotInTheTableDoesNotExist() {
    refuses(
        "class: PAPenaltyRewards",
        "t:1: reward.class: expected a name out of [PAPenaltyReward, shortfall] (nearest: PAPenaltyReward), was 'PAPenaltyRewards'");
    refuses(
        "class: java.lang.Runtime",
        "t:1: reward.class: expected a name out of [PAPenaltyReward, shortfall], or one of a plug-in that is loaded with --plugins, was 'Runtime'");
    refuses(
        "{class: PAPenaltyReward, module_path: my.rewards}",
        "t:1: reward: expected PAPenaltyReward from a module out of [qlib.rl.order_execution.reward, qlib.rl.order_execution], was 'my.rewards'");
    refuses("class: my.shortfall", "t:1: reward: expected no module for shortfall, was 'my'");
  }

  @Test
  void badSpecsAreAnswered() {
    refuses("{kwargs: {}}", "t:1: reward.class: expected a value, was missing");
    refuses("class: 3", "t:1: reward.class: expected a text, in quotes if need be, was 3");
    refuses(
        "class: a.",
        "t:1: reward.class: expected a name such as PPO or package.module.PPO, was 'a.'");
    refuses(
        "{class: shortfall, kwargs: [1]}",
        "t:1: reward.kwargs: expected a mapping, was a list of 1");
    refuses("class: PAPenaltyReward", "t:1: reward.kwargs.penalty: expected a value, was missing");
    refuses("just text", "t:1: reward: expected a mapping, was 'just text'");
  }

  @Test
  void providersCanOnlyAdd() {
    ComponentProvider adding =
        () ->
            List.of(
                Component.of(Reward.class, "custom", "ours", _ -> reward(7)),
                Component.of(String.class, "shortfall", "of another kind", _ -> ""));
    ComponentProvider clashing =
        () -> List.of(Component.of(Reward.class, "shortfall", "", _ -> reward(0)));

    Catalog<Reward> more = catalog.with(List.of(adding));

    assertThat(more.make(spec("class: custom")).scale()).isEqualTo(7);
    assertThat(more.components())
        .extracting(Component::name)
        .containsExactly("shortfall", "PAPenaltyReward", "custom");
    assertThat(catalog.components()).containsExactly(NATIVE, QLIB);
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> catalog.with(List.of(clashing)))
        .withMessageEndingWith(
            "expected names that are not yet in the catalog of Reward, was shortfall");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> catalog.with(List.of(adding, adding)));
    assertThat(catalog.withInstalled().components()).containsExactly(NATIVE, QLIB);
  }

  @Test
  void ourOwnNamesMustDiffer() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Catalog.of(Reward.class, List.of(NATIVE, NATIVE)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Component.of(Reward.class, "a.b", "", _ -> reward(0)));
  }

  private Reward make(String yaml) {
    return catalog.make(spec(yaml));
  }

  private void refuses(String yaml, String message) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> make(yaml))
        .withMessage(message);
  }

  private static ComponentSpec spec(String yaml) {
    String indented = yaml.startsWith("{") ? yaml : yaml.contains(":") ? "{" + yaml + "}" : yaml;
    return ComponentSpec.from(ConfigFiles.parse("t", "reward: " + indented).required("reward"));
  }

  private static Reward reward(double scale) {
    return () -> scale;
  }
}
