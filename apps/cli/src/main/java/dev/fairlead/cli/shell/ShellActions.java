package dev.fairlead.cli.shell;

import dev.fairlead.cli.view.Attachment;
import dev.fairlead.cli.view.CompletionList;
import dev.fairlead.cli.view.Conversation;
import dev.fairlead.cli.view.OutPath;
import dev.fairlead.cli.view.PromptList;
import dev.fairlead.cli.view.ReadResult;
import dev.fairlead.cli.view.ResourceList;
import dev.fairlead.cli.view.Screen;
import dev.fairlead.cli.view.ServerCard;
import dev.fairlead.cli.view.ToolList;
import dev.fairlead.cli.view.ToolResult;
import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.InvalidResultException;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.Reference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Runs the commands of the shell, all but leaving. Used by one thread. */
final class ShellActions {
    private final McpClient client;
    private final ClientRequests requests;
    private final Catalogue catalogue;
    private final Watches watches;
    private final ShellTasks tasks;
    private List<Attachment> attachments = List.of(); // of the last answer

    /**
     * @param requests the same server, with the limits and the progress bar of commands
     */
    ShellActions(
            McpClient client,
            ClientRequests requests,
            Catalogue catalogue,
            Watches watches,
            ShellTasks tasks) {
        this.client = client;
        this.requests = requests;
        this.catalogue = catalogue;
        this.watches = watches;
        this.tasks = tasks;
    }

    /**
     * Runs a command.
     *
     * @return the lines to show
     * @throws ShellUsageException if the line makes no sense
     */
    List<String> run(ShellCommand command, TypedLine line, Screen screen)
            throws InterruptedException {
        return switch (command) {
            case TOOLS -> ToolList.lines(requests.tools(), screen);
            case RESOURCES -> ResourceList.resources(requests.resources(), screen);
            case TEMPLATES -> ResourceList.templates(requests.resourceTemplates(), screen);
            case PROMPTS -> PromptList.lines(requests.prompts(), screen);
            case CALL -> call(line, screen);
            case TASK -> result(tasks.call(request(line, command)), screen);
            case START -> tasks.leave(request(line, command));
            case TASKS -> tasks(line, screen);
            case READ -> read(line.word(1, command), screen);
            case PROMPT -> prompt(line, screen);
            case COMPLETE -> complete(line, screen);
            case WATCH -> watches.begin(requests, line.word(1, command));
            case UNWATCH -> watches.end(line.word(1, command));
            case SAVE -> save(line.word(1, command));
            case LOG -> log(line.word(1, command));
            case PING -> ping();
            case INFO -> ServerCard.lines(client, screen);
            case HELP, EXIT -> help();
        };
    }

    private List<String> call(TypedLine line, Screen screen) throws InterruptedException {
        CallToolRequest request = request(line, ShellCommand.CALL);
        return result(
                catalogue.requiresTask(request.name())
                        ? tasks.call(request)
                        : tasks.callPlainly(requests, request),
                screen);
    }

    private CallToolRequest request(TypedLine line, ShellCommand command) {
        String tool = line.word(1, command);
        return new CallToolRequest(tool, ToolArguments.of(line, catalogue.schema(tool)));
    }

    private List<String> result(CallToolResult result, Screen screen) {
        attachments = Attachment.of(result);
        return ToolResult.lines(result, screen);
    }

    private List<String> tasks(TypedLine line, Screen screen) throws InterruptedException {
        if (line.words().size() == 1) {
            return tasks.list(screen);
        }
        String id = line.word(2, ShellCommand.TASKS);
        return switch (line.words().get(1)) {
            case "get" -> tasks.get(id, screen);
            case "result" -> result(tasks.result(id), screen);
            case "cancel" -> tasks.cancel(id, screen);
            default -> throw new ShellUsageException("usage: " + ShellCommand.TASKS.usage());
        };
    }

    private List<String> read(String uri, Screen screen) throws InterruptedException {
        ReadResourceResult result = requests.readResource(uri);
        attachments = Attachment.of(result);
        return ReadResult.lines(result, screen);
    }

    private List<String> prompt(TypedLine line, Screen screen) throws InterruptedException {
        GetPromptResult result =
                requests.getPrompt(line.word(1, ShellCommand.PROMPT), line.pairs());
        attachments = Attachment.of(result);
        return Conversation.lines(result, screen);
    }

    private List<String> complete(TypedLine line, Screen screen) throws InterruptedException {
        String of = line.word(1, ShellCommand.COMPLETE);
        String argument = line.word(2, ShellCommand.COMPLETE);
        String typed = line.words().size() > 3 ? line.words().get(3) : "";
        Reference reference =
                of.contains("{") ? new ResourceTemplateReference(of) : new PromptReference(of);
        return CompletionList.lines(
                requests.complete(reference, argument, typed).completion(), screen);
    }

    private List<String> save(String path) {
        if (attachments.isEmpty()) {
            throw new ShellUsageException("the last result contains no image, audio or resource");
        }
        List<String> lines = new ArrayList<>();
        try {
            OutPath.of(path)
                    .save(
                            attachments,
                            (saved, file) ->
                                    lines.add("Saved " + file + " (" + saved.summary() + ")"));
        } catch (IOException | InvalidResultException e) {
            lines.add(String.valueOf(e.getMessage()));
            throw new ShellUsageException(String.join("\n", lines)); // some may be saved
        }
        return lines;
    }

    private List<String> log(String typed) throws InterruptedException {
        LoggingLevel level =
                Stream.of(LoggingLevel.values())
                        .filter(one -> one.name().equals(typed.toUpperCase(Locale.ROOT)))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new ShellUsageException(
                                                "the level must be debug, info, notice, warning,"
                                                        + " error, critical, alert or emergency"));
        requests.setLoggingLevel(level);
        return List.of("Log messages from " + typed.toLowerCase(Locale.ROOT) + " up are shown.");
    }

    private List<String> ping() throws InterruptedException {
        requests.ping();
        return List.of("The server answered.");
    }

    private static List<String> help() {
        int width =
                Stream.of(ShellCommand.values())
                        .mapToInt(one -> one.usage().length())
                        .max()
                        .orElse(0);
        return Stream.of(ShellCommand.values())
                .map(one -> String.format("%-" + width + "s  %s", one.usage(), one.summary()))
                .toList();
    }
}
