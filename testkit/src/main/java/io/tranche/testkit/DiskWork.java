package io.tranche.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/// What was asked of the disk within a folder, as Flight Recorder sees it: the files and folders
/// that were forced, and the files that were written to, once for each call.
public record DiskWork(List<Path> forced, List<Path> written) {

  /// What is measured.
  @FunctionalInterface
  public interface Action {
    void run() throws IOException;
  }

  /// Measures `action`, on whatever threads it works.
  public static DiskWork of(Path folder, Action action) throws IOException {
    Path file = Files.createTempFile("disk-work", ".jfr");
    try (var recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO).withoutStackTrace();
      recording.enable("jdk.FileWrite").withThreshold(Duration.ZERO).withoutStackTrace();
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
      var forced = new ArrayList<Path>();
      var written = new ArrayList<Path>();
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        String path = event.getString("path");
        if (path != null && Path.of(path).startsWith(folder)) {
          boolean isForce = event.getEventType().getName().equals("jdk.FileForce");
          (isForce ? forced : written).add(Path.of(path));
        }
      }
      return new DiskWork(List.copyOf(forced), List.copyOf(written));
    } finally {
      Files.delete(file);
    }
  }
}
