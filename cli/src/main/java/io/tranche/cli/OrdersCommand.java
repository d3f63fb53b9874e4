package io.tranche.cli;

import picocli.CommandLine.Command;

@Command(
    name = "orders",
    mixinStandardHelpOptions = true,
    description = "Generate and merge parent orders.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    subcommands = {OrdersGenerateCommand.class, OrdersMergeCommand.class})
final class OrdersCommand {}
