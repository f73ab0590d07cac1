package dev.fairlead.server.call;

import dev.fairlead.protocol.RequestRefusedException;
import dev.fairlead.protocol.limits.Quota;

/**
 * Counts held calls and the bytes of their parameters and of answers that wait for others, of each
 * caller and in all. Thread-safe.
 */
final class HeldPlaces {
    /** A caller may have this part of the bytes. */
    static final int CALLER_PART = 8;

    private final int all;
    private final int perCaller;
    private final Quota calls;
    private final Quota bytes;

    /**
     * The place of one call.
     *
     * @param call of one
     * @param bytes of the parameters and answers
     */
    record Place(Quota.Share call, Quota.Share bytes) {
        /**
         * Counts bytes of answers that wait for others.
         *
         * @throws RequestRefusedException if there is no room for them
         */
        void take(long size) {
            if (!bytes.take(size)) {
                throw RequestRefusedException.limit(
                        "The parameters and answers of held calls have too many bytes");
            }
        }

        /** Gives back bytes of answers that wait no longer. */
        void release(long size) {
            bytes.release(size);
        }

        /** Gives back everything. */
        void release() {
            call.release();
            bytes.release();
        }
    }

    /**
     * @param all the most calls
     * @param perCaller the most calls of one caller
     * @param maxBytes of all calls together
     */
    HeldPlaces(int all, int perCaller, long maxBytes) {
        this.all = all;
        this.perCaller = perCaller;
        this.calls = Quota.of(all).perCaller(perCaller);
        this.bytes = Quota.of(maxBytes).perCaller(maxBytes / CALLER_PART);
    }

    /**
     * Takes a place.
     *
     * @param caller under which the call is counted
     * @param size of the parameters, in bytes
     * @throws RequestRefusedException if there is none
     */
    Place take(Object caller, long size) {
        Place place = new Place(calls.share(caller, null), bytes.share(caller, null));
        if (!place.call().take(1)) {
            throw RequestRefusedException.limit(
                    calls.held() >= all
                            ? "Held call limit reached ("
                                    + all
                                    + "); raise McpServer.Builder.maxHeldCalls"
                            : "Held call limit of a caller reached ("
                                    + perCaller
                                    + "); raise McpServer.Builder.maxHeldCallsPerCaller");
        }
        try {
            place.take(size);
        } catch (RequestRefusedException e) {
            place.release();
            throw e;
        }
        return place;
    }

    /** Returns how many places are taken. */
    int size() {
        return (int) calls.held();
    }
}
