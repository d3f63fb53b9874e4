package io.tranche.cli.dashboard;

import io.tranche.market.DataException;
import io.tranche.run.RunFolder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Continues a run in a process of its own, which outlives the dashboard.
final class ResumedRun {

  private ResumedRun() {}

  static void start(Path folder) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // The flags that this process was started with, such as those of the vector instructions.
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(each -> each.startsWith("--"))
            .toList());
    command.add("io.tranche.cli.Main");
    command.addAll(
        List.of(
            "train",
            new RunFolder(folder).config().toString(),
            "--out",
            folder.toString(),
            "--resume"));
    Path log = folder.resolve("resume.log");
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    // Not as an argument: ONNX Runtime crashes in a process whose command line is long.
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    try {
      builder.start().getOutputStream().close();
    } catch (IOException e) {
      throw DataException.unwritable(log, e);
    }
  }
}
