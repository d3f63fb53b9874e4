package io.tranche.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigPathsTest {

  @Test
  void whatIsAFileHereIsNamedFromTheRoot() {
    // Tests run in the folder of their module.
    ConfigNode config =
        ConfigFiles.parse(
            "test", "{file: pom.xml, list: [src/main, 3], other: nothing/here, class: pom.xml}");

    ConfigNode absolute = ConfigPaths.absolute(config);

    assertThat(absolute.required("file").asText())
        .isEqualTo(Path.of("pom.xml").toAbsolutePath().toString());
    assertThat(absolute.required("list").asList().getFirst().asText()).startsWith("/");
    assertThat(absolute.required("list").asList().getLast().asInt()).isEqualTo(3);
    assertThat(absolute.required("other").asText()).isEqualTo("nothing/here");
    assertThat(absolute.required("class").asText()).isEqualTo("pom.xml");
  }

  @Test
  void addressesNeedSomethingThatReadsThem() {
    ConfigNode plain = ConfigFiles.parse("test", "{path: /data, page: 'https://example.org'}");
    ConfigNode remote = ConfigFiles.parse("test", "{path: 'hdfs://host/data'}");

    assertThat(ConfigPaths.staged(plain).toYaml()).isEqualTo(plain.toYaml());
    assertThatThrownBy(() -> ConfigPaths.staged(remote))
        .isInstanceOf(ConfigException.class)
        .hasMessage("--on: expected a cluster, whose jars read such files, was hdfs://host/data");
  }
}
