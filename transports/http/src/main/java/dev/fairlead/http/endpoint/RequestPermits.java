package dev.fairlead.http.endpoint;

import dev.fairlead.http.options.RefusalReason;
import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.JsonRpcRequest;
import dev.fairlead.jsonrpc.RequestId;
import dev.fairlead.protocol.engine.RequestKind;
import dev.fairlead.protocol.limits.Quota;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The limits of requests under way, each of them fair. Every request counts by its {@link
 * RequestKind}, each request of a batch too, until its handler has ended. A call whose client is
 * given up moves to a limit of its own, so that it no longer takes a place that others need.
 * Messages that are not requests take no place.
 */
public final class RequestPermits {
    /** The number of bodies that may be read for each request under way. */
    static final int BODIES = 4;

    private static final RequestKind[] KINDS = RequestKind.values();

    private final Map<RequestKind, Quota> limits = new EnumMap<>(RequestKind.class);
    private final Quota detached;
    private final Quota bodies;

    RequestPermits(Settings settings) {
        limits.put(RequestKind.CALL, Quota.shared(settings.maxRequests));
        limits.put(RequestKind.CONTROL, Quota.shared(settings.maxRequests));
        limits.put(RequestKind.WAIT, Quota.shared(settings.maxResultWaits));
        detached = Quota.shared(settings.maxRequests);
        bodies = Quota.shared((long) settings.maxRequests * BODIES);
    }

    /** A place to read one more body. */
    Quota.Share takeBody(RequestSource source) {
        Quota.Share place = share(bodies, source);
        if (!place.take(1)) {
            throw new HttpRefusalException(
                    RefusalReason.REQUEST_LIMIT,
                    "Limit of bodies that are read at a time reached ("
                            + bodies.limit()
                            + "); raise HttpOptions.maxRequests");
        }
        return place;
    }

    private static Quota.Share share(Quota quota, RequestSource source) {
        return quota.share(source.caller(), source.session());
    }

    /** The part of the places of bodies that other bodies than one leave; negative beyond. */
    double freeBodies() {
        return 1 - (bodies.held() - 1.0) / bodies.limit();
    }

    /**
     * Takes the places of all requests among the messages of one POST, or none.
     *
     * @throws HttpRefusalException if there are not so many for this source
     */
    public Held take(RequestSource source, List<JsonRpcMessage> messages) {
        List<RequestId> requests = new ArrayList<>(1);
        List<Quota.Share> permits = new ArrayList<>(1);
        for (RequestKind kind : KINDS) {
            int before = requests.size();
            add(kind, messages, requests);
            int count = requests.size() - before;
            if (count == 0) {
                continue;
            }
            Quota.Share places = share(limit(kind), source);
            if (!places.take(count)) {
                permits.forEach(Quota.Share::release);
                throw limitReached(kind);
            }
            permits.add(places);
        }
        return new Held(source, requests, permits);
    }

    /** Adds the requests of a kind. */
    private static void add(
            RequestKind kind, List<JsonRpcMessage> messages, List<RequestId> requests) {
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i) instanceof JsonRpcRequest request
                    && RequestKind.of(request.method()) == kind) {
                requests.add(request.id());
            }
        }
    }

    @SuppressWarnings("NullAway") // every kind has one
    private Quota limit(RequestKind kind) {
        return limits.get(kind);
    }

    private HttpRefusalException limitReached(RequestKind kind) {
        long max = limit(kind).limit();
        return switch (kind) {
            case CALL, CONTROL ->
                    new HttpRefusalException(
                            RefusalReason.REQUEST_LIMIT,
                            "Request limit reached (" + max + "); raise HttpOptions.maxRequests");
            case WAIT ->
                    new HttpRefusalException(
                            RefusalReason.RESULT_WAIT_LIMIT,
                            "Limit of waiting tasks/result requests and listen streams reached ("
                                    + max
                                    + "); raise HttpOptions.maxResultWaits");
        };
    }

    /**
     * The places of one POST, and the bytes of its body, until the last of its handlers has ended:
     * one that ignores interruption keeps them although its request is answered, or its session is
     * closed. Safe for use by several threads.
     */
    public final class Held {
        private final RequestSource source;
        private final int requests;
        private final List<RequestId> running; // guarded by this
        private final List<Quota.Share> permits; // guarded by this
        private BodyBudget.@Nullable Share body; // guarded by this
        private boolean released;

        private Held(RequestSource source, List<RequestId> running, List<Quota.Share> permits) {
            this.source = source;
            this.requests = running.size();
            this.running = running;
            this.permits = permits;
        }

        /** Keeps the bytes of the body for as long as the places. */
        public synchronized void keep(BodyBudget.Share share) {
            share.keep();
            body = share;
        }

        /** A request has ended, or never began; gives all back with the last of them. */
        public synchronized void ended(RequestId request) {
            if (running.remove(request) && running.isEmpty()) {
                release();
            }
        }

        /** Gives all back; does nothing the second time. */
        public synchronized void release() {
            released = true;
            permits.forEach(Quota.Share::release);
            if (body != null) {
                body.release();
            }
        }

        /**
         * Exchanges the places for those of requests whose clients were given up.
         *
         * @return false if there are not so many of those, and nothing was done
         */
        public synchronized boolean detach() {
            if (released) {
                return true;
            }
            Quota.Share instead = share(detached, source);
            if (!instead.take(requests)) {
                return false;
            }
            permits.forEach(Quota.Share::release);
            permits.clear();
            permits.add(instead);
            return true;
        }
    }
}
