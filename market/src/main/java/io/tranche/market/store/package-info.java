/// Qlib's `.bin` store: calendars, instruments and one file per field, read and written.
@NullMarked
package io.tranche.market.store;

import org.jspecify.annotations.NullMarked;
