package io.tranche.cli.data;

import picocli.CommandLine.Command;

@Command(
    name = "orders",
    mixinStandardHelpOptions = true,
    description = "Generate and merge parent orders.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    subcommands = {OrdersGenerateCommand.class, OrdersMergeCommand.class})
public final class OrdersCommand {}
