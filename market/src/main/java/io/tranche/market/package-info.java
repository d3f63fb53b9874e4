/// The words every other package of this module speaks: time, sessions, calendars, bars, day
/// frames, orders, tables.
@NullMarked
package io.tranche.market;

import org.jspecify.annotations.NullMarked;
