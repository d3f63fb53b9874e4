package io.tranche.experiment;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.Problem;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.interpreter.TeacherPermit;
import io.tranche.files.Sha256;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.StateDict;
import io.tranche.trainer.checkpoint.Checkpoint;
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
/// @param network its own, which may be another than the student's
/// @param policy its own
public record Teacher(
    Path file,
    String sha256,
    double weight,
    ConfigNode network,
    ConfigNode policy,
    StateDict weights) {

  /// The section of a configuration that names a teacher.
  static final String SECTION = "distillation";

  private static final String FILE = "teacher";
  private static final String WEIGHT = "weight";
  private static final String HASH = "sha256";
  private static final ConfigNode DEFAULTS = ConfigFiles.parse("the defaults", "weight: 0.1");
  private static final int ROWS = 256;

  /// What teacher and student must have in common, because the one looks where the other stands.
  private static final List<String> SHARED =
      List.of("simulator", "state_interpreter", "action_interpreter");

  /// @param student the student's configuration
  /// @return null if it has no teacher
  /// @throws ConfigException if the teacher is not one for this student
  /// @throws CheckpointException if its checkpoint is missing or damaged
  static @Nullable Teacher of(ConfigNode student) {
    ConfigNode given = student.optional(SECTION);
    if (given == null) {
      return null;
    }
    ConfigNode section = given.over(DEFAULTS);
    section.rejectUnknown(List.of(FILE, WEIGHT, HASH));
    ConfigNode place = section.required(FILE);
    Path file = place.asPath(Path.of(""));
    double weight = section.required(WEIGHT).asDouble();
    if (!(weight > 0)) {
      throw section.required(WEIGHT).wrong("a number above 0");
    }
    String sha256 = sha256(file);
    ConfigNode expected = section.optional(HASH);
    if (expected != null && !expected.asText().equals(sha256)) {
      throw expected.wrong("%s, which %s has".formatted(sha256, file));
    }
    Checkpoint checkpoint = CheckpointFile.read(file);
    RunConfig run =
        RunConfig.read(ConfigFiles.parse(file + ": config.yml", checkpoint.config()), _ -> {});
    ConfigNode network = run.network();
    if (!run.hindsight() || network == null) {
      throw place.wrong("a checkpoint of a run with 'hindsight: true'");
    }
    requireFit(place, run.resolved(), student);
    return new Teacher(file, sha256, weight, network, run.policy(), checkpoint.policy());
  }

  private static void requireFit(ConfigNode place, ConfigNode teacher, ConfigNode student) {
    for (String part : SHARED) {
      requireSame(place, part, teacher.required(part), student.required(part));
    }
    requireSame(
        place,
        "data.features",
        teacher.required("data").required("features"),
        student.required("data").required("features"));
  }

  private static void requireSame(
      ConfigNode place, String part, ConfigNode teacher, ConfigNode student) {
    if (!teacher.toYaml().equals(student.toYaml())) {
      throw place.wrong(
          "a teacher with this run's %s, not with %s"
              .formatted(part, teacher.toYaml().strip().replaceAll("\\s*\n\\s*", ", ")));
    }
  }

  /// Returns `config` with everything about the teacher written out.
  ConfigNode writtenInto(ConfigNode config) {
    ConfigNode section = config.required(SECTION).over(DEFAULTS);
    return config.with(SECTION, section.with("%s='%s'".formatted(HASH, sha256)));
  }

  /// Refuses to go on from a checkpoint whose student had another teacher, or none.
  ///
  /// @param teacher null if the run that goes on has none
  static void requireSame(@Nullable Teacher teacher, Path from) {
    ConfigNode config =
        ConfigFiles.parse(from + ": config.yml", CheckpointFile.read(from).config());
    ConfigNode section = config.optional(SECTION);
    String earlier = section == null ? null : section.required(HASH).asText();
    String now = teacher == null ? null : teacher.sha256;
    if (!Objects.equals(earlier, now)) {
      throw new CheckpointException(from + ": teacher", said(now), said(earlier));
    }
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
      ConfigNode config =
          ConfigFiles.parse(weights + ": config.yml", CheckpointFile.read(weights).config());
      if (config.isMapping() && config.booleanOr(NativeConfig.HINDSIGHT, false)) {
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
  /// @param features how many a tick has
  /// @throws CheckpointException if the weights are not those of the model that it says it has
  Distillation<FullHistoryObservation> over(
      Problem<?, ?, ?, FullHistoryObservation> student, int features) {
    if (!(student.stateInterpreter() instanceof FullHistoryInterpreter eyes)) {
      throw new IllegalStateException("a student must be shown the full history");
    }
    Agent<FullHistoryObservation> agent =
        PolicyCatalog.<FullHistoryObservation>agent(
                policy,
                PolicyCatalog.network(network, features),
                student.actionInterpreter().actionSpace())
            .load(file.toString(), weights);
    FullHistoryInterpreter hindsight =
        eyes.inHindsight(new TeacherPermit("the teacher of a student"));
    return Distillation.of(agent.newPolicy(ROWS), hindsight::review, weight);
  }
}
