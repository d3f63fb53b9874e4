package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The package `tranche` as pip installs it, in an environment that has nothing else.
@Tag("full")
final class PythonInstallTest {

  private static final Path SOURCE = Shared.root().resolve("clients/python");

  @TempDir private Path folder;

  @Test
  void installedFromACloneItFindsTheCloneAndNeedsNothingElse()
      throws IOException, InterruptedException {
    List<String> files = installed(SOURCE);

    assertThat(files)
        .contains("tranche/environments.py", "tranche/clone.txt", "tranche_client.py")
        .noneMatch(file -> file.startsWith("tests/"));
    assertThat(shown()).startsWith(Shared.root().resolve("tranche") + "\n");
    assertThat(Files.readString(Shared.root().resolve("docs/python.md")))
        .contains("pip install \"./clients/python[gymnasium]\"");
  }

  @Test
  void aWheelWithAReleaseInsideNeedsNoClone() throws IOException, InterruptedException {
    Path copy = folder.resolve("a copy/clients/python");
    try (Stream<Path> files = Files.walk(SOURCE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = copy.resolve(SOURCE.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    Files.writeString(folder.resolve("a copy/tranche"), "not this one");
    Path home = Files.createDirectories(copy.resolve("tranche/home"));
    Path launcher = Files.writeString(home.resolve("tranche"), "#!/bin/sh\necho ran \"$@\"\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
    Files.createDirectories(home.resolve("lib"));
    Files.writeString(home.resolve("lib/a.jar"), "jar");

    List<String> files = installed(copy);

    assertThat(files)
        .contains("tranche/home/tranche", "tranche/home/lib/a.jar")
        .doesNotContain("tranche/clone.txt");
    assertThat(shown())
        .contains("site-packages/tranche/home/tranche\n")
        .endsWith("ran components\n");
  }

  /// Makes a wheel, installs it where nothing else is, and returns the wheel's files.
  private List<String> installed(Path source) throws IOException, InterruptedException {
    String printed =
        Python.run(
            Python.withOrSkip("hatchling"),
            """
            import ast, glob, os, subprocess, sys, venv, zipfile

            source, folder = sys.argv[1:]
            subprocess.run([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder,
                            source], check=True)
            (wheel,) = glob.glob(os.path.join(folder, "tranche-*-py3-none-any.whl"))
            with zipfile.ZipFile(wheel) as files:
                for name in files.namelist():
                    print(name)
                    if name.endswith(".py"):
                        for node in ast.walk(ast.parse(files.read(name), name, feature_version=(3, 10))):
                            imported = [each.name for each in node.names] if isinstance(node, ast.Import) else []
                            assert not {"pickle", "marshal", "shelve"} & set(imported), name
            place = os.path.join(folder, "environment")
            venv.create(place, with_pip=True)
            subprocess.run([os.path.join(place, "bin", "python"), "-m", "pip", "install", "-q", "--no-deps", wheel], check=True)
            """,
            source.toString(),
            folder.toString());
    return printed.lines().toList();
  }

  /// Returns what the package finds in its environment, and what a verb prints.
  private String shown() throws IOException, InterruptedException {
    return Python.run(
        folder.resolve("environment/bin/python"),
        """
        import os, tempfile

        os.chdir(tempfile.gettempdir())
        os.environ.pop("TRANCHE", None)
        import tranche
        import tranche_client
        from tranche.client import TrancheClient

        assert TrancheClient is tranche_client.TrancheClient
        print(tranche.find_launcher())
        if "/tranche/home/" in tranche.find_launcher():
            print(tranche.verb("components"), end="")
        """);
  }
}
