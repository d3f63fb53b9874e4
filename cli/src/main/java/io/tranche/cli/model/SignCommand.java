package io.tranche.cli.model;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.config.ConfigException;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.BundleSignature;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "sign",
    description = {
      "Sign model bundles with an Ed25519 key, as BUNDLE.sig beside each. A service whose engine.signers have the",
      "public key loads only bundles with such a signature (docs/serving.md#security)."
    })
public final class SignCommand implements Callable<Integer> {

  @Parameters(paramLabel = "BUNDLE", description = "Bundles to sign.", arity = "0..*")
  private List<Path> bundles = new ArrayList<>();

  @Option(names = "--key", paramLabel = "FILE", description = "The private key, in PEM.")
  private @Nullable Path key;

  @Option(
      names = "--new-keys",
      paramLabel = "NAME",
      description = "Make a pair of keys first: NAME.pem, which stays secret, and NAME.pub.pem.")
  private @Nullable Path made;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    if ((key == null) == (made == null)) {
      throw new ConfigException("--key", "either --key or --new-keys", key == null ? "none" : "both");
    }
    if (made != null) {
      BundleSignature.newKeys(made);
      key = made.resolveSibling(made.getFileName() + ".pem");
      console.out().printf("%s and %s.pub.pem%n", key, made);
    }
    if (key != null) {
      PrivateKey secret = BundleSignature.privateKey(key);
      for (Path each : bundles) {
        BundleFile.read(each); // nobody signs what is damaged
        console.out().println(BundleSignature.sign(each, secret));
      }
    }
    return ExitCode.OK;
  }
}
