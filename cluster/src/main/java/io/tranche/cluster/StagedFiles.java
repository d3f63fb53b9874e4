package io.tranche.cluster;

import io.tranche.config.ConfigException;
import io.tranche.files.Sha256;
import io.tranche.market.DataException;
import io.tranche.work.RemoteFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;

/// Files from any file system of Hadoop, copied to a folder that all processes of a user on one
/// machine share.
///
/// A copy is known by its address and by name, length and time of each file, so one that has
/// changed is copied again. It becomes visible only when it is complete.
public final class StagedFiles implements RemoteFiles {

  /// The largest size of one address: more is a mistake, or needs a shared disk.
  static final String BOUND = "spark.tranche.staging.bytes";

  private static final long DEFAULT_BOUND = 64L << 30;
  private static final int MOST_FILES = 1_000_000;

  @Override
  public java.nio.file.Path stage(String address) {
    SparkSettings.silence();
    SparkEnv env = SparkEnv.get();
    SparkConf conf = env == null ? new SparkConf() : env.conf();
    Configuration hadoop = SparkHadoopUtil.get().newConfiguration(conf);
    try {
      // An address with a blank is not encoded; Hadoop takes it as it is.
      var source = address.contains(" ") ? new Path(address) : new Path(new URI(address));
      FileSystem system = source.getFileSystem(hadoop);
      SortedMap<String, LocatedFileStatus> files = files(system, source, conf);
      java.nio.file.Path cache = cache();
      java.nio.file.Path copy = cache.resolve(key(address, files)).resolve(source.getName());
      if (Files.notExists(copy)) {
        copy(system, source, files, cache, copy);
      }
      return copy;
    } catch (java.net.URISyntaxException | IllegalArgumentException e) {
      throw new ConfigException(address, "an address of a file or folder", e.getMessage());
    } catch (IOException e) {
      throw new DataException(
          address, "a file or folder that can be read", SparkFailures.inOneLine(e), e);
    }
  }

  /// Returns the files by what they are called below `source`; a file itself has no such name.
  private static SortedMap<String, LocatedFileStatus> files(
      FileSystem system, Path source, SparkConf conf) throws IOException {
    var files = new TreeMap<String, LocatedFileStatus>();
    long bound = conf.getLong(BOUND, DEFAULT_BOUND);
    long bytes = 0;
    URI base = system.makeQualified(source).toUri();
    RemoteIterator<LocatedFileStatus> all = system.listFiles(source, true);
    while (all.hasNext()) {
      LocatedFileStatus file = all.next();
      String name =
          base.getPath().equals(file.getPath().toUri().getPath())
              ? ""
              : file.getPath().toUri().getPath().substring(base.getPath().length() + 1);
      if (name.contains("..")) {
        throw new DataException(source.toString(), "names without ..", name);
      }
      files.put(name, file);
      bytes += file.getLen();
      if (bytes > bound || files.size() > MOST_FILES) {
        throw new DataException(
            source.toString(),
            "at most %d bytes in %d files to copy (--spark-conf %s=N)"
                .formatted(bound, MOST_FILES, BOUND),
            "more");
      }
    }
    if (files.isEmpty()) {
      throw new DataException(source.toString(), "a file, or a folder with files", "none");
    }
    return files;
  }

  private static void copy(
      FileSystem system,
      Path source,
      SortedMap<String, LocatedFileStatus> files,
      java.nio.file.Path cache,
      java.nio.file.Path copy)
      throws IOException {
    java.nio.file.Path pending = Files.createTempDirectory(cache, "pending");
    try {
      java.nio.file.Path target = pending.resolve(source.getName());
      for (var file : files.entrySet()) {
        java.nio.file.Path each = file.getKey().isEmpty() ? target : target.resolve(file.getKey());
        Files.createDirectories(each.getParent());
        try (var in = system.open(file.getValue().getPath())) {
          Files.copy(in, each, StandardCopyOption.REPLACE_EXISTING);
        }
      }
      Files.move(pending, copy.getParent(), StandardCopyOption.ATOMIC_MOVE);
    } catch (java.nio.file.FileAlreadyExistsException
        | java.nio.file.DirectoryNotEmptyException e) {
      // Another process was faster; its copy is the same.
    } finally {
      Folders.delete(pending);
    }
  }

  private static String key(String address, SortedMap<String, LocatedFileStatus> files) {
    var hash = new Sha256().add(address);
    files.forEach(
        (name, file) ->
            hash.add("%s %d %d".formatted(name, file.getLen(), file.getModificationTime())));
    return hash.hex();
  }

  /// Returns the folder of copies, which is this user's alone.
  private static java.nio.file.Path cache() throws IOException {
    String user = System.getProperty("user.name");
    java.nio.file.Path folder =
        java.nio.file.Path.of(System.getProperty("java.io.tmpdir"), "tranche-staged-" + user);
    Files.createDirectories(folder);
    if (!Files.getOwner(folder).getName().equals(user)) {
      throw new IOException(folder + " belongs to somebody else");
    }
    return folder;
  }
}
