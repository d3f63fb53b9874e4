package io.tranche.work.rollout;

import io.tranche.work.Job;
import io.tranche.work.JobBackend;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import java.util.ArrayList;
import java.util.List;

/// A workplace that remembers everything that was said there.
final class Overheard implements JobBackend {

  /// A piece that was done.
  record Said(JobKind kind, Bytes setup, Bytes shared, Bytes piece, Bytes answer) {}

  /// Bytes that a record may hold.
  static final class Bytes {
    private final byte[] bytes;

    Bytes(byte[] bytes) {
      this.bytes = bytes;
    }

    byte[] get() {
      return bytes;
    }

    int length() {
      return bytes.length;
    }
  }

  private final List<Said> said = new ArrayList<>();

  /// Returns what was said about a kind of job.
  List<Said> about(String kind) {
    return said.stream().filter(each -> each.kind().name().equals(kind)).toList();
  }

  @Override
  public String name() {
    return "overheard";
  }

  @Override
  public int width() {
    return 1;
  }

  @Override
  public JobSession open(JobKind kind, byte[] setup) {
    Job job = kind.open(setup);
    return new JobSession() {
      @Override
      public void run(byte[] shared, List<byte[]> pieces, Answers answers) {
        for (int i = 0; i < pieces.size(); i++) {
          byte[] answer = job.work(shared, pieces.get(i));
          said.add(
              new Said(
                  kind,
                  new Bytes(setup),
                  new Bytes(shared),
                  new Bytes(pieces.get(i)),
                  new Bytes(answer)));
          answers.take(i, answer);
        }
      }

      @Override
      public void close() {
        job.close();
      }
    };
  }

  @Override
  public void close() {}
}
