/// The basic types of market data: time, sessions, calendars, bars, day frames, orders, tables.
@NullMarked
package io.tranche.market;

import org.jspecify.annotations.NullMarked;
