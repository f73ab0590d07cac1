package dev.fairlead.docs;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolFailedException;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;

import java.time.Duration;

/** The code of the page for users of the official Java SDK. */
final class MigrationSnippets {
    private MigrationSnippets() {}

    // @start region="records"
    record Division(@Doc("What is divided") double dividend, double divisor) {}

    record Quotient(double value) {}

    record Confirm(boolean sure) {}

    // @end

    static McpServer server() {
        // @start region="server"
        McpServer server =
                McpServer.named("calculator", "1.0.0")
                        .tool("divide", "Divides two numbers", Division.class, Quotient.class)
                        .handle(
                                (in, call) -> {
                                    if (in.divisor() == 0) {
                                        throw new ToolFailedException("The divisor is 0");
                                    }
                                    call.progress(1, 2, "checked");
                                    call.elicit("Divide?", Confirm.class).orElseThrow();
                                    return new Quotient(in.dividend() / in.divisor());
                                })
                        .build();
        // @end
        return server;
    }

    static void serve(McpServer server) {
        // @start region="serve"
        server.serve(Stdio.streams());
        server.serve(Http.port(3000)); // http://127.0.0.1:3000/mcp, without a servlet container
        // @end
    }

    static double client(Remote calculator) throws InterruptedException {
        // @start region="client"
        McpClient.Builder settings =
                McpClient.named("desk", "1.0.0")
                        .onElicitForm(form -> Answer.accept(new Confirm(true)));
        try (McpClient client = settings.connect(calculator)) {
            for (Tool tool : client.tools()) {
                System.out.println(tool.name());
            }
            JsonObject arguments = JsonObject.of("dividend", 1, "divisor", 4);
            System.out.println(client.callTool("divide", arguments).text());

            Quotient typed =
                    client.tool("divide", Division.class, Quotient.class)
                            .withTimeout(Duration.ofSeconds(10))
                            .withProgress(step -> System.out.println(step.message()))
                            .call(new Division(1, 4));
            return typed.value();
        }
        // @end
    }
}
