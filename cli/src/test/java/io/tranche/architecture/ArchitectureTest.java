package io.tranche.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import java.io.ObjectInputStream;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/// What the module descriptors cannot hold: layers, and things that only one place may do.
@AnalyzeClasses(packages = "io.tranche", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  /// Which modules each module may use directly; what those use is allowed too.
  private static final Map<String, Set<String>> MAY_USE =
      Map.ofEntries(
          Map.entry("testkit", Set.of()),
          Map.entry("files", Set.of()),
          Map.entry("config", Set.of()),
          Map.entry("market", Set.of("config", "files")),
          Map.entry("parquet", Set.of("market")),
          Map.entry("env", Set.of("config")),
          Map.entry("tensor", Set.of()),
          Map.entry("backtest", Set.of("market")),
          Map.entry("execution", Set.of("market", "env", "backtest")),
          Map.entry("policy", Set.of("files", "env", "market", "tensor")),
          Map.entry("onnx", Set.of("policy")),
          Map.entry("trainer", Set.of("env", "policy")),
          Map.entry("runtime", Set.of("execution", "policy")),
          Map.entry("run", Set.of("execution", "trainer")),
          Map.entry("analysis", Set.of("run")),
          Map.entry("work", Set.of("run", "analysis", "runtime")),
          Map.entry("serving", Set.of("files", "runtime")),
          Map.entry("cluster", Set.of("work")),
          Map.entry("dashboard", Set.of("work", "serving")),
          Map.entry("conformance", Set.of("work")),
          Map.entry("cli", Set.of("serving", "dashboard", "conformance")));

  /// The parser itself, and what compares its answers with Qlib's.
  private static final Set<String> EDGE = Set.of("config", "conformance");

  @ArchTest
  static void modulesUseOnlyWhatTheTableAllows(JavaClasses classes) {
    for (String module : MAY_USE.keySet()) {
      noClasses()
          .that()
          .resideInAPackage(packages(module))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              MAY_USE.keySet().stream()
                  .filter(other -> !reach(module).contains(other))
                  .map(ArchitectureTest::packages)
                  .toArray(String[]::new))
          .allowEmptyShould(true)
          .check(classes);
    }
  }

  @ArchTest
  static void everyClassIsInAModuleOfTheTable(JavaClasses classes) {
    var modules = new TreeSet<String>();
    classes.forEach(type -> modules.add(module(type)));

    assertThat(MAY_USE.keySet()).containsAll(modules);
  }

  /// Not product code: many small cases side by side.
  private static final Set<String> LARGE = Set.of("benchmarks", "conformance", "testkit");

  private static final int MOST_TYPES = 25;

  @ArchTest
  static void packagesAreSmallEnoughToKnow(JavaClasses classes) {
    var sizes = new TreeMap<String, Integer>();
    topLevel(classes)
        .filter(type -> !LARGE.contains(module(type)))
        .forEach(type -> sizes.merge(type.getPackageName(), 1, Integer::sum));

    assertThat(sizes).allSatisfy((_, types) -> assertThat(types).isLessThanOrEqualTo(MOST_TYPES));
  }

  @ArchTest
  static void noTypeNameStandsInTwoPackages(JavaClasses classes) {
    var packages = new TreeMap<String, Set<String>>();
    topLevel(classes)
        .forEach(
            type ->
                packages
                    .computeIfAbsent(type.getSimpleName(), _ -> new TreeSet<>())
                    .add(type.getPackageName()));
    packages.values().removeIf(places -> places.size() < 2);

    assertThat(packages).isEmpty();
  }

  private static Stream<JavaClass> topLevel(JavaClasses classes) {
    return classes.stream()
        .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"));
  }

  private static String module(JavaClass type) {
    return type.getPackageName().replaceFirst("io\\.tranche\\.(\\w+).*", "$1");
  }

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.tranche.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule nothingIsLoadedByName =
      noClasses().should().callMethodWhere(target(named(Class.class, "forName")));

  @ArchTest
  static final ArchRule onlyTheKernelsTouchTheVectorApi =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.tranche.tensor.kernels..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("jdk.incubator.vector..");

  @ArchTest
  static final ArchRule onlyTheKernelsCallNativeCode =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.tranche.tensor.kernels..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching("java\\.lang\\.foreign\\.(Linker|SymbolLookup)(\\$.*)?");

  @ArchTest
  static final ArchRule noObjectsAreDeserialised =
      noClasses().should().dependOnClassesThat().areAssignableTo(ObjectInputStream.class);

  @ArchTest
  static final ArchRule onlyApplicationsReadTheClock =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.tranche.cli..",
              "io.tranche.serving..",
              "io.tranche.dashboard..",
              "io.tranche.work.start..")
          .should()
          .callMethodWhere(
              target(
                  describe(
                      "reading the clock",
                      called ->
                          named(System.class, "currentTimeMillis").test(called)
                              || (called.getOwner().getPackageName().startsWith("java.time")
                                  && called.getName().equals("now"))
                              || (called.getOwner().isEquivalentTo(Clock.class)
                                  && called.getName().startsWith("system")))));

  // A process that ends for lack of memory cannot log.
  @ArchTest
  static final ArchRule onlyTheCommandLinePrints =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.tranche.cli..")
          .and()
          .doNotHaveSimpleName("FatalError")
          .should()
          .accessField(System.class, "out")
          .orShould()
          .accessField(System.class, "err");

  /// Configuration text exists only at the edge: files are read with [ConfigFiles#load], and only
  /// the classes named here read or write any other text.
  @ArchTest
  static void configurationTextIsMadeAndReadInFewPlaces(JavaClasses classes) {
    assertThat(callers(classes, ConfigFiles.class, "parse"))
        .isSubsetOf(
            "run.ExecutionRun", // config.yml of a checkpoint
            "work.SentConfig", // setups of jobs
            "runtime.BundleFile", // model.yml of a bundle
            "env.log.MlflowClient"); // JSON of a server, no configuration
    assertThat(callers(classes, ConfigNode.class, "toYaml"))
        .isSubsetOf(
            "run.ExecutionRun",
            "run.TrainingRun",
            "run.DataPreparation", // data.yml: from what a run's data were made
            "work.SentConfig",
            "work.tuning.Tuning",
            "work.tuning.TuneConfig",
            "work.tuning.TuneDirectory",
            "work.tuning.TrialScheduler",
            "runtime.BundleFile",
            "runtime.ModelSpec",
            "market.feature.pipeline.FeaturePipeline",
            "market.feature.pipeline.FeatureManifest",
            "cli.start.StartConfig", // the first file of a user's own
            "run.play.GuardFile", // guard.yml
            "work.roll.Roll", // roll.yml: which roll a folder has
            "work.stress.Certificate", // certificate.yml
            // Comparisons of what users wrote
            "analysis.doctor.RunCheck",
            "analysis.doctor.RunFacts",
            // Fingerprints
            "runtime.LoadedModel",
            "work.backtest.InputFingerprint",
            "work.export.ExportInput");
  }

  private static Set<String> callers(JavaClasses classes, Class<?> owner, String method) {
    return classes.stream()
        .filter(type -> !EDGE.contains(module(type)))
        .filter(
            type ->
                type.getMethodCallsFromSelf().stream()
                    .map(call -> call.getTarget())
                    .anyMatch(named(owner, method)))
        .map(type -> type.getName().replace("io.tranche.", "").replaceFirst("\\$.*", ""))
        .collect(Collectors.toSet());
  }

  @ArchTest
  static void everyPackageIsNullMarked(JavaClasses classes) {
    var unmarked = new TreeSet<String>();
    classes.forEach(
        type -> {
          if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
            unmarked.add(type.getPackageName());
          }
        });

    assertThat(unmarked).isEmpty();
  }

  private static DescribedPredicate<AccessTarget> named(Class<?> owner, String name) {
    return describe(
        owner.getSimpleName() + "." + name,
        called -> called.getOwner().isEquivalentTo(owner) && called.getName().equals(name));
  }

  private static String packages(String module) {
    return "io.tranche." + module + "..";
  }

  /// Returns `module` and everything it may use, directly or not.
  private static Set<String> reach(String module) {
    var reached = new TreeSet<>(List.of(module));
    MAY_USE.getOrDefault(module, Set.of()).forEach(used -> reached.addAll(reach(used)));
    return reached;
  }
}
