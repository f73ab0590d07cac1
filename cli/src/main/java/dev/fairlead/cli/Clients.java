package dev.fairlead.cli;

import dev.fairlead.cli.view.LogLine;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Answer;
import dev.fairlead.protocol.CreateMessageResult;
import dev.fairlead.protocol.ElicitAction;
import dev.fairlead.protocol.Root;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Makes the client of a command, with what answers the questions of the server. */
final class Clients {
    /** What stands for the model where a text was given in its place. */
    private static final String MODEL = "fairlead-cli";

    private final Console console;
    private final Arguments arguments;

    Clients(Console console, Arguments arguments) {
        this.console = console;
        this.arguments = arguments;
    }

    /**
     * The client that the options ask for. Nothing is connected yet.
     *
     * @throws UsageException if an option cannot be used
     */
    McpClient.Builder client(ServerOptions options) {
        McpClient.Builder client =
                McpClient.named("fairlead-cli", "0.1.0").requestTimeout(options.timeout());
        if (options.isTimeoutSet()) { // what was asked for holds, whatever progress comes
            client.maximum(options.timeout());
        }
        client.onLog(entry -> console.status().print(LogLine.of(entry, console.errorScreen())));
        elicitation(client, options.elicit);
        String sample = options.sample;
        if (sample != null) {
            client.onSample(request -> CreateMessageResult.text(MODEL, sample));
        }
        roots(client, options.roots);
        return client;
    }

    private void elicitation(McpClient.Builder client, @Nullable String given) {
        if (given == null) {
            client.onElicitForm(form -> Answer.decline());
            client.onElicitUrl(page -> ElicitAction.DECLINE);
            return;
        }
        JsonObject content = arguments.object("--elicit", given);
        client.onElicitForm(form -> Answer.accept(content));
        client.onElicitUrl(page -> ElicitAction.ACCEPT);
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
