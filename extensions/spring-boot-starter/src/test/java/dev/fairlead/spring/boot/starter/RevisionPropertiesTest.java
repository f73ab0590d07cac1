package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.fairlead.client.McpClient;
import dev.fairlead.client.TooManyRoundsException;
import dev.fairlead.client.UnsupportedRevisionException;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.tools.TaskSupport;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Properties of servers and clients that revision 2026-07-28 brings. */
@Timeout(600)
final class RevisionPropertiesTest {
    record Confirm(boolean ok) {}

    private static final String KEY = key(1);

    private static String key(int filled) {
        byte[] secret = new byte[32];
        secret[0] = (byte) filled;
        return Base64.getEncoder().encodeToString(secret);
    }

    @TempDir private Path folder;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {
        @Bean
        McpFeatures tools() {
            return features ->
                    features.tool("buy", "Buys tea", NoInput.class, String.class)
                            .handle(
                                    (none, call) -> {
                                        call.elicit("Pay?", Confirm.class);
                                        call.elicit("Wrap it?", Confirm.class);
                                        return "bought";
                                    })
                            .tool("where", "Says where it runs", NoInput.class, String.class)
                            .task(TaskSupport.OPTIONAL)
                            .handle((none, call) -> call.task().isPresent() ? "task" : "call");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Shop.class)
    static class Node {
        @Bean
        ChangeBus changes() {
            return ChangeBus.inProcess();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Shop.class)
    static class Counting {
        @Bean
        AtomicInteger lists() {
            return new AtomicInteger();
        }

        @Bean
        McpServerCustomizer counter(AtomicInteger lists) {
            return server ->
                    server.intercept(
                            (method, next) -> {
                                if (method.name().equals("tools/list")) {
                                    lists.incrementAndGet();
                                }
                                return next.proceed(method);
                            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class User {
        @Bean
        McpClientCustomizer answers() {
            return (name, client) -> client.onElicitForm(form -> Answer.accept(new Confirm(true)));
        }
    }

    private static McpClient client(ConfigurableApplicationContext application, Revision only)
            throws InterruptedException {
        return McpClient.named("test", "1")
                .revisions(only, only)
                .connect(Http.to(Apps.url(application, "/mcp")));
    }

    /** Sends a request of revision 2026-07-28 and returns the answer. */
    private static JsonObject post(
            ConfigurableApplicationContext application, String method, JsonObject params)
            throws Exception {
        JsonObject meta =
                JsonObject.of(
                        "io.modelcontextprotocol/protocolVersion",
                        "2026-07-28",
                        "io.modelcontextprotocol/clientCapabilities",
                        JsonObject.of("elicitation", JsonObject.EMPTY));
        JsonObject request =
                JsonObject.of(
                        "jsonrpc",
                        "2.0",
                        "id",
                        1,
                        "method",
                        method,
                        "params",
                        params.with("_meta", meta));
        HttpRequest.Builder post =
                HttpRequest.newBuilder(URI.create(Apps.url(application, "/mcp")))
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", "2026-07-28")
                        .header("Mcp-Method", method)
                        .POST(HttpRequest.BodyPublishers.ofString(request.toJson()));
        if (params.has("name")) {
            post.header("Mcp-Name", params.string("name"));
        }
        try (HttpClient http = HttpClient.newHttpClient()) {
            String body = http.send(post.build(), HttpResponse.BodyHandlers.ofString()).body();
            return (JsonObject) JsonValue.parse(body);
        }
    }

    private static final JsonObject BUY = JsonObject.of("name", "buy");

    private static JsonObject retry(JsonObject response) {
        return BUY.with("requestState", response.object("result").string("requestState"));
    }

    @Test
    void onlyTheRevisionsOfThePropertyAreServed() throws Exception {
        try (ConfigurableApplicationContext application =
                        Apps.web(Shop.class, "fairlead.server.revisions=2026-07-28");
                McpClient newest = client(application, Revision.V2026_07_28)) {
            assertThat(newest.tools()).hasSize(2);
            assertThatThrownBy(() -> client(application, Revision.V2025_11_25))
                    .isInstanceOf(UnsupportedRevisionException.class);
        }
    }

    @Test
    void aServerWithTheSameKeysContinuesACallAndOneWithAnotherAudienceDoesNot() throws Exception {
        Path keys = Files.writeString(folder.resolve("state-keys"), "# shared\n" + KEY + "\n");
        String file = "fairlead.server.request-state.keys=file:" + keys;
        String inline =
                "fairlead.server.request-state.keys=base64:"
                        + Base64.getEncoder().encodeToString(KEY.getBytes());
        try (ConfigurableApplicationContext one = Apps.web(Shop.class, file);
                ConfigurableApplicationContext other = Apps.web(Shop.class, inline);
                ConfigurableApplicationContext foreign =
                        Apps.web(
                                Shop.class,
                                file,
                                "fairlead.server.request-state.audience=foreign")) {
            JsonObject first = post(one, "tools/call", BUY);
            assertThat(post(other, "tools/call", retry(first)).object("result").has("requestState"))
                    .isTrue();
            assertThat(post(foreign, "tools/call", retry(first)).object("error").string("message"))
                    .isEqualTo("Invalid or expired requestState");
        }
    }

    @Test
    void keysInAFileAreReadAgain() throws Exception {
        Path keys = Files.writeString(folder.resolve("state-keys"), KEY);
        try (ConfigurableApplicationContext application =
                Apps.web(
                        Shop.class,
                        "fairlead.server.request-state.keys=file:" + keys,
                        "fairlead.server.request-state.ttl=5m",
                        "fairlead.server.request-state.max-bytes=8KB")) {
            assertThat(application.getBean(McpServer.class))
                    .extracting(
                            "core.settings.requestState.keys.file",
                            "core.settings.requestState.ttl",
                            "core.settings.requestState.maxBytes")
                    .containsExactly(keys, Duration.ofMinutes(5), 8 << 10);
        }
    }

    @Test
    void clientsMayKeepListsForAsLongAsThePropertySays() throws Exception {
        try (ConfigurableApplicationContext application =
                Apps.web(
                        Shop.class,
                        "fairlead.server.cache-lists-for=5m",
                        "fairlead.server.cache-lists-scope=public")) {
            JsonObject list = post(application, "tools/list", JsonObject.EMPTY).object("result");
            assertThat(list.integer("ttlMs")).isEqualTo(300_000);
            assertThat(list.string("cacheScope")).isEqualTo("public");
        }
    }

    @Test
    void limitsAreThoseOfThePropertiesAndChangesGoByTheBusOfTheApplication() {
        try (ConfigurableApplicationContext application =
                Apps.web(
                        Node.class,
                        "fairlead.server.max-subscriptions=1",
                        "fairlead.server.max-listen-streams=2",
                        "fairlead.server.max-listen-streams-per-caller=3",
                        "fairlead.server.max-held-calls=4",
                        "fairlead.server.max-held-calls-per-caller=5",
                        "fairlead.server.question-timeout=6m",
                        "fairlead.server.accept-text-arguments=true",
                        "fairlead.server.own-thread=true")) {
            assertThat(application.getBean(McpServer.class))
                    .extracting("core.settings")
                    .extracting(
                            "maxSubscriptions",
                            "maxListenStreams",
                            "maxListenStreamsPerCaller",
                            "maxHeldCalls",
                            "maxHeldCallsPerCaller",
                            "questionTimeout",
                            "acceptsTextArguments",
                            "ownThread",
                            "changes")
                    .containsExactly(
                            1,
                            2,
                            3,
                            4,
                            5,
                            Duration.ofMinutes(6),
                            true,
                            true,
                            application.getBean(ChangeBus.class));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "revisions=2026-01-01 | fairlead.server.revisions must have revisions of"
                        + " 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28 but has"
                        + " 2026-01-01",
                "request-state.ttl=5m | fairlead.server.request-state.keys is missing: the file"
                        + " with the keys",
                "request-state.ttl=0s | fairlead.server.request-state.ttl must be positive but was"
                        + " 0 ms",
                "request-state.max-bytes=0 | fairlead.server.request-state.max-bytes must be from 1"
                        + " to 2147483647 but was 0",
                "cache-lists-for=-1s | fairlead.server.cache-lists-for must not be negative but was"
                        + " -1 s",
                "call-timeout=9223372036854775807s | fairlead.server.call-timeout must be at most"
                        + " 876000 h but was 2562047788015215 h",
                "cache-lists-scope=public | fairlead.server.cache-lists-scope needs"
                        + " fairlead.server.cache-lists-for",
                "max-listen-streams=0 | fairlead.server.max-listen-streams must be from 1 to"
                        + " 2147483647 but was 0"
            })
    void aWrongPropertyOfAServerIsNamed(String property, String problem) {
        assertThatThrownBy(() -> Apps.web(Shop.class, "fairlead.server." + property))
                .rootCause()
                .hasMessage(problem);
    }

    @Test
    void keysThatCannotBeUsedAreNamedWithoutTheirText() throws Exception {
        Path keys = Files.writeString(folder.resolve("state-keys"), "c2VjcmV0\n");
        for (String location :
                new String[] {"file:" + keys, "file:" + keys + "-missing", "base64:c2VjcmV0"}) {
            assertThatThrownBy(
                            () ->
                                    Apps.web(
                                            Shop.class,
                                            "fairlead.server.request-state.keys=" + location))
                    .hasStackTraceContaining("fairlead.server.request-state.keys cannot be used")
                    .satisfies(
                            failure ->
                                    assertThat(failure.getCause().getMessage())
                                            .doesNotContain("c2VjcmV0"));
        }
    }

    @Test
    void aClientHasTheSettingsOfItsProperties() throws Exception {
        String client = "fairlead.clients.shop.";
        try (ConfigurableApplicationContext server = Apps.web(Shop.class);
                ConfigurableApplicationContext user =
                        Apps.plain(
                                User.class,
                                client + "url=" + Apps.url(server, "/mcp"),
                                client + "revisions=2026-07-28",
                                client + "max-rounds=1",
                                client + "accept-tasks=true")) {
            McpClient shop = user.getBean(McpClient.class);
            assertThat(shop.revision()).isEqualTo(Revision.V2026_07_28);
            assertThat(shop.callTool("where", JsonObject.EMPTY).text()).isEqualTo("task");
            assertThatThrownBy(() -> shop.callTool("buy", JsonObject.EMPTY))
                    .isInstanceOf(TooManyRoundsException.class);
        }
    }

    @Test
    void aClientWaitsAndKeepsAsItsPropertiesSay() {
        String client = "fairlead.clients.shop.";
        try (ConfigurableApplicationContext user =
                Apps.plain(
                        User.class,
                        client + "command=java",
                        client + "lazy=true",
                        client + "request-timeout=7s",
                        client + "probe-timeout=90ms",
                        client + "max-cache-bytes=8KB")) {
            assertThat(user.getBean(McpClient.class))
                    .extracting("connection.settings")
                    .extracting("requestTimeout", "probeTimeout", "maxCacheBytes")
                    .containsExactly(Duration.ofSeconds(7), Duration.ofMillis(90), 8L << 10);
        }
    }

    @Test
    void aClientWithoutThemTakesNoTasks() throws Exception {
        String client = "fairlead.clients.shop.";
        try (ConfigurableApplicationContext server = Apps.web(Shop.class);
                ConfigurableApplicationContext user =
                        Apps.plain(
                                User.class,
                                client + "url=" + Apps.url(server, "/mcp"),
                                client + "revisions=2025-06-18,2026-07-28")) {
            McpClient shop = user.getBean(McpClient.class);
            assertThat(shop.revision()).isEqualTo(Revision.V2026_07_28);
            assertThat(shop.callTool("where", JsonObject.EMPTY).text()).isEqualTo("call");
            assertThat(shop.callTool("buy", JsonObject.EMPTY).text()).isEqualTo("bought");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "revisions=newest | must have revisions of 2024-11-05, 2025-03-26, 2025-06-18,"
                        + " 2025-11-25, 2026-07-28 but has newest",
                "probe-timeout=0s | must be positive but was 0 ms",
                "max-rounds=0 | must be from 1 to 2147483647 but was 0",
                "max-cache-bytes=-1 | must be from 0 to 9223372036854775807 but was -1"
            })
    void aWrongPropertyOfAClientIsNamed(String property, String problem) {
        String name = "fairlead.clients.shop." + property.substring(0, property.indexOf('='));
        assertThatThrownBy(
                        () ->
                                Apps.plain(
                                        User.class,
                                        "fairlead.clients.shop.url=http://127.0.0.1:1/mcp",
                                        "fairlead.clients.shop.lazy=true",
                                        "fairlead.clients.shop." + property))
                .rootCause()
                .hasMessage(name + " " + problem);
    }

    /** Each round is a request of the server, and all of them are one of the client. */
    @Test
    void timersHaveTheOutcomeOfEachRound() throws Exception {
        String client = "fairlead.clients.shop.";
        try (ConfigurableApplicationContext server = Apps.web(Shop.class);
                ConfigurableApplicationContext user =
                        Apps.plain(
                                User.class,
                                client + "url=" + Apps.url(server, "/mcp"),
                                client + "revisions=2026-07-28",
                                client + "accept-tasks=true")) {
            McpClient shop = user.getBean(McpClient.class);
            shop.callTool("buy", JsonObject.EMPTY);
            shop.callTool("where", JsonObject.EMPTY);

            assertThat(outcomes(server, "mcp.server.operation.duration"))
                    .containsOnly(
                            entry("buy input_required", 2L),
                            entry("buy complete", 1L),
                            entry("where task", 1L));
            assertThat(outcomes(user, "mcp.client.operation.duration"))
                    .containsOnly(entry("buy complete", 1L), entry("where task", 1L));
        }
    }

    private static Map<String, Long> outcomes(
            ConfigurableApplicationContext application, String timer) {
        return application.getBean(MeterRegistry.class).find(timer).timers().stream()
                .filter(found -> "tools/call".equals(found.getId().getTag("mcp.method.name")))
                .collect(
                        Collectors.toMap(
                                found ->
                                        found.getId().getTag("gen_ai.tool.name")
                                                + " "
                                                + found.getId().getTag("fairlead.call.outcome"),
                                Timer::count));
    }

    @Test
    void resultsAreKeptWithinTheSizeOfTheProperty() throws Exception {
        String client = "fairlead.clients.shop.";
        try (ConfigurableApplicationContext server =
                Apps.web(Counting.class, "fairlead.server.cache-lists-for=1h")) {
            String url = client + "url=" + Apps.url(server, "/mcp");
            String revision = client + "revisions=2026-07-28";
            AtomicInteger lists = server.getBean(AtomicInteger.class);
            try (ConfigurableApplicationContext user = Apps.plain(User.class, url, revision)) {
                listTwice(user);
            }
            assertThat(lists).hasValue(1);
            try (ConfigurableApplicationContext user =
                    Apps.plain(User.class, url, revision, client + "max-cache-bytes=0B")) {
                listTwice(user);
            }
            assertThat(lists).hasValue(3);
        }
    }

    private static void listTwice(ConfigurableApplicationContext user) throws Exception {
        McpClient client = user.getBean(McpClient.class);
        client.tools();
        client.tools();
    }
}
