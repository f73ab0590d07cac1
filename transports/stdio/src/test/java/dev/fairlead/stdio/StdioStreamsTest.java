package dev.fairlead.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.protocol.Owner;
import dev.fairlead.protocol.Serving;
import dev.fairlead.protocol.SessionHost;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

@Timeout(60)
class StdioStreamsTest {
    private static List<String> answers(StdioStreams streams, ByteArrayOutputStream out)
            throws Exception {
        streams.grace(Duration.ofMinutes(1)).serve(new EchoServer()).await();
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static String echo(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"echo\"}\n";
    }

    private static String result(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{}}";
    }

    @Test
    @Requirement({"ERR-001", "ROOM-044"})
    void malformedLinesAreAnsweredAndSurvived() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] in = ("{]\n" + "\u0000\n" + "\n\r\n" + echo(1)).getBytes(StandardCharsets.UTF_8);
        in[0] = (byte) 0xC3; // not UTF-8 either
        assertThat(answers(Stdio.streams(new ByteArrayInputStream(in), out), out))
                .hasSize(3)
                .contains(result(1))
                .filteredOn(line -> line.contains("-32700") && !line.contains("\"id\""))
                .hasSize(2);
    }

    @Test
    void theOwnerHasTheNameThatWasGiven() throws Exception {
        StdioStreams streams =
                Stdio.streams(InputStream.nullInputStream(), OutputStream.nullOutputStream());
        List<Owner> owners = new ArrayList<>();
        SessionHost host =
                context -> {
                    owners.add(context.owner());
                    return new EchoServer().open(context);
                };
        streams.serve(host).await();
        streams.owner("desk").maxMessageSize(100_000).serve(host).await();

        assertThat(owners).containsExactly(new Owner.Local("local"), new Owner.Local("desk"));
    }

    @Test
    void aMessageThatIsTooLongIsRefusedAndSkipped() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        String in =
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"echo\",\"params\":{\"text\":\""
                        + "x".repeat(200_000)
                        + "\"}}\n";
        StdioStreams streams =
                Stdio.streams(
                                new ByteArrayInputStream(
                                        (in + echo(8)).getBytes(StandardCharsets.UTF_8)),
                                out)
                        .maxMessageSize(100_000);
        assertThat(answers(streams, out))
                .containsExactlyInAnyOrder(
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32600,\"message\":"
                                + "\"Invalid request: a message may have 100000 bytes\"}}",
                        result(8));
    }

    @Test
    void whatIsPipedInIsAnsweredAlthoughTheInputEndsAtOnce() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringBuilder in = new StringBuilder();
        for (int id = 1; id <= 64; id++) {
            in.append(echo(id));
        }
        assertThat(
                        answers(
                                Stdio.streams(
                                        new ByteArrayInputStream(in.toString().getBytes()), out),
                                out))
                .hasSize(64)
                .doesNotHaveDuplicates();
    }

    @Test
    @Requirement("STDIO-010")
    void everyAnswerIsFlushed() throws Exception {
        PipedOutputStream toServer = new PipedOutputStream();
        PipedInputStream fromServer = new PipedInputStream();
        try (Serving serving =
                        Stdio.streams(
                                        new PipedInputStream(toServer),
                                        new PipedOutputStream(fromServer))
                                .serve(new EchoServer());
                BufferedReader lines = new BufferedReader(new InputStreamReader(fromServer))) {
            for (int id = 1; id <= 3; id++) {
                toServer.write(echo(id).getBytes());
                toServer.flush();
                assertThat(lines.readLine()).isEqualTo(result(id));
            }
        }
    }

    @Test
    @Requirement("LIFE-025")
    void aServerThatClosesExitsAlthoughItsInputIsOpen() throws Exception {
        Process process =
                new ProcessBuilder(ChildMain.command("close-itself"))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(echo(1).getBytes());
            in.flush();
            assertThat(new String(process.getInputStream().readAllBytes()))
                    .isEqualTo(result(1) + "\n");
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        }
    }
}
