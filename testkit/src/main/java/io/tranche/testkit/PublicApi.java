package io.tranche.testkit;

import java.io.File;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassSignature;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodSignature;
import java.lang.classfile.Signature;
import java.lang.classfile.Signature.TypeParam;
import java.lang.classfile.attribute.SignatureAttribute;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the libraries offer: a line for each public fact about a public type in an exported
/// package.
///
/// A release writes these lines to the folder `api`, a file for each module. Later, a line that is
/// gone is a break, and so is a new method that others must implement or a new case of a closed
/// choice. `CHANGELOG.md` announces breaks: entries under `Unreleased` that begin with `Breaking:`
/// and name the type.
public final class PublicApi {

  private static final String VERSION = "# ";
  private static final Pattern EXPORT =
      Pattern.compile("^  exports ([\\w.]+);$", Pattern.MULTILINE);
  private static final Pattern ENTRY =
      Pattern.compile("^- Breaking:.*(?:\n  .*)*", Pattern.MULTILINE);

  /// The facts by module.
  private final Map<String, SortedSet<String>> modules;

  private PublicApi(Map<String, SortedSet<String>> modules) {
    this.modules = modules;
  }

  /// Reads the libraries below a folder: their descriptors as sources, their classes compiled.
  ///
  /// @param root the folder of the modules
  /// @param classPath jars and folders with the classes
  public static PublicApi read(Path root, List<Path> classPath) throws IOException {
    var modules = new TreeMap<String, SortedSet<String>>();
    var exports = new TreeMap<String, String>();
    try (Stream<Path> folders = Files.list(root)) {
      for (Path folder : folders.sorted().toList()) {
        Path descriptor = folder.resolve("src/main/java/module-info.java");
        if (Files.exists(descriptor)) {
          String module = folder.getFileName().toString();
          modules.put(module, new TreeSet<>());
          EXPORT
              .matcher(Files.readString(descriptor))
              .results()
              .forEach(export -> exports.put(export.group(1), module));
        }
      }
    }
    for (Path place : classPath) {
      if (Files.isDirectory(place)) {
        readPackages(place, exports, modules);
      } else if (Files.exists(place)) {
        try (FileSystem jar = FileSystems.newFileSystem(place)) {
          readPackages(jar.getPath("/"), exports, modules);
        }
      }
    }
    return new PublicApi(modules);
  }

  private static void readPackages(
      Path place, Map<String, String> exports, Map<String, SortedSet<String>> modules)
      throws IOException {
    for (var export : exports.entrySet()) {
      Path folder = place.resolve(export.getKey().replace('.', '/'));
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
            describe(
                ClassFile.of().parse(Files.readAllBytes(file)),
                modules.computeIfAbsent(export.getValue(), _ -> new TreeSet<>()));
          }
        }
      }
    }
  }

  private static void describe(ClassModel type, SortedSet<String> facts) {
    if (!isVisible(type)) {
      return;
    }
    String name = type.thisClass().asInternalName().replace('/', '.').replace('$', '.');
    var generic =
        type.findAttribute(Attributes.signature()).map(SignatureAttribute::asClassSignature);
    Generics known = Generics.NONE;
    if (generic.isPresent()) {
      ClassSignature types = generic.get();
      known = known.with("T", types.typeParameters());
      facts.add(name + " " + kind(type) + known.bounds(types.typeParameters()));
      facts.add(name + " is " + known.name(types.superclassSignature()));
      for (Signature each : types.superinterfaceSignatures()) {
        facts.add(name + " is " + known.name(each));
      }
    } else {
      facts.add(name + " " + kind(type));
      type.superclass().ifPresent(each -> facts.add(name + " is " + name(each.asSymbol())));
      type.interfaces().forEach(each -> facts.add(name + " is " + name(each.asSymbol())));
    }
    type.findAttribute(Attributes.permittedSubclasses())
        .ifPresent(
            permitted ->
                permitted
                    .permittedSubclasses()
                    .forEach(each -> facts.add(name + " permits " + name(each.asSymbol()))));
    for (FieldModel field : type.fields()) {
      if (isOffered(field.flags().flags())) {
        String kind = field.flags().has(AccessFlag.STATIC) ? "static " : "";
        Generics within = known;
        String fieldType =
            field
                .findAttribute(Attributes.signature())
                .map(each -> within.name(each.asTypeSignature()))
                .orElseGet(() -> name(field.fieldTypeSymbol()));
        facts.add(name + " #" + field.fieldName() + ": " + kind + fieldType);
      }
    }
    for (MethodModel method : type.methods()) {
      if (isOffered(method.flags().flags()) && !method.flags().has(AccessFlag.SYNTHETIC)) {
        facts.add(name + " #" + signature(method, known));
      }
    }
  }

  /// A nested type is as visible as the attribute in it says, and as the type around it.
  private static boolean isVisible(ClassModel type) {
    var inner = type.findAttribute(Attributes.innerClasses());
    if (inner.isPresent()) {
      for (var each : inner.get().classes()) {
        if (each.innerClass().asInternalName().equals(type.thisClass().asInternalName())) {
          return isOffered(each.flags()) && each.outerClass().isPresent();
        }
      }
    }
    return type.flags().has(AccessFlag.PUBLIC);
  }

  private static boolean isOffered(Set<AccessFlag> flags) {
    return flags.contains(AccessFlag.PUBLIC) || flags.contains(AccessFlag.PROTECTED);
  }

  private static String kind(ClassModel type) {
    var flags = type.flags();
    boolean isSealed = type.findAttribute(Attributes.permittedSubclasses()).isPresent();
    String kind =
        flags.has(AccessFlag.INTERFACE)
            ? "interface"
            : flags.has(AccessFlag.ENUM)
                ? "enum"
                : type.findAttribute(Attributes.record()).isPresent()
                    ? "record"
                    : flags.has(AccessFlag.FINAL) ? "final class" : "class";
    return isSealed ? "sealed " + kind : kind;
  }

  private static String signature(MethodModel method, Generics known) {
    String result = name(method.methodTypeSymbol().returnType());
    List<String> parameters =
        method.methodTypeSymbol().parameterList().stream().map(PublicApi::name).toList();
    String bounds = "";
    var generic =
        method.findAttribute(Attributes.signature()).map(SignatureAttribute::asMethodSignature);
    if (generic.isPresent()) {
      MethodSignature types = generic.get();
      Generics within = known.with("M", types.typeParameters());
      bounds = within.bounds(types.typeParameters());
      result = within.name(types.result());
      parameters = types.arguments().stream().map(within::name).toList();
    }
    var flags = method.flags();
    String kind =
        flags.has(AccessFlag.STATIC)
            ? "static "
            : flags.has(AccessFlag.ABSTRACT) ? "abstract " : "";
    return "%s%s(%s): %s%s"
        .formatted(method.methodName(), bounds, String.join(", ", parameters), kind, result);
  }

  /// Names of type variables by their place, so that another name for one is no break.
  private record Generics(Map<String, String> names) {

    static final Generics NONE = new Generics(Map.of());

    Generics with(String letter, List<TypeParam> parameters) {
      var all = new TreeMap<>(names);
      for (int i = 0; i < parameters.size(); i++) {
        all.put(parameters.get(i).identifier(), letter + i);
      }
      return new Generics(all);
    }

    /// Returns what the parameters must be; nothing if there are none.
    String bounds(List<TypeParam> parameters) {
      if (parameters.isEmpty()) {
        return "";
      }
      return parameters.stream()
          .map(
              each ->
                  Stream.concat(each.classBound().stream(), each.interfaceBounds().stream())
                      .map(this::name)
                      .collect(Collectors.joining(" & ")))
          .collect(Collectors.joining(", ", "<", ">"));
    }

    String name(Signature type) {
      return switch (type) {
        case Signature.BaseTypeSig base ->
            PublicApi.name(ClassDesc.ofDescriptor(base.signatureString()));
        case Signature.TypeVarSig variable ->
            names.getOrDefault(variable.identifier(), variable.identifier());
        case Signature.ArrayTypeSig array -> name(array.componentSignature()) + "[]";
        case Signature.ClassTypeSig plain -> {
          String outer = plain.outerType().map(each -> name(each) + ".").orElse("");
          String own = outer + plain.className().replace('/', '.').replace('$', '.');
          yield plain.typeArgs().isEmpty()
              ? own
              : plain.typeArgs().stream()
                  .map(this::argument)
                  .collect(Collectors.joining(", ", own + "<", ">"));
        }
      };
    }

    private String argument(Signature.TypeArg argument) {
      return switch (argument) {
        case Signature.TypeArg.Unbounded _ -> "?";
        case Signature.TypeArg.Bounded bounded ->
            switch (bounded.wildcardIndicator()) {
                  case NONE -> "";
                  case EXTENDS -> "? extends ";
                  case SUPER -> "? super ";
                }
                + name(bounded.boundType());
      };
    }
  }

  private static String name(ClassDesc type) {
    String name = type.displayName();
    String place = type.isClassOrInterface() ? type.packageName() : "";
    return (place.isEmpty() ? name : place + "." + name).replace('$', '.');
  }

  /// Writes the folder `api` of a release.
  public void write(Path folder, String version) throws IOException {
    Files.createDirectories(folder);
    for (var module : modules.entrySet()) {
      var lines = new ArrayList<String>();
      lines.add(VERSION + version);
      lines.addAll(module.getValue());
      Files.write(folder.resolve(module.getKey() + ".txt"), lines);
    }
  }

  /// Returns how this breaks what a release wrote: nothing if there was none.
  ///
  /// @param folder the folder `api`
  public List<String> breaks(Path folder) throws IOException {
    var breaks = new ArrayList<String>();
    if (!Files.isDirectory(folder)) {
      return breaks;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".txt")).sorted().toList()) {
        var before = new TreeSet<>(Files.readAllLines(file));
        before.removeIf(line -> line.startsWith(VERSION));
        String module = file.getFileName().toString().replace(".txt", "");
        var now = modules.getOrDefault(module, new TreeSet<>());
        before.stream()
            .filter(each -> !now.contains(each))
            .map("gone: "::concat)
            .forEach(breaks::add);
        now.stream()
            .filter(each -> !before.contains(each) && isDemand(each, before))
            .map("new: "::concat)
            .forEach(breaks::add);
      }
    }
    return breaks;
  }

  /// Whether a new fact asks something of code that was written against the old ones.
  private static boolean isDemand(String fact, SortedSet<String> before) {
    boolean isAsked = fact.contains(": abstract ") || fact.contains(" permits ");
    return isAsked && before.stream().anyMatch(each -> type(each).equals(type(fact)));
  }

  /// Returns the type that a fact is about.
  private static String type(String fact) {
    return fact.substring(0, fact.indexOf(' '));
  }

  /// Returns the breaks that no entry of the changelog announces.
  ///
  /// @param changelog its text
  public static List<String> unannounced(List<String> breaks, String changelog) {
    int from = changelog.indexOf("## Unreleased");
    int to = changelog.indexOf("\n## ", from + 1);
    String section = from < 0 ? "" : changelog.substring(from, to < 0 ? changelog.length() : to);
    List<String> entries = ENTRY.matcher(section).results().map(found -> found.group()).toList();
    return breaks.stream()
        .filter(
            each -> {
              String type = type(each.substring(each.indexOf(' ') + 1));
              Pattern name =
                  Pattern.compile("\\b" + type.substring(type.lastIndexOf('.') + 1) + "\\b");
              return entries.stream().noneMatch(entry -> name.matcher(entry).find());
            })
        .toList();
  }

  /// Compares (`ROOT CLASS_PATH`), or writes the folder of a release (`ROOT CLASS_PATH VERSION`).
  static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    Path api = root.resolve("api");
    var places = Stream.of(arguments[1].split(File.pathSeparator)).map(Path::of).toList();
    PublicApi now = read(root, places);
    if (arguments.length == 3) {
      now.write(api, arguments[2]);
      IO.println("api: the public types and members of " + arguments[2]);
      return;
    }
    List<String> breaks =
        unannounced(now.breaks(api), Files.readString(root.resolve("CHANGELOG.md")));
    breaks.forEach(IO::println);
    if (!breaks.isEmpty()) {
      throw new IllegalStateException(
          "CHANGELOG.md: expected an entry '- Breaking: ...' under Unreleased for each type above,"
              + " was none");
    }
    IO.println(Files.isDirectory(api) ? "nothing broke" : "there was no release yet");
  }
}
