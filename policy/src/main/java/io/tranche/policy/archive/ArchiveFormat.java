package io.tranche.policy.archive;

/// What kind of archive a file is.
///
/// @param name what its manifest says it is
/// @param version what files of this version of Tranche say; older ones are read, newer ones are
///   refused
/// @param hasDigests whether entries are held against a SHA-256 too: a CRC shows damage, but anyone
///   can make another entry of the same CRC
public record ArchiveFormat(String name, long version, boolean hasDigests) {}
