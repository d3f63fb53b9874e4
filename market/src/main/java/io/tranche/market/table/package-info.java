/// Tables and bars: CSV, the mapping of columns, and the conversion of any file to a bar source and
/// back.
@NullMarked
package io.tranche.market.table;

import org.jspecify.annotations.NullMarked;
