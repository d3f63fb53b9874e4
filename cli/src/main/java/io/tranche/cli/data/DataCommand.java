package io.tranche.cli.data;

import picocli.CommandLine.Command;

@Command(
    name = "data",
    mixinStandardHelpOptions = true,
    description = "Check, convert, generate and prepare market data.",
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n",
    subcommands = {
      DataCheckCommand.class,
      DataConvertCommand.class,
      DataFeaturesCommand.class,
      DataGenerateCommand.class
    })
public final class DataCommand {}
