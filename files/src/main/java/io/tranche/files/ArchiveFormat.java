package io.tranche.files;

/// The kind of an archive.
///
/// @param name the format in its manifest
/// @param version the version that this Tranche writes; it reads older ones and refuses newer ones
/// @param hasDigests whether entries are checked by SHA-256 too: a CRC shows damage, but anyone can
///   make another entry with the same CRC
public record ArchiveFormat(String name, long version, boolean hasDigests) {}
