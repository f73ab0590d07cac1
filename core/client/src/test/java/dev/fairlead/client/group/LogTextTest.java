package dev.fairlead.client.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.FakeServer;
import dev.fairlead.protocol.logging.LoggingLevel;
import dev.fairlead.protocol.time.ManualTimers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** Text of servers in the log of a group: one line, without characters that control a terminal. */
@Timeout(60)
final class LogTextTest {
    /**
     * JSON: line breaks, ESC, the C1 form of CSI, a right-to-left override, and an invisible tag.
     */
    private static final String HOSTILE =
            "no\\r\\nSEVERE: forged \\u001b[2J\\u009b1m\\u202e\\udb40\\udc41";

    private static final String SAFE = "no SEVERE: forged \\u001b[2J\\u009b1m\\u202e\\udb40\\udc41";

    private final Logger logger = Logger.getLogger("dev.fairlead.client");
    private final BlockingQueue<String> entries = new LinkedBlockingQueue<>();
    private final Handler listener =
            new Handler() {
                @Override
                public void publish(LogRecord entry) {
                    entries.add(new SimpleFormatter().formatMessage(entry));
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        listener.setLevel(Level.ALL);
        logger.setLevel(Level.ALL);
        logger.addHandler(listener);
    }

    @AfterEach
    void stop() {
        logger.removeHandler(listener);
        logger.setLevel(null);
    }

    private static String error(String message) {
        return "error:{\"code\":-32000,\"message\":\"%s\"}".formatted(message);
    }

    private void assertLogged(String entry) throws InterruptedException {
        String next = "";
        while (!entry.equals(next)) {
            next = entries.poll(30, TimeUnit.SECONDS);
            assertThat(next).as("printable ASCII only").matches("[ -~]*");
        }
    }

    @Test
    void aRefusedHandshake() throws Exception {
        FakeServer hostile = Fakes.tools("files").on("initialize", error(HOSTILE));
        try (McpClients servers =
                McpClients.named("desk", "1")
                        .server("files", hostile)
                        .connect(new ManualTimers())) {
            assertLogged("The server files is gone: " + SAFE);
            assertThat(servers.status("files").reason()).as("the reason itself").contains("\n");
        }
    }

    @Test
    void aRefusedList() throws Exception {
        FakeServer hostile = Fakes.tools("files").on("tools/list", error(HOSTILE));
        try (McpClients servers =
                McpClients.named("desk", "1")
                        .server("files", hostile)
                        .connect(new ManualTimers())) {
            assertLogged("The tools of the server files cannot be read: " + SAFE);
        }
    }

    @Test
    void aRefusedLogLevel() throws Exception {
        FakeServer hostile =
                Fakes.tools("files")
                        .greet("2025-11-25", "{\"tools\": {}, \"logging\": {}}")
                        .on("logging/setLevel", error(HOSTILE));
        try (McpClients servers =
                McpClients.named("desk", "1")
                        .server("files", hostile)
                        .connect(new ManualTimers())) {
            servers.setLoggingLevel(LoggingLevel.INFO);
            assertLogged("The server files did not take the log level: " + SAFE);
        }
    }

    @Test
    void aLongMessageIsCut() throws Exception {
        FakeServer hostile = Fakes.tools("files").on("tools/list", error("x".repeat(10_000)));
        try (McpClients servers =
                McpClients.named("desk", "1")
                        .server("files", hostile)
                        .connect(new ManualTimers())) {
            assertLogged(
                    "The tools of the server files cannot be read: "
                            + "x".repeat(1_000)
                            + " (9000 more characters)");
        }
    }
}
