package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** {@code fairlead new}; {@code .ci/samples} builds the projects and calls their tools. */
@Timeout(600)
class NewCommandTest {
    private static final Path TEMPLATES = Path.of("src/main/resources/dev/fairlead/cli/project");

    @TempDir Path folder;

    private Ran create(String name, String... options) {
        List<String> typed = new ArrayList<>(List.of("new", folder.resolve(name).toString()));
        typed.addAll(List.of(options));
        return Cli.run(typed.toArray(String[]::new));
    }

    private static JsonObject json(Path file) throws IOException {
        return (JsonObject) JsonValue.parse(Files.readString(file));
    }

    private static List<Path> files(Path in) throws IOException {
        try (Stream<Path> all = Files.walk(in)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--annotations", "--spring", "--client"})
    void everyPlaceOfATemplateIsFilled(String kind) throws IOException {
        for (String build : List.of("", "--gradle")) {
            String name = "p" + kind + build;
            String[] options =
                    Stream.of(kind, build).filter(o -> !o.isEmpty()).toArray(String[]::new);
            Ran ran = create(name, options);
            assertThat(ran.status()).as(ran.err()).isZero();
            for (Path file : files(folder.resolve(name))) {
                assertThat(Files.readString(file)).as(file.toString()).doesNotContain("{{", "@{");
            }
            String file = build.isEmpty() ? "pom.xml" : "build.gradle.kts";
            assertThat(Files.readString(folder.resolve(name).resolve(file)))
                    .contains(NewVersion.OF_THIS_BUILD)
                    .doesNotContain("${version.");
        }
    }

    @Test
    void everyTemplateIsUsed() throws IOException {
        Set<String> used = new TreeSet<>();
        for (String kind : List.of("", "--annotations", "--spring", "--client")) {
            for (String build : List.of("", "--gradle")) {
                String[] options =
                        Stream.of("--json", kind, build)
                                .filter(o -> !o.isEmpty())
                                .toArray(String[]::new);
                String name = "p" + kind + build;
                Ran ran = create(name, options);
                ((JsonObject) JsonValue.parse(ran.out()))
                        .array("files").elements().stream()
                                .map(file -> ((JsonString) file).value())
                                .forEach(file -> used.add(Path.of(file).getFileName().toString()));
            }
        }
        for (Path template : files(TEMPLATES)) {
            String name = template.getFileName().toString();
            assertThat(used)
                    .as(template.toString())
                    .contains(
                            name.replace("spring-pom", "pom")
                                    .replace("spring.gradle", "build.gradle")
                                    .replace("gitignore", ".gitignore"));
        }
    }

    @Test
    void theFilesOfHostsStartItsJar() throws IOException {
        assertThat(create("hello").status()).isZero();
        String jar = folder.resolve("hello/target/hello.jar").toString();
        for (JsonObject servers :
                List.of(
                        json(folder.resolve("hello/.mcp.json")).object("mcpServers"),
                        json(folder.resolve("hello/.vscode/mcp.json")).object("servers"))) {
            JsonObject server = servers.object("hello");
            assertThat(server.array("args").toJson()).isEqualTo("[\"-jar\",\"" + jar + "\"]");
            assertThat(Path.of(server.string("command"))).isExecutable();
        }
    }

    @Test
    void anAnswerNamesTheNextSteps() {
        Ran ran = create("hello");
        assertThat(ran.out())
                .startsWith("Created hello in " + folder.resolve("hello") + "\n")
                .contains("\n  cd " + folder.resolve("hello") + "\n  mvn package\n")
                .contains("\n  fairlead tools call greet name=Ada hello\n");
        assertThat(create("other", "--gradle").out()).contains("\n  gradle build\n");
        assertThat(create("caller", "--client").out())
                .contains("\n  java -jar target/caller.jar http://127.0.0.1:3000/mcp\n");
    }

    @Test
    void anEmptyFolderIsTaken() throws IOException {
        Files.createDirectory(folder.resolve("hello"));
        assertThat(create("hello").status()).isZero();
    }

    @Test
    void aFolderWithFilesIsRefused() throws IOException {
        Path hello = Files.createDirectory(folder.resolve("hello"));
        Files.writeString(hello.resolve("precious"), "");

        Ran ran = create("hello");
        assertThat(ran.status()).isEqualTo(64);
        assertThat(ran.err())
                .isEqualTo(
                        "fairlead: "
                                + hello
                                + " is not empty; name a new folder, or empty this one\n");
        assertThat(files(hello)).containsExactly(hello.resolve("precious"));
    }

    @Test
    void aFileIsRefused() throws IOException {
        Files.writeString(folder.resolve("hello"), "");
        assertThat(create("hello").err()).contains("hello is a file; name a new folder");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1st", "a b", "ä", "-x/../a.b", "{{main}}", "a<b"})
    void aNameThatIsNoneForArtifactsIsRefused(String name) throws IOException {
        Ran ran = create(name);
        assertThat(ran.status()).isEqualTo(64);
        assertThat(ran.err())
                .contains("up to 64 letters, digits, _ and -, with a letter at its start, but was");
        assertThat(files(folder)).isEmpty();
    }

    @Test
    void twoKindsExcludeEachOther() {
        Ran ran = create("hello", "--spring", "--client");
        assertThat(ran.status()).isEqualTo(64);
        assertThat(ran.err()).contains("mutually exclusive");
    }

    /** The version of the module under test, from its POM. */
    private static final class NewVersion {
        static final String OF_THIS_BUILD = version();

        private static String version() {
            try {
                String pom = Files.readString(Path.of("pom.xml"));
                int start = pom.indexOf("<version>") + 9;
                return pom.substring(start, pom.indexOf("</version>", start));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }
}
