/// The trading hours of each instrument: stated, recorded or found, and bars on them.
@NullMarked
package io.tranche.market.session;

import org.jspecify.annotations.NullMarked;
