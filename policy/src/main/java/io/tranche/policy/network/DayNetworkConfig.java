package io.tranche.policy.network;

/// Settings of a built-in network over the day. Sealed, so that the compiler checks that code which
/// exports networks handles every kind.
public sealed interface DayNetworkConfig
    permits RecurrentConfig, DualAttentionConfig, TransformerConfig, LayersConfig {}
