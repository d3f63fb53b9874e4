package io.tranche.cluster;

import io.tranche.market.DataException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/// The current snapshot of an Iceberg table: Iceberg says which files it is made of and which
/// column has which id, Spark reads those files as Parquet. Columns are found by their ids, so that
/// renamed ones are found in older files. What Spark alone would read otherwise than Iceberg is
/// refused.
final class IcebergTable {

  /// The option of Spark that makes it look at the ids.
  static final String BY_ID = "spark.sql.parquet.fieldId.read.enabled";

  private static final String ID = "parquet.field.id";
  private static final String METADATA_FILE = ".metadata.json";

  private IcebergTable() {}

  /// @param location the table's folder, or a metadata file of a table that a catalog looks after
  /// @throws DataException if there is no table with rows, or Spark alone cannot read it faithfully
  static Dataset<Row> read(SparkSession session, String location) {
    Table table = load(location, session.sessionState().newHadoopConf());
    List<String> files = files(location, table);
    Dataset<Row> rows =
        session
            .read()
            .schema(schema(location, table.schema()))
            .parquet(files.toArray(String[]::new));
    // Spark takes stars and brackets in a name for a pattern, and leaves hidden files out.
    int read = rows.inputFiles().length;
    if (read != files.size()) {
      throw new DataException(
          location, "%d data files that Spark finds by name".formatted(files.size()), read);
    }
    return rows;
  }

  private static Table load(String location, Configuration hadoop) {
    try {
      if (!location.endsWith(METADATA_FILE)) {
        return new HadoopTables(hadoop).load(location);
      }
      var operations = new StaticTableOperations(location, new HadoopFileIO(hadoop));
      operations.current(); // reads it
      return new BaseTable(operations, location);
    } catch (NoSuchTableException | NotFoundException e) {
      throw new DataException(
          location,
          "the folder of an Iceberg table, or, if a catalog looks after it, its newest metadata file",
          "neither",
          e);
    }
  }

  private static List<String> files(String location, Table table) {
    var files = new ArrayList<String>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        String file = task.file().location();
        if (task.file().format() != FileFormat.PARQUET) {
          throw new DataException(file, "a data file in Parquet", task.file().format());
        }
        if (!task.deletes().isEmpty()) {
          throw new DataException(
              file,
              "a data file without deleted rows (let Iceberg rewrite all data files)",
              "one with " + task.deletes().getFirst().location());
        }
        files.add(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (files.isEmpty()) {
      throw new DataException(location, "a table with rows", "an empty one");
    }
    return files;
  }

  /// Returns the columns that could be part of a bar, with their ids.
  private static StructType schema(String location, Schema schema) {
    var fields = new ArrayList<StructField>();
    for (Types.NestedField column : schema.columns()) {
      DataType type = type(column.type());
      if (type == null) {
        continue;
      }
      if (column.initialDefault() != null) {
        throw new DataException(
            "%s, column %s".formatted(location, column.name()),
            "nothing where a file lacks it",
            column.initialDefault());
      }
      var id = new MetadataBuilder().putLong(ID, column.fieldId()).build();
      fields.add(new StructField(column.name(), type, true, id));
    }
    return new StructType(fields.toArray(StructField[]::new));
  }

  private static @Nullable DataType type(Type type) {
    return switch (type.typeId()) {
      case INTEGER -> DataTypes.IntegerType;
      case LONG -> DataTypes.LongType;
      case FLOAT -> DataTypes.FloatType;
      case DOUBLE -> DataTypes.DoubleType;
      case STRING -> DataTypes.StringType;
      case DATE -> DataTypes.DateType;
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC()
              ? DataTypes.TimestampType
              : DataTypes.TimestampNTZType;
      case DECIMAL -> {
        var decimal = (Types.DecimalType) type;
        yield DataTypes.createDecimalType(decimal.precision(), decimal.scale());
      }
      default -> null;
    };
  }
}
