package dev.fairlead.benchmarks.servers;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;
import dev.fairlead.stdio.Stdio;

import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Connects our client, which listens to changes of the list of tools. The arguments are a revision,
 * and the URL of a server or the command line of one.
 */
public final class OurClient implements Function<List<String>, UnaryOperator<String>> {
    @Override
    public UnaryOperator<String> apply(List<String> arguments) {
        Revision revision = Revision.of(arguments.getFirst()).orElseThrow();
        try {
            McpClient client =
                    McpClient.named("benchmark", "1")
                            .onToolsChanged(tools -> {})
                            .revisions(revision, revision)
                            .connect(remote(arguments.subList(1, arguments.size())));
            client.tools(); // the definitions are known, as they are to a client that works
            return text -> call(client, text);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Remote remote(List<String> server) {
        return server.size() == 1
                ? Http.to(server.getFirst())
                : Stdio.command(server.toArray(String[]::new));
    }

    private static String call(McpClient client, String text) {
        try {
            return client.callTool("echo", JsonObject.of("text", text)).text();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
