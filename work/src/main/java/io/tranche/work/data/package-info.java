/// Features and orders, made instrument by instrument in any process.
@NullMarked
package io.tranche.work.data;

import org.jspecify.annotations.NullMarked;
