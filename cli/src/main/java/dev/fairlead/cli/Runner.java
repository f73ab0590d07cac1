package dev.fairlead.cli;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonBoolean;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Remote;
import dev.fairlead.stdio.Stdio;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Connects to a server, runs one command on it, prints the answer and lets the server go. */
final class Runner {
    private final Console console;
    private final Invocation invocation;

    Runner(Console console, Invocation invocation) {
        this.console = console;
        this.invocation = invocation;
    }

    /** What a command asks of the server. */
    @FunctionalInterface
    interface Verb {
        JsonObject ask(ClientRequests server) throws InterruptedException;
    }

    /** Shows an answer to people. */
    @FunctionalInterface
    interface View {
        void show(JsonObject answer, Console console);
    }

    /**
     * Runs one command.
     *
     * @return the exit status
     */
    int run(ServerOptions options, Verb verb, View view) {
        Output output = new Output(console, options.json);
        try (McpClient client = connect(options)) {
            JsonObject answer = verb.ask(client);
            output.answer(answer, shown -> view.show(shown, console));
            return answer.get("isError") instanceof JsonBoolean error && error.value()
                    ? ExitStatus.TOOL_FAILED
                    : ExitStatus.OK;
        } catch (RuntimeException | InterruptedException e) {
            return output.failure(Failure.of(e));
        }
    }

    private McpClient connect(ServerOptions options) throws InterruptedException {
        return McpClient.named("fairlead-cli", "0.1.0")
                .requestTimeout(options.timeout())
                .connect(remote(options.target, invocation.server()));
    }

    private static Remote remote(@Nullable String target, @Nullable List<String> server) {
        if (server != null && target != null) {
            throw new UsageException("either TARGET or -- COMMAND names the server, not both");
        }
        if (server != null && !server.isEmpty()) {
            return Stdio.command(server.toArray(String[]::new));
        }
        if (target == null) {
            throw new UsageException(
                    "which server? Give its URL, or -- and the command to start it");
        }
        return Http.to(target);
    }
}
