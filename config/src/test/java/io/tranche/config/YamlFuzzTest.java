package io.tranche.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Allocation;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class YamlFuzzTest {

  private static final Origin ORIGIN = new Origin("t", 0);

  /// The shapes that users write, and every construct of YAML at least once.
  private static final List<String> SEEDS =
      List.of(
          """
          simulator: {time_per_step: 30, data_granularity: 5, vol_limit: null}
          env:
            concurrency: 32
            parallel_mode: shmem
          action_interpreter:
            class: CategoricalActionInterpreter
            kwargs: {values: 14, max_step: 8}
            module_path: qlib.rl.order_execution.interpreter
          policy:
            class: PPO
            kwargs:
              lr: 0.0001
            module_path: qlib.rl.order_execution.policy
          data:
            source:
              feature_columns_today:
              - $high
              - $low
              feature_columns_yesterday: ['$high_1', "$low_1"]
          runtime: {seed: 42, use_cuda: false}
          """,
          """
          _base_: [common.yml, costs.yml]
          order_file: ./data/orders.csv # as generated
          start_time: "9:30"
          end_time: 14:54
          exchange:
            limit_threshold: ['$close == 0', '$close == 0']
            volume_threshold: {all: [cum, "0.2 * DayCumsum($volume, '9:30', '14:29')"]}
          strategies:
            1day: {class: SAOEIntStrategy, kwargs: {}}
            30min: {class: TWAPStrategy, kwargs: {}}
          """,
          """
          %YAML 1.2
          ---
          a: &a {x: 0x1F, y: 0o17, z: [1e-3, .inf, .nan, ~]}
          b: {<<: *a, "quoted\\n\\x41\\u00e9\\U0001F600": 'it''s'}
          ? complex
          : |+
            literal

          folded: >-
            one
            two
          list:
          - - 1
            - 2
          - *a
          tag: !!str x
          ...
          """,
          "{\"exchange\": {\"min_cost\": 7}, \"a\": [1, 2, {\"b\": null}], \"t\": true}");

  private static final String SPICE =
      "{}[]:,-?&*!|>'\"%@`#\n\t \\<=~.0xe_\u00e9\u2028\ufeff\u0000\ud83d";

  @Test
  void onlyConfigExceptionComesOutOfADamagedDocument() {
    int count = Cases.count(10_000, 1_000_000);
    int[] read = new int[1];
    Cases.forAll(
        count,
        random -> {
          ConfigNode node = parseOrRefuse(mutated(random));
          if (node != null) {
            read[0]++;
            String written = node.toYaml();
            assertThat(ConfigFiles.parse("t", written).toYaml()).isEqualTo(written);
          }
        });
    assertThat(read[0]).isBetween(count / 20, count - count / 20);
  }

  @Test
  void hostileDocumentsAllocateInProportionToTheirSize() {
    var hostile =
        List.of(
            "[".repeat(1 << 20),
            "- ".repeat(1 << 19),
            "a: &a [1]\n" + "b: *a\n".repeat(100),
            "a: &a " + "x".repeat(500_000) + "\nb: [" + "*a, ".repeat(100_000) + "*a]",
            "x".repeat(1 << 20),
            "? ".repeat(1 << 19));

    for (String yaml : hostile) {
      long allocated = Allocation.bytesOf(() -> parseOrRefuse(yaml));

      assertThat(allocated).isLessThan(64L << 20);
    }
  }

  @Test
  void whatIsWrittenIsReadBackEqual() {
    Cases.forAll(
        Cases.count(2_000, 200_000),
        random -> {
          Tree tree = randomTree(random, 4);

          String written = YamlWriter.write(tree);

          assertThat(withoutLines(YamlReader.read("t", written))).isEqualTo(tree);
        });
  }

  private static @Nullable ConfigNode parseOrRefuse(String yaml) {
    try {
      return ConfigFiles.parse("t", yaml);
    } catch (ConfigException e) {
      assertThat(e.getMessage()).startsWith("t").doesNotContain("\n").hasSizeLessThan(500);
      return null;
    }
  }

  private static String mutated(SplittableRandom random) {
    var text = new StringBuilder(SEEDS.get(random.nextInt(SEEDS.size())));
    int edits = random.nextInt(1, 8);
    for (int i = 0; i < edits; i++) {
      int at = random.nextInt(text.length() + 1);
      int end = Math.min(text.length(), at + random.nextInt(1, 20));
      switch (random.nextInt(5)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, SPICE.charAt(random.nextInt(SPICE.length())));
        case 2 -> text.insert(at, text.substring(at, end));
        case 3 -> text.insert(random.nextInt(text.length() + 1), text.substring(at, end));
        default -> text.insert(at, (char) random.nextInt(0x10000));
      }
    }
    return text.toString();
  }

  private static Tree randomTree(SplittableRandom random, int depth) {
    int size = random.nextInt(4);
    return switch (random.nextInt(depth == 0 ? 5 : 7)) {
      case 0 -> new Tree.Scalar(null, ORIGIN);
      case 1 -> new Tree.Scalar(random.nextBoolean(), ORIGIN);
      case 2 -> new Tree.Scalar(random.nextLong() >> random.nextInt(64), ORIGIN);
      case 3 -> new Tree.Scalar(Double.longBitsToDouble(random.nextLong()), ORIGIN);
      case 4 -> new Tree.Scalar(randomText(random), ORIGIN);
      case 5 -> {
        var items = new ArrayList<Tree>();
        for (int i = 0; i < size; i++) {
          items.add(randomTree(random, depth - 1));
        }
        yield new Tree.Sequence(items, false, ORIGIN);
      }
      default -> {
        var entries = new LinkedHashMap<String, Tree>();
        for (int i = 0; i < size; i++) {
          entries.put(randomText(random) + i, randomTree(random, depth - 1));
        }
        yield new Tree.Mapping(entries, ORIGIN);
      }
    };
  }

  private static String randomText(SplittableRandom random) {
    if (random.nextInt(3) == 0) {
      var awkward =
          List.of(
              "",
              "null",
              "010",
              "1e5",
              "...",
              "---",
              "- a",
              "a: b",
              "a #b",
              "<<",
              " x ",
              "~",
              "~/a",
              "\r\n",
              "\u0085\u2028",
              "14:54",
              "中文",
              "$close == 0",
              "=",
              "!x",
              "0.2 * x",
              "yes");
      return awkward.get(random.nextInt(awkward.size()));
    }
    var text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.appendCodePoint(
          random.nextInt(4) == 0 ? random.nextInt(0x10000, 0x110000) : random.nextInt(0xD800));
    }
    return text.toString();
  }

  private static Tree withoutLines(Tree tree) {
    return switch (tree) {
      case Tree.Scalar(var value, _) -> new Tree.Scalar(value, ORIGIN);
      case Tree.Sequence(var items, boolean tuple, _) ->
          new Tree.Sequence(items.stream().map(YamlFuzzTest::withoutLines).toList(), tuple, ORIGIN);
      case Tree.Mapping(var entries, _) -> {
        var plain = new LinkedHashMap<String, Tree>();
        entries.forEach((key, value) -> plain.put(key, withoutLines(value)));
        yield new Tree.Mapping(plain, ORIGIN);
      }
    };
  }
}
