package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.requirements.Requirement;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Flow.Subscription;

/** The calls of the JDK's HTTP client to the subscriber of a body, in its order. */
@Timeout(30)
class EventStreamBodyTest {
    private final EventStreamBody body = new EventStreamBody();
    private final InputStream in = body.getBody().toCompletableFuture().join();

    EventStreamBodyTest() {
        body.onSubscribe(
                new Subscription() {
                    @Override
                    public void request(long items) {}

                    @Override
                    public void cancel() {}
                });
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Requirement("SSE-011")
    void whatHasComeIsReadBeforeTheLossOfTheConnection() throws Exception {
        body.onNext(List.of(bytes("id: 1\n"), bytes("data: \n\n")));
        body.onError(new IOException("reset"));

        assertThat(in.readNBytes(14)).asString().isEqualTo("id: 1\ndata: \n\n");
        assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessage("reset");
        assertThatThrownBy(() -> in.read(new byte[9])).isInstanceOf(IOException.class);
    }

    @Test
    void aStreamThatIsCompleteEnds() throws Exception {
        body.onNext(List.of(bytes("data: 1\n\n")));
        body.onComplete();

        assertThat(in.readAllBytes()).asString().isEqualTo("data: 1\n\n");
    }
}
