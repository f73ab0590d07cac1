package dev.fairlead.showcase;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.client.HttpConnector;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.resources.Resource;
import dev.fairlead.protocol.tools.Tool;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * {@code fairlead conformance-client URL}: the client that the conformance suite launches. The name
 * of the scenario, in the environment, decides which calls it makes and nothing else.
 */
public final class ConformanceClient {
    private static final int FAILED = 1;
    private static final int MISUSED = 64;

    private ConformanceClient() {}

    public static void main(String[] arguments) throws InterruptedException {
        int status = run(arguments, System.getenv(), System.err);
        if (status != 0) {
            System.exit(status);
        }
    }

    /** Gives the exit status. */
    static int run(String[] arguments, Map<String, String> environment, PrintStream err)
            throws InterruptedException {
        if (arguments.length != 1) {
            err.println("Usage: fairlead conformance-client URL");
            return MISUSED;
        }
        String scenario = variable(environment, "MCP_CONFORMANCE_SCENARIO", "initialize");
        String date = variable(environment, "MCP_CONFORMANCE_PROTOCOL_VERSION", "2025-11-25");
        try {
            HttpConnector server = Http.to(arguments[0]);
            Revision newest = Revision.of(date).orElseThrow(() -> unknownRevision(date));
            try (McpClient client = connect(server, newest, scenario)) {
                run(scenario, client);
            }
            return 0;
        } catch (IllegalArgumentException e) {
            return failed(err, MISUSED, e);
        } catch (RuntimeException e) {
            return failed(err, FAILED, e);
        }
    }

    private static String variable(Map<String, String> environment, String name, String otherwise) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty() ? otherwise : value;
    }

    private static IllegalArgumentException unknownRevision(String date) {
        return new IllegalArgumentException(
                "MCP_CONFORMANCE_PROTOCOL_VERSION must be one of %s but was %s"
                        .formatted(
                                Arrays.stream(Revision.values())
                                        .map(Revision::date)
                                        .collect(Collectors.joining(", ")),
                                date));
    }

    private static int failed(PrintStream err, int status, RuntimeException cause) {
        err.println("fairlead conformance-client: " + cause.getMessage());
        return status;
    }

    private static McpClient connect(HttpConnector server, Revision newest, String scenario)
            throws InterruptedException {
        HttpConnector connector = server;
        if (isAuthorized(scenario)) {
            connector =
                    server.authorization(
                            ConformanceLogin.of(
                                    scenario, ConformanceLogin.context(), newest.date()));
        }
        return McpClient.named("fairlead-conformance", Showcase.VERSION)
                .revisions(Revision.V2024_11_05, newest)
                .onElicitForm(form -> Answer.accept(answer(scenario)))
                .connect(connector);
    }

    private static JsonObject answer(String scenario) {
        return scenario.equals("sep-2322-client-request-state")
                ? JsonObject.of("confirmed", true)
                : JsonObject.EMPTY; // the defaults of the form
    }

    private static boolean isAuthorized(String scenario) {
        return scenario.startsWith("auth/");
    }

    private static void run(String scenario, McpClient client) throws InterruptedException {
        if (isAuthorized(scenario)) {
            client.tools();
            client.callTool("test-tool", JsonObject.EMPTY);
            return;
        }
        switch (scenario) {
            case "tools_call" -> listAndCall(client, JsonObject.of("a", 5, "b", 3), "add_numbers");
            case "elicitation-sep1034-client-defaults" ->
                    listAndCall(client, JsonObject.EMPTY, "test_client_elicitation_defaults");
            case "sse-retry" -> listAndCall(client, JsonObject.EMPTY, "test_reconnection");
            case "json-schema-2020-12-preservation" -> echoSchema(client);
            case "sep-2322-client-request-state" ->
                    listAndCall(
                            client,
                            JsonObject.EMPTY,
                            "test_mrtr_echo_state",
                            "test_mrtr_no_state",
                            "test_mrtr_unrelated",
                            "test_mrtr_no_result_type");
            case "http-standard-headers" -> useTheFirstOfEach(client);
            case "http-custom-headers" -> {
                client.tools();
                callTools(client);
            }
            case "http-invalid-tool-headers" -> {
                for (Tool tool : client.tools()) {
                    client.callTool(tool.name(), JsonObject.EMPTY);
                }
            }
            default -> {
                if (client.serverCapabilities().tools()) {
                    client.tools();
                }
            }
        }
    }

    private static void listAndCall(McpClient client, JsonObject arguments, String... tools)
            throws InterruptedException {
        client.tools();
        for (String tool : tools) {
            client.callTool(tool, arguments);
        }
    }

    private static void useTheFirstOfEach(McpClient client) throws InterruptedException {
        for (Tool tool : client.tools().stream().limit(1).toList()) {
            client.callTool(tool.name(), JsonObject.EMPTY);
        }
        for (Resource resource : client.resources().stream().limit(1).toList()) {
            client.readResource(resource.uri());
        }
        for (Prompt prompt : client.prompts().stream().limit(1).toList()) {
            client.getPrompt(prompt.name());
        }
    }

    /** Makes the calls that the context of the scenario lists. */
    private static void callTools(McpClient client) throws InterruptedException {
        for (JsonValue call : ConformanceLogin.context().array("toolCalls").elements()) {
            JsonObject request = (JsonObject) call;
            client.callTool(request.string("name"), request.object("arguments"));
        }
    }

    private static void echoSchema(McpClient client) throws InterruptedException {
        for (Tool tool : client.tools()) {
            if (tool.name().equals("json_schema_2020_12_tool")) {
                client.callTool("json_schema_echo", JsonObject.of("schema", tool.inputSchema()));
            }
        }
    }
}
