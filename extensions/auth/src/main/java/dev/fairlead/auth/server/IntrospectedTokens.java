package dev.fairlead.auth.server;

import dev.fairlead.auth.wire.Origin;
import dev.fairlead.protocol.limits.Quota;
import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Verifies tokens by an {@link Introspection}, once for all simultaneous requests with the same
 * token, and not again while the answer is cached. The cache contains digests of tokens, never
 * tokens. The requests of one origin never take all places. Safe for use by several threads.
 */
final class IntrospectedTokens {
    /** How long a token is taken after the answer that it is active; never after it expired. */
    static final Duration ACTIVE_KEPT = Duration.ofSeconds(30);

    /** How long a token is refused after the answer that it is not. */
    static final Duration INACTIVE_KEPT = Duration.ofSeconds(10);

    /** Answers of each of the two kinds, so that bad tokens drive no good ones out. */
    static final int MAX_KEPT = 10_000;

    /** How many tokens are asked about at the same time, beside the reserve of the quota. */
    static final int AT_ONCE = 40;

    /** How many requests wait for their turn, beside the reserve of the quota. */
    static final int MAX_WAITING = 160;

    /** How long a request waits for its turn. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Introspection introspection;
    private final Clock clock;
    private final Duration patience;
    private final Quota places = Quota.shared(AT_ONCE);
    private final Quota waiting = Quota.shared(MAX_WAITING);
    private final Map<String, FutureTask<Optional<VerifiedToken>>> underWay =
            new ConcurrentHashMap<>();

    private final Answers active = new Answers();
    private final Answers inactive = new Answers();

    IntrospectedTokens(Introspection introspection, Clock clock) {
        this(introspection, clock, PATIENCE);
    }

    /** Creates an instance with another clock and limit, for tests. */
    IntrospectedTokens(Introspection introspection, Clock clock, Duration patience) {
        this.introspection = introspection;
        this.clock = clock;
        this.patience = patience;
    }

    /**
     * The outcome of an introspection.
     *
     * @param end until when that holds
     */
    private record Answer(Optional<VerifiedToken> token, Instant end) {}

    /** The newest answers, by digests of the tokens. */
    private static final class Answers {
        /** The answers in the order in which they came; guarded by this. */
        private final Map<String, Answer> answers = new LinkedHashMap<>();

        synchronized Optional<Answer> find(String digest, Instant now) {
            return Optional.ofNullable(answers.get(digest))
                    .filter(answer -> now.isBefore(answer.end()));
        }

        synchronized void keep(String digest, Answer answer) {
            answers.remove(digest);
            answers.put(digest, answer);
            if (answers.size() > MAX_KEPT) {
                answers.remove(answers.keySet().iterator().next());
            }
        }
    }

    /**
     * Verifies a token.
     *
     * @param from whose share of the places an introspection takes
     * @return empty if it is not to be accepted, or of another issuer
     * @throws IOException if there is no answer, or no place in time
     */
    Optional<VerifiedToken> verify(String token, Origin from)
            throws IOException, InterruptedException {
        if (introspection.isForeign(token)) {
            return Optional.empty();
        }
        String digest = Sha256.of(token);
        Optional<Answer> known = known(digest);
        return known.isPresent() ? known.get().token() : asked(digest, token, from);
    }

    private Optional<Answer> known(String digest) {
        Instant now = clock.instant();
        return active.find(digest, now).or(() -> inactive.find(digest, now));
    }

    /**
     * Joins the introspection of this token that is under way, or starts one. Where the request
     * that has started it is interrupted, those that have joined it start again.
     */
    private Optional<VerifiedToken> asked(String digest, String token, Origin from)
            throws IOException, InterruptedException {
        while (true) {
            var own = new FutureTask<>(() -> ask(digest, token, from));
            FutureTask<Optional<VerifiedToken>> other = underWay.putIfAbsent(digest, own);
            if (other == null) {
                own.run();
                underWay.remove(digest, own);
            }
            try {
                return (other == null ? own : other).get();
            } catch (ExecutionException e) {
                if (other == null || !isInterruption(e.getCause())) {
                    throw failure(e.getCause());
                }
                underWay.remove(digest, other);
            }
        }
    }

    private static IOException failure(@Nullable Throwable cause) throws InterruptedException {
        if (cause instanceof InterruptedException interrupted) {
            throw interrupted;
        }
        return new IOException("a token could not be introspected", cause);
    }

    private static boolean isInterruption(@Nullable Throwable cause) {
        return cause instanceof InterruptedException || cause instanceof InterruptedIOException;
    }

    private Optional<VerifiedToken> ask(String digest, String token, Origin from)
            throws IOException, InterruptedException {
        Optional<Answer> meanwhile = known(digest);
        if (meanwhile.isPresent()) {
            return meanwhile.get().token();
        }
        Quota.Share place = places.share(from, null);
        if (!place.take(1) && !awaits(place, from)) {
            throw new IOException("too many tokens are introspected just now");
        }
        try {
            Optional<VerifiedToken> answer = introspection.ask(token);
            keep(digest, answer);
            return answer;
        } finally {
            place.release();
        }
    }

    /** Waits for a place; each that is given back wakes all who wait, so these are few. */
    private boolean awaits(Quota.Share place, Origin from) throws InterruptedException {
        Quota.Share turn = waiting.share(from, null);
        if (!turn.take(1)) {
            return false;
        }
        try {
            boolean taken = place.take(1, patience, () -> true);
            if (!taken && Thread.interrupted()) {
                throw new InterruptedException();
            }
            return taken;
        } finally {
            turn.release();
        }
    }

    private void keep(String digest, Optional<VerifiedToken> answer) {
        Instant now = clock.instant();
        if (answer.isEmpty()) {
            inactive.keep(digest, new Answer(answer, now.plus(INACTIVE_KEPT)));
            return;
        }
        Instant end = now.plus(ACTIVE_KEPT);
        Instant expires = answer.get().expiresAt();
        active.keep(digest, new Answer(answer, expires.isBefore(end) ? expires : end));
    }
}
