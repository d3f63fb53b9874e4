package io.tranche.cli;

import picocli.CommandLine.Command;

@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description = "Start a Spark cluster on this machine, to try things out (docs/scaling.md).",
    subcommands = {ClusterUpCommand.class, ClusterRunCommand.class},
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n")
final class ClusterCommand {}
