package io.tranche.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ConfigNodeTest {

  private final ConfigNode node =
      ConfigFiles.parse(
          "run.yml",
          """
          policy:
            class: PPO
            kwargs:
              lr: abc
              clip: 3
              huge: 3000000000
              infinite: .inf
              nothing: null
          columns: [$open, 7, {x: 1}]
          flag: true
          stock: 600000
          """);

  private final ConfigNode kwargs = node.required("policy").required("kwargs");

  @Test
  void readsEachKindOfValue() {
    assertThat(kwargs.required("clip").asInt()).isEqualTo(3);
    assertThat(kwargs.required("clip").asDouble()).isEqualTo(3.0);
    assertThat(kwargs.required("huge").asLong()).isEqualTo(3_000_000_000L);
    assertThat(node.required("flag").asBoolean()).isTrue();
    assertThat(node.required("policy").required("class").asText()).isEqualTo("PPO");
    assertThat(node.required("columns").asList()).hasSize(3);
    assertThat(kwargs.required("nothing").isNull()).isTrue();
    assertThat(node.keys()).containsExactly("policy", "columns", "flag", "stock");
  }

  @Test
  void complaintsNameFileLineAndPath() {
    complains(
        () -> kwargs.required("lr").asDouble(),
        "run.yml:4: policy.kwargs.lr: expected a number, was 'abc'");
    complains(
        () -> kwargs.required("lr").asInt(),
        "run.yml:4: policy.kwargs.lr: expected an integer, was 'abc'");
    complains(
        () -> kwargs.required("huge").asInt(),
        "run.yml:6: policy.kwargs.huge: expected an integer of 32 bits, was 3000000000");
    complains(
        () -> kwargs.required("infinite").asDouble(),
        "run.yml:7: policy.kwargs.infinite: expected a finite number, was Infinity");
    complains(
        () -> kwargs.required("nothing").asText(),
        "run.yml:8: policy.kwargs.nothing: expected a text, was null");
    complains(
        () -> node.required("stock").asText(),
        "run.yml:11: stock: expected a text, in quotes if need be, was 600000");
    complains(
        () -> node.required("flag").required("x"),
        "run.yml:10: flag: expected a mapping, was true");
    complains(
        () -> node.required("columns").asList().get(1).asText(),
        "run.yml:9: columns.1: expected a text, in quotes if need be, was 7");
    complains(
        () -> node.required("columns").asList().get(2).asBoolean(),
        "run.yml:9: columns.2: expected a single value, was a mapping");
    complains(
        () -> node.required("policy").asList(),
        "run.yml:2: policy: expected a list, was a mapping");
    complains(
        () -> node.required("columns").asDouble(),
        "run.yml:9: columns: expected a single value, was a list of 3");
    complains(
        () -> node.required("flag").asDouble(), "run.yml:10: flag: expected a number, was true");
    complains(
        () -> node.required("stock").asBoolean(),
        "run.yml:11: stock: expected true or false, was 600000");
  }

  @Test
  void missingAndNullAreNotTheSame() {
    assertThat(kwargs.written("gamma")).isNull();
    assertThat(kwargs.written("nothing")).isNotNull();
    assertThat(kwargs.optional("nothing")).isNull();
    assertThat(kwargs.has("nothing")).isTrue();
    assertThat(kwargs.has("gamma")).isFalse();
    complains(
        () -> kwargs.required("gamma"),
        "run.yml:4: policy.kwargs.gamma: expected a value, was missing");
    complains(
        () -> kwargs.doubleOr("nothing", 1),
        "run.yml:8: policy.kwargs.nothing: expected a number, was null");
  }

  @Test
  void fallsBackOnlyWhereTheKeyIsMissing() {
    assertThat(kwargs.doubleOr("gamma", 0.5)).isEqualTo(0.5);
    assertThat(kwargs.doubleOr("clip", 0.5)).isEqualTo(3);
    assertThat(kwargs.intOr("clip", 1)).isEqualTo(3);
    assertThat(kwargs.intOr("steps", 1)).isEqualTo(1);
    assertThat(node.booleanOr("flag", false)).isTrue();
    assertThat(node.booleanOr("other", false)).isFalse();
    assertThat(node.required("policy").textOr("class", "DQN")).isEqualTo("PPO");
    assertThat(node.textOr("name", "run")).isEqualTo("run");
  }

  @Test
  void resolvesPaths() {
    var paths = ConfigFiles.parse("t", "a: data/x.csv\nb: /tmp/x\nc: ~/x\nd: \"\\0\"");
    Path base = Path.of("base");

    assertThat(paths.required("a").asPath(base)).isEqualTo(Path.of("base/data/x.csv"));
    assertThat(paths.required("b").asPath(base)).isEqualTo(Path.of("/tmp/x"));
    assertThat(paths.required("c").asPath(base))
        .isEqualTo(Path.of(System.getProperty("user.home"), "x"));
    complains(() -> paths.required("d").asPath(base), "t:4: d: expected a path, was ' '");
  }

  @Test
  void unknownKeysAreRefusedWithTheNearestName() {
    complains(
        () ->
            kwargs.rejectUnknown(
                List.of("clip", "huge", "infinite", "nothing", "learning_rate", "lr2")),
        "run.yml:4: policy.kwargs: expected a key out of [clip, huge, infinite, learning_rate, lr2, nothing] (nearest: lr2), was 'lr'");
    complains(
        () -> node.rejectUnknown(List.of("policy")),
        "run.yml:9: expected a key out of [policy], was 'columns'");
    node.rejectUnknown(List.of("policy", "columns", "flag", "stock", "more"));
  }

  @Test
  void unknownKeysAreReportedInTheDialectOfQlib() {
    var warnings = new ArrayList<String>();

    node.warnUnknown(List.of("policy", "column", "stock"), warnings::add);

    assertThat(warnings)
        .containsExactly(
            "run.yml:9: expected a key out of [column, policy, stock] (nearest: column), was 'columns'",
            "run.yml:10: expected a key out of [column, policy, stock], was 'flag'");
  }

  @Test
  void anUnknownKeyThatWasTypedIsRefused() {
    ConfigNode typed = node.with("polcy.lr=3");

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> typed.warnUnknown(List.of("policy", "columns", "flag", "stock"), _ -> {}))
        .withMessageContaining("--set: expected a key out of")
        .withMessageContaining("(nearest: policy), was 'polcy'");
  }

  @Test
  void aWordOutOfSeveralIsRefusedWithTheNearest() {
    ConfigNode word = node.required("policy").required("class");

    assertThat(word.asChoice(List.of("PPO", "DQN"))).isEqualTo("PPO");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> word.asChoice(List.of("PPOs", "DQN")))
        .withMessage(
            "run.yml:2: policy.class: expected a word out of [DQN, PPOs] (nearest: PPOs), was 'PPO'");
  }

  @Test
  void aMappingIsLaidOverItsDefaults() {
    ConfigNode defaults =
        ConfigFiles.parse("defaults", "{policy: {module: x, class: DQN}, flag: {a: 1}, more: 2}");

    ConfigNode merged = node.over(defaults);

    assertThat(merged.required("policy").keys()).containsExactly("module", "class", "kwargs");
    assertThat(merged.required("policy").required("class").where())
        .isEqualTo("run.yml:2: policy.class");
    assertThat(merged.required("flag").asBoolean()).isTrue();
    assertThat(merged.required("more").asInt()).isEqualTo(2);
  }

  @Test
  void aPartKeepsItsPlaceInAnotherMapping() {
    ConfigNode other = ConfigFiles.parse("made", "{a: 1}").with("b", kwargs).without("a");

    assertThat(other.keys()).containsExactly("b");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> other.required("b").required("lr").asDouble())
        .withMessage("run.yml:4: b.lr: expected a number, was 'abc'");
  }

  @Test
  void assignmentsReplaceCreateAndKeepTheOriginal() {
    ConfigNode changed =
        node.with("policy.kwargs.lr=1e-3")
            .with("columns.1=$close")
            .with("columns.2.x=[1, 2]")
            .with("env.concurrency = 4")
            .with("policy.kwargs.nothing.deep=x=y")
            .with("flag=");

    assertThat(changed.required("policy").required("kwargs").required("lr").asDouble())
        .isEqualTo(1e-3);
    assertThat(changed.toYaml())
        .isEqualTo(
            """
            policy:
              class: PPO
              kwargs:
                lr: 0.001
                clip: 3
                huge: 3000000000
                infinite: .inf
                nothing:
                  deep: x=y
            columns:
              - $open
              - $close
              - x:
                  - 1
                  - 2
            flag: null
            stock: 600000
            env:
              concurrency: 4
            """);
    assertThat(kwargs.required("lr").asText()).isEqualTo("abc");
  }

  @Test
  void badAssignmentsAreAnswered() {
    for (String wrong : List.of("", "a", "=1", "a..b=1", ".a=1", "a.=1", "a.".repeat(40) + "a=1")) {
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> node.with(wrong))
          .withMessageStartingWith("--set: expected a.b.c=value, was '");
    }
    complains(
        () -> node.with("flag.x=1"),
        "--set: flag.x: expected a mapping around it, was true at flag");
    complains(
        () -> node.with("columns.3=1"),
        "--set: columns.3: expected an item's index in [0, 3), was '3'");
    complains(
        () -> node.with("columns.x=1"),
        "--set: columns.x: expected an item's index in [0, 3), was 'x'");
    complains(
        () -> node.with("flag=abc").required("flag").asBoolean(),
        "--set:1: flag: expected true or false, was 'abc'");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> node.with("a=["))
        .withMessageStartingWith("--set:1: expected YAML");
  }

  private static void complains(ThrowingCallable call, String message) {
    assertThatExceptionOfType(ConfigException.class).isThrownBy(call).withMessage(message);
  }
}
