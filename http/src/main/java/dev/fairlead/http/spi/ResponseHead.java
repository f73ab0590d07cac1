package dev.fairlead.http.spi;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Status and headers of an answer. The engine adds what belongs to the connection: {@code
 * Content-Length}, {@code Transfer-Encoding}, {@code Date}.
 *
 * @param status such as 200
 * @param headers in the order in which they are sent
 */
public record ResponseHead(int status, Map<String, String> headers) {
    public ResponseHead {
        headers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }
}
