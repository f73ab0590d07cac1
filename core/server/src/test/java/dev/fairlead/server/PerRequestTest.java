package dev.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.TypeRef;
import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.resources.ResourceNotFoundException;
import dev.fairlead.protocol.tools.Header;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Requests of revision 2026-07-28, which need no session, over a pipe. */
class PerRequestTest {
    private static final String VERSION = "io.modelcontextprotocol/protocolVersion";
    private static final String CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";

    record Name(String name) {}

    record Number(int n) {}

    record Place(@Header("Region") String region) {}

    private static McpServer.Builder both() {
        return McpServer.named("hello", "1.0.0")
                .revisions(Revision.V2025_06_18, Revision.V2025_11_25, Revision.V2026_07_28)
                .tool("greet", "Greets", Name.class, String.class)
                .handle((person, call) -> "Hello, " + person.name() + "!");
    }

    private static String meta(String more) {
        return """
        {"%s": "2026-07-28", "%s": {}, "io.modelcontextprotocol/clientInfo": {"name": "peer", "version": "1"}%s}\
        """
                .formatted(VERSION, CAPABILITIES, more);
    }

    private static String params(String members) {
        return "{" + members + (members.isEmpty() ? "" : ", ") + "\"_meta\": " + meta("") + "}";
    }

    private static String greet(String name) {
        return params("\"name\": \"greet\", \"arguments\": {\"name\": \"" + name + "\"}");
    }

    @Test
    @Requirement("N26-HDR-014")
    void aPipeHasNoHeadersThatCouldRepeatArguments() throws Exception {
        try (McpServer server =
                        both().tool("go", "Goes somewhere", Place.class, String.class)
                                .handle((place, call) -> "Went to " + place.region())
                                .build();
                Peer peer = Peer.raw(server)) {
            JsonObject result =
                    peer.call(
                            "tools/call",
                            params("\"name\": \"go\", \"arguments\": {\"region\": \"eu\"}"));
            assertThat(Peer.text(result)).isEqualTo("Went to eu");
        }
    }

    @Nested
    class Discovery {
        @Test
        @Requirement({"N26-LIFE-007", "N26-LIFE-008", "N26-LIFE-009", "N26-META-007"})
        void saysWhatTheServerIs() throws Exception {
            try (McpServer server = both().instructions("Greet politely").build();
                    Peer peer = Peer.raw(server)) {
                JsonObject result = peer.call("server/discover", params(""));
                assertThat(result)
                        .isEqualTo(
                                Peer.json(
                                        """
                                        {"resultType": "complete",
                                         "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "hello", "version": "1.0.0"}},
                                         "ttlMs": 0, "cacheScope": "private",
                                         "supportedVersions": ["2026-07-28", "2025-11-25", "2025-06-18"],
                                         "capabilities": {"tools": {"listChanged": true}, "logging": {}},
                                         "instructions": "Greet politely"}\
                                        """));
            }
        }

        @Test
        @Requirement({"N26-LIFE-005", "N26-LIFE-010", "N26-BASE-014"})
        void hasTheListThatEveryRefusalOfARevisionHas() throws Exception {
            try (McpServer server = both().build();
                    Peer peer = Peer.raw(server)) {
                JsonValue served =
                        peer.call("server/discover", params("")).get("supportedVersions");
                for (String version : List.of("v999.0.0", "2025-11-25", "2024-11-05", "")) {
                    String claim = params("").replace("2026-07-28", version);
                    JsonObject error = peer.error("tools/list", claim);
                    assertThat(Peer.code(error)).isEqualTo(-32022);
                    assertThat(error.object("data"))
                            .isEqualTo(JsonObject.of("supported", served, "requested", version));
                }
            }
        }

        @Test
        void isRefusedWhereNoSuchRevisionIsServed() throws Exception {
            try (McpServer server =
                            McpServer.named("old", "1").revisions(Revision.V2025_11_25).build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error = peer.error("server/discover", params(""));
                assertThat(Peer.code(error)).isEqualTo(-32022);
                assertThat(error.object("data").array("supported"))
                        .isEqualTo(JsonArray.of(JsonValue.of("2025-11-25")));
            }
        }
    }

    @Nested
    class WithoutSessions {
        @ParameterizedTest
        @ValueSource(strings = {"tools/list", "ping", "unknown/method"})
        @Requirement({"N26-LIFE-005", "N26-LIFE-013"})
        void aRequestThatNamesNoRevisionIsRefusedWithThoseThatAreServed(String method)
                throws Exception {
            try (McpServer server = both().revisions(Revision.V2026_07_28).build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error = peer.error(method, "{}");
                assertThat(Peer.code(error)).isEqualTo(-32022);
                assertThat(error.object("data").toJson())
                        .isEqualTo("{\"supported\":[\"2026-07-28\"],\"requested\":\"\"}");
                assertThat(error.string("message"))
                        .isEqualTo("Unsupported protocol version: the request names none");
            }
        }

        @Test
        @Requirement("N26-LIFE-013")
        void initializeIsRefusedWithTheRevisionThatItRequests() throws Exception {
            try (McpServer server = both().revisions(Revision.V2026_07_28).build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error =
                        peer.error(
                                "initialize",
                                "{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {},"
                                    + " \"clientInfo\": {\"name\": \"p\", \"version\": \"1\"}}");
                assertThat(Peer.code(error)).isEqualTo(-32022);
                assertThat(error.object("data").string("requested")).isEqualTo("2025-11-25");
            }
        }

        @Test
        @Requirement("N26-META-004")
        void discoveryLacksWhatEachRequestMustName() throws Exception {
            try (McpServer server = both().revisions(Revision.V2026_07_28).build();
                    Peer peer = Peer.raw(server)) {
                assertThat(Peer.code(peer.error("server/discover", "{}"))).isEqualTo(-32602);
            }
        }

        /** Before and after the handshake: a client that names no revision is an older one. */
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "{}",
                    "{\"_meta\": {\"io.modelcontextprotocol/clientCapabilities\": {}}}"
                })
        void isUnknownToOlderClients(String params) throws Exception {
            try (McpServer server = both().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error = peer.error("server/discover", params);
                assertThat(Peer.code(error)).isEqualTo(-32601);
                assertThat(error.string("message"))
                        .isEqualTo(
                                "Method not found: server/discover is of revision 2026-07-28, but"
                                        + " the request has no"
                                        + " _meta.io.modelcontextprotocol/protocolVersion");
                assertThat(peer.error("tools/list", params).string("message"))
                        .contains("must begin with initialize")
                        .endsWith("in _meta.io.modelcontextprotocol/protocolVersion");
                peer.initialize("2025-11-25", "{}");
                assertThat(Peer.code(peer.error("server/discover", params))).isEqualTo(-32601);
            }
        }
    }

    @Test
    @Requirement("N26-BASE-016")
    void aRequestTooManyOnAPipeHasACodeOfTheRevision() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (McpServer server =
                        both().maxRequests(1)
                                .tool("wait", "Waits", Name.class, String.class)
                                .handle(
                                        (name, call) -> {
                                            begun.countDown();
                                            release.await();
                                            return "waited";
                                        })
                                .build();
                Peer peer = Peer.of(server)) {
            Pending call = peer.startTool("wait", "{\"name\": \"x\"}");
            begun.await();

            JsonObject refused = peer.error("tools/call", greet("Ada"));
            assertThat(Peer.code(refused)).isEqualTo(-32603);
            assertThat(refused.object("data").toJson()).isEqualTo("{\"retryable\":true}");
            JsonObject inSession =
                    peer.error(
                            "tools/call",
                            "{\"name\": \"greet\", \"arguments\": {\"name\": \"Ada\"}}");
            assertThat(Peer.code(inSession)).isEqualTo(-32000);

            release.countDown();
            assertThat(Peer.text(call.result())).isEqualTo("waited");
        }
    }

    @Nested
    class RequiredMembers {
        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                textBlock =
                        """
                        {}                                       | protocolVersion is missing
                        {"_meta": {}}                            | protocolVersion is missing
                        {"_meta": 7}                             | _meta must be an object
                        {"_meta": {"V": "2026-07-28"}}           | clientCapabilities is missing
                        {"_meta": {"V": 7, "C": {}}}             | protocolVersion must be a string
                        {"_meta": {"V": null, "C": {}}}          | protocolVersion must be a string
                        {"_meta": {"V": "2026-07-28", "C": [1]}} | clientCapabilities
                        {"_meta": {"V": "2026-07-28", "C": 3}}   | clientCapabilities
                        """)
        @Requirement("N26-META-004")
        void areNamedWhenTheyAreMissingOrMalformed(String params, String named) throws Exception {
            try (McpServer server = both().revisions(Revision.V2026_07_28).build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error =
                        peer.error(
                                "server/discover",
                                params.replace("\"V\"", "\"" + VERSION + "\"")
                                        .replace("\"C\"", "\"" + CAPABILITIES + "\""));
                assertThat(Peer.code(error)).isEqualTo(-32602);
                assertThat(error.string("message")).contains(named);
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"", ", \"io.modelcontextprotocol/clientInfo\": 7"})
        @Requirement("N26-META-004")
        void theNameOfTheClientIsNotAmongThem(String info) throws Exception {
            try (McpServer server = both().build();
                    Peer peer = Peer.raw(server)) {
                String params =
                        "{\"_meta\": {\"%s\": \"2026-07-28\", \"%s\": {}%s}}"
                                .formatted(VERSION, CAPABILITIES, info);
                assertThat(peer.call("server/discover", params).has("capabilities")).isTrue();
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    ", \"io.modelcontextprotocol/logLevel\": \"loud\"",
                    ", \"progressToken\": {}"
                })
        @Requirement("N26-LOG-003")
        void optionalOnesMustFitAsWell(String member) throws Exception {
            try (McpServer server = both().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error = peer.error("tools/list", "{\"_meta\": " + meta(member) + "}");
                assertThat(Peer.code(error)).isEqualTo(-32602);
                assertThat(error.string("message"))
                        .contains(member.substring(3, member.indexOf('"', 3)));
            }
        }
    }

    @Nested
    class Calls {
        @Test
        @Requirement({"N26-BASE-006", "N26-LIFE-001", "N26-LIFE-002", "N26-TOOL-008"})
        void needNoHandshake() throws Exception {
            try (McpServer server = both().build();
                    Peer peer = Peer.raw(server)) {
                assertThat(peer.call("tools/call", greet("Ada")))
                        .isEqualTo(
                                Peer.json(
                                        """
                                        {"resultType": "complete",
                                         "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "hello", "version": "1.0.0"}},
                                         "content": [{"type": "text", "text": "Hello, Ada!"}]}\
                                        """));
            }
        }

        @Test
        @Requirement({"N26-META-005", "N26-STDIO-012"})
        void runBesideASession() throws Exception {
            try (McpServer server = both().build();
                    Peer peer = Peer.of(server, Revision.V2025_06_18, "{\"sampling\": {}}")) {
                assertThat(peer.call("tools/call", greet("Ada")).string("resultType"))
                        .isEqualTo("complete");
                assertThat(peer.callTool("greet", "{\"name\": \"Bob\"}").has("resultType"))
                        .isFalse();
                assertThat(peer.call("ping", "{}")).isEqualTo(JsonObject.EMPTY);
            }
        }

        @Test
        @Requirement("N26-BASE-002")
        void shareTheIdsOfTheirPipeWithIt() throws Exception {
            CountDownLatch release = new CountDownLatch(1);
            try (McpServer server =
                            both().tool("wait", "Waits", Name.class, String.class)
                                    .handle(
                                            (name, call) -> {
                                                release.await();
                                                return "waited";
                                            })
                                    .build();
                    Peer peer = Peer.of(server)) {
                Pending call = peer.startTool("wait", "{\"name\": \"x\"}");
                peer.send(
                        "{\"jsonrpc\": \"2.0\", \"id\": %s, \"method\": \"tools/list\", \"params\": %s}"
                                .formatted(call.id(), params("")));
                JsonObject refused = call.error();
                assertThat(Peer.code(refused)).isEqualTo(-32600);
                release.countDown();
                assertThat(Peer.text(call.result())).isEqualTo("waited");
            }
        }

        @Test
        @Requirement({"N26-CANC-002", "N26-STDIO-005", "N26-STDIO-006"})
        void areCancelledById() throws Exception {
            LinkedBlockingQueue<String> ended = new LinkedBlockingQueue<>();
            CountDownLatch begun = new CountDownLatch(1);
            try (McpServer server =
                            both().tool("wait", "Waits", Name.class, String.class)
                                    .handle(
                                            (name, call) -> {
                                                begun.countDown();
                                                try {
                                                    new CountDownLatch(1).await();
                                                } catch (InterruptedException e) {
                                                    ended.add("interrupted");
                                                }
                                                return "not sent";
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                Pending call =
                        peer.request(
                                "tools/call",
                                params("\"name\": \"wait\", \"arguments\": {\"name\": \"x\"}"));
                begun.await();
                call.cancel();
                assertThat(ended.poll(30, TimeUnit.SECONDS)).isEqualTo("interrupted");
                assertThat(peer.call("tools/call", greet("Ada")).has("content")).isTrue();
                peer.call("server/discover", params(""));
            }
        }

        @Test
        @Requirement({"N26-PROG-002", "N26-LOG-002", "N26-TOOL-005"})
        void progressAndLogsAreSentOnlyOnRequest() throws Exception {
            try (McpServer server =
                            both().tool(
                                            "count",
                                            "Counts",
                                            TypeRef.of(Number.class),
                                            new TypeRef<List<Integer>>() {})
                                    .handle(
                                            (number, call) -> {
                                                call.progress(1, 2);
                                                call.log(LoggingLevel.INFO, "quiet");
                                                call.log(LoggingLevel.ERROR, "loud");
                                                return List.of(number.n());
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                String call = "{\"name\": \"count\", \"arguments\": {\"n\": 3}, \"_meta\": %s}";
                JsonObject result = peer.call("tools/call", call.formatted(meta("")));
                assertThat(result.array("structuredContent"))
                        .isEqualTo(JsonArray.of(JsonValue.of(3)));
                peer.call(
                        "tools/call",
                        call.formatted(
                                meta(
                                        ", \"io.modelcontextprotocol/logLevel\": \"error\","
                                                + " \"progressToken\": \"p\"")));
                assertThat(peer.next("notifications/progress").object("params"))
                        .isEqualTo(
                                JsonObject.of("progressToken", "p", "progress", 1.0, "total", 2.0));
                assertThat(peer.next("notifications/message").object("params").string("data"))
                        .isEqualTo("loud");
                peer.initialize("2025-11-25", "{}");
                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        @Requirement("N26-META-014")
        void knowTheirClientFromTheRequestAlone() throws Exception {
            LinkedBlockingQueue<String> seen = new LinkedBlockingQueue<>();
            try (McpServer server =
                            both().intercept(
                                            (method, next) -> {
                                                Outcome<?> outcome = next.proceed(method);
                                                seen.add(
                                                        method.session().isEmpty()
                                                                + " "
                                                                + method.revision().orElseThrow()
                                                                + " "
                                                                + method.meta());
                                                return outcome;
                                            })
                                    .tool("who", "Says", Name.class, String.class)
                                    .handle(
                                            (name, call) ->
                                                    call.client().orElseThrow().name()
                                                            + call.capabilities().sampling()
                                                            + call.revision().era()
                                                            + call.clientSession().isEmpty()
                                                            + call.meta())
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject result =
                        peer.call(
                                "tools/call",
                                "{\"name\": \"who\", \"arguments\": {\"name\": \"\"}, \"_meta\": "
                                        + meta(", \"a.b/c\": 1")
                                        + "}");
                assertThat(Peer.text(result))
                        .isEqualTo("peerfalse" + Era.PER_REQUEST + "true{\"a.b/c\":1}");
                assertThat(seen).containsExactly("true 2026-07-28 {\"a.b/c\":1}");
            }
        }
    }

    @Nested
    class Refusals {
        @ParameterizedTest
        @ValueSource(
                strings = {
                    "initialize", "ping", "logging/setLevel", "resources/subscribe",
                    "resources/unsubscribe", "tasks/result", "tasks/list", "unknown/method",
                    "prompts/list", "roots/list", "elicitation/create"
                })
        @Requirement({"N26-LIFE-016", "N26-LIFE-012"})
        void whatIsNotServedIsUnknown(String method) throws Exception {
            try (McpServer server = both().build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error = peer.error(method, params(""));
                assertThat(Peer.code(error)).isEqualTo(-32601);
                assertThat(error.has("data")).isEqualTo(method.equals("initialize"));
            }
        }

        @Test
        @Requirement({"N26-RES-002", "N26-BASE-017"})
        void anUnknownResourceIsInvalid() throws Exception {
            try (McpServer server =
                            both().resourceTemplate(
                                            "test://{name}", "test", Name.class, String.class)
                                    .handle(
                                            (name, call) -> {
                                                throw new ResourceNotFoundException(
                                                        "test://" + name.name());
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error =
                        peer.error("resources/read", params("\"uri\": \"test://missing\""));
                assertThat(Peer.code(error)).isEqualTo(-32602);
                assertThat(error.object("data").string("uri")).isEqualTo("test://missing");
            }
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                textBlock =
                        """
                        sampling        | {"sampling":{}}
                        sampling.tools  | {"sampling":{"tools":{}}}
                        elicitation.url | {"elicitation":{"url":{}}}
                        """)
        @Requirement({"N26-BASE-013", "N26-META-006", "N26-SAMP-002"})
        void aMissingCapabilityIsNamed(String capability, String required) throws Exception {
            try (McpServer server =
                            both().tool("need", "Needs", Name.class, String.class)
                                    .handle(
                                            (name, call) -> {
                                                throw CapabilityException.missing(
                                                        capability, "x/y");
                                            })
                                    .build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error =
                        peer.error(
                                "tools/call",
                                params("\"name\": \"need\", \"arguments\": {\"name\": \"\"}"));
                assertThat(Peer.code(error)).isEqualTo(-32021);
                assertThat(error.object("data").object("requiredCapabilities").toJson())
                        .isEqualTo(required);
            }
        }

        @Test
        @Requirement({"N26-BASE-016", "N26-BASE-015"})
        void limitsDoNotUseTheCodesOfOlderRevisions() throws Exception {
            try (McpServer server = both().rateLimit(RateLimit.of(1, Duration.ofHours(1))).build();
                    Peer peer = Peer.raw(server)) {
                peer.call("tools/call", greet("Ada"));
                JsonObject error = peer.error("tools/call", greet("Bob"));
                assertThat(Peer.code(error)).isEqualTo(-32603);
                assertThat(error.object("data").bool("retryable")).isTrue();
            }
        }

        @Test
        @Requirement("N26-LIFE-013")
        void initializeNamesTheRevisionsOfAServerWithoutSessions() throws Exception {
            try (McpServer server =
                            McpServer.named("new", "1").revisions(Revision.V2026_07_28).build();
                    Peer peer = Peer.raw(server)) {
                JsonObject error =
                        peer.error(
                                "initialize",
                                "{\"protocolVersion\": \"2025-11-25\", \"capabilities\": {},"
                                    + " \"clientInfo\": {\"name\": \"p\", \"version\": \"1\"}}");
                assertThat(Peer.code(error)).isEqualTo(-32022);
                assertThat(error.object("data"))
                        .isEqualTo(
                                JsonObject.of(
                                        "supported",
                                        JsonArray.of(JsonValue.of("2026-07-28")),
                                        "requested",
                                        "2025-11-25"));
            }
        }

        @Test
        void initializeNeverAgreesOnARevisionWithoutHandshake() throws Exception {
            try (McpServer server = both().build();
                    Peer peer = Peer.raw(server)) {
                assertThat(peer.initialize("2026-07-28", "{}").string("protocolVersion"))
                        .isEqualTo("2025-11-25");
            }
        }

        @Test
        void aRevisionThatIsNotServedIsReplacedByTheNewestThatIs() throws Exception {
            try (McpServer server = both().build();
                    Peer peer = Peer.raw(server)) {
                assertThat(peer.initialize("2025-03-26", "{}").string("protocolVersion"))
                        .isEqualTo("2025-11-25");
            }
        }
    }
}
