package dev.fairlead.http.client;

import dev.fairlead.http.exchange.ObservedInputStream;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/**
 * A body whose bytes can all be read before it fails. In the JDK's own the loss of the connection
 * overtakes bytes that came before it: among them may be the only event from which the stream can
 * be resumed.
 */
final class EventStreamBody implements BodySubscriber<InputStream> {
    private final BodySubscriber<InputStream> arrived = BodySubscribers.ofInputStream();
    private volatile @Nullable Throwable failure;

    @Override
    public CompletionStage<InputStream> getBody() {
        return arrived.getBody().thenApply(Body::new);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        arrived.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
        arrived.onNext(bytes);
    }

    @Override
    public void onError(Throwable lost) {
        failure = lost;
        arrived.onComplete(); // which waits for its turn
    }

    @Override
    public void onComplete() {
        arrived.onComplete();
    }

    private final class Body extends ObservedInputStream {
        Body(InputStream in) {
            super(in);
        }

        @Override
        protected void onRead(int read) throws IOException {
            Throwable lost = failure;
            if (read < 0 && lost != null) {
                throw new IOException(lost.getMessage(), lost);
            }
        }
    }
}
