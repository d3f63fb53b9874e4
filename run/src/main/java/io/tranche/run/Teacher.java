package io.tranche.run;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.interpreter.TeacherPermit;
import io.tranche.files.Sha256;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.run.DataSettings.BarData;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The teacher of a student (OPD): the policy in a checkpoint of a run in hindsight.
///
/// @param file where it was read from
/// @param sha256 of that file, which is part of what the student's run is
/// @param weight how much its word counts
/// @param agent its own, which may be another than the student's
public record Teacher(Path file, String sha256, double weight, AgentSettings agent) {

  /// The section of a configuration that names the teacher.
  static final String SECTION = "distillation";

  private static final String FILE = "teacher";
  private static final String WEIGHT = "weight";
  private static final String HASH = "sha256";
  private static final double DEFAULT_WEIGHT = 0.1;
  private static final int ROWS = 256;

  /// Reads the section `distillation`.
  ///
  /// @param student the student's run, without its teacher
  /// @throws ConfigException if the teacher is not one for this student
  /// @throws CheckpointException if its checkpoint is missing or damaged
  static Teacher of(ConfigNode section, ExecutionRun student) {
    section.rejectUnknown(List.of(FILE, WEIGHT, HASH));
    ConfigNode place = section.required(FILE);
    Path file = place.asPath(Path.of(""));
    double weight = section.doubleOr(WEIGHT, DEFAULT_WEIGHT);
    if (!(weight > 0)) {
      throw section.required(WEIGHT).wrong("a number above 0");
    }
    String sha256 = sha256(file);
    ConfigNode expected = section.optional(HASH);
    if (expected != null && !expected.asText().equals(sha256)) {
      throw expected.wrong("%s, which %s has".formatted(sha256, file));
    }
    ExecutionRun run = ExecutionRun.ofCheckpoint(file);
    if (run == null || !run.problem().hindsight() || run.agent().network() == null) {
      throw place.wrong("a checkpoint of a run with 'hindsight: true'");
    }
    requireFit(place, run, student);
    return new Teacher(file, sha256, weight, run.agent());
  }

  /// The student looks where the teacher stands, so these parts must be the same.
  private static void requireFit(ConfigNode place, ExecutionRun teacher, ExecutionRun student) {
    ProblemSettings theirs = teacher.problem();
    ProblemSettings own = student.problem();
    requireSame(place, "simulator", theirs.simulator(), own.simulator());
    requireSame(place, "state_interpreter", theirs.stateInterpreter(), own.stateInterpreter());
    requireSame(place, "action_interpreter", theirs.actionInterpreter(), own.actionInterpreter());
    if (teacher.data() instanceof BarData seen
        && student.data() instanceof BarData shown
        && !seen.features().equals(shown.features())) {
      throw place.wrong("a teacher with this run's data.features, not with " + seen.features());
    }
  }

  private static void requireSame(ConfigNode place, String name, Part<?> teacher, Part<?> student) {
    if (!teacher.equals(student)) {
      throw place.wrong(
          "a teacher with this run's %s, %s, not with %s"
              .formatted(name, student.describe().toLine(), teacher.describe().toLine()));
    }
  }

  /// Refuses to go on from a checkpoint whose student had another teacher, or none.
  ///
  /// @param teacher null if the run that goes on has none
  static void requireSame(@Nullable Teacher teacher, Path from) {
    String earlier = hashIn(ExecutionRun.config(from, CheckpointFile.read(from)));
    String now = teacher == null ? null : teacher.sha256;
    if (!Objects.equals(earlier, now)) {
      throw new CheckpointException(from + ": teacher", said(now), said(earlier));
    }
  }

  /// The student's configuration alone says which teacher it had: the teacher may be gone by now.
  private static @Nullable String hashIn(@Nullable ConfigNode config) {
    ConfigNode section = config == null ? null : config.optional(SECTION);
    return section == null ? null : section.required(HASH).asText();
  }

  private static String said(@Nullable String sha256) {
    return sha256 == null ? "none" : "the one with sha256 " + sha256;
  }

  private static String sha256(Path file) {
    try {
      return Sha256.of(Files.readAllBytes(file));
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  /// Refuses the weights of a teacher for a policy that will not see the future: they would be read
  /// without a word and mean nothing.
  ///
  /// @param place which setting names the file
  public static void requireNone(String place, Path weights) {
    if (weights.toString().endsWith(CheckpointFile.SUFFIX)) {
      ExecutionRun run = ExecutionRun.ofCheckpoint(weights);
      if (run != null && run.problem().hindsight()) {
        throw new ConfigException(
            place,
            "weights of a policy that does not see the future",
            "%s, a teacher's ('hindsight: true')".formatted(weights));
      }
    }
  }

  /// Returns what makes a learner its student.
  ///
  /// @param student what the student works on, which shows it the full history
  /// @throws CheckpointException if the weights are not those of the model that it says it has
  Distillation<FullHistoryObservation> over(Problem<?, ?, ?, FullHistoryObservation> student) {
    if (!(student.stateInterpreter() instanceof FullHistoryInterpreter eyes)
        || agent.network() == null) {
      throw new IllegalStateException("a student must be shown the full history");
    }
    var context =
        BuildContext.of(
            eyes.observationSpace(), student.actionInterpreter().actionSpace(), eyes.dimension());
    Policy<FullHistoryObservation> policy =
        agent
            .<FullHistoryObservation>spec(context)
            .load(file.toString(), CheckpointFile.policyState(file))
            .newPolicy(ROWS);
    FullHistoryInterpreter hindsight =
        eyes.inHindsight(new TeacherPermit("the teacher of a student"));
    return Distillation.of(policy, hindsight::review, weight);
  }
}
