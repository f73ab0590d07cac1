package dev.fairlead.http.options;

import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.Route;
import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.SessionHost;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Identifies the caller of each request: {@link dev.fairlead.http.HttpOptions#authorization}.
 * Module {@code fairlead-auth} has one for OAuth. Safe for use by several threads.
 *
 * @spec https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization Authorization
 */
public interface HttpAuthorization {
    /**
     * Returns this authorization for the endpoint of a host, whose {@linkplain
     * SessionHost#ownedValues store} it may use. Called once for each endpoint; itself by default.
     */
    default HttpAuthorization servedBy(SessionHost host) {
        return this;
    }

    /**
     * Decides on one request, by its head alone: nothing of its body was read yet, and nothing is
     * to be read here or answered. Called on a virtual thread, so it may block. Other exceptions
     * are answered with 500, and the request is not processed.
     *
     * @throws InterruptedException if the server ends
     */
    Decision decide(HttpExchange request) throws InterruptedException;

    /**
     * Returns the challenge for a caller whose scopes do not suffice, a value of {@code
     * WWW-Authenticate}; the status is 403.
     *
     * @param required the scopes without which this request is not admitted; never empty
     * @param message the attempt, in ASCII
     */
    String challenge(Caller caller, Set<String> required, String message);

    /**
     * Returns the routes that are served beside the endpoint, such as metadata, by absolute paths.
     * All clients may send requests there, also pages of any origin; each address as often as
     * {@link dev.fairlead.http.HttpOptions#requestRate} allows. Bodies have to come as fast as
     * those of messages; the routes decide how large they may be. None by default.
     */
    default List<Route> routes() {
        return List.of();
    }

    /** The decision on a request. */
    sealed interface Decision {
        /**
         * The request is processed.
         *
         * @param caller whose sessions and tasks it can reach
         * @param headers that its answer has as well, also if it is an error
         */
        record Admitted(Caller caller, Map<String, String> headers) implements Decision {
            public Admitted {
                Objects.requireNonNull(caller, "caller");
                headers = Map.copyOf(headers);
            }

            /** Creates an admission without headers. */
            public Admitted(Caller caller) {
                this(caller, Map.of());
            }
        }

        /**
         * The request is answered with an error, and was not processed.
         *
         * @param status from 400 to 599: 401 without a valid token, 400 if the request is not well
         *     formed, 503 if tokens cannot be checked just now
         * @param headers such as {@code WWW-Authenticate}; a {@code Retry-After} in seconds is also
         *     the {@code data.retryAfterMs} of an error with status 429 or 503
         * @param message for the client
         */
        record Refused(int status, Map<String, String> headers, String message)
                implements Decision {
            public Refused {
                if (status < 400 || status > 599) {
                    throw new IllegalArgumentException(
                            "the status of a refusal is from 400 to 599 but was " + status);
                }
                headers = Map.copyOf(headers);
                Objects.requireNonNull(message, "message");
            }

            /**
             * Returns the refusal of a request without a valid token (401).
             *
             * @param challenge the value of {@code WWW-Authenticate}
             */
            public static Refused unauthorized(String challenge, String message) {
                return new Refused(401, Map.of("WWW-Authenticate", challenge), message);
            }
        }
    }
}
