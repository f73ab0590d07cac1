package dev.fairlead.browser;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.client.OAuth;
import dev.fairlead.auth.client.TokenStore;
import dev.fairlead.auth.server.ResourceServer;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;
import dev.fairlead.test.support.FreePort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** An MCP server that takes the tokens of an issuer, and clients of it. */
final class Reports implements AutoCloseable {
    private final McpServer server;
    private final HttpServing serving;

    Reports(String issuer) throws IOException {
        server =
                McpServer.named("reports", "1")
                        .tasks(Tasks.inMemory())
                        .tool("who", "Says who calls", NoInput.class, String.class)
                        .handle((none, call) -> call.caller().subject())
                        .tool("purge", "Deletes all", NoInput.class, String.class)
                        .requireScopes("reports:purge")
                        .handle((none, call) -> "purged by " + call.caller().subject())
                        .tool("diary", "What Ann thinks", NoInput.class, String.class)
                        .visibleTo(caller -> caller.subject().equals("ann"))
                        .handle((none, call) -> "Dear diary")
                        .tool("print", "Prints it all", NoInput.class, String.class)
                        .task(TaskSupport.REQUIRED)
                        .handle((none, call) -> "printed for " + call.caller().subject())
                        .build();
        serving = serve(issuer);
    }

    /** At a port that was free just now, which the audience of tokens has to name. */
    private HttpServing serve(String issuer) throws IOException {
        while (true) {
            int port = FreePort.find();
            try {
                return server.serve(
                        Http.port(port)
                                .shutdownGrace(Duration.ofMillis(100))
                                .authorization(
                                        ResourceServer.at("http://127.0.0.1:" + port + "/mcp")
                                                .trust(issuer)
                                                .scopes("reports:read")));
            } catch (UncheckedIOException e) {
                if (!(e.getCause() instanceof BindException)) {
                    throw e;
                } // else somebody was faster
            }
        }
    }

    URI url() {
        return serving.uri();
    }

    /** Returns the settings of a program that has a person log in as this client of the issuer. */
    static OAuth login(String client, Person person, TokenStore tokens) {
        return OAuth.browser("Desk")
                .client(client, Secret.from(() -> SpringIssuer.secretOf(client)))
                .chooseIssuer(List::getFirst) // the server is our own
                .tokens(tokens)
                .browser(person::logIn);
    }

    /** A client that asks for nothing by itself, so that its tokens change when it is told to. */
    McpClient connect(OAuth authorization) throws InterruptedException {
        return McpClient.connect(
                Http.to(url().toString()).listening(false).authorization(authorization));
    }

    /** A client of a revision with sessions, and with a list of tasks. */
    McpClient connectWithSession(OAuth authorization) throws InterruptedException {
        return McpClient.named("reader", "1")
                .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE)
                .connect(Http.to(url().toString()).listening(false).authorization(authorization));
    }

    /** The text that a tool without arguments gives. */
    static String call(McpClient client, String tool) throws InterruptedException {
        return client.tool(tool, NoInput.class, String.class).call(new NoInput());
    }

    /** A member of the login that is kept for this server. */
    String kept(TokenStore tokens, String member) {
        JsonObject login = (JsonObject) JsonValue.parse(tokens.read(url()).orElseThrow());
        return login.string(member);
    }

    @Override
    public void close() {
        serving.close();
        server.close();
    }
}
