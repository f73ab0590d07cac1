package dev.fairlead.stdio;

import static dev.fairlead.test.support.Awaiting.await;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.Link;
import dev.fairlead.protocol.pipe.PipeRemote;
import dev.fairlead.protocol.pipe.PipeSettings;
import dev.fairlead.test.support.Logged;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Level;

/** The log of a client about a line of its server that is not a message. */
@Timeout(60)
class MalformedLineLogTest {
    private static final String PIPE = "dev.fairlead.protocol.pipe.PipeConnection";
    private static final String WARNING =
            "WARNING stdio: the server sent a line that cannot be read as a message";

    /** Returns the log up to the entry with this beginning. */
    private static List<String> logged(String logger, String line, String start) throws Exception {
        LineReader in =
                new LineReader(
                        new ByteArrayInputStream((line + "\n").getBytes(StandardCharsets.UTF_8)),
                        1 << 20);
        LineTransport transport = new LineTransport(in, new ByteArrayOutputStream(), () -> {});
        try (Logged log = new Logged(logger, Level.ALL);
                Link link =
                        new PipeRemote(() -> transport, PipeSettings.named("stdio"))
                                .connect(new Peer())) {
            await(start)
                    .until(() -> log.lines().stream().anyMatch(entry -> entry.startsWith(start)));
            return log.lines();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"requestState\":\"s3cret",
                "{\"requestState\" \"s3cret\"}",
                "{'requestState': 's3cret'}",
                "{\"inputResponses\":[{\"a\":\"s3cret\"}",
                "Id\":2,\"inputResponses\":{\"a\":\"s3cret\"}}",
                "calling with Authorization: Bearer s3cret",
            })
    void hasNoSecretOfTheLine(String line) throws Exception {
        assertThat(logged(PIPE, line, WARNING))
                .anyMatch(entry -> entry.startsWith(WARNING + " (") || entry.contains("***"))
                .noneMatch(entry -> entry.contains("s3cret"));
    }

    @Test
    void hasTheLineIfItIsPlainText() throws Exception {
        assertThat(logged(PIPE, "Welcome, password=hunter2", WARNING))
                .anyMatch(entry -> entry.startsWith(WARNING + ": 'Welcome, password=***' ("));
    }

    @Test
    void theLogOfFramesHasTheLineWithoutItsSecrets() throws Exception {
        String start = "FINER received [stdio] not a message: Parse error";
        assertThat(logged("dev.fairlead.wire", "{\"half\":1,\"requestState\":\"s3cret", start))
                .singleElement()
                .asString()
                .endsWith(": {\"half\":1,\"requestState\":\"***");
    }
}
