package io.tranche.trainer.checkpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tranche.policy.weights.CheckpointException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/// A zip file whose first entry, the manifest, says what format and version it is and which other
/// entries there are, with their sizes and checksums. Nothing is compressed, so no entry can be
/// larger than the file.
final class Archive {

  /// What files of this version of Tranche say; older ones are read, newer ones are refused.
  static final long VERSION = 1;

  private static final String FORMAT = "tranche-checkpoint";
  private static final String MANIFEST = "manifest.json";
  private static final byte[] ZIP_MAGIC = {'P', 'K', 3, 4};
  private static final int NAME_OFFSET = 30; // of the name in a zip's local header

  /// The oldest time a zip can say: equal contents are to give equal bytes.
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private final Path file;
  private final Map<String, byte[]> entries;

  private Archive(Path file, Map<String, byte[]> entries) {
    this.file = file;
    this.entries = entries;
  }

  static void write(Map<String, byte[]> entries, OutputStream out) throws IOException {
    var listed = new LinkedHashMap<String, @Nullable Object>();
    entries.forEach(
        (name, bytes) -> {
          var each = new LinkedHashMap<String, @Nullable Object>();
          each.put("bytes", (long) bytes.length);
          each.put("crc32", checksum(bytes));
          listed.put(name, each);
        });
    var manifest = new LinkedHashMap<String, @Nullable Object>();
    manifest.put("format", FORMAT);
    manifest.put("version", VERSION);
    manifest.put("entries", listed);
    try (var zip = new ZipOutputStream(out)) {
      put(zip, MANIFEST, StateJson.write(manifest));
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

  /// Whether a file begins as one of these does, however damaged the rest may be.
  static boolean isLikely(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(NAME_OFFSET + MANIFEST.length());
      return start.length == NAME_OFFSET + MANIFEST.length()
          && Arrays.equals(ZIP_MAGIC, Arrays.copyOf(start, ZIP_MAGIC.length))
          && new String(start, NAME_OFFSET, MANIFEST.length(), US_ASCII).equals(MANIFEST);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  /// Reads and checks all entries.
  static Archive read(Path file) {
    return read(file, null);
  }

  /// Reads and checks the manifest and one entry, or all.
  static Archive read(Path file, @Nullable String only) {
    try (var zip = new ZipFile(file.toFile())) {
      Map<String, ZipEntry> found = entries(file, zip);
      byte[] manifest = bytes(file, zip, required(file, found, MANIFEST));
      Map<String, Listed> listed = listed(file, manifest);
      for (String name : found.keySet()) {
        if (!name.equals(MANIFEST) && !listed.containsKey(name)) {
          throw new CheckpointException(file.toString(), "entries of its manifest", name);
        }
      }
      var contents = new HashMap<String, byte[]>();
      for (var each : listed.entrySet()) {
        ZipEntry entry = required(file, found, each.getKey());
        if (only == null || only.equals(each.getKey())) {
          byte[] bytes = bytes(file, zip, entry);
          each.getValue().check(file, each.getKey(), bytes);
          contents.put(each.getKey(), bytes);
        }
      }
      return new Archive(file, contents);
    } catch (NoSuchFileException e) {
      throw CheckpointException.unreadable(file, e);
    } catch (ZipException e) {
      throw new CheckpointException(file.toString(), "a whole zip file", e.getMessage(), e);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  private static Map<String, ZipEntry> entries(Path file, ZipFile zip) throws IOException {
    long left = Files.size(file);
    var entries = new HashMap<String, ZipEntry>();
    for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
      String where = file + ": " + entry.getName();
      if (entries.put(entry.getName(), entry) != null) {
        throw new CheckpointException(where, "one entry of a name", "two");
      }
      if (entry.getMethod() != ZipEntry.STORED) {
        throw new CheckpointException(where, "an entry that is not compressed", "one that is");
      }
      left -= entry.getSize();
      if (entry.getSize() < 0 || left < 0 || entry.getSize() > Integer.MAX_VALUE - 8) {
        throw new CheckpointException(where, "a size within the file's", entry.getSize());
      }
    }
    return entries;
  }

  private static ZipEntry required(Path file, Map<String, ZipEntry> entries, String name) {
    ZipEntry entry = entries.get(name);
    if (entry == null) {
      throw new CheckpointException(file.toString(), "an entry " + name, "none");
    }
    return entry;
  }

  private static byte[] bytes(Path file, ZipFile zip, ZipEntry entry) throws IOException {
    String where = file + ": " + entry.getName();
    try (InputStream in = zip.getInputStream(entry)) {
      byte[] bytes = in.readNBytes((int) entry.getSize());
      new Listed(entry.getSize(), entry.getCrc()).check(file, entry.getName(), bytes);
      return bytes;
    } catch (ZipException e) {
      throw new CheckpointException(where, "a whole entry", e.getMessage(), e);
    }
  }

  private static Map<String, Listed> listed(Path file, byte[] manifest) {
    String where = file + ": " + MANIFEST;
    var fields = new Fields(where, StateJson.read(where, manifest));
    String format = fields.field("format").text();
    if (!format.equals(FORMAT)) {
      throw new CheckpointException(where, "the format " + FORMAT, format);
    }
    long version = fields.field("version").count();
    if (version < 1 || version > VERSION) {
      throw new CheckpointException(
          where, "a version up to %d, which this Tranche knows".formatted(VERSION), version);
    }
    var listed = new LinkedHashMap<String, Listed>();
    Fields entries = fields.field("entries");
    for (String name : entries.map().keySet()) {
      Fields each = entries.field(name);
      listed.put(name, new Listed(each.field("bytes").count(), each.field("crc32").count()));
    }
    return listed;
  }

  /// What an entry is to be.
  private record Listed(long size, long crc) {

    void check(Path file, String name, byte[] bytes) {
      if (bytes.length != size) {
        throw new CheckpointException(file + ": " + name, size + " bytes", bytes.length);
      }
      long was = checksum(bytes);
      if (was != crc) {
        throw new CheckpointException(
            file + ": " + name,
            "the checksum %08x".formatted(crc),
            "%08x: it is damaged".formatted(was));
      }
    }
  }

  /// @throws CheckpointException if there is none
  byte[] entry(String name) {
    byte[] bytes = find(name);
    if (bytes == null) {
      throw new CheckpointException(file.toString(), "an entry " + name, "none");
    }
    return bytes;
  }

  byte @Nullable [] find(String name) {
    return entries.get(name);
  }
}
