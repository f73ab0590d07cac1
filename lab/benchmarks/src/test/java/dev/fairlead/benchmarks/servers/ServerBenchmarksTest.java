package dev.fairlead.benchmarks.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.benchmarks.Child;
import dev.fairlead.benchmarks.Report;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Our server is measured, and a wrong answer would not be; figures are not checked here. */
@Timeout(120)
class ServerBenchmarksTest {
    private static final String EVENT =
            "data: {\"id\":10000001,\"result\":{\"content\":[{\"text\":\"10000001xx\"}]}}\n\n";

    private static ServerOptions options(String line) {
        return ServerOptions.parse(Wire.HTTP, List.of(line.split(" ")), Contenders.ours());
    }

    private static boolean isComplete(AnswerReader reader, String answer) throws IOException {
        boolean complete = false;
        for (byte next : answer.getBytes(StandardCharsets.UTF_8)) {
            assertThat(complete).isFalse();
            complete = reader.take(ByteBuffer.wrap(new byte[] {next}));
        }
        return complete;
    }

    @Test
    void whatIsNotUnderstoodIsRefused() {
        assertThatThrownBy(() -> options("--only luck")).hasMessageContaining("luck");
        assertThatThrownBy(() -> options("--servers php")).hasMessageContaining("php");
        assertThatThrownBy(() -> options("--fast")).hasMessageContaining("--fast");
        assertThatThrownBy(() -> Wire.named("fax")).hasMessageContaining("fax");
        assertThat(options("--servers ours-stateless").contenders()).hasSize(1);
    }

    @Test
    void anAnswerInChunksIsComparedWithItsCall() throws IOException {
        CallTemplate template = new CallTemplate("", Contenders.ours().getFirst(), 10);
        template.next();
        AnswerReader reader = new AnswerReader();
        int half = EVENT.length() / 2;
        String answer =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n"
                        .formatted(
                                half,
                                EVENT.substring(0, half),
                                EVENT.length() - half,
                                EVENT.substring(half));

        assertThat(isComplete(reader, answer)).isTrue();
        assertThat(reader.body()).isEqualTo(EVENT);
        assertThat(reader.answers(template)).isTrue();

        template.next();
        assertThat(reader.answers(template)).isFalse();
    }

    @Test
    void anAnswerWithALengthEndsWithIt() throws IOException {
        AnswerReader reader = new AnswerReader();

        assertThat(isComplete(reader, "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")).isTrue();
        assertThat(reader.body()).isEqualTo("{}");

        reader.reset();
        assertThatThrownBy(() -> isComplete(reader, "HTTP/1.1 503 No\r\n\r\n"))
                .hasMessageContaining("503");
    }

    @Test
    void oursAnswersEveryCall() throws Exception {
        for (Contender ours : Contenders.ours()) {
            try (ServerProcess server = ServerProcess.start(ours);
                    Load load = new Load(server, 4, 500)) {
                Sample sample = load.run(Duration.ofMillis(100));

                assertThat(sample.perSecond()).isPositive();
                assertThat(sample.p99Millis()).isPositive();
                assertThat(server.liveHeap()).isNotEmpty();
            }
        }
    }

    @Test
    void questionsAndLooksAtTasksAreAnswered() throws Exception {
        for (String tool : List.of(EraServer.PLAIN, EraServer.ASK, EraServer.TASK)) {
            try (ServerProcess server =
                            ServerProcess.start(
                                    Contenders.era(tool, Contender.Mode.ASKABLE, tool));
                    Load load = new Load(server, 4, 120)) {
                assertThat(load.run(Duration.ofMillis(100)).perSecond()).isPositive();
            }
        }
    }

    @Test
    void resultsOfTasksAreFetched() throws Exception {
        Contender tasks =
                Contenders.tasks("tasks", System.getProperty("java.class.path"), "--fixtures");
        try (ServerProcess server = ServerProcess.startQuietly(tasks);
                Load load = new Load(server, 4, 120)) {
            assertThat(load.run(Duration.ofMillis(100)).perSecond()).isPositive();
        }
    }

    @Test
    void gatewaysOfBothErasAnswerEveryCall(@TempDir Path folder) throws Exception {
        Path older = folder.resolve("older.json");
        Path newer = folder.resolve("newer.json");
        try (ServerProcess withSessions = ServerProcess.start(Contenders.oursWithHandshake());
                ServerProcess perRequest = ServerProcess.start(Contenders.ours().getFirst())) {
            GatewayCost.name(withSessions, older);
            GatewayCost.name(perRequest, newer);
            for (Contender gateway : Contenders.gateways(older, newer)) {
                try (ServerProcess process = ServerProcess.startQuietly(gateway);
                        Load load = new Load(process, 16, 120)) {
                    assertThat(load.run(Duration.ofMillis(100)).perSecond()).isPositive();
                }
            }
        }
    }

    @Test
    void oursAnswersEveryCallOverStdio() throws Exception {
        try (StdioProcess server = StdioProcess.start(Contenders.oursOnStdio())) {
            server.agree();
            for (int window : new int[] {1, 64}) {
                StdioLoad load = new StdioLoad(server, window);

                assertThat(load.run(Duration.ofMillis(100)).perSecond()).isPositive();
                assertThat(load.unanswered()).isZero();
            }
            server.end();
            assertThat(server.isAlive()).isFalse();
        }
    }

    @Test
    void clientsCallAServerOfEachTransport() throws Exception {
        try (ServerProcess server = ServerProcess.start(Contenders.ours().getFirst())) {
            for (Contender client : Contenders.ourClients()) {
                for (List<String> target :
                        List.of(List.of(server.uri()), Contenders.oursOnStdio().command())) {
                    try (Child process = client.startClient(target)) {
                        process.send("open 1");
                        process.expect("opened");
                        process.send("call 2 100");

                        assertThat(process.expect("made")).matches("[1-9][0-9]* [0-9]+ [0-9]+");
                    }
                }
            }
        }
    }

    @Test
    void startsAreMeasured() throws Exception {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        ServerOptions options =
                ServerOptions.parse(
                        Wire.START,
                        List.of("--quick", "--only", "plain"),
                        List.of(Contenders.oursOnStdio()));

        Starts.measure(options, new Report(new PrintStream(printed, true, StandardCharsets.UTF_8)));

        assertThat(printed.toString(StandardCharsets.UTF_8)).containsPattern("ours +[0-9]");
    }
}
