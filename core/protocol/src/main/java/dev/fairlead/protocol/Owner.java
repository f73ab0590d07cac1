package dev.fairlead.protocol;

import dev.fairlead.protocol.platform.Sha256;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;

/**
 * The owner of a thing that outlives a request, such as a task. {@link Object#toString} gives the
 * {@link #key}, which is fit for logs.
 */
public sealed interface Owner {
    /**
     * A user whom an authorization server has authenticated, and the client that acts for them: the
     * same in every session.
     *
     * @param client null if the token does not name it
     */
    record Principal(String issuer, String subject, @Nullable String client) implements Owner {
        public Principal {
            Objects.requireNonNull(issuer, "issuer");
            Objects.requireNonNull(subject, "subject");
        }

        @Override
        public String key() {
            return client == null
                    ? OwnerKey.of("principal", issuer, subject)
                    : OwnerKey.of("principal", issuer, subject, client);
        }

        @Override
        public String toString() {
            return key();
        }
    }

    /**
     * The one peer at the other end of a connection within this machine: over stdio and in memory.
     *
     * @param name distinguishes such peers that share a store
     */
    record Local(String name) implements Owner {
        public Local {
            Objects.requireNonNull(name, "name");
        }

        /** Creates the owner named {@code local}. */
        public Local() {
            this("local");
        }

        @Override
        public String key() {
            return OwnerKey.of("local", name);
        }

        @Override
        public String toString() {
            return key();
        }
    }

    /**
     * An unknown caller: over HTTP without authorization.
     *
     * @param session distinguishes sessions without revealing their ids; empty without a session
     */
    record Anonymous(String session) implements Owner {
        private static final String LOOPBACK = "loopback-";

        public Anonymous {
            Objects.requireNonNull(session, "session");
        }

        /** Returns the unknown client of a session, whose id cannot be derived from the owner. */
        public static Anonymous ofSession(String id) {
            return new Anonymous(Sha256.hex(id));
        }

        /**
         * Returns the unknown client at an address, whose requests belong to no session. It is
         * counted by the address and, as every unknown caller, can access each thing whose id it
         * knows.
         *
         * @param peer the address, the same for all nodes
         */
        public static Anonymous ofPeer(String peer) {
            return new Anonymous(Sha256.hex("peer " + peer));
        }

        /**
         * Returns the unknown client at an address of the loopback interface, see {@link #ofPeer}.
         *
         * @param peer the address
         */
        public static Anonymous ofLoopback(String peer) {
            return new Anonymous(LOOPBACK + Sha256.hex("peer " + peer));
        }

        @Override
        public boolean isLoopback() {
            return session.startsWith(LOOPBACK);
        }

        @Override
        public String key() {
            return OwnerKey.of("anonymous", session);
        }

        /**
         * Returns a key that is the same for all: every caller that knows the id of a task can
         * access it.
         */
        @Override
        public String access() {
            return "anonymous";
        }

        @Override
        public String toString() {
            return key();
        }
    }

    /**
     * Returns the key of lists and limits: different for different owners, with any characters in
     * their names. Printable ASCII without spaces; stores keep it.
     */
    String key();

    /**
     * Returns the key of access to one thing by its id: the {@link #key}, except for {@link
     * Anonymous}.
     */
    default String access() {
        return key();
    }

    /**
     * Returns whether this is the owner for anonymous callers without a session at an address of
     * the loopback interface, where many callers can be behind one address. Limits of one caller do
     * not apply to it unless their options are set.
     */
    default boolean isLoopback() {
        return false;
    }

    /**
     * Returns the owner of the things that a caller creates.
     *
     * @param otherwise the owner if the caller is anonymous
     */
    static Owner of(Caller caller, Owner otherwise) {
        return caller.isAnonymous()
                ? otherwise
                : new Principal(caller.issuer(), caller.subject(), caller.client().orElse(null));
    }

    /**
     * Returns the owner of a {@link #key}.
     *
     * @throws IllegalArgumentException if the text is not a key
     */
    static Owner parse(String key) {
        List<String> parts = OwnerKey.parts(key);
        return switch (parts.getFirst() + parts.size()) {
            case "principal3" -> new Principal(parts.get(1), parts.get(2), null);
            case "principal4" -> new Principal(parts.get(1), parts.get(2), parts.get(3));
            case "local2" -> new Local(parts.get(1));
            case "anonymous2" -> new Anonymous(parts.get(1));
            default -> throw new IllegalArgumentException("not the key of an owner: " + key);
        };
    }
}
