package io.tranche.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFilesTest {

  @TempDir Path folder;

  @Test
  void theFileWinsOverItsBasesAndAnEarlierBaseOverALaterOne() throws IOException {
    write("main.yml", "_base_: [one.yml, sub/two.json]\na: {x: 0}\n");
    write("one.yml", "a: {x: 1, y: 1}\n");
    write("sub/two.json", "{\"_base_\": \"three.yaml\", \"a\": {\"x\": 2, \"y\": 2, \"z\": 2}}");
    write("sub/three.yaml", "a: {z: 3}\nb: 3\n");

    assertThat(load("main.yml").toYaml()).isEqualTo("a:\n  z: 2\n  x: 0\n  y: 1\nb: 3\n");
  }

  @Test
  void errorsNameTheFileTheValueCameFrom() throws IOException {
    write("main.yml", "_base_: base.yml\na: 1\n");
    write("base.yml", "# costs\nb: many\n");

    ConfigNode config = load("main.yml");

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> config.required("b").asDouble())
        .withMessage(folder.resolve("base.yml") + ":2: b: expected a number, was 'many'");
  }

  @Test
  void deleteDeletesNothing() throws IOException {
    write("main.yml", "_base_: base.yml\nx: {_delete_: true, a: 1}\ny: {_delete_: true}\n");
    write("base.yml", "x: {b: 2}\n");

    assertThat(load("main.yml").toYaml()).isEqualTo("x:\n  b: 2\n  a: 1\ny:\n  _delete_: true\n");
  }

  @Test
  void aByteOrderMarkIsNotContent() throws IOException {
    write("main.yml", "\ufeffa: 1\n");

    assertThat(load("main.yml").keys()).containsExactly("a");
  }

  @Test
  void cyclesAreNamed() throws IOException {
    write("a.yml", "_base_: b.yml\n");
    write("b.yml", "_base_: ./c.yml\n");
    write("c.yml", "x: 1\n_base_: [a.yml]\n");
    write("self.yml", "_base_: self.yml\n");

    refuses(
        "a.yml",
        "c.yml:2: _base_.0: expected no cycle of bases, was a.yml -> b.yml -> c.yml -> a.yml");
    refuses("self.yml", "self.yml:1: _base_: expected no cycle of bases, was self.yml -> self.yml");
  }

  @Test
  void aBaseMayBeSharedButNotWithoutEnd() throws IOException {
    write("main.yml", "_base_: [left.yml, right.yml]\n");
    write("left.yml", "_base_: top.yml\nl: 1\n");
    write("right.yml", "_base_: top.yml\nr: 1\n");
    write("top.yml", "t: 1\n");
    for (int i = 0; i < 10; i++) {
      write("f%d.yml".formatted(i), "_base_: [f%d.yml, f%d.yml]\n".formatted(i + 1, i + 1));
    }
    write("f10.yml", "x: 1\n");

    assertThat(load("main.yml").keys()).containsExactlyInAnyOrder("l", "r", "t");
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> load("f0.yml"))
        .withMessageContaining("expected at most 64 files in all");
  }

  @Test
  void filesThatCannotBeReadAreAnswered() throws IOException {
    write("main.py", "import os\n");
    write("main.txt", "a: 1\n");
    write("main", "a: 1\n");
    write("list.yml", "- 1\n");
    write("empty.yml", "# nothing\n");
    write("nobase.yml", "a: 1\n_base_: gone.yml\n");
    write("pybase.yml", "_base_: main.py\n");
    write("nullbase.yml", "_base_: null\n");
    write("scalar.yml", "_base_: five.yml\nx: {a: 1}\n");
    write("five.yml", "x: 5\n");
    Files.write(folder.resolve("latin.yml"), "a: é".getBytes(StandardCharsets.ISO_8859_1));
    Files.write(folder.resolve("big.yml"), new byte[YamlReader.MAX_CHARACTERS + 1]);
    Files.createDirectory(folder.resolve("dir.yml"));

    refuses(
        "main.py",
        "main.py: expected YAML or JSON, because Python configs are never executed, was .py");
    refuses("main.txt", "main.txt: expected a .yml, .yaml or .json file, was '.txt'");
    refuses("main", "main: expected a .yml, .yaml or .json file, was ''");
    refuses("list.yml", "list.yml: expected a mapping, was a list of 1");
    refuses("empty.yml", "empty.yml: expected a mapping, was null");
    refuses("nope.yml", "nope.yml: expected a file, was missing");
    refuses("dir.yml", "dir.yml: expected a file, was a folder");
    refuses(
        "nobase.yml",
        "nobase.yml:2: _base_: expected a file, was missing: " + folder.resolve("gone.yml"));
    refuses(
        "pybase.yml",
        "main.py: expected YAML or JSON, because Python configs are never executed, was .py");
    refuses("nullbase.yml", "nullbase.yml:1: _base_: expected a text, was null");
    refuses(
        "scalar.yml",
        "five.yml:1: x: expected a mapping, because "
            + folder.resolve("scalar.yml")
            + ":2 merges one into it, was 5");
    refuses("latin.yml", "latin.yml: expected UTF-8, was Input length = 1");
    refuses("big.yml", "big.yml: expected at most 1048576 bytes, was more");
  }

  @Test
  void readsTheConfigsOfARealRun() throws IOException {
    try (var files = Files.list(Shared.orSkip("qlib-run/exp_configs"))) {
      var configs = files.sorted().toList();

      assertThat(configs).isNotEmpty();
      for (Path file : configs) {
        ConfigNode config = ConfigFiles.load(file);
        assertThat(ConfigFiles.parse("t", config.toYaml()).toYaml()).isEqualTo(config.toYaml());
      }
    }
  }

  private ConfigNode load(String name) {
    return ConfigFiles.load(folder.resolve(name));
  }

  private void refuses(String name, String message) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> load(name))
        .withMessage(folder + "/" + message);
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void plainValuesBecomeAConfiguration() {
    var values = new LinkedHashMap<String, @Nullable Object>();
    values.put("count", 3);
    values.put("names", List.of("a: b", "c"));
    values.put("part", ConfigFiles.parse("x", "{lr: 1.0e-3}"));
    values.put("nothing", null);

    ConfigNode node = ConfigFiles.of("values", values);

    assertThat(node.toYaml())
        .isEqualTo("count: 3\nnames:\n  - \"a: b\"\n  - c\npart:\n  lr: 0.001\nnothing: null\n");
    assertThat(node.required("count").asInt()).isEqualTo(3);
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> ConfigFiles.of("values", List.of(Path.of("x"))))
        .withMessageContaining("value must be plain");
  }
}
