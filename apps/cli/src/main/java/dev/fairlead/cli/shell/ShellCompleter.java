package dev.fairlead.cli.shell;

import dev.fairlead.cli.view.ToolArgument;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.completion.ResourceTemplateReference;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.prompts.PromptArgument;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.resources.ResourceTemplate;
import dev.fairlead.protocol.tools.Tool;

import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Proposes completions of a line: commands, names, arguments and their values. Only texts that can
 * be printed and typed unchanged are proposed.
 */
final class ShellCompleter implements Completer {
    private final Catalogue catalogue;
    private final ArgumentValues values;
    private final Supplier<Collection<String>> watched;
    private final Supplier<Collection<String>> tasks;

    ShellCompleter(
            Catalogue catalogue,
            ArgumentValues values,
            Supplier<Collection<String>> watched,
            Supplier<Collection<String>> tasks) {
        this.catalogue = catalogue;
        this.values = values;
        this.watched = watched;
        this.tasks = tasks;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        String typed = line.word().substring(0, line.wordCursor());
        proposals(line.words().subList(0, line.wordIndex()), typed)
                .filter(proposal -> proposal.equals(Printable.line(proposal)))
                .distinct()
                .forEach(proposal -> candidates.add(candidate(proposal)));
    }

    /**
     * Returns a candidate; after {@code KEY=} the value follows at once, and a template is not
     * complete either.
     */
    private static Candidate candidate(String proposal) {
        boolean complete = !proposal.endsWith("=") && !proposal.endsWith("/");
        return new Candidate(proposal, proposal, null, null, null, null, complete);
    }

    /**
     * Returns the words that could stand in the place of one.
     *
     * @param before the words before it
     * @param typed the part of it that has been typed
     */
    Stream<String> proposals(List<String> before, String typed) {
        if (before.isEmpty()) {
            return Stream.of(ShellCommand.values()).map(ShellCommand::word);
        }
        return ShellCommand.of(before.get(0))
                .map(command -> proposals(command, before, typed))
                .orElse(Stream.empty());
    }

    private Stream<String> proposals(ShellCommand command, List<String> before, String typed) {
        boolean first = before.size() == 1;
        return switch (command) {
            case CALL, TASK, START ->
                    first
                            ? catalogue.tools.get().stream().map(Tool::name)
                            : toolArguments(before.get(1), given(before), typed);
            case PROMPT ->
                    first
                            ? catalogue.prompts.get().stream().map(Prompt::name)
                            : promptArguments(before.get(1), given(before), typed);
            case READ, WATCH -> first ? uris(typed) : Stream.empty();
            case TASKS -> taskWords(before);
            case UNWATCH -> first ? watched.get().stream() : Stream.empty();
            case LOG ->
                    Stream.of(LoggingLevel.values())
                            .map(level -> level.name().toLowerCase(Locale.ROOT))
                            .filter(level -> first);
            default -> Stream.empty();
        };
    }

    private Stream<String> taskWords(List<String> before) {
        return switch (before.size()) {
            case 1 -> Stream.of("get", "result", "cancel");
            case 2 -> tasks.get().stream();
            default -> Stream.empty();
        };
    }

    /** The arguments that stand there already. */
    private static Map<String, String> given(List<String> before) {
        Map<String, String> given = new LinkedHashMap<>();
        for (String word : before.subList(2, before.size())) {
            int separator = word.indexOf('=');
            if (separator > 0) {
                given.put(word.substring(0, separator), word.substring(separator + 1));
            }
        }
        return given;
    }

    private Stream<String> toolArguments(String tool, Map<String, String> given, String typed) {
        JsonObject schema = catalogue.schema(tool);
        if (schema == null) {
            return Stream.empty();
        }
        List<ToolArgument> arguments = ToolArgument.of(schema);
        int separator = typed.indexOf('=');
        if (separator < 0) {
            return arguments.stream()
                    .map(ToolArgument::name)
                    .filter(name -> !given.containsKey(name))
                    .map(name -> name + "=");
        }
        String name = typed.substring(0, separator);
        return arguments.stream()
                .filter(argument -> argument.name().equals(name))
                .flatMap(argument -> argument.choices().stream())
                .map(choice -> name + "=" + text(choice));
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString text ? text.value() : value.toJson();
    }

    private Stream<String> promptArguments(String prompt, Map<String, String> given, String typed) {
        int separator = typed.indexOf('=');
        if (separator < 0) {
            return catalogue.prompts.get().stream()
                    .filter(one -> one.name().equals(prompt) && one.arguments() != null)
                    .flatMap(one -> one.arguments().stream())
                    .map(PromptArgument::name)
                    .filter(name -> !given.containsKey(name))
                    .map(name -> name + "=");
        }
        String name = typed.substring(0, separator);
        String value = typed.substring(separator + 1);
        return values.of(new PromptReference(prompt), name, value, given).stream()
                .map(proposal -> name + "=" + proposal);
    }

    private Stream<String> uris(String typed) {
        List<String> templates =
                catalogue.templates.get().stream().map(ResourceTemplate::uriTemplate).toList();
        return Stream.of(
                        catalogue.resources.get().stream().map(Resource::uri),
                        templates.stream().map(ShellCompleter::literalStart),
                        templates.stream().flatMap(template -> expanded(template, typed)))
                .flatMap(uris -> uris);
    }

    private static String literalStart(String template) {
        int variable = template.indexOf('{');
        return variable < 0 ? template : template.substring(0, variable);
    }

    private Stream<String> expanded(String template, String typed) {
        return TemplateText.match(template, typed).stream()
                .flatMap(
                        match ->
                                values
                                        .of(
                                                new ResourceTemplateReference(template),
                                                match.variable(),
                                                match.typed(),
                                                match.chosen())
                                        .stream()
                                        .map(match::with));
    }
}
