package dev.fairlead.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Revision;

import io.opentelemetry.exporter.prometheus.PrometheusHttpServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The example, and the dashboard and alerts in {@code docs/monitoring}, on what it exports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsTest {
    private static final Path MONITORING =
            Path.of(System.getProperty("basedir", ""), "../../docs/monitoring").toAbsolutePath();

    private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{(.*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern SELECTOR = Pattern.compile("\\b(mcp_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern GROUPING = Pattern.compile("(?:by|ignoring) \\(([^)]*)\\)");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(=~?)\"([^\"]*)\"");

    /** Labels by the name of their metric, one map for each series. */
    private final Map<String, List<Map<String, String>>> exported = new HashMap<>();

    private PrometheusHttpServer prometheus;
    private HttpServing serving;
    private URI metrics;

    @BeforeAll
    void serveAndCall() throws Exception {
        while (prometheus == null) {
            int port = freePort();
            try {
                prometheus = Metrics.prometheus(port);
                metrics = URI.create("http://127.0.0.1:" + port + "/metrics");
            } catch (UncheckedIOException e) {
                // taken by another program meanwhile
            }
        }
        serving = Metrics.serve(0, prometheus);
        for (Revision revision : List.of(Revision.V2025_11_25, Revision.V2026_07_28)) {
            try (McpClient client =
                    McpClient.named("test", "1")
                            .revisions(revision, revision)
                            .connect(Http.to(serving.uri()))) {
                client.tools();
                client.callTool("roll", JsonObject.of("count", 2, "sides", 6));
                client.callTool("roll", JsonObject.of("count", 2, "sides", 1));
                refused(client);
            }
        }
        status("GET", serving.uri().resolve("/nothing-here"));
        status("POST", serving.uri());
        scrape();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void refused(McpClient client) throws InterruptedException {
        try {
            client.callTool("role", JsonObject.of());
        } catch (JsonRpcException e) {
            // there is no such tool
        }
    }

    private static int status(String method, URI uri) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestMethod(method);
        return connection.getResponseCode();
    }

    private void scrape() throws IOException {
        try (var in = metrics.toURL().openStream()) {
            for (String line : new String(in.readAllBytes()).lines().toList()) {
                SAMPLE.matcher(line)
                        .results()
                        .filter(sample -> !line.startsWith("#"))
                        .forEach(
                                sample ->
                                        exported.computeIfAbsent(
                                                        sample.group(1), name -> new ArrayList<>())
                                                .add(labels(sample.group(2))));
            }
        }
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new HashMap<>();
        LABEL.matcher(text == null ? "" : text)
                .results()
                .forEach(label -> labels.put(label.group(1), label.group(2)));
        return labels;
    }

    @AfterAll
    void stop() throws IOException {
        serving.close();
        prometheus.close();
    }

    @Test
    void callsAreCountedByToolAndOutcome() {
        assertThat(exported.get("mcp_server_operation_duration_seconds_count"))
                .anySatisfy(
                        series ->
                                assertThat(series)
                                        .containsEntry("gen_ai_tool_name", "roll")
                                        .containsEntry("fairlead_call_outcome", "complete")
                                        .containsEntry("mcp_protocol_version", "2025-11-25"))
                .anySatisfy(series -> assertThat(series).containsEntry("error_type", "tool_error"))
                .anySatisfy(series -> assertThat(series).containsEntry("error_type", "-32602"));
        assertThat(exported.get("mcp_server_refusals_total"))
                .extracting(series -> series.get("error_type"))
                .contains("path", "content_type");
    }

    static Stream<String> expressions() throws IOException {
        return Stream.concat(dashboard(), alerts());
    }

    private static Stream<String> dashboard() throws IOException {
        JsonObject dashboard =
                (JsonObject)
                        JsonValue.parse(Files.readString(MONITORING.resolve("dashboard.json")));
        return dashboard.array("panels").elements().stream()
                .flatMap(panel -> ((JsonObject) panel).array("targets").elements().stream())
                .map(target -> ((JsonString) ((JsonObject) target).get("expr")).value());
    }

    @SuppressWarnings("unchecked")
    private static Stream<String> alerts() throws IOException {
        Map<String, Object> file =
                new Yaml().load(Files.readString(MONITORING.resolve("alerts.yml")));
        return ((List<Map<String, Object>>) file.get("groups"))
                .stream()
                        .flatMap(group -> ((List<Map<String, Object>>) group.get("rules")).stream())
                        .map(rule -> (String) rule.get("expr"));
    }

    @ParameterizedTest
    @MethodSource("expressions")
    void everyExpressionIsAboutSeriesThatAreExported(String expression) {
        List<MatchResult> selectors =
                SELECTOR.matcher(GROUPING.matcher(expression).replaceAll("")).results().toList();
        assertThat(selectors).isNotEmpty();
        List<String> grouped =
                GROUPING.matcher(expression)
                        .results()
                        .flatMap(labels -> Arrays.stream(labels.group(1).split(", *")))
                        .filter(label -> !label.equals("job")) // which Prometheus adds
                        .toList();
        for (MatchResult selector : selectors) {
            List<Map<String, String>> series =
                    exported.getOrDefault(selector.group(1), List.of()).stream()
                            .filter(labels -> matches(labels, selector.group(2)))
                            .toList();
            assertThat(series).as("series of %s", selector.group()).isNotEmpty();
            assertThat(grouped)
                    .allSatisfy(
                            label ->
                                    assertThat(series)
                                            .as("%s of %s", label, selector.group(1))
                                            .anySatisfy(
                                                    each -> assertThat(each).containsKey(label)));
        }
        assertThat(expression.replaceAll("[^(]", ""))
                .hasSameSizeAs(expression.replaceAll("[^)]", ""));
    }

    private static boolean matches(Map<String, String> labels, String matchers) {
        return MATCHER.matcher(matchers == null ? "" : matchers)
                .results()
                .filter(matcher -> !matcher.group(1).equals("job"))
                .allMatch(
                        matcher -> {
                            String value = labels.getOrDefault(matcher.group(1), "");
                            return matcher.group(2).equals("=")
                                    ? value.equals(matcher.group(3))
                                    : value.matches(matcher.group(3));
                        });
    }
}
