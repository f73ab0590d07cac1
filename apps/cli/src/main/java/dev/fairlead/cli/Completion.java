package dev.fairlead.cli;

import org.jspecify.annotations.Nullable;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;

/** {@code fairlead completion}. */
@Command(
        name = "completion",
        description = "Prints a script for bash or zsh that completes commands and options.",
        footer = {
            "",
            "Examples:",
            "  source <(fairlead completion bash)",
            "  fairlead completion zsh > ~/.fairlead-completion && \\",
            "      echo 'source ~/.fairlead-completion' >> ~/.zshrc"
        })
final class Completion implements Callable<Integer> {
    private static final Set<String> SHELLS = Set.of("bash", "zsh");

    private final Console console;

    @Parameters(paramLabel = "bash|zsh", description = "the shell; the script is the same for both")
    private @Nullable String shell;

    @Spec private @Nullable CommandSpec spec;

    Completion(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (!SHELLS.contains(Objects.requireNonNull(shell))) {
            throw new UsageException("the shell must be bash or zsh but was " + shell);
        }
        console.out().print(script(Objects.requireNonNull(spec).root()));
        console.out().flush();
        return ExitStatus.OK;
    }

    /** Returns the script, with the digits that shells read in every language of the JVM. */
    private static String script(CommandSpec root) {
        Locale language = Locale.getDefault(Locale.Category.FORMAT);
        Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
        try {
            return AutoComplete.bash(root.name(), root.commandLine());
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, language);
        }
    }
}
