package dev.fairlead.server;

import static dev.fairlead.server.Peer.json;
import static dev.fairlead.server.Peer.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Exchange;
import dev.fairlead.protocol.Interceptor;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.Session;
import dev.fairlead.protocol.SessionContext;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.protocol.tasks.CreateTaskResult;
import dev.fairlead.protocol.tasks.Task;
import dev.fairlead.protocol.tasks.TaskId;
import dev.fairlead.protocol.tasks.TaskStatus;
import dev.fairlead.protocol.time.ManualTimers;
import dev.fairlead.protocol.time.Uninterruptibly;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.requirements.Requirement;
import dev.fairlead.server.call.CallTimeout;
import dev.fairlead.server.call.ServerSettings;
import dev.fairlead.server.handler.Handler;
import dev.fairlead.server.pagination.Cursor;
import dev.fairlead.server.session.ServerCore;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Scopes, rates and time limits of callers. */
class AccessTest {
    record Item(String id) {}

    private static <F extends Features<F>> F echo(Features<F> features) {
        return features.tool("echo", "Tested", Item.class, String.class)
                .handle((item, call) -> item.id());
    }

    /** A session of a caller whom authorization knows; without a handshake if it is stateless. */
    private static final class Client implements SessionContext, Exchange {
        private final Caller caller;
        private final Optional<Revision> assumed;
        private final Object peerKey;
        private final LinkedBlockingQueue<JsonObject> received = new LinkedBlockingQueue<>();
        private final Session session;

        Client(McpServer server, Caller caller, Optional<Revision> assumed) {
            this(server, caller, assumed, "192.0.2.1");
        }

        Client(McpServer server, Caller caller, Optional<Revision> assumed, Object peerKey) {
            this.caller = caller;
            this.assumed = assumed;
            this.peerKey = peerKey;
            this.session = server.host().open(this);
            if (assumed.isEmpty()) {
                accept(
                        """
                        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
                         "capabilities": {"roots": {}}, "clientInfo": {"name": "c", "version": "1"}}}\
                        """);
                accept("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
            }
        }

        void accept(String json) {
            session.accept(JsonRpcMessage.parse(json.getBytes(StandardCharsets.UTF_8)), this);
        }

        JsonObject call(String method, String params) throws Exception {
            accept(
                    "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"%s\", \"params\": %s}"
                            .formatted(method, params));
            while (true) {
                JsonObject message = received.take();
                if (JsonValue.of(7).equals(message.get("id"))) {
                    return message;
                }
            }
        }

        @Override
        public void send(JsonRpcMessage message) {
            received.add(json(message.toJson()));
        }

        @Override
        public void abandon(RequestId request) {}

        @Override
        public boolean isStreaming() {
            return assumed.isEmpty();
        }

        @Override
        public Caller caller() {
            return caller;
        }

        @Override
        public Object peerKey() {
            return peerKey;
        }

        @Override
        public String transport() {
            return "test";
        }

        @Override
        public Optional<Revision> assumedRevision() {
            return assumed;
        }

        @Override
        public void close() {
            session.close();
        }
    }

    private static Caller caller(String... scopes) {
        return Caller.of("https://login.example", "ada", null, Set.of(scopes));
    }

    @Nested
    class Visibility {
        private McpServer server() {
            return withSecrets(McpServer.named("s", "1")).build();
        }

        private static McpServer.Builder withOpen(McpServer.Builder builder) {
            return builder.tool("first", "Tested", NoInput.class, String.class)
                    .handle((none, call) -> "open")
                    .resource("a://open", "r", String.class)
                    .handle((request, call) -> "open")
                    .resourceTemplate("c://{id}", "t", Item.class, String.class)
                    .handle((item, call) -> "open")
                    .prompt("open", "Tested", Item.class)
                    .handle((item, call) -> GetPromptResult.of(PromptMessage.user("open")));
        }

        private static McpServer.Builder withSecrets(McpServer.Builder builder) {
            return builder.tool("secret", "Tested", NoInput.class, String.class)
                    .visibleTo(caller -> caller.hasScope("secret"))
                    .handle((none, call) -> "42")
                    .tool("open", "Tested", NoInput.class, String.class)
                    .handle((none, call) -> "open")
                    .resource("a://secret", "r", String.class)
                    .visibleTo(caller -> caller.hasScope("secret"))
                    .handle((request, call) -> "42")
                    .resourceTemplate("b://{id}", "t", Item.class, String.class)
                    .visibleTo(caller -> caller.hasScope("secret"))
                    .list((caller, call) -> List.of(new Item("1")))
                    .complete("id", (typed, call) -> List.of("1"))
                    .handle((item, call) -> "42")
                    .prompt("secret", "Tested", Item.class)
                    .visibleTo(caller -> caller.hasScope("secret"))
                    .complete("id", (typed, call) -> List.of("1"))
                    .handle((item, call) -> GetPromptResult.of(PromptMessage.user("42")))
                    .method("x/secret", JsonObject.class, JsonObject.class)
                    .visibleTo(caller -> caller.hasScope("secret"))
                    .handle((in, call) -> in);
        }

        private static final List<String[]> USES =
                List.of(
                        new String[] {"tools/call", "{\"name\": \"secret\"}", "-32602"},
                        new String[] {"resources/read", "{\"uri\": \"a://secret\"}", "-32002"},
                        new String[] {"resources/read", "{\"uri\": \"b://1\"}", "-32002"},
                        new String[] {"resources/subscribe", "{\"uri\": \"a://secret\"}", "-32002"},
                        new String[] {
                            "prompts/get",
                            "{\"name\": \"secret\", \"arguments\": {\"id\": \"1\"}}",
                            "-32602"
                        },
                        new String[] {
                            "completion/complete",
                            "{\"ref\": {\"type\": \"ref/prompt\", \"name\": \"secret\"},"
                                    + " \"argument\": {\"name\": \"id\", \"value\": \"\"}}",
                            "-32602"
                        },
                        new String[] {
                            "completion/complete",
                            "{\"ref\": {\"type\": \"ref/resource\", \"uri\": \"b://{id}\"},"
                                    + " \"argument\": {\"name\": \"id\", \"value\": \"\"}}",
                            "-32602"
                        },
                        new String[] {"x/secret", "{}", "-32601"});

        @Test
        @Requirement({"TOOL-022", "RES-015", "COMP-010", "PROMPT-010"})
        void whatIsHiddenIsNeitherListedNorUsable() throws Exception {
            try (McpServer server = server()) {
                Client stranger = new Client(server, caller(), Optional.empty());
                assertThat(stranger.call("tools/list", "{}").toJson())
                        .contains("open")
                        .doesNotContain("secret");
                assertThat(
                                stranger.call("resources/list", "{}")
                                        .object("result")
                                        .array("resources")
                                        .size())
                        .isZero();
                assertThat(stranger.call("resources/templates/list", "{}").toJson())
                        .doesNotContain("b://");
                assertThat(stranger.call("prompts/list", "{}").toJson()).doesNotContain("secret");
                for (String[] use : USES) {
                    JsonObject answer = stranger.call(use[0], use[1]);
                    assertThat(answer.has("error")).as("%s", answer).isTrue();
                    assertThat(Peer.code(answer.object("error"))).isEqualTo(Long.parseLong(use[2]));
                }
            }
        }

        /**
         * A client can make a cursor for any name, since every server continues those of others.
         */
        @ParameterizedTest
        @CsvSource({
            "tools/list, tools, tool, secret",
            "resources/list, resources, resource, a://secret",
            "resources/list, resources, template, b://{id}",
            "resources/templates/list, templates, template, b://{id}",
            "prompts/list, prompts, prompt, secret"
        })
        void aCursorThatNamesAHiddenFeatureIsThatOfAnUnknownOne(
                String method, String list, String kind, String name) throws Exception {
            try (McpServer server = withSecrets(withOpen(McpServer.named("s", "1"))).build()) {
                Client stranger = new Client(server, caller(), Optional.empty());
                List<JsonObject> answers = new ArrayList<>();
                for (String each : List.of(name, "unknown")) {
                    String cursor =
                            new Cursor(list, List.of(Cursor.digest(kind, each)), "").encode();
                    answers.add(
                            stranger.call(method, JsonObject.of("cursor", cursor).toJson())
                                    .object("result"));
                }
                assertThat(answers.getFirst()).isEqualTo(answers.getLast());
            }
        }

        @Test
        @Requirement({"TOOL-022", "RES-015"})
        void callersThatMaySeeAFeatureMayUseIt() throws Exception {
            try (McpServer server = server()) {
                Client friend = new Client(server, caller("secret"), Optional.empty());
                assertThat(
                                friend.call("resources/list", "{}")
                                        .object("result")
                                        .array("resources")
                                        .size())
                        .isEqualTo(2);
                for (String[] use : USES) {
                    assertThat(friend.call(use[0], use[1]).has("result")).as(use[0]).isTrue();
                }
            }
        }
    }

    @Nested
    class Limits {
        @Test
        @Requirement({"TOOL-023", "COMP-009"})
        void moreCallsThanAllowedAreRefusedUntilTimePasses() throws Exception {
            AtomicLong nanos = new AtomicLong();
            RateLimit limit = RateLimit.of(2, Duration.ofSeconds(1)).clock(nanos::get);
            try (McpServer server = echo(McpServer.named("s", "1").rateLimit(limit)).build();
                    Peer peer = Peer.of(server);
                    Peer other = Peer.of(server)) {
                peer.callTool("echo", "{\"id\": \"1\"}");
                peer.callTool("echo", "{\"id\": \"2\"}");

                JsonObject error =
                        peer.error(
                                "tools/call",
                                "{\"name\": \"echo\", \"arguments\": {\"id\": \"3\"}}");

                assertThat(Peer.code(error)).isEqualTo(-32000);
                assertThat(error.string("message"))
                        .isEqualTo("Too many calls, at most 2 in 1 s are allowed");
                assertThat(peer.call("tools/list", "{}").has("tools")).isTrue();
                assertThat(text(other.callTool("echo", "{\"id\": \"4\"}"))).isEqualTo("4");
                nanos.addAndGet(500_000_000);
                assertThat(text(peer.callTool("echo", "{\"id\": \"5\"}"))).isEqualTo("5");
                assertThat(peer.response("tools/call", "{\"name\": \"echo\"}").has("error"))
                        .isTrue();
            }
        }

        @Test
        @Requirement("TOOL-023")
        void aKnownCallerHasOneAllowanceInAllSessions() throws Exception {
            try (McpServer server =
                    echo(McpServer.named("s", "1").rateLimit(RateLimit.of(1, Duration.ofHours(1))))
                            .build()) {
                Client first = new Client(server, caller(), Optional.empty());
                Client second = new Client(server, caller(), Optional.empty());
                String params = "{\"name\": \"echo\", \"arguments\": {\"id\": \"1\"}}";

                assertThat(first.call("tools/call", params).has("result")).isTrue();
                assertThat(second.call("tools/call", params).has("error")).isTrue();
            }
        }

        @Test
        @Requirement("TOOL-023")
        void theLimitIsOnByDefault() throws Exception {
            RateLimit standard = RateLimit.standard();
            try (McpServer server = echo(McpServer.named("s", "1")).build()) {
                ServerSettings settings = ((ServerCore) server.host()).settings();
                assertThat(settings.rateLimit).hasToString(standard.toString());
            }
            try (McpServer server =
                            echo(McpServer.named("s", "1").rateLimit(standard.clock(() -> 0)))
                                    .build();
                    Peer peer = Peer.of(server)) {
                for (int i = 0; i < 10_000; i += 500) {
                    assertThat(refused(peer, 500)).isZero();
                }
                assertThat(refused(peer, 1)).isOne();
            }
        }

        /** How many of so many calls are refused. */
        private static long refused(Peer peer, int calls) throws Exception {
            List<Pending> all = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                all.add(
                        peer.request(
                                "tools/call",
                                "{\"name\": \"echo\", \"arguments\": {\"id\": \"1\"}}"));
            }
            long refused = 0;
            for (Pending call : all) {
                refused += call.response().has("error") ? 1 : 0;
            }
            return refused;
        }

        @Test
        void moreRequestsAtATimeThanAllowedAreRefused() throws Exception {
            CountDownLatch end = new CountDownLatch(1);
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .maxRequests(2)
                                    .tool("wait", "Tested", NoInput.class, String.class)
                                    .handle(
                                            (none, call) -> {
                                                end.await();
                                                return "";
                                            })
                                    .build();
                    Peer peer = Peer.of(server)) {
                Pending first = peer.request("tools/call", "{\"name\": \"wait\"}");
                Pending second = peer.request("tools/call", "{\"name\": \"wait\"}");

                assertThat(peer.error("tools/call", "{\"name\": \"wait\"}").string("message"))
                        .isEqualTo("Too many requests at a time: at most 2 may run");
                end.countDown();
                first.response();
                second.response();
            }
        }

        @Test
        @Requirement("LIFE-032")
        void aCallThatTimesOutIsInterruptedAndReportedToTheModel() throws Exception {
            ManualTimers timers = new ManualTimers();
            CountDownLatch started = new CountDownLatch(2);
            Handler<NoInput, String> forever =
                    (none, call) -> {
                        started.countDown();
                        new CountDownLatch(1).await();
                        return "";
                    };
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .callTimeout(Duration.ofMinutes(1))
                                    .tool("slow", "Tested", NoInput.class, String.class)
                                    .handle(forever)
                                    .tool("quick", "Tested", NoInput.class, String.class)
                                    .timeout(Duration.ofSeconds(1))
                                    .handle(forever)
                                    .build(timers);
                    Peer peer = Peer.of(server)) {
                Pending slow = peer.request("tools/call", "{\"name\": \"slow\"}");
                Pending quick = peer.request("tools/call", "{\"name\": \"quick\"}");
                started.await();

                timers.advance(Duration.ofSeconds(1));
                JsonObject result = quick.result();
                assertThat(result.bool("isError")).isTrue();
                assertThat(text(result))
                        .isEqualTo("The tool was stopped: it did not end within 1 s");

                timers.advance(Duration.ofSeconds(58));
                assertThat(peer.rest()).isEmpty();
                timers.advance(Duration.ofSeconds(1));
                assertThat(slow.result().bool("isError")).isTrue();
            }
        }

        @Test
        @Requirement("LIFE-032")
        void aCallThatIgnoresItsInterruptIsAnsweredAndItsLateResultDropped() throws Exception {
            ManualTimers timers = new ManualTimers();
            CountDownLatch started = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .tool("stubborn", "Tested", NoInput.class, String.class)
                                    .timeout(Duration.ofSeconds(1))
                                    .handle(
                                            (none, call) -> {
                                                started.countDown();
                                                Uninterruptibly.await(end::await);
                                                return "late";
                                            })
                                    .build(timers);
                    Peer peer = Peer.of(server)) {
                Pending call = peer.request("tools/call", "{\"name\": \"stubborn\"}");
                started.await();
                timers.advance(Duration.ofSeconds(1).plus(CallTimeout.GRACE).minusMillis(1));
                assertThat(peer.rest()).isEmpty();

                timers.advance(Duration.ofMillis(1));

                JsonObject error = call.error();
                assertThat(Peer.code(error)).isEqualTo(-32603);
                assertThat(error.string("message"))
                        .isEqualTo("The request was given up: it did not end within 1 s");
                end.countDown();
                assertThat(peer.rest()).isEmpty();
            }
        }

        @Test
        @Requirement("STDIO-011")
        void manyCallsAtOnceAreAllAnswered() throws Exception {
            try (McpServer server = echo(McpServer.named("s", "1")).build();
                    Peer peer = Peer.of(server)) {
                List<Pending> calls = new ArrayList<>();
                for (int i = 0; i < 500; i++) {
                    calls.add(
                            peer.request(
                                    "tools/call",
                                    "{\"name\": \"echo\", \"arguments\": {\"id\": \""
                                            + i
                                            + "\"}}"));
                }
                for (int i = 0; i < 500; i++) {
                    assertThat(text(calls.get(i).result())).isEqualTo("" + i);
                }
            }
        }
    }

    @Nested
    class Intercepting {
        @Test
        void interceptorsStandAroundEveryRequestInOrder() throws Exception {
            List<String> seen = new CopyOnWriteArrayList<>();
            Interceptor outer =
                    (method, next) -> {
                        seen.add("outer " + method.name() + " " + method.isInbound());
                        try {
                            return next.proceed(method);
                        } finally {
                            seen.add("end");
                        }
                    };
            Interceptor inner =
                    (method, next) -> {
                        seen.add("inner " + method.params().getClass().getSimpleName());
                        return next.proceed(method);
                    };
            try (McpServer server =
                            echo(McpServer.named("s", "1").intercept(outer, inner)).build();
                    Peer peer = Peer.of(server)) {
                assertThat(text(peer.callTool("echo", "{\"id\": \"1\"}"))).isEqualTo("1");
                peer.call("tools/list", "{}");

                assertThat(seen)
                        .containsExactly(
                                "outer tools/call true",
                                "inner CallToolRequest",
                                "end",
                                "outer tools/list true",
                                "inner PaginatedRequest",
                                "end");
            }
        }

        @Test
        void anInterceptorMayChangeBothWays() throws Exception {
            Interceptor changing =
                    (method, next) -> {
                        if (!(method.params() instanceof CallToolRequest request)) {
                            return next.proceed(method);
                        }
                        Outcome<?> outcome =
                                next.proceed(
                                        method.withParams(
                                                request.withArguments(
                                                        JsonObject.of("id", "changed"))));
                        CallToolResult result =
                                (CallToolResult) ((Outcome.Complete<?>) outcome).result();
                        return Outcome.complete(result.withMeta(JsonObject.of("a/b", 1)));
                    };
            try (McpServer server = echo(McpServer.named("s", "1").intercept(changing)).build();
                    Peer peer = Peer.of(server)) {
                JsonObject result = peer.callTool("echo", "{\"id\": \"1\"}");

                assertThat(text(result)).isEqualTo("changed");
                assertThat(result.object("_meta")).isEqualTo(json("{\"a/b\": 1}"));
            }
        }

        @Test
        void anInterceptorMayAnswerWithATask() throws Exception {
            Task task =
                    new Task(new TaskId("t-1"), TaskStatus.WORKING, Instant.EPOCH, Instant.EPOCH);
            Interceptor creating =
                    (method, next) -> new Outcome.TaskCreated<>(new CreateTaskResult(task));
            try (McpServer server = echo(McpServer.named("s", "1").intercept(creating)).build();
                    Peer peer = Peer.of(server)) {
                JsonObject result = peer.call("tools/call", "{\"name\": \"echo\", \"task\": {}}");

                assertThat(result)
                        .isEqualTo(
                                json(
                                        """
                                        {"task": {"taskId": "t-1", "status": "working", "createdAt": "1970-01-01T00:00:00Z",
                                          "lastUpdatedAt": "1970-01-01T00:00:00Z", "ttl": null}}
                                        """));
            }
        }

        @Test
        void toRefuseIsToThrow() throws Exception {
            Interceptor refusing =
                    (method, next) -> {
                        throw new JsonRpcException(-32000, "Not today");
                    };
            try (McpServer server = echo(McpServer.named("s", "1").intercept(refusing)).build();
                    Peer peer = Peer.of(server)) {
                assertThat(peer.error("tools/list", "{}"))
                        .isEqualTo(json("{\"code\": -32000, \"message\": \"Not today\"}"));
            }
        }

        @Test
        void aQuestionToTheClientIsInterceptedToo() throws Exception {
            List<String> seen = new CopyOnWriteArrayList<>();
            Interceptor watching =
                    (method, next) -> {
                        seen.add(method.name() + " " + method.isInbound());
                        return next.proceed(method);
                    };
            try (McpServer server =
                            McpServer.named("s", "1")
                                    .intercept(watching)
                                    .tool("roots", "Tested", NoInput.class, String.class)
                                    .handle((none, call) -> "" + call.roots().size())
                                    .build();
                    Peer peer =
                            Peer.of(server, Revision.NEWEST_WITH_HANDSHAKE, "{\"roots\": {}}")) {
                Pending call = peer.request("tools/call", "{\"name\": \"roots\"}");
                peer.answer(peer.next("roots/list"), "{\"roots\": []}");

                assertThat(text(call.result())).isEqualTo("0");
                assertThat(seen).containsExactly("tools/call true", "roots/list false");
            }
        }
    }

    @Nested
    class WithoutSessions {
        @Test
        @Requirement({"TOOL-023", "COMP-009"})
        void callersOfWhomNothingIsKnownAreCountedByTheirAddress() throws Exception {
            try (McpServer server =
                    echo(McpServer.named("s", "1"))
                            .rateLimit(RateLimit.of(1, Duration.ofHours(1)))
                            .build()) {
                String echo = "{\"name\": \"echo\", \"arguments\": {\"id\": \"1\"}}";
                Client first =
                        new Client(
                                server,
                                Caller.anonymous(),
                                Optional.of(Revision.NEWEST_WITH_HANDSHAKE));
                Client second =
                        new Client(
                                server,
                                Caller.anonymous(),
                                Optional.of(Revision.NEWEST_WITH_HANDSHAKE));
                Client elsewhere =
                        new Client(
                                server,
                                Caller.anonymous(),
                                Optional.of(Revision.NEWEST_WITH_HANDSHAKE),
                                "192.0.2.2");

                assertThat(first.call("tools/call", echo).has("result")).isTrue();
                first.close(); // the allowance of its address stays used
                assertThat(second.call("tools/call", echo).object("error").integer("code"))
                        .isEqualTo(-32000);
                assertThat(elsewhere.call("tools/call", echo).has("result")).isTrue();
            }
        }

        @Test
        void aServerThatIsClosedIsServedNowhere() {
            McpServer server = echo(McpServer.named("s", "1")).build();
            server.close();
            assertThatThrownBy(
                            () ->
                                    server.serve(
                                            host -> {
                                                throw new AssertionError("not to be asked");
                                            }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the server is closed");
        }

        @Test
        @Requirement({"ROOM-060", "VERS-019"})
        void eachRequestStandsAloneUnderTheRevisionThatIsAssumed() throws Exception {
            try (McpServer server = echo(McpServer.named("s", "1")).build()) {
                Client client =
                        new Client(server, Caller.anonymous(), Optional.of(Revision.V2025_03_26));

                assertThat(
                                client.call(
                                                "tools/call",
                                                "{\"name\": \"echo\", \"arguments\": {\"id\":"
                                                        + " \"1\"}}")
                                        .toJson())
                        .contains("\"text\":\"1\"");
                assertThat(
                                client.call(
                                                "initialize",
                                                """
                                                {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}\
                                                """)
                                        .object("result")
                                        .string("protocolVersion"))
                        .isEqualTo("2025-06-18");
                assertThat(server.sessions()).isZero();
            }
        }

        @Test
        @Requirement("LIFE-034")
        void aStatelessCallCanSendNoRequestOrNotification() throws Exception {
            try (McpServer server =
                    McpServer.named("s", "1")
                            .tool("ask", "Tested", NoInput.class, String.class)
                            .handle(
                                    (none, call) -> {
                                        call.progress(1);
                                        call.log(
                                                dev.fairlead.protocol.logging.LoggingLevel.ERROR,
                                                "x");
                                        return "" + call.roots();
                                    })
                            .build()) {
                Client client =
                        new Client(server, Caller.anonymous(), Optional.of(Revision.V2025_11_25));

                JsonObject answer =
                        client.call(
                                "tools/call",
                                "{\"name\": \"ask\", \"_meta\": {\"progressToken\": 1}}");

                assertThat(answer.object("result").bool("isError")).isTrue();
                assertThat(client.received).isEmpty();
            }
        }
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> McpServer.named("s", "1").pageSize(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pageSize must be positive but was 0");
        assertThatThrownBy(() -> McpServer.named("s", "1").callTimeout(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("callTimeout must be positive but was 0 ms");
    }
}
