/// Networks that turn observations into features, and models made of one network and its heads.
@NullMarked
package io.tranche.policy.network;

import org.jspecify.annotations.NullMarked;
