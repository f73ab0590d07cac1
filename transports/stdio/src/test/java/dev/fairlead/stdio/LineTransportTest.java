package dev.fairlead.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.jsonrpc.JsonRpcMessage;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The choice of a transport of lines between its two outputs. */
class LineTransportTest {
    private static final int LONG = 100_000; // more than is held back

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream direct = new ByteArrayOutputStream();

    private LineTransport transport(ByteArrayOutputStream directOutput) {
        LineReader in = new LineReader(new ByteArrayInputStream(new byte[0]), 1 << 20);
        return new LineTransport(in, out, directOutput, () -> {});
    }

    private static String text(String content) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"note\",\"params\":{\"text\":\""
                + content
                + "\"}}";
    }

    private static JsonRpcMessage message(String content) {
        return JsonRpcMessage.parse(text(content));
    }

    private static String written(ByteArrayOutputStream output) {
        return output.toString(StandardCharsets.UTF_8);
    }

    @Test
    void handlersMayUseItWhereThereIsADirectOutput() {
        assertThat(transport(direct).isUninterruptible()).isTrue();
        assertThat(transport(null).isUninterruptible()).isFalse();
    }

    @Test
    void whatIsSentDirectlyLeavesAtOnceByTheDirectOutput() throws IOException {
        LineTransport transport = transport(direct);

        transport.sendDirectly(message("one"));
        assertThat(written(direct)).isEqualTo(text("one") + "\n");
        transport.sendDirectly(message("x".repeat(LONG)));

        assertThat(written(direct)).isEqualTo(text("one") + "\n" + text("x".repeat(LONG)) + "\n");
        assertThat(out.size()).isZero();
    }

    @Test
    void whatTheWriterSendsLeavesByTheOtherOutputWhenItIsFlushed() throws IOException {
        LineTransport transport = transport(direct);

        transport.send(message("one"));
        transport.send(message("two"));
        assertThat(out.size()).isZero();
        transport.flush();
        transport.sendDirectly(message("three"));

        assertThat(written(out)).isEqualTo(text("one") + "\n" + text("two") + "\n");
        assertThat(written(direct)).isEqualTo(text("three") + "\n");
    }
}
