package io.tranche.files;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/// A zip file whose first entry, the manifest, holds the format, the version and a list of the
/// other entries with their sizes and checksums. Nothing is compressed, so no entry can be larger
/// than the file.
public final class Archive {

  private static final String MANIFEST = "manifest.json";
  private static final byte[] ZIP_MAGIC = {'P', 'K', 3, 4};
  private static final int NAME_OFFSET = 30; // of the name in a zip's local header

  /// The oldest time that a zip can hold: equal contents must give equal bytes.
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private final Path file;
  private final Map<String, byte[]> entries;

  private Archive(Path file, Map<String, byte[]> entries) {
    this.file = file;
    this.entries = entries;
  }

  /// Writes entries to a file in their order, and creates missing folders. If that fails, what was
  /// there before is kept, and nothing is left over.
  public static void write(ArchiveFormat format, Map<String, byte[]> entries, Path file)
      throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    PendingFile.write(
        file,
        path -> {
          try (var out = new BufferedOutputStream(Files.newOutputStream(path))) {
            write(format, entries, out);
          }
        });
  }

  /// Writes entries in their order. Equal ones give equal bytes.
  public static void write(ArchiveFormat format, Map<String, byte[]> entries, OutputStream out)
      throws IOException {
    var listed = new LinkedHashMap<String, @Nullable Object>();
    entries.forEach(
        (name, bytes) -> {
          var each = new LinkedHashMap<String, @Nullable Object>();
          each.put("bytes", (long) bytes.length);
          each.put("crc32", checksum(bytes));
          if (format.hasDigests()) {
            each.put("sha256", Sha256.of(bytes));
          }
          listed.put(name, each);
        });
    var manifest = new LinkedHashMap<String, @Nullable Object>();
    manifest.put("format", format.name());
    manifest.put("version", format.version());
    manifest.put("entries", listed);
    try (var zip = new ZipOutputStream(out)) {
      put(zip, MANIFEST, Json.write(manifest));
      for (var entry : entries.entrySet()) {
        put(zip, entry.getKey(), entry.getValue());
      }
    }
  }

  private static void put(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    var entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(checksum(bytes));
    entry.setTimeLocal(NO_TIME);
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }

  private static long checksum(byte[] bytes) {
    var checksum = new CRC32();
    checksum.update(bytes);
    return checksum.getValue();
  }

  /// Whether a file begins like an archive; the rest may be damaged.
  public static boolean isLikely(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(NAME_OFFSET + MANIFEST.length());
      return start.length == NAME_OFFSET + MANIFEST.length()
          && Arrays.equals(ZIP_MAGIC, Arrays.copyOf(start, ZIP_MAGIC.length))
          && new String(start, NAME_OFFSET, MANIFEST.length(), US_ASCII).equals(MANIFEST);
    }
  }

  /// Returns the format in a file's manifest; nothing else is read.
  ///
  /// @throws DamagedFileException if it is not one of our archives, or is damaged
  public static String formatName(Path file) throws IOException {
    return open(file, (zip, found) -> Manifest.read(file, zip, found).text("format"));
  }

  /// Reads and checks all entries.
  ///
  /// @throws DamagedFileException naming file, entry, what was expected and what was found, if the
  ///   file is missing, damaged, cut off, of another format or of a newer version
  public static Archive read(ArchiveFormat format, Path file) throws IOException {
    return read(format, file, null);
  }

  /// Reads and checks the manifest and one entry, or all.
  ///
  /// @throws DamagedFileException as [#read(ArchiveFormat, Path)]
  public static Archive read(ArchiveFormat format, Path file, @Nullable String only)
      throws IOException {
    return open(
        file,
        (zip, found) -> {
          Map<String, Listed> listed = listed(format, Manifest.read(file, zip, found));
          for (String name : found.keySet()) {
            if (!name.equals(MANIFEST) && !listed.containsKey(name)) {
              throw new DamagedFileException(file.toString(), "entries of its manifest", name);
            }
          }
          var contents = new LinkedHashMap<String, byte[]>();
          for (var each : listed.entrySet()) {
            ZipEntry entry = required(file, found, each.getKey());
            if (only == null || only.equals(each.getKey())) {
              byte[] bytes = bytes(file, zip, entry);
              each.getValue().check(file, each.getKey(), bytes);
              contents.put(each.getKey(), bytes);
            }
          }
          return new Archive(file, contents);
        });
  }

  private interface Step<T> {
    T take(ZipFile zip, Map<String, ZipEntry> entries) throws IOException;
  }

  private static <T> T open(Path file, Step<T> step) throws IOException {
    if (Files.isDirectory(file)) {
      throw new DamagedFileException(file.toString(), "a file", "a folder");
    }
    try (var zip = new ZipFile(file.toFile())) {
      return step.take(zip, entries(file, zip));
    } catch (ZipException e) {
      throw new DamagedFileException(file.toString(), "a whole zip file", e.getMessage(), e);
    }
  }

  private static Map<String, ZipEntry> entries(Path file, ZipFile zip) throws IOException {
    long left = Files.size(file);
    var entries = new HashMap<String, ZipEntry>();
    for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
      String where = file + ": " + entry.getName();
      if (entries.put(entry.getName(), entry) != null) {
        throw new DamagedFileException(where, "one entry of a name", "two");
      }
      if (entry.getMethod() != ZipEntry.STORED) {
        throw new DamagedFileException(where, "an entry that is not compressed", "one that is");
      }
      left -= entry.getSize();
      if (entry.getSize() < 0 || left < 0 || entry.getSize() > Integer.MAX_VALUE - 8) {
        throw new DamagedFileException(where, "a size within the file's", entry.getSize());
      }
    }
    return entries;
  }

  private static ZipEntry required(Path file, Map<String, ZipEntry> entries, String name)
      throws DamagedFileException {
    ZipEntry entry = entries.get(name);
    if (entry == null) {
      throw new DamagedFileException(file.toString(), "an entry " + name, "none");
    }
    return entry;
  }

  private static byte[] bytes(Path file, ZipFile zip, ZipEntry entry) throws IOException {
    String where = file + ": " + entry.getName();
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] bytes = in.readNBytes((int) entry.getSize());
      new Listed(entry.getSize(), entry.getCrc(), null).check(file, entry.getName(), bytes);
      return bytes;
    } catch (ZipException e) {
      throw new DamagedFileException(where, "a whole entry", e.getMessage(), e);
    }
  }

  private static Map<String, Listed> listed(ArchiveFormat format, Manifest manifest)
      throws DamagedFileException {
    String name = manifest.text("format");
    if (!name.equals(format.name())) {
      throw new DamagedFileException(manifest.where, "the format " + format.name(), name);
    }
    long version = manifest.count("version");
    if (version < 1 || version > format.version()) {
      throw new DamagedFileException(
          manifest.where,
          "a version up to %d, or a newer Tranche to read it with".formatted(format.version()),
          version);
    }
    var listed = new LinkedHashMap<String, Listed>();
    Manifest entries = manifest.object("entries");
    for (Object key : entries.values.keySet()) {
      String entry = String.valueOf(key);
      Manifest each = entries.object(entry);
      listed.put(
          entry,
          new Listed(
              each.count("bytes"),
              each.count("crc32"),
              format.hasDigests() ? each.text("sha256") : null));
    }
    return listed;
  }

  private record Manifest(String where, Map<?, ?> values) {

    static Manifest read(Path file, ZipFile zip, Map<String, ZipEntry> found) throws IOException {
      String where = file + ": " + MANIFEST;
      Object root = Json.read(where, bytes(file, zip, required(file, found, MANIFEST)));
      return of(where, root);
    }

    private static Manifest of(String where, @Nullable Object value) throws DamagedFileException {
      if (value instanceof Map<?, ?> map) {
        return new Manifest(where, map);
      }
      throw new DamagedFileException(where, "an object", value);
    }

    private @Nullable Object value(String name) throws DamagedFileException {
      if (!values.containsKey(name)) {
        throw new DamagedFileException(where, "a field " + name, "none");
      }
      return values.get(name);
    }

    Manifest object(String name) throws DamagedFileException {
      return of(where + ": " + name, value(name));
    }

    String text(String name) throws DamagedFileException {
      if (value(name) instanceof String text) {
        return text;
      }
      throw new DamagedFileException(where + ": " + name, "a text", value(name));
    }

    long count(String name) throws DamagedFileException {
      if (value(name) instanceof Long number) {
        return number;
      }
      throw new DamagedFileException(where + ": " + name, "a whole number", value(name));
    }
  }

  private record Listed(long size, long crc, @Nullable String sha256) {

    void check(Path file, String name, byte[] bytes) throws DamagedFileException {
      String where = file + ": " + name;
      if (bytes.length != size) {
        throw new DamagedFileException(where, size + " bytes", bytes.length);
      }
      long was = checksum(bytes);
      if (was != crc) {
        throw new DamagedFileException(
            where, "the checksum %08x".formatted(crc), "%08x: it is damaged".formatted(was));
      }
      if (sha256 != null && !Sha256.of(bytes).equals(sha256)) {
        throw new DamagedFileException(where, "the SHA-256 " + sha256, Sha256.of(bytes));
      }
    }
  }

  /// Returns the entries that were read, in the manifest's order.
  public Map<String, byte[]> entries() {
    return Collections.unmodifiableMap(entries);
  }

  /// @throws DamagedFileException if there is none
  public byte[] entry(String name) throws DamagedFileException {
    byte[] bytes = entries.get(name);
    if (bytes == null) {
      throw new DamagedFileException(file.toString(), "an entry " + name, "none");
    }
    return bytes;
  }
}
