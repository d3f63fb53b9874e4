package io.tranche.market;

import java.util.List;
import java.util.ServiceLoader;

/// The table formats on the module or class path, loaded once, because a format may hold something
/// expensive, such as a database.
final class InstalledFormats {

  static final List<TableFormat> ALL =
      ServiceLoader.load(TableFormat.class).stream().map(ServiceLoader.Provider::get).toList();

  private InstalledFormats() {}
}
