package dev.fairlead.cli;

import dev.fairlead.cli.ask.Attention;
import dev.fairlead.cli.ask.Person;
import dev.fairlead.cli.view.LogLine;
import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.ElicitUrl;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.tasks.Tasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Makes the client of a command, with the handlers of the server's questions. */
final class Clients {
    /** The name of this program, and of the model if a text was given in its place. */
    static final String NAME = "fairlead-cli";

    static final String VERSION = "0.1.0";

    private static final Duration PROBE = Duration.ofSeconds(5);

    private final Console console;
    private final Arguments arguments;
    private final Attention attention;

    Clients(Console console, Arguments arguments, Attention attention) {
        this.console = console;
        this.arguments = arguments;
        this.attention = attention;
    }

    /**
     * Makes the client for these options; its handlers of questions also run as tasks. Connects to
     * nothing yet.
     *
     * @param server the name of the server, for people
     * @param person the person to ask where no option answers; null if there is none
     * @throws UsageException if an option cannot be used
     */
    McpClient.Builder client(ServerOptions options, String server, @Nullable Person person) {
        McpClient.Builder client =
                McpClient.named(NAME, VERSION)
                        .requestTimeout(options.timeout())
                        .probeTimeout(probeTimeout(options.timeout()));
        options.revision().restrict(client);
        if (options.isTimeoutSet()) { // the limit that the user has set holds, also with progress
            client.maxTotalTimeout(options.timeout());
        }
        client.onLog(entry -> console.status().print(LogLine.of(entry, console.errorScreen())));
        elicitation(client, options.elicit, person);
        sampling(client, options.sample, server, person);
        roots(client, options.roots);
        return client.tasks(Tasks.inMemory());
    }

    /**
     * Returns how long a server over a pipe that ignores unknown requests is waited for, before it
     * gets {@code initialize}.
     */
    static Duration probeTimeout(Duration timeout) {
        Duration half = timeout.dividedBy(2);
        return half.compareTo(PROBE) < 0 && half.isPositive() ? half : PROBE;
    }

    private void elicitation(
            McpClient.Builder client, @Nullable String given, @Nullable Person person) {
        if (given != null) {
            JsonObject content = arguments.object("--elicit", given);
            client.onElicitForm(form -> awaited(form, Answer.accept(fieldsOf(form, content))));
            client.onElicitUrl(page -> awaited(page, Answer.accept()));
        } else if (person != null) {
            client.onElicitForm(person::fillIn);
            client.onElicitUrl(person::visit);
        } else {
            client.onElicitForm(
                    form -> {
                        Answer<?> answer = awaited(form, Answer.decline());
                        reportDeclined("a form", form.message(), "--elicit JSON");
                        return answer;
                    });
            client.onElicitUrl(
                    page -> {
                        Answer<?> answer = awaited(page, Answer.decline());
                        reportDeclined("a page to visit", page.message(), "--elicit '{}'");
                        return answer;
                    });
        }
    }

    private Answer<?> awaited(ElicitForm form, Answer<?> answer) throws InterruptedException {
        attention.await(form.request().meta());
        return answer;
    }

    private Answer<?> awaited(ElicitUrl page, Answer<?> answer) throws InterruptedException {
        attention.await(page.request().meta());
        return answer;
    }

    private void reportDeclined(String what, String message, String option) {
        console.say(
                "fairlead: the server asked \""
                        + Printable.excerpt(message)
                        + "\" ("
                        + what
                        + "); declined, because there is no terminal or --json is set:"
                        + " answer with "
                        + option);
    }

    /** Keeps the fields of the form: a form takes no other members. */
    private static JsonObject fieldsOf(ElicitForm form, JsonObject content) {
        JsonObject fields = form.schema().object("properties");
        JsonObject kept = JsonObject.EMPTY;
        for (Map.Entry<String, JsonValue> member : content.members().entrySet()) {
            if (fields.has(member.getKey())) {
                kept = kept.with(member.getKey(), member.getValue());
            }
        }
        return kept;
    }

    private void sampling(
            McpClient.Builder client,
            @Nullable String given,
            String server,
            @Nullable Person person) {
        if (given != null) {
            client.onSample(
                    request -> {
                        attention.await(request.meta());
                        return CreateMessageResult.text(NAME, given);
                    });
        } else if (person != null) {
            client.onSample(request -> person.speak(server, request));
        }
    }

    private static void roots(McpClient.Builder client, List<String> uris) {
        if (uris.isEmpty()) {
            return;
        }
        try {
            client.roots(uris.stream().map(Root::new).toArray(Root[]::new));
        } catch (IllegalArgumentException e) {
            throw new UsageException("--root: " + e.getMessage());
        }
    }
}
