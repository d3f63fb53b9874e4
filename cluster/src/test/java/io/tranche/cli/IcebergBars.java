package io.tranche.cli;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.to_date;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructType;

/// An Iceberg table of bars, a partition a day, with files as Iceberg's own writers leave them.
record IcebergBars(Table table) {

  static IcebergBars create(Path folder, StructType bars) {
    var schema =
        new Schema(
            Stream.of(bars.fields())
                .map(
                    field ->
                        Types.NestedField.optional(
                            bars.fieldIndex(field.name()) + 1,
                            field.name(),
                            type(field.dataType())))
                .toList());
    return new IcebergBars(
        new HadoopTables(new Configuration())
            .create(
                schema,
                PartitionSpec.builderFor(schema).day("datetime").build(),
                folder.toString()));
  }

  /// Adds a file a day, each column with its id.
  List<DataFile> append(Dataset<Row> bars) throws IOException {
    Column[] columns =
        Stream.of(bars.columns())
            .map(
                name ->
                    col(name)
                        .as(
                            name,
                            new MetadataBuilder()
                                .putLong(
                                    "parquet.field.id", table.schema().findField(name).fieldId())
                                .build()))
            .toArray(Column[]::new);
    return appendAsTheyAre(bars.select(columns));
  }

  /// Adds files that do not know of Iceberg.
  List<DataFile> appendAsTheyAre(Dataset<Row> bars) throws IOException {
    Path folder = Path.of(table.location(), "data", UUID.randomUUID().toString());
    bars.withColumn("day", to_date(col("datetime")))
        .repartition(1)
        .write()
        .partitionBy("day")
        .parquet(folder.toString());
    List<Path> files;
    try (Stream<Path> all = Files.walk(folder)) {
      files = all.filter(file -> file.toString().endsWith(".parquet")).sorted().toList();
    }
    AppendFiles append = table.newAppend();
    List<DataFile> added = files.stream().map(file -> dataFile(file, FileFormat.PARQUET)).toList();
    added.forEach(append::appendFile);
    append.commit();
    return added;
  }

  /// Returns what a table knows of a file in the folder of its day, `day=2021-03-01`.
  DataFile dataFile(Path file, FileFormat format) {
    return DataFiles.builder(table.spec())
        .withPath(file.toUri().toString())
        .withFormat(format)
        .withPartitionPath("datetime_" + file.getName(file.getNameCount() - 2))
        .withFileSizeInBytes(file.toFile().length())
        .withRecordCount(1) // no more than a statistic
        .build();
  }

  private static Type type(DataType type) {
    if (type.equals(DataTypes.StringType)) {
      return Types.StringType.get();
    }
    if (type.equals(DataTypes.TimestampType)) {
      return Types.TimestampType.withZone();
    }
    if (type.equals(DataTypes.TimestampNTZType)) {
      return Types.TimestampType.withoutZone();
    }
    return type.equals(DataTypes.DoubleType) ? Types.DoubleType.get() : Types.FloatType.get();
  }
}
