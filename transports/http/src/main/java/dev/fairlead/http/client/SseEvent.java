package dev.fairlead.http.client;

/**
 * One event of a stream, if it is not empty: it has data, or an id that is to be remembered.
 *
 * @param type {@code message} where the stream names none
 * @param id the last id that the stream has named, with this event or before it; empty where there
 *     is none
 * @param data UTF-8, its lines joined by a line feed; empty where the event only names an id
 */
@SuppressWarnings(
        "ArrayRecordComponent") // the bytes go straight to the parser; events are never compared
record SseEvent(String type, String id, byte[] data) {
    /** Returns whether the event carries a message of JSON-RPC. */
    boolean isMessage() {
        return data.length > 0 && type.equals("message");
    }
}
