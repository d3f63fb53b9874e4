package io.tranche.policy.network;

/// Settings of one of our networks over the day. Closed on purpose: whoever writes a network in
/// another form handles every kind, and the compiler checks it.
public sealed interface DayNetworkConfig
    permits RecurrentConfig, DualAttentionConfig, TransformerConfig {}
