package dev.fairlead.protocol;

import java.time.Duration;
import java.util.Optional;

/**
 * Values that are kept for a time, each under a key and for an owner, such as an address or a
 * person: the logins of an authorization proxy, where several processes share them. Their number is
 * bounded for each owner and for all; no owner displaces values of another that has fewer. Each
 * method takes effect as a whole, also among several processes, and blocks for as long as the store
 * takes. Safe for use by several threads.
 *
 * <p>Every method throws a {@link RuntimeException} if the store fails; a change may have taken
 * effect then.
 */
public interface OwnedValues {
    /** The largest value, in bytes. */
    int MAX_BYTES = 64 * 1024;

    /**
     * The number of values that are kept.
     *
     * @param ofOwner of one owner
     * @param inAll of all owners together
     */
    record Share(int ofOwner, int inAll) {
        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if one is less than 1, or that of all less than the
         *     other
         */
        public Share {
            if (ofOwner < 1 || inAll < ofOwner) {
                throw new IllegalArgumentException(
                        "a limit must be at least 1, and the one of all at least that of one, but"
                                + " they were "
                                + ofOwner
                                + " and "
                                + inAll);
            }
        }
    }

    /** A store of values of several kinds. */
    @FunctionalInterface
    interface Source {
        /**
         * Returns the values of one kind, which all callers with this name share.
         *
         * @param name of at most 100 characters
         * @param kept how long each value is kept
         */
        OwnedValues open(String name, Share share, Duration kept);
    }

    /**
     * Keeps a value from now on if the owner has room for it. Where all is full, the newest value
     * of the owner with the most makes room, unless that is this owner.
     *
     * @param owner of at most 100 characters, like the key
     * @param most values of this owner, at least those of the share
     * @param key a new one
     * @param value of at most {@link #MAX_BYTES}
     * @return whether it is kept
     */
    boolean put(String owner, int most, String key, byte[] value);

    /**
     * Keeps a value from now on, in the place of the one of this key. Where the owner has its
     * share, its oldest value makes room; where all is full, the oldest of the owner with the most.
     * A key that several owners use belongs to the one with fewer, so that none with many can end
     * it.
     */
    void putForOldest(String owner, String key, byte[] value);

    /** Returns the value of a key; empty if there is none, or no longer. */
    Optional<byte[]> find(String key);

    /** Removes a value: of several callers that take it, one gets it. */
    Optional<byte[]> take(String key);

    /**
     * Puts a value in the place of another, and keeps it no longer than that.
     *
     * @return false if the value of the key is not the one before: of several callers that replace
     *     it, one succeeds
     */
    boolean replace(String key, byte[] before, byte[] after);
}
