package dev.fairlead.server.notifications;

import dev.fairlead.json.RawJson;
import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The progress and the log messages that a call has sent in all its runs, so that a handler which
 * starts again repeats none of them. Messages are found by their digests, in any order. The first
 * 256 are kept; later ones are repeated. Guarded by the lock of its {@link HandlerNotifier}.
 */
public final class SentReports {
    /** The most log messages that are kept. */
    public static final int MAX_MESSAGES = 256;

    private final Supplier<String> secret;
    private final List<Long> messages = new ArrayList<>(0);
    private final Map<Long, Integer> earlier = new HashMap<>(0); // not repeated in this run yet
    private double progress = Double.NEGATIVE_INFINITY;

    /**
     * The form in which the reports of a call reach its next run.
     *
     * @param progress the highest that was sent; null for none
     * @param log the digests of the messages, of eight bytes each, as Base64
     */
    public record Kept(@Nullable Double progress, String log) {}

    /**
     * Begins without any, or with those of earlier runs.
     *
     * @param secret of the call, the same in each of its runs and unknown to clients: so no text
     *     can be chosen that has the digest of another one
     */
    public SentReports(Supplier<String> secret, @Nullable Kept earlier) {
        this.secret = secret;
        if (earlier != null) {
            progress = earlier.progress() == null ? progress : earlier.progress();
            ByteBuffer digests = ByteBuffer.wrap(Base64.getDecoder().decode(earlier.log()));
            while (digests.remaining() >= Long.BYTES) {
                messages.add(digests.getLong());
            }
        }
    }

    /** The handler is entered, perhaps once more. */
    void nextRun() {
        earlier.clear();
        messages.forEach(message -> earlier.merge(message, 1, Integer::sum));
    }

    /** Returns whether progress is higher than all that was sent. */
    boolean isHigher(double value) {
        return value > progress;
    }

    void sent(double value) {
        progress = value;
    }

    /** Returns whether this run repeats a message that an earlier one has sent. */
    boolean isRepeated(RawJson message) {
        if (earlier.isEmpty()) { // spares the digest
            return false;
        }
        long digest = digest(message);
        boolean repeated = earlier.containsKey(digest);
        earlier.computeIfPresent(digest, (known, count) -> count == 1 ? null : count - 1);
        return repeated;
    }

    void sent(RawJson message) {
        if (messages.size() < MAX_MESSAGES) {
            messages.add(digest(message));
        }
    }

    private long digest(RawJson message) {
        byte[] key = secret.get().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.wrap(Sha256.bytes(key, message.toBytes())).getLong();
    }

    /** Returns the form for the next run; null if nothing was sent. */
    @Nullable Kept kept() {
        boolean hasProgress = Double.isFinite(progress);
        if (!hasProgress && messages.isEmpty()) {
            return null;
        }
        ByteBuffer digests = ByteBuffer.allocate(messages.size() * Long.BYTES);
        messages.forEach(digests::putLong);
        return new Kept(
                hasProgress ? progress : null,
                Base64.getEncoder().withoutPadding().encodeToString(digests.array()));
    }
}
