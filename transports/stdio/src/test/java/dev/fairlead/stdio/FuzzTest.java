package dev.fairlead.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.MalformedMessageException;
import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Random damage to the lines of a peer: every line has exactly one answer where one is due, nothing
 * hangs, and no thread is left. A seed in the name of a failure repeats it.
 */
@Timeout(120)
class FuzzTest {
    private static final int LINES = 1_500;

    private static final List<String> SEEDS =
            List.of(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"a\":[1,2.5e3,null]}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/call\",\"params\":{\"name\":\"t\"}}",
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-1,\"message\":\"m\"}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"t\",\"inputResponses\":{\"q\":{\"action\":\"accept\"}},\"requestState\":\"v1.AAAA\",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":[\"a:b\"]},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}",
                    "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tasks/update\",\"params\":{\"taskId\":\"t\",\"inputResponses\":{\"q1\":{\"action\":\"decline\"}},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}",
                    "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}]",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"echo\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1e400,\"method\":\"echo\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999,\"method\":\"echo\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"echo\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7,\"params\":\"text\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":{\"n\":"
                            + "9".repeat(3_000)
                            + "}}",
                    "{\"a\":".repeat(600) + "1" + "}".repeat(600),
                    "[".repeat(100_000),
                    "\uFEFF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}",
                    "nonsense");

    private static byte[] damaged(Random random) {
        byte[] line =
                SEEDS.get(random.nextInt(SEEDS.size())).getBytes(StandardCharsets.UTF_8).clone();
        switch (random.nextInt(6)) {
            case 0 -> line[random.nextInt(line.length)] = (byte) random.nextInt(256);
            case 1 -> line = Arrays.copyOf(line, random.nextInt(line.length));
            case 2 -> {
                int at = random.nextInt(line.length);
                byte[] longer = Arrays.copyOf(line, line.length + 3);
                System.arraycopy(line, at, longer, at + 3, line.length - at);
                random.nextBytes(line);
                System.arraycopy(line, 0, longer, at, Math.min(3, line.length));
                line = longer;
            }
            case 3 -> {
                int at = random.nextInt(line.length);
                line[at] = line[random.nextInt(line.length)];
            }
            default -> {
                // as it is
            }
        }
        for (int i = 0; i < line.length; i++) {
            if (line[i] == '\n') {
                line[i] = ' ';
            }
        }
        return line;
    }

    /** Returns whether a server owes exactly one message for this line. */
    private static boolean isAnswered(byte[] line) {
        if (new String(line, StandardCharsets.ISO_8859_1).chars().allMatch(FuzzTest::isBlank)) {
            return false;
        }
        try {
            JsonRpcMessage message = JsonRpcMessage.parse(line);
            return message instanceof JsonRpcRequest
                    || message instanceof dev.fairlead.jsonrpc.Batch; // refused as a whole
        } catch (MalformedMessageException e) {
            return true;
        }
    }

    private static boolean isBlank(int c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    @Requirement({"ERR-001", "ERR-002"})
    void everyLineHasTheAnswersThatItIsOwed(long seed) throws Exception {
        Random random = new Random(seed);
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        int owed = 0;
        for (int i = 0; i < LINES; i++) {
            byte[] line = damaged(random);
            in.write(line);
            in.write('\n');
            owed += isAnswered(line) ? 1 : 0;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Set<Thread> before = platformThreads();
        Stdio.streams(new ByteArrayInputStream(in.toByteArray()), out)
                .grace(Duration.ofMinutes(1))
                .serve(new EchoServer())
                .await();
        List<String> answers = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(answers).as("seed %d", seed).hasSize(owed);
        assertThat(answers)
                .as("seed %d", seed)
                .allMatch(answer -> JsonValue.parse(answer) instanceof JsonObject)
                .noneMatch(answer -> answer.contains("Exception") || answer.contains("\\tat "));
        Set<Thread> left = platformThreads();
        left.removeAll(before);
        for (Thread thread : left) { // the last of them has told that all is over
            assertThat(thread.join(Duration.ofSeconds(60))).as("seed %d", seed).isTrue();
        }
    }

    private static Set<Thread> platformThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("mcp-"))
                .collect(Collectors.toSet());
    }

    @Test
    void linesOfRandomBytesAreSurvived() throws Exception {
        long seed = 5;
        Random random = new Random(seed);
        byte[] noise = new byte[2 << 20];
        random.nextBytes(noise);
        ByteArrayOutputStream in = new ByteArrayOutputStream();
        in.write(noise);
        in.write("\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\"}\n".getBytes());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Stdio.streams(new ByteArrayInputStream(in.toByteArray()), out)
                .grace(Duration.ofMinutes(1))
                .serve(new EchoServer())
                .await();
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .contains("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
    }
}
