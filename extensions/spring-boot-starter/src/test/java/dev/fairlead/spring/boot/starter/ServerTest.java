package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.Secret;
import dev.fairlead.auth.proxy.AuthorizationProxy;
import dev.fairlead.auth.proxy.Upstream;
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpEndpoint;
import dev.fairlead.http.InMemoryEventStore;
import dev.fairlead.http.options.HttpAuthorization;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.Route;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.StateKeySource;
import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.protocol.time.LastingLoop;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.servlet.McpServlet;
import dev.fairlead.spring.boot.starter.weather.WeatherApplication;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.tasks.ServerStore;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Features that are beans, served by Tomcat. */
@Timeout(600)
@ExtendWith(OutputCaptureExtension.class)
final class ServerTest {
    record Sum(int left, int right) {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Greetings.class)
    static class Demo {
        @Bean
        McpFeatures arithmetic() {
            return features ->
                    features.tool("add", "Adds two numbers", Sum.class, Integer.class)
                            .handle((sum, call) -> sum.left() + sum.right());
        }

        @Bean
        McpServerCustomizer instructions() {
            return server -> server.instructions("Be polite.");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Empty {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Own {
        @Bean
        McpServer server() {
            return McpServer.named("own", "3").build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Own.class)
    static class Elsewhere {
        @Bean
        HttpEndpoint endpoint() {
            return Http.endpoint().path("/assistants/mcp");
        }
    }

    /** Serves a client over streams that have ended already when the application is ready. */
    @Configuration(proxyBeanMethods = false)
    @Import(Demo.class)
    static class OverStreams {
        @Bean
        ApplicationRunner runner(McpServer server) {
            return arguments ->
                    server.serve(
                                    Stdio.streams(
                                            InputStream.nullInputStream(),
                                            OutputStream.nullOutputStream()))
                            .await();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Own.class)
    static class TwoStores {
        @Bean
        EventStore first() {
            return new InMemoryEventStore();
        }

        @Bean
        EventStore second() {
            return new InMemoryEventStore();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Demo.class)
    static class TwoBuses {
        @Bean
        ChangeBus first() {
            return ChangeBus.inProcess();
        }

        @Bean
        ChangeBus second() {
            return ChangeBus.inProcess();
        }
    }

    /** Counts the parts that are taken. */
    @Configuration(proxyBeanMethods = false)
    @Import(Demo.class)
    static class Stored implements ServerStore {
        static final Queue<String> TAKEN = new ConcurrentLinkedQueue<>();

        @Override
        public Tasks tasks() {
            TAKEN.add("tasks");
            return Tasks.inMemory();
        }

        @Override
        public EventStore events() {
            TAKEN.add("events");
            return new InMemoryEventStore();
        }

        @Override
        public ChangeBus changes() {
            TAKEN.add("changes");
            return ChangeBus.inProcess();
        }

        @Override
        public OwnedValues.Source ownedValues() {
            TAKEN.add("owned values");
            return (name, share, kept) -> null; // no client registers
        }

        @Override
        public StateKeySource stateKeys() {
            return ttl -> {
                TAKEN.add("state keys for " + ttl);
                return List.of(new byte[32]);
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Stored.class)
    static class Proxied {
        @Bean
        HttpAuthorization authorization() {
            URI login = URI.create("https://login.example/");
            return AuthorizationProxy.at("https://reports.example/mcp")
                    .upstream(
                            Upstream.of(login.resolve("authorize"), login.resolve("token"))
                                    .client("reports", Secret.from(() -> "secret"))
                                    .user(login.resolve("user"), "id"));
        }
    }

    @Test
    void aProxyTakesTheStoreOfTheApplication() {
        Stored.TAKEN.clear();
        try (var application = Apps.web(Proxied.class)) {
            assertThat(Stored.TAKEN).contains("owned values");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Own.class)
    static class Guarded {
        @Bean
        HttpAuthorization authorization() {
            return new HttpAuthorization() {
                @Override
                public Decision decide(HttpExchange request) {
                    return Decision.Refused.unauthorized("Bearer", "No token");
                }

                @Override
                public String challenge(Caller caller, Set<String> required, String message) {
                    return "Bearer";
                }

                @Override
                public List<Route> routes() {
                    return List.of(new Route("/.well-known/x", Guarded::describe));
                }
            };
        }

        private static void describe(HttpExchange exchange) {
            exchange.respond(new ResponseHead(200, Map.of()), "described".getBytes());
        }
    }

    private static ConfigurableApplicationContext demo;

    @BeforeAll
    static void start() {
        demo =
                Apps.web(
                        Demo.class,
                        "fairlead.server.title=A demo",
                        "fairlead.server.legacy-sse=true",
                        "fairlead.server.health=/mcp-health",
                        "management.endpoints.web.exposure.include=health,metrics",
                        "management.endpoint.health.show-details=always");
    }

    @AfterAll
    static void stop() {
        demo.close();
    }

    private static McpClient client(ConfigurableApplicationContext application)
            throws InterruptedException {
        return McpClient.named("test", "1").connect(Http.to(Apps.url(application, "/mcp")));
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return get(demo, path);
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext application, String path)
            throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create(Apps.url(application, path))).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void beansThatDeclareFeaturesAreServed() throws Exception {
        try (McpClient client = client(demo)) {
            assertThat(client.serverInfo().name()).isEqualTo("demo");
            assertThat(client.serverInfo().title()).isEqualTo("A demo");
            assertThat(client.instructions()).hasValue("Be polite.");
            assertThat(client.tools()).extracting(Tool::name).containsExactly("add", "greet");
            assertThat(client.tool("add", Sum.class, Integer.class).call(new Sum(2, 3)))
                    .isEqualTo(5);
            assertThat(
                            client.tool("greet", JsonObject.class, String.class)
                                    .call(JsonObject.of("name", "Ada")))
                    .isEqualTo("Hello, Ada!");
            assertThat(client.prompts()).hasSize(1);
        }
    }

    @Test
    void aStoreHasAllPartsOfTheServer() {
        Stored.TAKEN.clear();
        try (var application = Apps.web(Stored.class, "fairlead.server.request-state.ttl=3m")) {
            assertThat(Stored.TAKEN)
                    .containsExactlyInAnyOrder("tasks", "events", "changes", "state keys for PT3M");
        }
    }

    @Test
    void oldClientsAreServedBesideIt() throws Exception {
        try (McpClient client =
                McpClient.named("test", "1").connect(Http.to(Apps.url(demo, "/sse")).legacySse())) {
            assertThat(client.tools()).hasSize(2);
        }
    }

    @Test
    void actuatorReportsTheServerAndItsCalls() throws Exception {
        try (McpClient client = client(demo)) {
            client.tools();
            JsonObject health = (JsonObject) JsonValue.parse(get("/actuator/health").body());
            JsonObject mcp = health.object("components").object("mcp");
            assertThat(mcp.string("status")).isEqualTo("UP");
            assertThat(get("/actuator/metrics/mcp.server.http.sessions").body()).contains("VALUE");
            assertThat(get("/actuator/metrics/mcp.server.request_states.refused").body())
                    .contains("COUNT");
            assertThat(get("/actuator/metrics/mcp.server.responses.dropped").body())
                    .contains("COUNT");
            assertThat(get("/actuator/metrics/mcp.server.features.quick").body()).contains("VALUE");
            assertThat(
                            get("/actuator/metrics/mcp.server.operation.duration"
                                            + "?tag=mcp.method.name:tools/list&tag=error.type:none")
                                    .body())
                    .contains("TOTAL_TIME");
        }
    }

    @Test
    void actuatorNamesWorkThatKeepsFailing() throws Exception {
        String what = "The work of a test failed";
        int failures = 0;
        for (int i = 0; i < 10; i++) {
            failures = LastingLoop.failed(failures, what);
        }
        String failing = get("/actuator/health").body();
        LastingLoop.succeeded(failures, what);

        assertThat(failing).contains("\"failing\":\"The work of a test failed\"");
        assertThat(get("/actuator/health").body()).contains("sessions").doesNotContain("failing");
    }

    @Test
    void refusalsAreCountedByReason() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest foreign =
                    HttpRequest.newBuilder(URI.create(Apps.url(demo, "/mcp")))
                            .header("Origin", "http://evil.example")
                            .build();
            assertThat(http.send(foreign, HttpResponse.BodyHandlers.discarding()).statusCode())
                    .isEqualTo(403);
        }

        assertThat(get("/actuator/metrics/mcp.server.http.refusals?tag=reason:origin").body())
                .contains("\"value\":1.0");
        assertThat(get("/actuator/metrics/mcp.server.http.refusals?tag=reason:host").body())
                .contains("\"value\":0.0");
    }

    @Test
    void timersNameToolsThatExistAndNoOthers() throws Exception {
        try (McpClient client = client(demo)) {
            client.callTool("add", JsonObject.of("left", 1, "right", 2));
            assertThatThrownBy(() -> client.callTool("made_up", JsonObject.EMPTY))
                    .isInstanceOf(JsonRpcException.class);
        }

        String timer = "/actuator/metrics/mcp.server.operation.duration";
        assertThat(get(timer + "?tag=gen_ai.tool.name:add").body()).contains("TOTAL_TIME");
        assertThat(get(timer + "?tag=gen_ai.tool.name:other").body()).contains("TOTAL_TIME");
        assertThat(get(timer).body()).doesNotContain("made_up");
    }

    @Test
    void theApplicationOfTheDocumentationRuns() throws Exception {
        try (ConfigurableApplicationContext application = Apps.web(WeatherApplication.class);
                McpClient client = client(application)) {
            assertThat(
                            client.tool("forecast", JsonObject.class, String.class)
                                    .call(JsonObject.of("name", "Bergen")))
                    .isEqualTo("10 °C in Bergen");
        }
    }

    @Test
    void anApplicationWithoutFeaturesServesNothing() {
        try (ConfigurableApplicationContext application = Apps.web(Empty.class)) {
            assertThat(application.getBeanProvider(McpServer.class).stream()).isEmpty();
        }
    }

    @Test
    void aServerOfTheApplicationIsServedAsItIs() throws Exception {
        try (ConfigurableApplicationContext application = Apps.web(Own.class);
                McpClient client = client(application)) {
            assertThat(client.serverInfo().name()).isEqualTo("own");
        }
    }

    @Test
    void aDisabledServerIsNotMade() {
        try (ConfigurableApplicationContext application =
                Apps.web(Demo.class, "fairlead.server.enabled=false")) {
            assertThat(application.getBeanProvider(McpServer.class).stream()).isEmpty();
        }
    }

    @Test
    void aServerOfTheApplicationIsNotServedIfThatIsDisabled() {
        try (ConfigurableApplicationContext application =
                Apps.web(Own.class, "fairlead.server.enabled=false")) {
            assertThat(application.getBeanProvider(McpServlet.class).stream()).isEmpty();
        }
    }

    private static final String UNSERVED = "Nothing serves the MCP server of this application";

    @ParameterizedTest
    @ValueSource(classes = {Demo.class, Own.class})
    void aServerThatNothingServesIsReportedOnce(Class<?> application, CapturedOutput output) {
        Apps.plain(application).close();

        assertThat(output)
                .containsOnlyOnce(UNSERVED)
                .contains("WARN", "spring-boot-starter-webmvc", "server.serve(Stdio.streams())");
    }

    @Test
    void aServerThatIsServedOrMeantNotToBeIsNotReported(CapturedOutput output) {
        Apps.web(Demo.class).close();
        Apps.plain(OverStreams.class).close();
        Apps.plain(Own.class, "fairlead.server.enabled=false").close();
        Apps.plain(Empty.class).close();

        assertThat(output).doesNotContain(UNSERVED);
    }

    @Test
    void probesAreAnsweredAtTheConfiguredPath() throws Exception {
        assertThat(get("/mcp-health").body()).contains("\"up\"");
    }

    @Test
    void aPausedContextContinuesToServe() {
        assertThat(demo.getBean(McpServerLifecycle.class).isPauseable()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "max-sessions=0, must be from 1 to 2147483647 but was 0",
        "max-result-waits=0, must be from 1 to 2147483647 but was 0",
        "max-body=2GB, must be from 1 to 2147483647 but was 2147483648",
        "request-rate=214748365, must be from 1 to 214748364 but was 214748365",
        "shutdown-grace=-1s, must be positive but was -1 s",
        "call-timeout=99999999h, must be at most 876000 h but was 99999999 h",
        "cache-lists-for=99999999h, must be at most 876000 h but was 99999999 h",
        "health=/mcp, must be another path than fairlead.server.path"
    })
    void aWrongPropertyIsNamed(String property, String problem) {
        String name = "fairlead.server." + property.substring(0, property.indexOf('='));
        assertThatThrownBy(() -> Apps.web(Empty.class, "fairlead.server." + property))
                .rootCause()
                .hasMessage(name + " " + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "path=mcp | a path must start with / but was mcp",
                "path=/* | a path is that of one endpoint and must have no * but was /*",
                "path=/mcp?x=1 | a path must have no space, query or fragment but was /mcp?x=1",
                "health=health | a path must start with / but was health",
                "allowed-origins=app | an origin is a scheme and a host such as https://app.example"
                        + " but was app",
                "allowed-headers=* | a header is a name such as X-API-Key but was *",
                "allowed-hosts=https://app.example | a host is a name such as app.example but was"
                        + " https://app.example",
                "legacy-sse=true path=/sse | the paths of HTTP+SSE and of MCP must differ but one"
                        + " is there twice: /sse",
                "trusted-proxies=10.0.0.0/99 | a proxy is an address or a network such as"
                        + " 10.0.0.0/8 but was 10.0.0.0/99"
            })
    void aPropertyThatTheEndpointRefusesIsNamed(String property, String reason) {
        String name = "fairlead.server." + property.substring(0, property.indexOf('='));
        String[] properties =
                Arrays.stream(property.split(" "))
                        .map(part -> "fairlead.server." + part)
                        .toArray(String[]::new);
        assertThatThrownBy(() -> Apps.web(Own.class, properties))
                .hasStackTraceContaining(name + " cannot be used: " + reason);
    }

    @Test
    void aWrongPropertyIsPrintedWithoutAStackTrace(CapturedOutput output) {
        assertThatThrownBy(
                        () ->
                                Apps.web(
                                        Own.class,
                                        "fairlead.server.legacy-sse=true",
                                        "fairlead.server.health=/messages"))
                .rootCause()
                .hasMessage(
                        "fairlead.server.health must be another path than those of MCP but was"
                                + " /messages");
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("Description:")
                .doesNotContain("\tat ");
    }

    @Test
    void anEndpointAtTheRootIsServed() throws Exception {
        try (ConfigurableApplicationContext application =
                        Apps.web(Own.class, "fairlead.server.path=/");
                McpClient client =
                        McpClient.named("test", "1").connect(Http.to(Apps.url(application, "/")))) {
            assertThat(client.serverInfo().name()).isEqualTo("own");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {TwoStores.class, TwoBuses.class})
    void twoBeansOfAPartEndTheStart(Class<?> configuration) {
        assertThatThrownBy(() -> Apps.web(configuration).close())
                .hasRootCauseInstanceOf(NoUniqueBeanDefinitionException.class);
    }

    @Test
    void anEmptyNameIsNoName() throws Exception {
        try (ConfigurableApplicationContext application =
                        Apps.web(Demo.class, "fairlead.server.name=", "fairlead.server.version=");
                McpClient client =
                        McpClient.named("test", "1")
                                .connect(Http.to(Apps.url(application, "/mcp")))) {
            assertThat(client.serverInfo().name()).isEqualTo("demo");
            assertThat(client.serverInfo().version()).isEqualTo("0");
        }
    }

    @Test
    void limitsOfTheEndpointAreThoseOfTheProperties() throws Exception {
        try (ConfigurableApplicationContext application =
                Apps.web(
                        Own.class,
                        "fairlead.server.max-requests=3",
                        "fairlead.server.max-result-waits=4")) {
            assertThat(application.getBean(HttpEndpoint.class))
                    .extracting("settings.maxRequests", "settings.maxResultWaits")
                    .containsExactly(3, 4);
        }
    }

    @Test
    void anAuthorizationOfTheApplicationAdmitsRequests() throws Exception {
        try (ConfigurableApplicationContext application = Apps.web(Guarded.class)) {
            assertThat(get(application, "/mcp").statusCode()).isEqualTo(401);
            assertThat(get(application, "/.well-known/x").body()).isEqualTo("described");
        }
    }

    @Test
    void anEndpointOfTheApplicationIsFoundWhereItIs() throws Exception {
        try (ConfigurableApplicationContext application = Apps.web(Elsewhere.class);
                McpClient client =
                        McpClient.named("test", "1")
                                .connect(Http.to(Apps.url(application, "/assistants/mcp")))) {
            assertThat(client.serverInfo().name()).isEqualTo("own");
        }
    }
}
