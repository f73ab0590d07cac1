package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The files of the pages for operators: each is read, and compared with the product. */
final class OperatorPagesTest {
    private static final Pattern ENVIRONMENT =
            Pattern.compile("environment\\.get(?:OrDefault)?\\(\\s*\"([A-Z_]+)\"");

    private static Set<String> variables() throws IOException {
        return Pattern.compile(ENVIRONMENT.pattern())
                .matcher(
                        Pages.text(
                                "checks/acceptance/src/test/java/dev/fairlead/docs/Weather.java"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    private static Duration grace() throws IOException {
        MatchResult found =
                Pattern.compile("shutdownGrace\\(Duration\\.ofSeconds\\((\\d+)\\)\\)")
                        .matcher(Pages.text("docs/deploy.md"))
                        .results()
                        .findFirst()
                        .orElseThrow();
        return Duration.ofSeconds(Long.parseLong(found.group(1)));
    }

    @Test
    void theProgramServesAndItsHealthIsUp() throws Exception {
        try (var server = Weather.server(Map.of(), Optional.empty());
                McpClient client = McpClient.connect(server.inProcess())) {
            assertThat(client.callTool("forecast", JsonObject.of("name", "Oslo")).text())
                    .isEqualTo("Sunny in Oslo");
        }
    }

    @Test
    void everyVariableIsInTheTableOfThePage() throws IOException {
        String page = Pages.text("docs/deploy.md");
        assertThat(variables()).hasSize(5);
        assertThat(variables()).allSatisfy(name -> assertThat(page).contains("| `" + name + "` |"));
    }

    // ---- hosts

    @Test
    void everyFileOfAHostNamesAProgramOrAUrl() throws IOException {
        List<String> files = new ArrayList<>(Pages.blocks("docs/hosts.md", "json"));
        files.addAll(Pages.blocks("docs/packaging.md", "json"));
        assertThat(files).hasSize(5);
        for (String file : files) {
            JsonObject hosts = (JsonObject) JsonValue.parse(file);
            String member = hosts.has("servers") ? "servers" : "mcpServers";
            assertThat(hosts.members().keySet()).containsExactly(member);
            JsonObject hello = hosts.object(member).object("hello");
            if (hello.has("url")) {
                assertThat(hello.string("url")).isEqualTo("http://127.0.0.1:3000/mcp");
                assertThat(hello.string("type")).isEqualTo("http");
            } else {
                assertThat(hello.string("command")).matches("(/|\\$\\{JAVA_HOME\\}/).*");
                assertThat(hello.has("args")).isTrue();
                assertThat(hello.has("type")).isEqualTo(member.equals("servers"));
            }
        }
    }

    // ---- logs

    /** The program whose log the page shows. */
    static final class Logging {
        public static void main(String[] args) {
            System.getLogger("dev.fairlead.requests").log(System.Logger.Level.DEBUG, "a request");
            System.getLogger("com.example").log(System.Logger.Level.DEBUG, "of another");
        }
    }

    @Test
    void theRecipeForTheLogShowsLinesOfDebug(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("logging.properties");
        Files.writeString(file, Pages.block("docs/troubleshooting.md", "properties"));
        Process logging =
                new ProcessBuilder(
                                ChildJvm.command(
                                        List.of(
                                                "-Duser.language=en",
                                                "-Djava.util.logging.config.file=" + file),
                                        Logging.class))
                        .redirectErrorStream(true)
                        .start();
        String printed =
                new String(logging.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(logging.waitFor()).as(printed).isZero();
        assertThat(printed).contains("FINE: a request").doesNotContain("of another");
    }

    // ---- systemd

    @Test
    void theUnitStartsAJvmWithOptionsThatItKnows() throws Exception {
        Map<String, String> unit = unit();
        List<String> command = List.of(unit.get("ExecStart").split(" "));
        assertThat(command.get(0)).isEqualTo("/usr/bin/java");
        assertThat(command.subList(command.size() - 2, command.size()))
                .containsExactly("-jar", "/opt/weather/weather.jar");
        List<String> options = new ArrayList<>(command.subList(0, command.size() - 2));
        options.set(0, ChildJvm.program("java"));
        options.add("-version");
        Process jvm = new ProcessBuilder(options).redirectErrorStream(true).start();
        String printed = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(jvm.waitFor()).as(printed).isZero();
        assertThat(Long.parseLong(unit.get("TimeoutStopSec"))).isGreaterThan(grace().toSeconds());
    }

    private static Map<String, String> unit() throws IOException {
        return Pages.block("docs/deploy.md", "ini")
                .lines()
                .filter(line -> line.contains("="))
                .map(line -> line.split("=", 2))
                .collect(Collectors.toMap(line -> line[0], line -> line[1], (first, last) -> last));
    }

    /** Verifies the unit if systemd is installed. */
    @Test
    void systemdTakesTheUnit(@TempDir Path folder) throws Exception {
        Path systemd = Path.of("/usr/bin/systemd-analyze");
        assumeThat(systemd).isExecutable();
        Path file = folder.resolve("weather.service");
        Files.writeString(
                file,
                Pages.block("docs/deploy.md", "ini")
                        .replace("/usr/bin/java", ChildJvm.program("java"))
                        .replace("User=weather\n", ""));
        Process verify =
                new ProcessBuilder(systemd.toString(), "verify", file.toString())
                        .redirectErrorStream(true)
                        .start();
        String printed = new String(verify.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        verify.waitFor();
        assertThat(printed).doesNotContain("weather.service");
    }

    // ---- Kubernetes

    @Test
    void theDeploymentFitsTheProgram() throws Exception {
        Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
        List<Object> objects = new ArrayList<>();
        yaml.loadAll(Pages.block("docs/deploy.md", "yaml")).forEach(objects::add);
        assertThat(objects)
                .extracting(one -> at(one, "kind"))
                .containsExactly("Deployment", "Service");

        Object pod = at(objects.get(0), "spec", "template", "spec");
        Object container = ((List<?>) Objects.requireNonNull(at(pod, "containers"))).get(0);
        assertThat(at(container, "ports", 0, "containerPort")).isEqualTo(3000);
        assertThat(at(objects.get(1), "spec", "ports", 0, "targetPort")).isEqualTo(3000);
        assertThat(at(objects.get(1), "spec", "selector"))
                .isEqualTo(at(objects.get(0), "spec", "selector", "matchLabels"))
                .isEqualTo(at(objects.get(0), "spec", "template", "metadata", "labels"));
        for (String probe : List.of("startupProbe", "readinessProbe")) {
            assertThat(at(container, probe, "httpGet"))
                    .isEqualTo(Map.of("path", "/health", "port", 3000));
        }
        assertThat(at(container, "livenessProbe", "tcpSocket", "port")).isEqualTo(3000);
        Object variables = Objects.requireNonNull(at(container, "env"));
        assertThat((List<?>) variables)
                .extracting(one -> at(one, "name"))
                .containsExactlyInAnyOrderElementsOf(variables());
        int pause =
                (int)
                        Objects.requireNonNull(
                                at(container, "lifecycle", "preStop", "sleep", "seconds"));
        assertThat((int) Objects.requireNonNull(at(pod, "terminationGracePeriodSeconds")))
                .isGreaterThan(pause + (int) grace().toSeconds());
        assertThat(at(container, "volumeMounts", 0, "mountPath")).isEqualTo("/keys");
    }

    private static Object at(Object value, Object... path) {
        Object found = value;
        for (Object step : path) {
            found =
                    step instanceof Integer index
                            ? ((List<?>) found).get(index)
                            : ((Map<?, ?>) found).get(step);
        }
        return found;
    }

    // ---- containers

    @Test
    void theImageRunsTheJarAsItsFirstProcess() throws IOException {
        List<String> lines = Pages.block("docs/packaging.md", "dockerfile").lines().toList();
        assertThat(lines.get(0)).startsWith("FROM eclipse-temurin:");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("COPY"))
                .singleElement()
                .asString()
                .startsWith("COPY target/hello-1.0.0.jar ");
        String target =
                lines.stream()
                        .filter(line -> line.startsWith("COPY"))
                        .findFirst()
                        .orElseThrow()
                        .split(" ")[2];
        JsonValue entry = json(lines, "ENTRYPOINT ");
        assertThat(entry.toJson())
                .startsWith("[\"java\",")
                .endsWith("\"-jar\",\"" + target + "\"]");
        assertThat(json(lines, "CMD ").toJson()).isEqualTo("[\"http\"]");
        assertThat(lines).contains("EXPOSE 3001", "USER 10001");
        assertThat(DeploySnippets.container()).isNotNull();
    }

    private static JsonValue json(List<String> lines, String word) {
        return JsonValue.parse(
                lines.stream()
                        .filter(line -> line.startsWith(word))
                        .findFirst()
                        .orElseThrow()
                        .substring(word.length()));
    }

    // ---- from the official SDK

    @Test
    void theServerAndClientOfThePageForOthersRun() throws Exception {
        try (var server = MigrationSnippets.server()) {
            assertThat(MigrationSnippets.client(server.inProcess())).isEqualTo(0.25);
        }
    }
}
