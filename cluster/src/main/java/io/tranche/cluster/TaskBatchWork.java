package io.tranche.cluster;

import io.tranche.work.Job;
import io.tranche.work.PieceResult;
import io.tranche.work.WorkException;
import java.io.Serializable;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/// The work of one task: the pieces of a [TaskBatch], up to the first failure.
///
/// Spark sends this object to executors; it holds nothing but names and what to look up there.
final class TaskBatchWork extends AbstractFunction1<Iterator<byte[]>, byte[]>
    implements Serializable {

  private static final long serialVersionUID = 1L;

  private final ExecutorJobs.JobKey key;
  private final Broadcast<byte[]> setup;
  private final Broadcast<byte[]> shared;

  TaskBatchWork(ExecutorJobs.JobKey key, Broadcast<byte[]> setup, Broadcast<byte[]> shared) {
    this.key = key;
    this.setup = setup;
    this.shared = shared;
  }

  @Override
  public byte[] apply(Iterator<byte[]> batches) {
    TaskBatch pieces = TaskBatch.read(batches.next());
    var answers = new TaskBatch();
    for (int i = 0; i < pieces.size(); i++) {
      if (TaskContext.get().isInterrupted()) {
        throw new WorkException("the round is over"); // Spark knows: it cancelled the task
      }
      PieceResult answer = answer(pieces.content(i));
      answers.add(pieces.number(i), answer.bytes());
      if (answer.isFailure()) {
        break;
      }
    }
    return answers.bytes();
  }

  private PieceResult answer(byte[] piece) {
    PieceResult answer;
    try {
      Job job = ExecutorJobs.open(key, setup.value());
      answer = PieceResult.of(job, shared.value(), piece);
    } catch (RuntimeException e) {
      answer = PieceResult.of(e);
    }
    SparkEnv env = SparkEnv.get();
    return answer.madeAt(
        "executor %s on %s"
            .formatted(env.executorId(), env.blockManager().blockManagerId().host()));
  }
}
