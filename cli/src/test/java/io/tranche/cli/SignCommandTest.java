package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.runtime.BundleSignature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignCommandTest {

  @TempDir Path folder;

  @Test
  void keysAreMadeOnceAndTheSecretOneIsNobodyElses() throws IOException {
    Path name = folder.resolve("our desk");
    Run made = Run.of("sign", "--new-keys", name.toString());

    assertThat(made.status()).as(made.err()).isEqualTo(ExitCode.OK);
    Path secret = folder.resolve("our desk.pem");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(secret)))
        .isEqualTo("rw-------");
    Path bundle = Files.writeString(folder.resolve("some.tranche"), "bytes");
    BundleSignature.sign(bundle, BundleSignature.privateKey(secret));
    BundleSignature.require(
        bundle,
        Files.readAllBytes(bundle),
        List.of(BundleSignature.publicKey(folder.resolve("our desk.pub.pem"))));
    assertThat(Run.of("sign", "--new-keys", name.toString()).status()).isEqualTo(ExitCode.DATA);
  }

  @Test
  void whatIsNoBundleOrNoKeyIsNotSigned() throws IOException {
    Path bundle = Files.writeString(folder.resolve("some.tranche"), "bytes");
    Path key = Files.writeString(folder.resolve("key.pem"), "no key");

    assertThat(Run.of("sign", bundle.toString()).status()).isEqualTo(ExitCode.CONFIG);
    assertThat(Run.of("sign", bundle.toString(), "--key", key.toString()).err())
        .contains("expected a PRIVATE KEY in PEM");
    Run damaged = Run.of("sign", bundle.toString(), "--new-keys", folder.resolve("k").toString());
    assertThat(damaged.status()).isEqualTo(ExitCode.CHECKPOINT);
    assertThat(folder.resolve("some.tranche.sig")).doesNotExist();
  }
}
