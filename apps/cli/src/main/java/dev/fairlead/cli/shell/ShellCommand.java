package dev.fairlead.cli.shell;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The commands of the shell, as they are typed in lower case. */
enum ShellCommand {
    TOOLS("", "lists the tools"),
    CALL("NAME [JSON | KEY=VALUE...]", "calls a tool"),
    TASK("NAME [JSON | KEY=VALUE...]", "calls a tool as a task"),
    START("NAME [JSON | KEY=VALUE...]", "the same, without waiting for the task"),
    TASKS("[get|result|cancel ID]", "lists the tasks; shows, awaits or cancels one"),
    RESOURCES("", "lists the resources"),
    TEMPLATES("", "lists the resource templates"),
    READ("URI", "reads a resource"),
    WATCH("URI", "reports changes of a resource"),
    UNWATCH("URI", "ends that"),
    PROMPTS("", "lists the prompts"),
    PROMPT("NAME [KEY=VALUE...]", "gets a prompt with its arguments filled in"),
    COMPLETE("NAME|TEMPLATE ARGUMENT [TEXT]", "suggests values for an argument"),
    SAVE("PATH", "saves the images, audio and resources of the last result"),
    LOG("LEVEL", "shows log messages of this level and above"),
    PING("", "checks that the server answers"),
    INFO("", "shows the server and its capabilities"),
    HELP("", "lists the commands"),
    EXIT("", "ends the shell, as Ctrl-D does");

    private final String arguments;
    private final String summary;

    ShellCommand(String arguments, String summary) {
        this.arguments = arguments;
        this.summary = summary;
    }

    static List<String> words() {
        return Stream.of(values()).map(ShellCommand::word).toList();
    }

    static Optional<ShellCommand> of(String typed) {
        return Stream.of(values()).filter(command -> command.word().equals(typed)).findFirst();
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns how it is typed. */
    String usage() {
        return arguments.isEmpty() ? word() : word() + " " + arguments;
    }

    String summary() {
        return summary;
    }
}
