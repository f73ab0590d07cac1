package dev.fairlead.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.cli.Cli.Ran;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.stdio.Stdio;
import dev.fairlead.test.support.ChildJvm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code fairlead bundle}: its bundle is unpacked and started as a host does. */
@Tag("proof") // links a runtime, which takes several seconds of a processor
@Timeout(600)
class BundleCommandTest {
    @TempDir Path folder;

    /** A jar that starts a server of the tests, whose classes stay where they are. */
    private Path jar() throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, DevCommandTest.TextServer.class.getName());
        attributes.put(
                Attributes.Name.CLASS_PATH,
                Stream.of(ChildJvm.classPath().split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toUri().toString())
                        .collect(Collectors.joining(" ")));
        Path jar = folder.resolve("text.jar");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }

    private Path unpacked(Path bundle) throws IOException {
        Path to = folder.resolve("unpacked");
        Map<String, String> options = Map.of("enablePosixFileAttributes", "true");
        try (FileSystem zip = FileSystems.newFileSystem(bundle, options);
                Stream<Path> all = Files.walk(zip.getPath("/"))) {
            for (Path path : all.toList()) {
                Path target = to.resolve(path.toString().substring(1));
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                    Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(path));
                }
            }
        }
        return to;
    }

    @Test
    void aHostStartsTheServerOfABundle() throws Exception {
        Path text = Files.writeString(folder.resolve("text.txt"), "hello");
        Path file = folder.resolve("text.mcpb");
        Ran ran =
                Cli.run(
                        "bundle",
                        jar().toString(),
                        "--modules",
                        "java.se,jdk.unsupported",
                        "--author",
                        "Ada",
                        "--description",
                        "Returns a text",
                        "--env",
                        "TEXT_TOKEN",
                        "--out",
                        file.toString(),
                        "--json",
                        "--",
                        text.toString());
        assertThat(ran.status()).as(ran.err()).isZero();

        Path host = unpacked(file);
        JsonObject manifest =
                (JsonObject) JsonValue.parse(Files.readString(host.resolve("manifest.json")));
        assertThat(((JsonObject) JsonValue.parse(ran.out())).object("manifest"))
                .isEqualTo(manifest);
        assertThat(manifest.array("tools").toJson())
                .contains("{\"name\":\"text\",\"description\":\"Returns the text\"}");
        assertThat(manifest.object("user_config").object("text_token").string("title"))
                .isEqualTo("TEXT_TOKEN");
        JsonObject config = manifest.object("server").object("mcp_config");
        assertThat(config.object("env").string("TEXT_TOKEN"))
                .isEqualTo("${user_config.text_token}");
        String command = config.string("command").replace("${__dirname}", host.toString());
        String jar = host.resolve("server.jar").toString();
        try (McpClient client =
                McpClient.named("host", "1")
                        .requestTimeout(Duration.ofMinutes(5))
                        .connect(Stdio.command(command, "-jar", jar, text.toString()))) {
            assertThat(client.callTool("text", JsonObject.EMPTY).text()).isEqualTo("hello");
        }
    }

    @Test
    void mistakesAreNamed() throws IOException {
        assertThat(Cli.run("bundle", "/no/such.jar").err())
                .contains("no such jar: /no/such.jar; build it first");
        Ran ran = Cli.run("bundle", jar().toString(), "--modules", "no.such.module");
        assertThat(ran.status()).isEqualTo(64);
        assertThat(ran.err()).contains("jlink failed: ", "no.such.module");
        assertThat(Cli.run("bundle", jar().toString(), "--env", "A=B").err())
                .contains("--env needs the name of a variable but was A=B");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(Path::getFileName).map(Path::toString).toList())
                    .isEqualTo(List.of("text.jar"));
        }
    }
}
