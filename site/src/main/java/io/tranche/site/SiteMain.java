package io.tranche.site;

import io.tranche.site.reference.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `./tranche docs`.
@Command(
    name = "tranche docs",
    mixinStandardHelpOptions = true,
    description = {
      "Make the documentation as a site: target/site/index.html.",
      "Dead links, pictures without a text, pages that do not say whom they are for, terms that the glossary lacks and"
          + " translations out of step are errors, with file and line."
    },
    footer =
        "Exit codes: 0 done, 1 pages with errors, 2 wrong usage, 3 a file that cannot be written.")
public final class SiteMain implements Callable<Integer> {

  @Option(
      names = "--root",
      hidden = true,
      description = "The project (default: the current folder).")
  private Path root = Path.of("");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder of the site (default: target/site).")
  private @Nullable Path out;

  @Option(
      names = "--javadoc",
      paramLabel = "DIR",
      hidden = true,
      description = "Javadoc to include.")
  private @Nullable Path javadoc;

  @Option(
      names = "--reference",
      description = "Write the generated pages and pictures in docs again, and no site.")
  private boolean isReference;

  @Spec private CommandSpec spec = CommandSpec.create();

  private SiteMain() {}

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new SiteMain()).execute(arguments));
  }

  @Override
  public Integer call() {
    var console = spec.commandLine().getOut();
    var errors = spec.commandLine().getErr();
    try {
      if (isReference) {
        Map<String, String> pages = Reference.generate(root);
        for (var entry : pages.entrySet()) {
          Path file = root.resolve(entry.getKey());
          Files.createDirectories(file.getParent());
          Files.writeString(file, entry.getValue());
        }
        console.printf("docs: %d generated files%n", pages.size());
        return 0;
      }
      Site site = Site.read(root);
      List<PageFault> problems = site.check();
      problems.forEach(errors::println);
      if (!problems.isEmpty()) {
        return 1;
      }
      Path folder = out == null ? root.resolve("target/site") : out;
      int files = site.write(folder, javadoc);
      console.printf("%s: %d files%n", folder.resolve("index.html"), files);
      return 0;
    } catch (IOException e) {
      errors.println(e.getMessage());
      return 3;
    }
  }
}
