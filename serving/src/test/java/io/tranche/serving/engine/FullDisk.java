package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A process that fills the small file system of its journal.
final class FullDisk {

  private static final int BALLAST = 64 << 10;

  private FullDisk() {}

  /// @param args the folder of models and journal
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    Path ballast = folder.resolve("journal/ballast");
    Files.write(ballast, new byte[BALLAST]);
    var acknowledged = new ArrayList<String>();
    try (var service = TestService.open(folder)) {
      while (service.ask(order(acknowledged.size())) instanceof Answer.OrderState state) {
        acknowledged.add(state.id());
      }
      assertThat(acknowledged).hasSizeGreaterThan(100);
      assertThat(Objects.requireNonNull(service.engine.failure())).contains("No space left");
      for (int i = 0; i < 10; i++) {
        assertThat(service.refused(order(acknowledged.size() + i)).reason())
            .isEqualTo(Answer.Reason.UNAVAILABLE);
      }
      assertThat(service.notices)
          .filteredOn(each -> each.kind() == Observer.Kind.JOURNAL)
          .anyMatch(each -> each.message().contains("No space left"));
      service.done(new Request.Switch(Request.Scope.INSTRUMENT, "A", true));
      requireAll(service, acknowledged);
      requireAllAfterACrash(folder, acknowledged);

      Files.delete(ballast);
      Waiting.until(() -> service.engine.failure() == null);
      for (int i = 0; i < 10; i++) {
        acknowledged.add(service.state(order(acknowledged.size())).id());
      }
      Waiting.until(
          () -> service.notices.stream().anyMatch(each -> each.message().endsWith("written again")));
    }
    try (var service = TestService.open(folder)) {
      requireAll(service, acknowledged);
    }
    System.out.println("done");
  }

  private static Request.OpenOrder order(int number) {
    return TestService.order("o" + number, "A", 800);
  }

  private static void requireAll(TestService service, List<String> ids) {
    assertThat(ids).allMatch(id -> service.look(id).remaining() == 800);
  }

  /// Checks what a crash at this moment would leave.
  private static void requireAllAfterACrash(Path folder, List<String> acknowledged)
      throws IOException {
    Path copy = folder.resolve("copy");
    for (String name : List.of("journal", "models")) {
      Files.createDirectories(copy.resolve(name));
      try (var files = Files.newDirectoryStream(folder.resolve(name), "{*.journal,*.tranche,switches}")) {
        for (Path file : files) {
          Files.copy(file, copy.resolve(name).resolve(file.getFileName()));
        }
      }
    }
    try (var service = TestService.open(copy)) {
      requireAll(service, acknowledged);
      assertThat(service.engine.openOrders()).isEqualTo(acknowledged.size());
      assertThat(service.engine.switchedOff()).as("switched off on the full disk").hasSize(1);
    }
  }
}
