package dev.fairlead.http.client;

import java.io.IOException;
import java.net.http.HttpHeaders;
import java.util.Map;

/**
 * Authorizes one HTTP request, from before it is sent until its answer is taken. Used by one
 * thread. What blocks here takes nothing from the time that the request has for its answer, and
 * ends with {@link InterruptedException} where the request or its connection is given up.
 */
public interface RequestAuthorization {
    /**
     * Headers for the request, which is about to be sent; asked for anew each time it is. May
     * block, as long as a person needs to log in.
     *
     * @throws AuthorizationException if the request cannot be authorized; it fails with that
     * @throws IOException if that is so for want of an answer
     */
    Map<String, String> headers() throws IOException, InterruptedException;

    /**
     * Takes note of the answer's head, and gets new authorization if it asks for that. May block.
     *
     * @return whether the request is to be sent once more; false has the answer taken as it is
     * @throws AuthorizationException if the request cannot be authorized; it fails with that
     * @throws IOException if that is so for want of an answer
     */
    boolean again(int status, HttpHeaders headers) throws IOException, InterruptedException;
}
