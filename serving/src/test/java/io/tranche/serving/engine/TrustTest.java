package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.runtime.BundleSignature;
import io.tranche.serving.Answer;
import io.tranche.serving.Caller;
import io.tranche.serving.Limit;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.ServiceConfig.Trust;
import io.tranche.serving.TestModels;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.JournalHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whom a service believes: two people, and who signed a bundle.
class TrustTest {

  @TempDir Path folder;

  private static final Request.SetLimits LIMITS =
      new Request.SetLimits(Request.Scope.ALL, null, RiskLimits.of(Limit.SLICE, 50));

  private static Answer ask(TestService service, String caller, Request request) {
    return Caller.call(caller, () -> service.ask(request));
  }

  @Test
  void limitsAndModelsWaitForASecondPerson() throws Exception {
    var trust = new Trust(true, List.of());
    try (var service =
        TestService.open(folder, config -> config.withTrust(trust), EngineParts.REAL)) {
      for (Request each :
          List.of(LIMITS, new Request.Load("demo@2"), new Request.Unload("demo@2"))) {
        for (String again : List.of("anna@10.0.0.1", "anna@10.0.0.2")) {
          assertThat(ask(service, again, each))
              .isInstanceOfSatisfying(
                  Answer.Refused.class,
                  refused -> assertThat(refused.reason()).isEqualTo(Answer.Reason.UNCONFIRMED));
        }
      }
      assertThat(((Answer.LimitsInForce) service.ask(new Request.ListLimits())).limits())
          .doesNotContain(LIMITS);
      assertThat(ask(service, "bob@10.0.0.1", LIMITS)).isInstanceOf(Answer.Done.class);
      assertThat(((Answer.LimitsInForce) service.ask(new Request.ListLimits())).limits())
          .contains(LIMITS);
      assertThat(ask(service, "bob@10.0.0.1", LIMITS))
          .as("confirmed once, not for ever")
          .isInstanceOf(Answer.Refused.class);
      assertThat(ask(service, "bob@10.0.0.1", new Request.Switch(Request.Scope.ALL, null, true)))
          .as("switches never wait")
          .isInstanceOf(Answer.Done.class);
    }
    var callers = new ArrayList<String>();
    JournalHistory.read(
        TestService.config(folder).journal(),
        entries ->
            entries.stream()
                .filter(each -> each.event() instanceof Event.LimitsSet)
                .forEach(each -> callers.add(each.caller())));
    assertThat(callers).containsExactly("anna+bob@10.0.0.1");
  }

  @Test
  void onlySignedBundlesAreLoaded() throws Exception {
    Path ours = folder.resolve("ours");
    Path theirs = folder.resolve("theirs");
    BundleSignature.newKeys(ours);
    BundleSignature.newKeys(theirs);
    var trust =
        new Trust(false, List.of(BundleSignature.publicKey(folder.resolve("ours.pub.pem"))));
    Path models = TestService.config(folder.resolve("service")).models();
    Files.createDirectories(models);
    for (int i = 1; i <= 4; i++) {
      TestModels.write(models, "demo@" + i, i);
    }
    var key = BundleSignature.privateKey(folder.resolve("ours.pem"));
    BundleSignature.sign(models.resolve("demo@1.tranche"), key);
    BundleSignature.sign(
        models.resolve("demo@2.tranche"), BundleSignature.privateKey(folder.resolve("theirs.pem")));
    BundleSignature.sign(models.resolve("demo@3.tranche"), key);
    TestModels.write(models, "demo@3", 9); // changed after it was signed
    try (var service =
        TestService.open(
            folder.resolve("service"), config -> config.withTrust(trust), EngineParts.REAL)) {
      assertThat(service.ask(new Request.Load("demo@1"))).isInstanceOf(Answer.Done.class);
      for (int i = 2; i <= 4; i++) {
        assertThat(service.refused(new Request.Load("demo@" + i)).message())
            .contains(i == 4 ? "expected a signature in demo@4.tranche.sig, was none" : "nobody")
            .doesNotContain(models.toString());
      }
    }
    assertThat(Files.getPosixFilePermissions(folder.resolve("ours.pem"))).hasSize(2);
  }
}
