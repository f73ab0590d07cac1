package dev.fairlead.http.spi;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Status and headers of an answer, in the order in which they are sent. The engine adds the headers
 * of the connection: {@code Content-Length}, {@code Transfer-Encoding}, {@code Date}. Immutable.
 */
public final class ResponseHead {
    private final int status;
    private final String[] headers; // names and values in turn

    private ResponseHead(int status, String[] headers) {
        this.status = status;
        this.headers = headers;
    }

    /**
     * A head with these headers.
     *
     * @param status such as 200
     * @param headers values by name
     */
    public ResponseHead(int status, Map<String, String> headers) {
        this(status, inTurn(headers));
    }

    private static String[] inTurn(Map<String, String> headers) {
        String[] inTurn = new String[2 * headers.size()];
        int next = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            inTurn[next++] = header.getKey();
            inTurn[next++] = header.getValue();
        }
        return inTurn;
    }

    /**
     * A head with these headers.
     *
     * @param status such as 200
     * @param headers names and values in turn
     * @throws IllegalArgumentException if the last name has no value
     */
    public static ResponseHead of(int status, List<String> headers) {
        if (headers.size() % 2 != 0) {
            throw new IllegalArgumentException("each name of a header must have a value");
        }
        return new ResponseHead(status, headers.toArray(new String[0]));
    }

    /** The status, such as 200. */
    public int status() {
        return status;
    }

    /** Returns how many headers there are. */
    public int size() {
        return headers.length / 2;
    }

    /** The name of a header, counted from 0. */
    public String name(int index) {
        return headers[2 * index];
    }

    /** The value of a header, counted from 0. */
    public String value(int index) {
        return headers[2 * index + 1];
    }

    /** Does something with each header, in order: name and value. */
    public void forEach(BiConsumer<String, String> action) {
        for (int i = 0; i < headers.length; i += 2) {
            action.accept(headers[i], headers[i + 1]);
        }
    }
}
