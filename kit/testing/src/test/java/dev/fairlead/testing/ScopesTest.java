package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.InsufficientScopeException;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Features that require scopes, on connections with a given caller. */
@Timeout(300)
class ScopesTest {
    record City(String city) {}

    private final AtomicInteger purged = new AtomicInteger();

    private McpServer.Builder server() {
        return McpServer.named("guarded", "1")
                .tasks(Tasks.inMemory())
                .tool("purge", "Tested", NoInput.class, String.class)
                .task(TaskSupport.OPTIONAL)
                .requireScopes("read", "purge")
                .handle(
                        (none, call) -> {
                            purged.incrementAndGet();
                            return call.caller().subject();
                        })
                .tool("deep", "Tested", NoInput.class, String.class)
                .handle(
                        (none, call) -> {
                            throw new InsufficientScopeException(Set.of("deep"));
                        })
                .resource("mem:secret", "secret", String.class)
                .requireScopes("purge")
                .handle((request, call) -> "secret")
                .resourceTemplate("weather:{city}", "weather", City.class, String.class)
                .requireScopes("purge")
                .complete("city", (typed, call) -> List.of("Paris"))
                .handle((city, call) -> city.city())
                .prompt("plan", "Tested", City.class)
                .requireScopes("purge")
                .complete("city", (typed, call) -> List.of("Paris"))
                .handle((city, call) -> GetPromptResult.of(PromptMessage.user(city.city())))
                .method("acme/purge", JsonObject.class, JsonObject.class)
                .requireScopes("purge")
                .handle((params, call) -> params);
    }

    private static Caller caller(String... scopes) {
        return Caller.of("https://login.example", "ann", "desk", Set.of(scopes));
    }

    private static JsonObject answer(RawPeer peer, String method, String params) {
        peer.send(
                """
                {"jsonrpc": "2.0", "id": 7, "method": "%s", "params": %s}\
                """
                        .formatted(method, params));
        while (true) {
            JsonObject message = peer.next();
            if (JsonValue.of(7).equals(message.get("id"))) {
                return message;
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tools/call | {\"name\": \"purge\"}",
                "tools/call | {\"name\": \"purge\", \"task\": {}}",
                "resources/read | {\"uri\": \"mem:secret\"}",
                "resources/read | {\"uri\": \"weather:Paris\"}",
                "resources/subscribe | {\"uri\": \"mem:secret\"}",
                "resources/subscribe | {\"uri\": \"weather:Paris\"}",
                "prompts/get | {\"name\": \"plan\", \"arguments\": {\"city\": \"Paris\"}}",
                "acme/purge | {}",
                "completion/complete | {\"ref\": {\"type\": \"ref/prompt\", \"name\": \"plan\"},"
                        + " \"argument\": {\"name\": \"city\", \"value\": \"P\"}}",
                "completion/complete | {\"ref\": {\"type\": \"ref/resource\", \"uri\":"
                        + " \"weather:{city}\"}, \"argument\": {\"name\": \"city\", \"value\":"
                        + " \"P\"}}"
            })
    @Requirement({"AUTH-048", "SEC-024"})
    void everyUseIsForCallersThatHaveAllScopes(String method, String params) {
        try (McpTest test = McpTest.of(server())) {
            JsonObject anonymous = answer(test.rawClient("{}"), method, params);
            JsonObject lacking =
                    answer(test.caller(caller("read")).rawClient("{}"), method, params);
            int before = purged.get();
            JsonObject admitted =
                    answer(test.caller(caller("purge", "read")).rawClient("{}"), method, params);

            assertThat(anonymous.object("error").integer("code")).isEqualTo(403);
            assertThat(lacking.object("error")).isEqualTo(anonymous.object("error"));
            assertThat(before).isZero();
            assertThat(admitted.has("result")).as("" + admitted).isTrue();
        }
    }

    @Test
    void theErrorNamesAllScopesThatTheUseRequires() {
        try (McpTest test = McpTest.of(server()).caller(caller("read"))) {
            RawPeer peer = test.rawClient();
            peer.send(
                    """
                    {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "purge"}}\
                    """);
            peer.expect(
                    """
                    {"jsonrpc": "2.0", "id": 7, "error": {"code": 403,
                     "message": "This requires the scopes: read purge",
                     "data": {"requiredScopes": ["read", "purge"]}}}\
                    """);
        }
    }

    @Test
    void whatIsRefusedMakesNoTask() {
        try (McpTest test = McpTest.of(server())) {
            RawPeer refused = test.caller(caller()).rawClient();
            answer(refused, "tools/call", "{\"name\": \"purge\", \"task\": {}}");

            assertThat(answer(refused, "tasks/list", "{}").object("result").array("tasks"))
                    .isEmpty();
            assertThat(purged).hasValue(0);
        }
    }

    @Test
    void featuresThatRequireScopesAreListedForAllCallers() throws Exception {
        try (McpTest test = McpTest.of(server())) {
            assertThat(test.client().tools())
                    .extracting(tool -> tool.name())
                    .containsExactly("purge", "deep");
        }
    }

    @Test
    void anOldRevisionIsRefusedInTheSameWay() {
        try (McpTest test = McpTest.of(server()).revision(Revision.V2024_11_05)) {
            JsonObject answer = answer(test.rawClient(), "tools/call", "{\"name\": \"purge\"}");

            assertThat(answer.object("error").integer("code")).isEqualTo(403);
        }
    }

    @Test
    void aHandlerMayAskForScopesItself() throws Exception {
        try (McpTest test = McpTest.of(server())) {
            JsonObject answer = answer(test.rawClient(), "tools/call", "{\"name\": \"deep\"}");

            assertThat(answer.object("error").object("data"))
                    .hasToString("{\"requiredScopes\":[\"deep\"]}");
        }
    }

    @Test
    @Requirement("AUTH-068")
    void twoCallersHaveTasksOfTheirOwn() {
        try (McpTest test = McpTest.of(server())) {
            RawPeer ann = test.caller(caller("read", "purge")).rawClient();
            Caller bob = Caller.of("https://login.example", "bob", "desk", Set.of("purge"));
            RawPeer other = test.caller(bob).rawClient();
            String id =
                    answer(ann, "tools/call", "{\"name\": \"purge\", \"task\": {}}")
                            .object("result")
                            .object("task")
                            .string("taskId");
            String params = "{\"taskId\": \"" + id + "\"}";

            for (String method : new String[] {"tasks/get", "tasks/result", "tasks/cancel"}) {
                assertThat(answer(other, method, params).object("error").integer("code"))
                        .isEqualTo(-32602);
            }
            assertThat(answer(other, "tasks/list", "{}").object("result").array("tasks")).isEmpty();
            assertThat(answer(ann, "tasks/result", params).object("result").toString())
                    .contains("\"ann\"");
        }
    }

    @Test
    void aScopeIsOneWord() {
        assertThatThrownBy(
                        () ->
                                McpServer.named("s", "1")
                                        .tool("t", "Tested", NoInput.class, String.class)
                                        .requireScopes("a b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a scope must be printable ASCII without spaces, \" and \\ but was a b");
    }
}
