package dev.fairlead.server;

import static dev.fairlead.server.RoundsTest.begin;
import static dev.fairlead.server.RoundsTest.name;
import static dev.fairlead.server.RoundsTest.params;
import static dev.fairlead.server.RoundsTest.retry;
import static dev.fairlead.server.RoundsTest.server;
import static dev.fairlead.server.RoundsTest.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.elicitation.UrlElicitationRequiredException;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.RoundsTest.Nothing;
import dev.fairlead.server.RoundsTest.Sure;
import dev.fairlead.server.handler.InputRequiredException;
import dev.fairlead.server.handler.Question;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/** Pages that a person must visit, asked in rounds. */
class PagesInRoundsTest {
    @ParameterizedTest
    @CsvSource({
        "tools/call, name, plain",
        "tools/call, name, held",
        "prompts/get, name, plain",
        "resources/read, uri, test://page"
    })
    @Requirement({"N26-MRTR-006", "N26-ELIC-005"})
    void aPageIsNotAskedOfAClientThatDeclaredNone(String method, String member, String name)
            throws Exception {
        try (McpServer server =
                        server().tool("plain", "Needs a page", Nothing.class, String.class)
                                .handle((nothing, call) -> needsAPage())
                                .tool("held", "Needs a page", Nothing.class, String.class)
                                .holdsWhileAsking()
                                .handle((nothing, call) -> needsAPage())
                                .prompt("plain", "Needs a page", Nothing.class)
                                .handle((nothing, call) -> needsAPage())
                                .resource("test://page", "page", String.class)
                                .handle((request, call) -> needsAPage())
                                .build();
                Peer peer = Peer.raw(server)) {
            JsonObject error =
                    peer.error(
                            method,
                            params(
                                    "{\"elicitation\": {\"form\": {}}}",
                                    "\"" + member + "\": \"" + name + "\""));

            assertThat(Peer.code(error)).isEqualTo(-32021);
            assertThat(error.object("data").object("requiredCapabilities").toJson())
                    .isEqualTo("{\"elicitation\":{\"url\":{}}}");
        }
    }

    private static <T> T needsAPage() {
        throw new UrlElicitationRequiredException(
                List.of(new ElicitUrlRequest("Log in", "https://e.example/", "id")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Requirement("N26-ELIC-005")
    void aPageThatThePersonRefusesIsNotAskedForAgain(boolean held) throws Exception {
        McpServer.Builder builder = server();
        var tool = builder.tool("page", "Needs a page", Nothing.class, String.class);
        if (held) {
            tool.holdsWhileAsking();
        }
        tool.handle((nothing, call) -> needsAPage());
        try (McpServer server = builder.build();
                Peer peer = Peer.raw(server)) {
            JsonObject asked = begin(peer, "page");
            String key = asked.object("inputRequests").names().iterator().next();

            JsonObject refused =
                    retry(peer, "page", asked, "{\"" + key + "\": {\"action\": \"decline\"}}");

            assertThat(refused.get("isError")).isEqualTo(JsonValue.of(true));
            assertThat(refused.has("inputRequests")).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRefusalOfAnotherQuestionIsNoneOfThePage(boolean held) throws Exception {
        McpServer.Builder builder = server();
        var tool = builder.tool("page", "Needs a page", Nothing.class, String.class);
        if (held) {
            tool.holdsWhileAsking();
        }
        tool.handle(
                (nothing, call) -> {
                    call.ask(Question.elicit("Extras?", Sure.class).as("extras"));
                    return call.retry().isPresent() ? "visited" : needsAPage();
                });
        try (McpServer server = builder.build();
                Peer peer = Peer.raw(server)) {
            JsonObject first = begin(peer, "page");
            JsonObject second =
                    retry(peer, "page", first, "{\"extras\": {\"action\": \"decline\"}}");
            assertThat(second.string("resultType")).isEqualTo("input_required");
            String key = second.object("inputRequests").names().iterator().next();

            assertThat(
                            second.object("inputRequests")
                                    .object(key)
                                    .object("params")
                                    .string("message"))
                    .isEqualTo("Log in");
            JsonObject last =
                    retry(peer, "page", second, "{\"" + key + "\": {\"action\": \"accept\"}}");
            if (held) { // which is asked once more, since the handler has thrown
                last = retry(peer, "page", last, "{\"extras\": {\"action\": \"decline\"}}");
            }
            assertThat(Peer.text(last)).isEqualTo("visited");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRefusalOfWhatTheHandlerThrewIsNoneOfThePage(boolean held) throws Exception {
        McpServer.Builder builder = server();
        var tool = builder.tool("page", "Needs a page", Nothing.class, String.class);
        if (held) {
            tool.holdsWhileAsking();
        }
        tool.handle(
                (nothing, call) -> {
                    if (call.retry().isEmpty()) {
                        throw new InputRequiredException(
                                List.of(Question.elicit("Extras?", Sure.class).as("extras")), null);
                    }
                    return needsAPage();
                });
        try (McpServer server = builder.build();
                Peer peer = Peer.raw(server)) {
            JsonObject first = begin(peer, "page");
            JsonObject second =
                    retry(peer, "page", first, "{\"extras\": {\"action\": \"decline\"}}");
            assertThat(second.toJson()).contains("Log in");
            String key = second.object("inputRequests").names().iterator().next();
            JsonObject refused =
                    retry(peer, "page", second, "{\"" + key + "\": {\"action\": \"decline\"}}");
            assertThat(refused.get("isError")).isEqualTo(JsonValue.of(true));
        }
    }
}
