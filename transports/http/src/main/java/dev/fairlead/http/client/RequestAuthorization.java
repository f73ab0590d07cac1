package dev.fairlead.http.client;

import java.io.IOException;
import java.net.http.HttpHeaders;
import java.util.Map;

/**
 * Authorizes one HTTP request, from before it is sent until its response is accepted. Used by one
 * thread. Time spent blocking here does not count against the timeout of the request. If the
 * request is cancelled or its connection closed, the methods throw {@link InterruptedException}.
 */
public interface RequestAuthorization {
    /**
     * Returns headers for the request; called before each time it is sent. May block while a person
     * logs in.
     *
     * @throws AuthorizationException if the request cannot be authorized; it fails with this
     *     exception
     * @throws IOException if a server that is needed for that does not respond
     */
    Map<String, String> headers() throws IOException, InterruptedException;

    /**
     * Examines the status and headers of the response, and obtains new authorization if they
     * require it. May block.
     *
     * @return whether to send the request again; false accepts the response as it is
     * @throws AuthorizationException if the request cannot be authorized; it fails with this
     *     exception
     * @throws IOException if a server that is needed for that does not respond
     */
    boolean again(int status, HttpHeaders headers) throws IOException, InterruptedException;
}
