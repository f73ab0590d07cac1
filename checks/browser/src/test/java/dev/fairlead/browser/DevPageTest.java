package dev.fairlead.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;

import dev.fairlead.cli.Main;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

import javax.tools.ToolProvider;

/** A person writes a server, which {@code fairlead dev} starts again beside its page. */
class DevPageTest extends BrowserTest {
    /** Milliseconds in which two JVMs start on any machine. */
    private static final int STARTS_WITHIN = 120_000;

    private static final String SERVER =
            """
            import dev.fairlead.server.McpServer;
            import dev.fairlead.stdio.Stdio;

            class Harbour {
                record Ship(String name) {}

                public static void main(String[] arguments) {
                    int berth = %s;
                    McpServer.named("harbour", "1.4.0")
                            .tool("berth", "Gives a ship berth " + berth, Ship.class, String.class)
                            .handle((ship, call) -> "Berth " + berth + " for " + ship.name())
                            .build()
                            .serve(Stdio.streams());
                }
            }
            """;

    @TempDir Path folder;

    private Path classes() {
        return folder.resolve("classes");
    }

    /** Compiles the server, and replaces its class at once. */
    private void compile(String berth) throws IOException {
        Path source = folder.resolve("Harbour.java");
        Files.writeString(source, SERVER.formatted(berth));
        Path compiled = Files.createTempDirectory(folder, "compiled");
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-proc:none",
                                "-cp",
                                ChildJvm.classPath(),
                                "-d",
                                compiled.toString(),
                                source.toString());
        assertThat(status).isZero();
        Files.createDirectories(classes());
        for (String name : List.of("Harbour$Ship.class", "Harbour.class")) {
            Files.move(
                    compiled.resolve(name),
                    classes().resolve(name),
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** The command as a process, in front of the compiled server. */
    private ChildProcess dev() throws IOException {
        Path server = classes().resolve("Harbour.class");
        List<String> command =
                new ArrayList<>(
                        ChildJvm.command(
                                Main.class,
                                "dev",
                                "--http",
                                "127.0.0.1:0",
                                "--console",
                                "--watch",
                                server.toString(),
                                "--"));
        command.addAll(
                List.of(
                        ChildJvm.program("java"),
                        "-cp",
                        classes() + File.pathSeparator + ChildJvm.classPath(),
                        "Harbour"));
        return ChildProcess.start(new ProcessBuilder(command).redirectErrorStream(true));
    }

    @Test
    void thePageStaysOpenWhileTheServerChanges() throws Exception {
        compile("7");
        try (ChildProcess dev = dev();
                ConsolePage person = new ConsolePage(chromium, ConsolePage.Screen.WIDE)) {
            URI address = URI.create(dev.await("in a browser at (\\S+)"));
            person.open(address, this::writeServer);
            assertThat(person.complaints).isEmpty();
        }
    }

    private void writeServer(Page page) throws IOException {
        page.setDefaultTimeout(STARTS_WITHIN);
        page.evaluate("window.kept = true");
        awaitServer(page, 7);
        page.locator("#f-name").fill("Ada");
        call(page, 7);

        compile("8");
        page.locator(".restarted.good:has-text('Harbour.class changed')").waitFor();
        awaitServer(page, 8);
        call(page, 8); // the name is still there

        compile("Integer.parseInt(\"nine\")");
        page.locator(".restarted.bad:has-text('For input string: \"nine\"')").waitFor();
        call(page, 8); // by the server of before

        compile("9");
        page.locator(".restarted.good:has-text('Harbour.class changed')").waitFor();
        awaitServer(page, 9);
        call(page, 9);
        assertThat(page.locator(".history li").count()).isEqualTo(4);
        assertThat(page.evaluate("window.kept")).isEqualTo(true);
    }

    /** Waits until the page is connected to the server with this berth. */
    private static void awaitServer(Page page, int berth) {
        page.locator(".live.good:text-is('Connected')").waitFor();
        page.locator(".things span:text-is('Gives a ship berth " + berth + "')").waitFor();
    }

    /** Calls the tool, and waits until the call is the latest of those that have ended. */
    private static void call(Page page, int berth) {
        int calls = page.locator(".history li").count() + 1;
        page.locator(".detail .run .primary").click();
        page.locator(".history ul:has(li:nth-child(" + calls + ")) li:first-child .good").waitFor();
        assertThat(page.locator(".outcome pre").first().innerText())
                .isEqualTo("Berth " + berth + " for Ada");
    }
}
