package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.tools.ToolMethods;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Features that are added and removed, and which clients are notified. */
class ChangesTest {
    private final ManualTimers timers = new ManualTimers();

    private static <F extends Features<F>> F tool(Features<F> features, String name, String text) {
        return features.tool(name, "Tested", NoInput.class, String.class)
                .handle((none, call) -> text);
    }

    private static <F extends Features<F>> F resource(Features<F> features, String uri) {
        return features.resource(uri, "r", String.class).handle((request, call) -> uri);
    }

    private McpServer server() {
        McpServer.Builder builder = McpServer.named("s", "1");
        tool(builder, "one", "1");
        tool(builder, "two", "2");
        resource(builder, "a://one");
        return builder.prompt("p", "Tested", NoInput.class)
                .handle((none, call) -> GetPromptResult.of(PromptMessage.user("hi")))
                .build(timers);
    }

    private static List<String> tools(Peer peer) throws Exception {
        List<String> names = new ArrayList<>();
        peer.call("tools/list", "{}")
                .array("tools")
                .forEach(tool -> names.add(((JsonObject) tool).string("name")));
        return names;
    }

    @Test
    void toolsComeAndGoAndAreReplacedInTheirPlace() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            server.update(
                    features -> tool(tool(features, "three", "3"), "one", "uno").removeTool("two"));

            assertThat(tools(peer)).containsExactly("one", "three");
            assertThat(text(peer.callTool("one", "{}"))).isEqualTo("uno");
            assertThat(Peer.code(peer.error("tools/call", "{\"name\": \"two\"}")))
                    .isEqualTo(-32602);
        }
    }

    @Test
    @Requirement({"TOOL-005", "RES-006", "PROMPT-005", "ROOM-080"})
    void aBurstOfChangesIsNotifiedOnceForEachKind() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            peer.rest();
            for (int i = 0; i < 10; i++) {
                String name = "t" + i;
                server.update(features -> tool(features, name, name));
            }
            server.update(features -> features.removeResource("a://one").removePrompt("p"));
            timers.advance(Duration.ofMillis(49));
            assertThat(peer.rest()).isEmpty();

            timers.advance(Duration.ofMillis(1));

            peer.next("notifications/tools/list_changed");
            peer.next("notifications/resources/list_changed");
            peer.next("notifications/prompts/list_changed");
            timers.advance(Duration.ofSeconds(1));
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement("RES-006")
    void whatATemplateListsChangesWithoutTheFeaturesDoingSo() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            peer.rest();

            server.resourcesChanged();
            server.resourcesChanged();
            timers.advance(Duration.ofMillis(50));

            peer.next("notifications/resources/list_changed");
            timers.advance(Duration.ofSeconds(1));
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    void aTemplateThatIsRemovedIsNeitherListedNorReadAnyMore() throws Exception {
        McpServer.Builder builder = McpServer.named("s", "1");
        template(template(builder, "a://{id}"), "b://{id}");
        try (McpServer server = builder.build(timers);
                Peer peer = Peer.of(server)) {
            peer.rest();
            server.update(features -> features.removeResourceTemplate("a://{id}"));
            timers.advance(Duration.ofMillis(50));

            peer.next("notifications/resources/list_changed");
            assertThat(peer.call("resources/templates/list", "{}").array("resourceTemplates"))
                    .extracting(found -> ((JsonObject) found).string("uriTemplate"))
                    .containsExactly("b://{id}");
            assertThat(Peer.code(peer.error("resources/read", "{\"uri\": \"a://1\"}")))
                    .isEqualTo(-32002);
            assertThat(peer.call("resources/read", "{\"uri\": \"b://1\"}").array("contents"))
                    .hasSize(1);
        }
    }

    private static <F extends Features<F>> F template(Features<F> features, String uri) {
        return features.resourceTemplate(uri, "r", Id.class, String.class)
                .handle((variables, call) -> variables.id());
    }

    record Id(String id) {}

    @Test
    void anUpdateWithoutChangesSendsNoNotification() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            server.update(
                    features ->
                            features.removeTool("nope")
                                    .removeResource("a://nope")
                                    .removeResourceTemplate("a://{nope}"));

            assertThat(timers.waiting()).isZero();
            assertThat(peer.rest()).isEmpty();
        }
    }

    private static <F extends Features<F>> F prompt(Features<F> features, String name) {
        return features.prompt(name, "Tested", NoInput.class)
                .handle((none, call) -> GetPromptResult.of(PromptMessage.user("hi")));
    }

    @Test
    @Requirement("LIFE-016")
    void noListChangeIsSentWithoutItsCapability() throws Exception {
        McpServer.Builder builder = McpServer.named("s", "1");
        prompt(builder, "p");
        try (McpServer server = builder.build(timers);
                Peer peer = Peer.of(server)) {
            server.update(features -> prompt(tool(features, "new", "new"), "new"));
            timers.advance(Duration.ofSeconds(1));

            peer.next("notifications/prompts/list_changed"); // would come behind that of the tools
            assertThat(peer.rest()).isEmpty();
        }
    }

    @Test
    @Requirement("LIFE-006")
    void noNotificationIsSentBeforeTheClientIsInitialized() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.raw(server)) {
            peer.initialize("2025-11-25", "{}");
            server.update(features -> features.removeTool("one"));
            timers.advance(Duration.ofSeconds(1));
            assertThat(peer.rest()).isEmpty();

            peer.notify("notifications/initialized", null);

            peer.next("notifications/tools/list_changed");
        }
    }

    @Test
    void aChangeThatIsRefusedChangesNothing() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            assertThatThrownBy(
                            () ->
                                    server.update(
                                            features ->
                                                    tool(
                                                            tool(features, "three", "3"),
                                                            "three",
                                                            "4")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the tool three is declared twice");

            assertThat(tools(peer)).containsExactly("one", "two");
        }
    }

    @Test
    @Requirement({"ROOM-066", "TOOL-007"})
    void aNameDeclaredTwiceIsRefused() {
        McpServer.Builder builder = McpServer.named("s", "1");
        tool(builder, "one", "1");

        assertThatThrownBy(() -> tool(builder, "one", "2"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the tool one is declared twice");
    }

    @Test
    @Requirement({"ROOM-066", "TOOL-007"})
    void anOddNameWorks() throws Exception {
        McpServer.Builder builder = McpServer.named("s", "1");
        tool(builder, "get weather, now", "sun");
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server)) {
            assertThat(text(peer.callTool("get weather, now", "{}"))).isEqualTo("sun");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a,b", "a/b", "ä"})
    @Requirement("TOOL-007")
    void anOddNameIsWarnedAbout(String name) {
        assertThat(ToolMethods.oddity(name))
                .hasValueSatisfying(text -> assertThat(text).contains("\"" + name + "\""));
        assertThat(ToolMethods.oddity("x".repeat(129))).isPresent();
        assertThat(ToolMethods.oddity("x".repeat(128))).isEmpty();
        assertThat(ToolMethods.oddity("Az09_-.")).isEmpty();
    }

    @Test
    void aDeclarationWithoutHandleFailsAtBuild() {
        McpServer.Builder builder = McpServer.named("s", "1");
        builder.tool("half", "Tested", NoInput.class, String.class);

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the tool half has no handle(…)");
    }

    @Test
    void aModuleOfFeaturesIsAMethod() throws Exception {
        try (McpServer server = McpServer.named("s", "1").features(ChangesTest::billing).build();
                Peer peer = Peer.of(server)) {
            assertThat(tools(peer)).containsExactly("bill");
        }
    }

    private static void billing(Features<?> features) {
        features.tool("bill", "Tested", NoInput.class, String.class).handle((none, call) -> "bill");
    }

    // ---- subscriptions

    @Test
    @Requirement({"RES-007", "RES-008", "RES-009"})
    void onlySubscribersAreNotifiedUntilTheyUnsubscribe() throws Exception {
        try (McpServer server = server();
                Peer watcher = Peer.of(server);
                Peer other = Peer.of(server)) {
            assertThat(watcher.call("resources/subscribe", "{\"uri\": \"a://one\"}"))
                    .isEqualTo(JsonObject.EMPTY);
            server.resourceUpdated("a://one");
            assertThat(watcher.next("notifications/resources/updated").object("params"))
                    .isEqualTo(json("{\"uri\": \"a://one\"}"));

            server.resourceUpdated("a://two");
            assertThat(watcher.call("resources/unsubscribe", "{\"uri\": \"a://one\"}"))
                    .isEqualTo(JsonObject.EMPTY);
            server.resourceUpdated("a://one");

            assertThat(watcher.rest()).isEmpty();
            assertThat(other.rest()).isEmpty();
        }
    }

    @Test
    @Requirement({"ROOM-076", "ERR-023"})
    void watchingWhatIsNotThereFailsAndStoppingNever() throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            JsonObject error = peer.error("resources/subscribe", "{\"uri\": \"a://nope\"}");

            assertThat(Peer.code(error)).isEqualTo(-32002);
            assertThat(error.object("data")).isEqualTo(json("{\"uri\": \"a://nope\"}"));
            assertThat(peer.call("resources/unsubscribe", "{\"uri\": \"a://nope\"}"))
                    .isEqualTo(JsonObject.EMPTY);
        }
    }

    @Test
    void subscriptionsOfASessionAreBounded() throws Exception {
        McpServer.Builder builder = McpServer.named("s", "1").maxSubscriptions(2);
        for (int i = 0; i < 3; i++) {
            resource(builder, "a://" + i);
        }
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server)) {
            peer.call("resources/subscribe", "{\"uri\": \"a://0\"}");
            peer.call("resources/subscribe", "{\"uri\": \"a://1\"}");
            peer.call("resources/subscribe", "{\"uri\": \"a://1\"}");

            assertThat(peer.error("resources/subscribe", "{\"uri\": \"a://2\"}").string("message"))
                    .isEqualTo("Too many subscriptions: at most 2 are kept");
            peer.call("resources/unsubscribe", "{\"uri\": \"a://0\"}");
            peer.call("resources/subscribe", "{\"uri\": \"a://2\"}");
        }
    }

    private static String uri(char last) {
        return "a://" + "x".repeat(500) + last;
    }

    private static String watched(char last) {
        return "{\"uri\": \"" + uri(last) + "\"}";
    }

    @Test
    void theBytesOfASessionAreBounded() throws Exception {
        McpServer.Builder builder = McpServer.named("s", "1").maxSessionBytes(4_000);
        for (char last = 'a'; last <= 'c'; last++) {
            resource(builder, uri(last));
        }
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server)) {
            peer.call("resources/subscribe", watched('a'));
            peer.call("resources/subscribe", watched('a'));

            JsonObject refused = peer.error("resources/subscribe", watched('b'));
            assertThat(Peer.code(refused)).isEqualTo(-32000);
            assertThat(refused.string("message"))
                    .contains("may keep 4000")
                    .contains("McpServer.Builder.maxSessionBytes");
            peer.call("resources/unsubscribe", watched('a'));
            peer.call("resources/subscribe", watched('b'));
        }
    }

    @Test
    void theBytesOfAllSessionsAreBoundedAndGivenBackWithASession() throws Exception {
        McpServer.Builder builder =
                McpServer.named("s", "1").maxSessionBytes(40_000).maxSessionBytesSum(60_000);
        for (char last = 'a'; last <= 'z'; last++) {
            resource(builder, uri(last));
        }
        try (McpServer server = builder.build()) {
            try (Peer first = Peer.of(server);
                    Peer second = Peer.of(server)) {
                for (char last = 'a'; last <= 'o'; last++) {
                    first.call("resources/subscribe", watched(last));
                }
                for (char last = 'a'; last <= 'f'; last++) { // few bytes find room
                    second.call("resources/subscribe", watched(last));
                }
                JsonObject refused = null;
                for (char last = 'g'; last <= 'z' && refused == null; last++) {
                    JsonObject answer = second.response("resources/subscribe", watched(last));
                    refused = answer.has("error") ? answer.object("error") : null;
                }
                assertThat(refused).isNotNull();
                assertThat(refused.string("message"))
                        .contains("All sessions together may keep 60000 bytes")
                        .contains("maxSessionBytesSum");
            }
            try (Peer third = Peer.of(server)) {
                for (char last = 'a'; last <= 'o'; last++) {
                    third.call("resources/subscribe", watched(last));
                }
            }
        }
    }

    // ---- pages

    @Test
    @Requirement({"PAGE-001", "PAGE-002", "PAGE-006"})
    void pagesStayStableWhileFeaturesComeAndGo() throws Exception {
        McpServer.Builder builder = McpServer.named("s", "1").pageSize(2);
        for (int i = 0; i < 5; i++) {
            tool(builder, "t" + i, "");
        }
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server)) {
            JsonObject first = peer.call("tools/list", "{}");
            assertThat(names(first)).containsExactly("t0", "t1");

            server.update(
                    features ->
                            tool(
                                    features.removeTool("t0").removeTool("t1").removeTool("t2"),
                                    "t5",
                                    ""));

            JsonObject second = peer.call("tools/list", cursor(first));
            JsonObject third = peer.call("tools/list", cursor(second));
            assertThat(names(second)).containsExactly("t3", "t4");
            assertThat(names(third)).containsExactly("t5");
            assertThat(third.has("nextCursor")).isFalse();
        }
    }

    @Test
    @Requirement({"PAGE-002", "ROOM-075"})
    void aFullLastPageHasNoNextOne() throws Exception {
        McpServer.Builder builder = McpServer.named("s", "1").pageSize(2);
        for (int i = 0; i < 4; i++) {
            builder =
                    builder.resourceTemplate("a://" + i + "/{id}", "t", Item.class, String.class)
                            .handle((item, call) -> item.id());
        }
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server)) {
            JsonObject first = peer.call("resources/templates/list", "{}");
            JsonObject second = peer.call("resources/templates/list", cursor(first));

            assertThat(first.array("resourceTemplates").size()).isEqualTo(2);
            assertThat(second.array("resourceTemplates").size()).isEqualTo(2);
            assertThat(second.has("nextCursor")).isFalse();
        }
    }

    record Item(String id) {}

    @Test
    @Requirement({"PAGE-001", "PAGE-006"})
    void theResourcesOfListersArePartOfThePages() throws Exception {
        McpServer.Builder builder = McpServer.named("s", "1").pageSize(3);
        resource(builder, "a://first");
        builder.resourceTemplate("b://{id}", "b", Item.class, String.class)
                .list(
                        (caller, call) ->
                                List.of(
                                        new Item("4"),
                                        new Item("2"),
                                        new Item("3"),
                                        new Item("1"),
                                        new Item("0")))
                .handle((item, call) -> item.id());
        resource(builder, "b://2");
        resource(builder, "c://last");
        try (McpServer server = builder.build();
                Peer peer = Peer.of(server)) {
            List<String> uris = new ArrayList<>();
            JsonObject page = peer.call("resources/list", "{}");
            while (true) {
                page.array("resources").forEach(r -> uris.add(((JsonObject) r).string("uri")));
                assertThat(page.array("resources").size()).isLessThanOrEqualTo(3);
                if (!page.has("nextCursor")) {
                    break;
                }
                page = peer.call("resources/list", cursor(page));
            }

            assertThat(uris)
                    .containsExactly(
                            "a://first", "b://0", "b://1", "b://3", "b://4", "b://2", "c://last");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tools/list", "resources/list", "resources/templates/list", "prompts/list"})
    @Requirement({"PAGE-006", "ERR-014"})
    void aCursorThatIsNoneIsAnInvalidParameter(String method) throws Exception {
        try (McpServer server = server();
                Peer peer = Peer.of(server)) {
            for (String cursor : List.of("\"\"", "\"x\"", "7")) {
                assertThat(Peer.code(peer.error(method, "{\"cursor\": " + cursor + "}")))
                        .isEqualTo(-32602);
            }
        }
    }

    private static String cursor(JsonObject page) {
        return "{\"cursor\": " + JsonValue.of(page.string("nextCursor")).toJson() + "}";
    }

    private static List<String> names(JsonObject page) {
        List<String> names = new ArrayList<>();
        page.array("tools").forEach(tool -> names.add(((JsonObject) tool).string("name")));
        return names;
    }
}
