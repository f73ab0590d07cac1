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
    WATCH("URI", "says whenever a resource changes"),
    UNWATCH("URI", "ends that"),
    PROMPTS("", "lists the prompts"),
    PROMPT("NAME [KEY=VALUE...]", "gets a prompt, filled in"),
    COMPLETE("NAME|TEMPLATE ARGUMENT [TEXT]", "asks how an argument could go on"),
    SAVE("PATH", "saves the images, sounds and resources of the last answer"),
    LOG("LEVEL", "asks for log messages of this level and above"),
    PING("", "checks that the server answers"),
    INFO("", "says who the server is and what it can do"),
    HELP("", "lists the commands"),
    EXIT("", "leaves; so does Ctrl-D");

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

    /** How it is typed. */
    String usage() {
        return arguments.isEmpty() ? word() : word() + " " + arguments;
    }

    String summary() {
        return summary;
    }
}
