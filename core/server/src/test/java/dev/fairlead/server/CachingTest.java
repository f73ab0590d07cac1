package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.caching.CacheHint;
import dev.fairlead.protocol.caching.CacheScope;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.resources.ReadResourceResult;
import dev.fairlead.protocol.resources.ResourceContents;
import dev.fairlead.protocol.tools.ListToolsResult;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/** The time for which, and the users for whom, results of revision 2026-07-28 may be cached. */
class CachingTest {
    private static final String META =
            """
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientCapabilities": {}}\
            """;

    record Part(String id) {}

    private static McpServer.Builder server() {
        return McpServer.named("library", "1.0.0")
                .tool("find", "Finds", NoInput.class, String.class)
                .handle((none, call) -> "found")
                .prompt("praise", "Praises", NoInput.class)
                .handle((none, call) -> GetPromptResult.of(PromptMessage.user("Praise")))
                .resource("docs://plain", "plain", String.class)
                .handle((request, call) -> "plain")
                .resource("docs://guide", "guide", String.class)
                .cacheFor(Duration.ofHours(1))
                .cachePublic()
                .handle((request, call) -> "guide")
                .resource("docs://own", "own", ReadResourceResult.class)
                .cacheFor(Duration.ofHours(1))
                .handle(
                        (request, call) ->
                                ReadResourceResult.of(
                                                ResourceContents.text(request.uri(), null, "own"))
                                        .withCacheHint(
                                                CacheHint.of(
                                                        Duration.ofSeconds(5), CacheScope.PUBLIC)))
                .resourceTemplate("parts://{id}", "part", Part.class, String.class)
                .cacheFor(Duration.ofMinutes(2))
                .handle((part, call) -> part.id());
    }

    private static JsonObject call(McpServer server, String method, String members)
            throws Exception {
        try (Peer peer = Peer.raw(server)) {
            return peer.call(method, "{" + members + (members.isEmpty() ? "" : ", ") + META + "}");
        }
    }

    private static String hint(JsonObject result) {
        return result.get("ttlMs") + " " + result.get("cacheScope");
    }

    private static String read(McpServer server, String uri) throws Exception {
        return hint(call(server, "resources/read", "\"uri\": \"" + uri + "\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server/discover",
                "tools/list",
                "prompts/list",
                "resources/list",
                "resources/templates/list"
            })
    @Requirement({"N26-CACHE-001", "N26-CACHE-003"})
    void listsMayBeKeptAsTheServerSays(String method) throws Exception {
        try (McpServer silent = server().build();
                McpServer private5 = server().cacheLists(Duration.ofMinutes(5)).build();
                McpServer public5 =
                        server().cacheLists(Duration.ofMinutes(5), CacheScope.PUBLIC).build()) {
            assertThat(hint(call(silent, method, ""))).isEqualTo("0 \"private\"");
            assertThat(hint(call(private5, method, ""))).isEqualTo("300000 \"private\"");
            assertThat(hint(call(public5, method, ""))).isEqualTo("300000 \"public\"");
        }
    }

    @Test
    @Requirement("N26-CACHE-004")
    void allPagesOfAListHaveOneScope() throws Exception {
        try (McpServer server =
                server().pageSize(1).cacheLists(Duration.ofMinutes(5), CacheScope.PUBLIC).build()) {
            JsonObject first = call(server, "resources/list", "");
            JsonObject second =
                    call(server, "resources/list", "\"cursor\": " + first.get("nextCursor"));

            assertThat(hint(second)).isEqualTo(hint(first));
            assertThat(first.get("nextCursor")).isNotNull();
        }
    }

    @Test
    @Requirement({"N26-CACHE-001", "N26-CACHE-003"})
    void resourcesMayBeKeptAsTheySay() throws Exception {
        try (McpServer server = server().cacheLists(Duration.ofMinutes(5)).build()) {
            assertThat(read(server, "docs://plain")).isEqualTo("0 \"private\"");
            assertThat(read(server, "docs://guide")).isEqualTo("3600000 \"public\"");
            assertThat(read(server, "parts://7")).isEqualTo("120000 \"private\"");
            assertThat(read(server, "docs://own")).isEqualTo("5000 \"public\"");
        }
    }

    @Test
    void interceptorsDecideForOneResult() throws Exception {
        try (McpServer server =
                server().intercept(
                                (method, next) -> {
                                    Outcome<?> outcome = next.proceed(method);
                                    return outcome instanceof Outcome.Complete<?> complete
                                                    && complete.result()
                                                            instanceof ListToolsResult tools
                                            ? Outcome.complete(
                                                    tools.withCacheHint(
                                                            new CacheHint(7, CacheScope.PRIVATE)))
                                            : outcome;
                                })
                        .cacheLists(Duration.ofMinutes(5))
                        .build()) {
            assertThat(hint(call(server, "tools/list", ""))).isEqualTo("7 \"private\"");
            assertThat(hint(call(server, "prompts/list", ""))).isEqualTo("300000 \"private\"");
        }
    }

    @Test
    void membersThatMakeNoSenseAreNotSent() throws Exception {
        try (McpServer server =
                McpServer.named("odd", "1.0.0")
                        .resource("docs://odd", "odd", ReadResourceResult.class)
                        .handle(
                                (request, call) ->
                                        ReadResourceResult.of(
                                                        ResourceContents.text(
                                                                request.uri(), null, "odd"))
                                                .withOtherMembers(
                                                        JsonObject.of(
                                                                "ttlMs",
                                                                -7,
                                                                "cacheScope",
                                                                "everyone",
                                                                "x",
                                                                1)))
                        .build()) {
            JsonObject result = call(server, "resources/read", "\"uri\": \"docs://odd\"");

            assertThat(hint(result)).isEqualTo("0 \"private\"");
            assertThat(result.get("x")).hasToString("1");
        }
    }

    @Test
    void olderRevisionsHaveNoHints() throws Exception {
        try (McpServer server =
                        server().cacheLists(Duration.ofMinutes(5), CacheScope.PUBLIC).build();
                Peer peer = Peer.of(server, Revision.V2025_11_25, "{}")) {
            assertThat(peer.call("tools/list", "{}").get("ttlMs")).isNull();
            JsonObject read = peer.call("resources/read", "{\"uri\": \"docs://guide\"}");
            assertThat(read.get("ttlMs")).isNull();
            assertThat(read.get("cacheScope")).isNull();
        }
    }

    @Test
    @Requirement("N26-CACHE-005")
    void aListThatHidesSomethingIsNotPublic() {
        McpServer.Builder hiding =
                server().tool("purge", "Purges", NoInput.class, String.class)
                        .visibleTo(caller -> !caller.isAnonymous())
                        .handle((none, call) -> "purged");

        hiding.cacheLists(Duration.ofMinutes(5)).build().close();
        hiding.cacheLists(Duration.ofMinutes(5), CacheScope.PUBLIC);
        assertThatIllegalArgumentException()
                .isThrownBy(hiding::build)
                .withMessage(
                        "lists cannot be cached as public: visibleTo hides the tool purge from some"
                                + " callers");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                server().hideTaskOnlyTools()
                                        .cacheLists(Duration.ZERO, CacheScope.PUBLIC)
                                        .build())
                .withMessageContaining("hideTaskOnlyTools");
    }

    @Test
    @Requirement("N26-CACHE-005")
    void aFeatureThatIsHiddenIsNotAddedToPublicLists() throws Exception {
        try (McpServer server =
                server().cacheLists(Duration.ofMinutes(5), CacheScope.PUBLIC).build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(
                            () ->
                                    server.update(
                                            changes ->
                                                    changes.resource(
                                                                    "docs://secret",
                                                                    "secret",
                                                                    String.class)
                                                            .visibleTo(caller -> false)
                                                            .handle((request, call) -> "secret")))
                    .withMessageContaining("the resource docs://secret");
            assertThat(call(server, "resources/list", "").toString()).doesNotContain("secret");
        }
    }

    @Test
    @Requirement("N26-CACHE-005")
    void aResourceThatIsGuardedIsNotPublic() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                server().resource("docs://own2", "own2", String.class)
                                        .cachePublic()
                                        .requireScopes("read")
                                        .handle((request, call) -> "own"))
                .withMessage(
                        "the resource docs://own2 cannot be cached as public: scopes guard it from"
                                + " some callers");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                server().resourceTemplate(
                                                "own://{id}", "own", Part.class, String.class)
                                        .visibleTo(caller -> true)
                                        .cachePublic()
                                        .handle((part, call) -> "own"))
                .withMessageContaining("the resource template own://{id} cannot");
    }

    @Test
    void timesAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server().cacheLists(Duration.ofMillis(-1)))
                .withMessage("ttlMs must be 0 or more but was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server().cacheLists(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("too long");
    }

    @Test
    void clientsReadWhatMakesNoSenseAsNothing() {
        ListToolsResult none = new ListToolsResult(List.of(), null);

        assertThat(none.hasCacheHint()).isFalse();
        assertThat(none.cacheHint()).isEqualTo(CacheHint.NONE);
        for (String members :
                List.of(
                        "{\"ttlMs\": 1.5}",
                        "{\"ttlMs\": 1e400, \"cacheScope\": 7}",
                        "{\"ttlMs\": \"5\", \"cacheScope\": \"Public\"}")) {
            assertThat(none.withOtherMembers(Peer.json(members)).cacheHint())
                    .isEqualTo(CacheHint.NONE);
        }
        assertThat(none.withOtherMembers(Peer.json("{\"ttlMs\": 2.0}")).cacheHint().ttlMs())
                .isEqualTo(2);
    }
}
