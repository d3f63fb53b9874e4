package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Python;
import io.tranche.testkit.Shared;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The first command of docs/python.md installs the package, and it can be imported.
class PythonInstallTest {

  @Test
  @Tag("full")
  void theCommandOfThePageInstallsThePackage(@TempDir Path folder) throws Exception {
    Path python = Python.withOrSkip("gymnasium", "numpy", "hatchling");
    Matcher command =
        Pattern.compile("```sh\npip install \"(.*)\"\n```")
            .matcher(Files.readString(Shared.root().resolve("docs/python.md")));
    assertThat(command.find()).isTrue();

    // Into a folder of its own, with what is installed already: nothing is downloaded.
    String said =
        Python.run(
            python,
            """
            import importlib.metadata, subprocess, sys
            what, root, folder = sys.argv[1:]
            subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", folder, what],
                           cwd=root, check=True)
            sys.path.insert(0, folder)
            import tranche
            print(tranche.make_vec.__name__, tranche.__file__.startswith(folder), importlib.metadata.version("tranche"))
            """,
            command.group(1),
            Shared.root().toString(),
            folder.resolve("installed").toString());

    assertThat(said).startsWith("make_vec True 0.1.0");
  }
}
